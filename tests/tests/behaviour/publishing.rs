//! What the options of `#[publish(..)]` do on the broker: fields of the key, headers, expiration,
//! publishes that nobody need take, and messages that are types of other crates.

use contract_runtime::{Connection, HandlerResult, PublishError, PublishOutcome, Worker, contract};
use lapin::types::AMQPValue;
use serde_json::{Value, json};
use tests::{Raw, Vhost};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

#[contract]
mod post {
    use contract_runtime::prelude::*;

    #[exchange("post", topic)]
    pub struct Post;

    #[exchange("sorted", headers)]
    pub struct Sorted;

    #[queue("desk", bind(Post, "letter.*"), dead_letter)]
    pub struct Desk;

    #[queue("abroad", bind(Sorted, all(header("abroad", true))), dead_letter)]
    pub struct Abroad;

    #[queue("short", bind(Post, "short"), dead_letter)]
    pub struct Short;

    #[cfg(any())]
    #[queue("never", bind(Post, "#"))]
    pub struct Never;

    #[message("letter")]
    pub type Letter = serde_json::Value;

    #[message("stamps", version = 2)]
    pub type Stamps = std::collections::BTreeMap<String, u8>;

    #[publisher]
    pub trait Sender {
        #[publish(Post, "letter.{type}")]
        async fn letter(
            &self,
            letter: &Letter,
            r#type: impl std::fmt::Display + Send,
        ) -> PublishResult;
        #[publish(Post, "letter.stamps")]
        async fn stamps(&self, stamps: &Stamps) -> PublishResult;
        #[publish(Sorted, header("abroad", true), header("weight", 20))]
        async fn abroad(&self, letter: &Letter) -> PublishResult;
        #[publish(Post, "short", expiration = "50ms")]
        async fn short(&self, letter: &Letter) -> PublishResult;
        #[publish(Post, "nobody.reads", lossy(unroutable))]
        async fn advertise(&self, letter: &Letter) -> PublishResult;
        #[publish(Post, "elsewhere", external)]
        async fn elsewhere(&self, letter: &Letter) -> PublishResult;
    }

    #[handlers]
    pub trait Clerk {
        #[consume(Desk)]
        async fn letter(&self, letter: Letter, delivery: &Delivery) -> HandlerResult;
        #[consume(Desk)]
        async fn stamps(&self, stamps: Stamps) -> HandlerResult;
    }
}

use self::post::{SenderPublisher, Stamps};

struct Desk(UnboundedSender<(String, Value)>);

impl post::Clerk for Desk {
    async fn letter(&self, letter: Value, delivery: &contract_runtime::Delivery) -> HandlerResult {
        let _ = self.0.send((delivery.routing_key().to_owned(), letter));
        Ok(())
    }

    async fn stamps(&self, stamps: Stamps) -> HandlerResult {
        let _ = self.0.send(("stamps".to_owned(), json!(stamps)));
        Ok(())
    }
}

async fn declared() -> (Vhost, Connection, SenderPublisher) {
    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url())
        .await
        .expect("the broker can be reached");
    connection
        .declare(post::contract())
        .await
        .expect("the contract is declared");
    let sender = SenderPublisher::new(&connection);
    (vhost, connection, sender)
}

#[tokio::test]
async fn fields_fill_the_key_and_types_of_other_crates_travel() {
    let (_vhost, connection, sender) = declared().await;
    let (runs, mut took) = unbounded_channel();
    let worker = Worker::new(&connection).handlers(post::clerk(Desk(runs)));
    let worker = worker.start().await.expect("the worker starts");

    sender.letter(&json!("dear"), 7).await.expect("taken");
    let first = took.recv().await.expect("a letter");
    assert_eq!(first, ("letter.7".to_owned(), json!("dear")));

    let stamps = Stamps::from([("penny".to_owned(), 1)]);
    sender.stamps(&stamps).await.expect("taken");
    let second = took.recv().await.expect("stamps");
    assert_eq!(second, ("stamps".to_owned(), json!({ "penny": 1 })));

    let error = sender
        .letter(&json!("dear"), "two.words")
        .await
        .unwrap_err();
    assert!(matches!(error, PublishError::InvalidKey { .. }), "{error}");
    assert_eq!(error.outcome(), PublishOutcome::NotSent);
    worker.shutdown().await;
}

#[tokio::test]
async fn many_are_published_together() {
    let (vhost, connection, sender) = declared().await;
    let raw = Raw::connect(vhost.url()).await;
    let letters: Vec<Value> = (0..300).map(|number| json!(number)).collect();
    let publishes = letters.iter().map(|letter| sender.letter(letter, "x"));
    let results = sender.publish_all(publishes).await;
    assert_eq!(results.len(), 300);
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    for number in 0..300 {
        let letter = raw.take("desk").await.delivery.data.clone();
        assert_eq!(letter, number.to_string().into_bytes());
    }
    let results = sender.publish_all(letters.iter().map(|letter| sender.elsewhere(letter)));
    for result in results.await {
        let error = result.unwrap_err();
        assert!(matches!(error, PublishError::Unroutable { .. }), "{error}");
    }
    let clone = sender.clone();
    sender.close().await;
    let error = clone.letter(&json!(0), "x").await.unwrap_err();
    assert!(matches!(error, PublishError::Closed), "{error}");
    raw.close().await;
    connection.close().await;
    vhost.delete().await;
}

#[tokio::test]
async fn headers_route_and_an_expired_message_is_a_dead_letter() {
    let (vhost, _connection, sender) = declared().await;
    let raw = Raw::connect(vhost.url()).await;

    sender.abroad(&json!("cher")).await.expect("taken");
    let abroad = raw.take("abroad").await;
    let headers = abroad.properties.headers().as_ref().expect("headers");
    let header = |name: &str| headers.inner().get(name).cloned();
    assert_eq!(header("abroad"), Some(AMQPValue::Boolean(true)));
    assert_eq!(header("weight"), Some(AMQPValue::LongLongInt(20)));

    sender.short(&json!("brief")).await.expect("taken");
    assert_eq!(raw.take("short.dlq").await.data, b"\"brief\"");
    assert!(vhost.queue("never").await.is_none());
    raw.close().await;
}

#[tokio::test]
async fn what_nobody_takes_is_an_error_unless_it_is_signed_for() {
    let (_vhost, _connection, sender) = declared().await;
    sender.advertise(&json!("buy")).await.expect("signed for");
    let error = sender.elsewhere(&json!("dear")).await.unwrap_err();
    assert!(matches!(error, PublishError::Unroutable { .. }), "{error}");
}
