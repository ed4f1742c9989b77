//! Declaring a contract.

use std::time::Duration;

use contract_core::Contract;
use contract_core::model::{
    Backoff, Binding, BindingKey, DeadLetter, Exchange, ExchangeKind, Queue, QueueKind, Retry,
    Schedule,
};
use contract_core::name::{ExchangeName, Pattern, QueueName};
use contract_runtime::{Connection, DeclareError, DifferenceKind};

use crate::workbench::{Raw, unique, url};
use tests::Proxy;

struct Names {
    prefix: String,
}

impl Names {
    fn exchange(&self, name: &str) -> ExchangeName {
        ExchangeName::new(format!("{}.{name}", self.prefix)).unwrap()
    }

    fn queue(&self, name: &str) -> QueueName {
        QueueName::new(format!("{}.{name}", self.prefix)).unwrap()
    }
}

fn bound(mut queue: Queue, exchange: &ExchangeName, key: &'static str) -> Queue {
    queue.bindings.push(Binding::new(
        exchange.clone(),
        BindingKey::Pattern(Pattern::literal(key)),
    ));
    queue
}

#[tokio::test]
async fn declaring_twice_changes_nothing() {
    let raw = Raw::connect().await;
    let names = Names {
        prefix: unique("twice"),
    };
    let exchange = names.exchange("x");
    let mut contract = Contract::new("twice");
    contract
        .exchanges
        .push(Exchange::new(exchange.clone(), ExchangeKind::Topic));
    let mut queue = bound(Queue::new(names.queue("q")), &exchange, "a.#");
    queue.dead_letter = Some(DeadLetter::Derived);
    contract.queues.push(queue);
    let connection = Connection::open(&url()).await.unwrap();
    connection.declare(&contract).await.unwrap();
    connection.declare(&contract).await.unwrap();
    assert_eq!(raw.count(&format!("{}.q", names.prefix)).await, 0);
    assert_eq!(raw.count(&format!("{}.q.dlq", names.prefix)).await, 0);
    connection.close().await;
    for queue in ["q", "q.dlq"] {
        raw.delete_queue(&format!("{}.{queue}", names.prefix)).await;
    }
    for exchange in ["x", "q.dlx"] {
        raw.delete_exchange(&format!("{}.{exchange}", names.prefix))
            .await;
    }
}

#[tokio::test]
async fn every_difference_is_told_at_once_and_nothing_twice() {
    let raw = Raw::connect().await;
    let names = Names {
        prefix: unique("differs"),
    };
    let (exchange, fine) = (names.exchange("x"), names.queue("fine"));
    let mut contract = Contract::new("differs");
    contract
        .exchanges
        .push(Exchange::new(exchange.clone(), ExchangeKind::Direct));
    for name in ["length", "kind"] {
        let mut queue = Queue::new(names.queue(name));
        queue.max_length = Some(10);
        contract.queues.push(queue);
    }
    let connection = Connection::open(&url()).await.unwrap();
    connection.declare(&contract).await.unwrap();

    // The same names, other things; and what nobody has declared.
    contract.exchanges[0].kind = ExchangeKind::Topic;
    contract.queues[0].max_length = Some(20);
    contract.queues[1].kind = QueueKind::Classic;
    let mut external = Exchange::new(names.exchange("theirs"), ExchangeKind::Topic);
    external.external = true;
    contract.exchanges.push(external);
    let mut external = Queue::new(names.queue("theirs"));
    external.external = true;
    contract.queues.push(external);
    // Bound to what fails: no mistake of its own.
    contract
        .queues
        .push(bound(Queue::new(fine.clone()), &exchange, "k"));
    let error = connection.declare(&contract).await.unwrap_err();
    let found: Vec<(String, DifferenceKind, u16)> = error
        .differences()
        .iter()
        .map(|difference| {
            let entity = difference.entity.replace(&names.prefix, "");
            (entity, difference.kind, difference.code)
        })
        .collect();
    let expected = [
        ("exchange `.x`", DifferenceKind::Other, 406),
        ("external exchange `.theirs`", DifferenceKind::Missing, 404),
        ("queue `.length`", DifferenceKind::Other, 406),
        ("queue `.kind`", DifferenceKind::Other, 406),
        ("external queue `.theirs`", DifferenceKind::Missing, 404),
    ]
    .map(|(entity, kind, code)| (entity.to_owned(), kind, code));
    assert_eq!(found, expected, "{error}");
    assert!(error.to_string().contains("x-max-length"), "{error}");
    assert!(!error.is_retryable());
    // The rest has been declared, and the connection lives.
    assert_eq!(raw.count(fine.as_str()).await, 0);
    contract.exchanges.truncate(1);
    contract.exchanges[0].kind = ExchangeKind::Direct;
    contract.queues.clear();
    connection.declare(&contract).await.unwrap();
    connection.close().await;
    for queue in ["length", "kind", "fine"] {
        raw.delete_queue(names.queue(queue).as_str()).await;
    }
    raw.delete_exchange(exchange.as_str()).await;
}

