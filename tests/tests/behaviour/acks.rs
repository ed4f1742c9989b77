//! Acks that go out together: none for what is unfinished, and none that waits for it.

use std::time::Duration;

use contract_runtime::{Connection, HandlerError, HandlerResult, Worker, contract};
use tests::{Raw, Vhost, eventually};

use self::letters::{Letter, LetterEventsPublisher, LetterHandlers, letter_handlers};

#[contract]
pub mod letters {
    use contract_runtime::prelude::*;

    #[exchange("letters", direct)]
    pub struct Letters;

    #[queue("classic", classic, bind(Letters, "classic"), dead_letter)]
    pub struct Classic;

    #[queue("quorum", bind(Letters, "quorum"), dead_letter)]
    pub struct Quorum;

    #[message("letter")]
    pub struct Letter {
        pub number: u32,
    }

    #[publisher]
    pub trait LetterEvents {
        #[publish(Letters, "classic")]
        async fn classic(&self, letter: &Letter) -> PublishResult;

        #[publish(Letters, "quorum")]
        async fn quorum(&self, letter: &Letter) -> PublishResult;
    }

    #[handlers]
    pub trait LetterHandlers {
        #[consume(Classic, prefetch = 200, concurrency = 200)]
        async fn of_classic(&self, letter: Letter) -> HandlerResult;

        #[consume(Quorum, prefetch = 200, concurrency = 200)]
        async fn of_quorum(&self, letter: Letter) -> HandlerResult;
    }
}

const LETTERS: u32 = 100;

/// Never finishes the first letter of a queue, fails every tenth, and finishes the others.
struct Reader;

async fn read(letter: Letter) -> HandlerResult {
    match letter.number {
        0 => std::future::pending().await,
        number if number % 10 == 0 => Err(HandlerError::permanent("every tenth")),
        _ => Ok(()),
    }
}

impl LetterHandlers for Reader {
    async fn of_classic(&self, letter: Letter) -> HandlerResult {
        read(letter).await
    }

    async fn of_quorum(&self, letter: Letter) -> HandlerResult {
        read(letter).await
    }
}

#[tokio::test]
async fn one_handler_that_hangs_holds_nothing_back_and_is_not_acknowledged() {
    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url()).await.unwrap();
    connection.declare(letters::contract()).await.unwrap();
    let events = LetterEventsPublisher::new(&connection);
    for number in 0..LETTERS {
        events.classic(&Letter { number }).await.unwrap();
        events.quorum(&Letter { number }).await.unwrap();
    }
    let worker = Worker::new(&connection)
        .handlers(letter_handlers(Reader))
        .shutdown_limit(Duration::ZERO)
        .start()
        .await
        .unwrap();
    // A delivery is counted when its ack is written, so none of these waits for the first.
    eventually("all but the first of each queue are settled", async || {
        let report = worker.report();
        (report.handled == 180 && report.dead_lettered == 18).then_some(())
    })
    .await;
    let report = worker.shutdown().await;
    assert_eq!((report.abandoned, report.settlements_lost), (2, 0));
    connection.close().await;

    // What the broker has left says which acks it got.
    let raw = Raw::connect(vhost.url()).await;
    for queue in ["classic", "quorum"] {
        let left = eventually("the broker has given it back", async || {
            raw.get(queue).await
        })
        .await;
        let letter: serde_json::Value = serde_json::from_slice(&left.data).unwrap();
        assert_eq!(letter["number"], 0, "{queue}");
        assert_eq!(raw.count(queue).await, 0, "{queue}");
        assert_eq!(raw.count(&format!("{queue}.dlq")).await, 9, "{queue}");
    }
    raw.close().await;
    vhost.delete().await;
}
