//! A contract that a program has built runs like one of the macro.

use contract_runtime::contract_core::model::{
    Backoff, Binding, BindingKey, Consume, DeadLetter, Exchange, ExchangeKind, Handlers, Message,
    Publish, PublishKey, Publisher, Queue, QueueKind, Retry, Schedule, Takes,
};
use contract_runtime::contract_core::{ExchangeName, Millis, Pattern, QueueName};
use contract_runtime::dynamic::{DynamicContract, DynamicHandlers};
use contract_runtime::{Connection, Contract, ContractError, HandlerError, PublishError, Worker};
use serde_json::{Value, json};
use tests::{Raw, Vhost, header};
use tokio::sync::mpsc::unbounded_channel;

fn orders(kind: QueueKind) -> Contract {
    let exchange = ExchangeName::literal("orders");
    let name = QueueName::literal("processing");
    let mut queue = Queue::new(name.clone());
    queue.kind = kind;
    queue.bindings = vec![Binding::new(
        exchange.clone(),
        BindingKey::Pattern(Pattern::literal("order.*.created")),
    )];
    queue.dead_letter = Some(DeadLetter::Derived);
    queue.retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(vec![
        Millis(50),
        Millis(100),
    ])));
    let mut message = Message::new("order.created");
    message.schema = Some(json!({ "type": "object", "required": ["id"] }));
    let key = contract_runtime::contract_core::key::KeyTemplate::parse("order.{region}.created");
    let publish = Publish::new(
        "order_created",
        exchange.clone(),
        PublishKey::Template(key.expect("a key")),
        message.reference(),
    );
    let letters = Consume::new("letters", QueueName::literal("letters"), Takes::DeadLetter);
    let consume = Consume::new("process", name, Takes::Message(message.reference()));

    let mut contract = Contract::new("orders");
    contract.exchanges = vec![Exchange::new(exchange, ExchangeKind::Topic)];
    contract.queues = vec![queue, Queue::new(letters.queue.clone())];
    contract.messages = vec![message];
    contract.publishers = vec![Publisher::new("Events", vec![publish])];
    contract.handlers = vec![Handlers::new("Orders", vec![consume, letters])];
    contract
}

async fn runs(kind: QueueKind) {
    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url())
        .await
        .expect("the broker can be reached");
    let contract = DynamicContract::new(orders(kind)).expect("the contract breaks no rule");
    let (sender, mut runs) = unbounded_channel();
    let (letter_sender, mut letters) = unbounded_channel();
    let handlers = contract
        .handlers("Orders")
        .expect("the contract has these handlers");
    let handlers = handlers
        .json("process", move |order: Value, delivery| {
            let sender = sender.clone();
            async move {
                let _ = sender.send((order["id"].clone(), delivery.attempt()));
                Err(HandlerError::retryable("not today"))
            }
        })
        .and_then(|handlers| {
            handlers.dead_letter("letters", move |letter, _delivery| {
                let letters = letter_sender.clone();
                async move {
                    let _ = letters.send(letter);
                    Ok(())
                }
            })
        });
    let registry = handlers
        .and_then(DynamicHandlers::registry)
        .expect("each consumer has a handler");
    let worker = Worker::new(&connection)
        .handlers(registry)
        .start()
        .await
        .expect("the worker starts");
    let events = contract
        .publisher(&connection, "Events")
        .expect("the contract has this publisher");

    let order = json!({ "id": 7 });
    events
        .publish_filled("order_created", &[("region", &"eu")], &order)
        .await
        .expect("it is published");
    for attempt in 1..=3 {
        assert_eq!(runs.recv().await, Some((json!(7), attempt)));
    }
    let raw = Raw::connect(vhost.url()).await;
    let dead = raw.take("processing.dlq").await.delivery;
    assert_eq!(header(&dead.properties, "x-attempts").as_deref(), Some("3"));
    // An operator moves it to where dead letters are read.
    raw.publish("", "letters", dead.properties, &dead.data)
        .await;
    let letter = letters.recv().await.expect("the letter is read");
    assert_eq!(
        (letter.error(), letter.attempts()),
        (Some("not today"), Some(3))
    );
    assert_eq!(
        (letter.failed_queue(), letter.handler()),
        (Some("processing"), Some("process"))
    );
    assert_eq!(letter.decode::<Value>().expect("the body is JSON"), order);

    let refused = events
        .publish_filled("order_created", &[("region", &"eu.west")], &order)
        .await;
    assert!(
        matches!(refused, Err(PublishError::InvalidKey { .. })),
        "{refused:?}"
    );
    let refused = events
        .publish_filled("order_created", &[("region", &"eu")], &json!({}))
        .await;
    assert!(
        matches!(refused, Err(PublishError::Invalid { .. })),
        "{refused:?}"
    );

    worker.shutdown().await;
    connection.close().await;
    raw.close().await;
    vhost.delete().await;
}