#[tokio::test]
async fn an_exclusive_queue_of_another_connection_is_locked() {
    let names = Names {
        prefix: unique("locked"),
    };
    let mut contract = Contract::new("locked");
    let mut queue = Queue::new(names.queue("q"));
    queue.kind = QueueKind::Classic;
    queue.exclusive = true;
    contract.queues.push(queue);
    let (one, two) = (
        Connection::open(&url()).await.unwrap(),
        Connection::open(&url()).await.unwrap(),
    );
    one.declare(&contract).await.unwrap();
    let error = two.declare(&contract).await.unwrap_err();
    assert_eq!(error.differences()[0].kind, DifferenceKind::Locked);
    assert!(error.is_retryable(), "{error}");
    one.close().await;
    two.declare(&contract).await.unwrap();
    two.close().await;
}

#[tokio::test]
async fn hundreds_of_buckets_are_declared_side_by_side() {
    let raw = Raw::connect().await;
    let names = Names {
        prefix: unique("buckets"),
    };
    let mut contract = Contract::new("buckets");
    let mut delays = Vec::new();
    for number in 0..5u64 {
        let mut queue = Queue::new(names.queue(&number.to_string()));
        let steps = (1..=20)
            .map(|step| contract_core::Millis(step * 1000))
            .collect();
        queue.retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(steps)));
        queue.dead_letter = Some(DeadLetter::Derived);
        delays.push(queue.name.clone());
        contract.queues.push(queue);
    }
    let connection = Connection::open(&url()).await.unwrap();
    connection.declare(&contract).await.unwrap();
    assert_eq!(
        raw.count(&format!("{}.retry.v1.20000ms", delays[4])).await,
        0
    );
    connection.close().await;
    for queue in &delays {
        for step in 1..=20 {
            raw.delete_queue(&format!("{queue}.retry.v1.{}ms", step * 1000))
                .await;
        }
        raw.delete_queue(queue.as_str()).await;
        raw.delete_queue(&format!("{queue}.dlq")).await;
        raw.delete_exchange(&format!("{queue}.dlx")).await;
    }
}

#[tokio::test]
async fn a_dumb_broker_is_not_waited_for_for_ever() {
    let proxy = Proxy::before(&url()).await;
    let connection = Connection::builder(&proxy.url())
        .declare_timeout(Duration::from_millis(500))
        .close_timeout(Duration::from_millis(200))
        .open()
        .await
        .unwrap();
    let exchange = ExchangeName::new(unique("dumb")).unwrap();
    let mut contract = Contract::new("dumb");
    contract
        .exchanges
        .push(Exchange::new(exchange.clone(), ExchangeKind::Direct));
    proxy.mute();
    let error = connection.declare(&contract).await.unwrap_err();
    assert!(matches!(error, DeclareError::Timeout { .. }), "{error}");
    assert!(error.to_string().contains(exchange.as_str()), "{error}");
    connection.close().await;
}