#[tokio::test]
async fn a_built_contract_runs_on_quorum_queues() {
    runs(QueueKind::Quorum).await;
}

#[tokio::test]
async fn a_built_contract_runs_on_classic_queues() {
    runs(QueueKind::Classic).await;
}

#[tokio::test]
async fn a_built_publisher_publishes_many_and_closes_alone() {
    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url()).await.expect("a broker");
    let contract = orders(QueueKind::Quorum);
    connection.declare(&contract).await.expect("declared");
    let contract = DynamicContract::new(contract).expect("the contract breaks no rule");
    let publisher = || contract.publisher(&connection, "Events").expect("is there");
    let (events, others) = (publisher(), publisher());

    let all = (0..300).map(|number| {
        let order = match number % 3 {
            0 => json!({}),
            _ => json!({ "id": number }),
        };
        // It is read here.
        events.publish_filled("order_created", &[("region", &"eu")], &order)
    });
    let results = events.publish_all(all).await;
    assert_eq!(results.len(), 300);
    for (number, result) in results.iter().enumerate() {
        match result {
            Ok(_) => assert_ne!(number % 3, 0),
            Err(PublishError::Invalid { .. }) => assert_eq!(number % 3, 0),
            Err(error) => panic!("{error}"),
        }
    }
    let raw = Raw::connect(vhost.url()).await;
    for number in (0..300).filter(|number| number % 3 != 0) {
        let body = raw.take("processing").await.delivery.data.clone();
        assert_eq!(body, format!(r#"{{"id":{number}}}"#).into_bytes());
    }

    let clone = events.clone();
    events.close().await;
    let order = json!({ "id": 0 });
    let fields: [(&str, &dyn std::fmt::Display); 1] = [("region", &"eu")];
    let publish = clone.publish_filled("order_created", &fields, &order);
    let error = publish.await.expect_err("it is closed");
    assert!(matches!(error, PublishError::Closed), "{error}");
    let publish = others.publish_filled("order_created", &fields, &order);
    publish.await.expect("the other goes on");
    connection.close().await;
    raw.close().await;
    vhost.delete().await;
}

#[test]
fn a_contract_that_breaks_a_rule_cannot_be_run() {
    let mut contract = orders(QueueKind::Quorum);
    contract.queues[0].dead_letter = None;
    match DynamicContract::new(contract) {
        Err(ContractError::Rules { findings, .. }) => {
            assert_eq!(findings[0].rule.id(), "poison-loss")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_consumer_has_a_handler_of_its_kind() {
    let contract =
        DynamicContract::new(orders(QueueKind::Quorum)).expect("the contract breaks no rule");
    let handlers = || {
        contract
            .handlers("Orders")
            .expect("the contract has these handlers")
    };
    assert!(matches!(
        handlers().registry(),
        Err(ContractError::NoHandler { .. })
    ));
    let other = handlers().raw("process", async |_, _| Ok(()));
    assert!(matches!(other, Err(ContractError::OtherKind { .. })));
    let unknown = handlers().raw("nothing", async |_, _| Ok(()));
    assert!(matches!(unknown, Err(ContractError::Unknown { .. })));
    assert!(matches!(
        contract.handlers("Nobody"),
        Err(ContractError::Unknown { .. })
    ));
}
