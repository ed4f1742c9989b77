//! The matcher against the broker's own, on keys that make it think.

use contract_runtime::contract_core::{Pattern, topic};
use lapin::BasicProperties;
use lapin::options::{
    BasicPublishOptions, ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions,
};
use lapin::types::FieldTable;
use tests::{Raw, Vhost};

const PATTERNS: &[&str] = &[
    "", "#", "*", "*.*", "#.#", "*.#", "#.*", "*.#.*", "a", "a.*", "*.a", "a.#", "#.a", "a.#.b",
    "a..b", ".a", "a.", ".", "..", "#.#.a", "a.*.#", "**", "a*", "##",
];

const KEYS: &[&str] = &[
    "", "a", "b", "a.b", "a.a", "a..b", ".a", "a.", ".", "..", "...", "a.b.c", "a.x.b", "a.x.y.b",
    "*", "#", "a.*", "a.#", "**", "a*", " ", "ä.b", "A",
];

#[tokio::test]
async fn a_topic_exchange_matches_as_the_core_does() {
    let vhost = Vhost::new().await;
    let raw = Raw::connect(vhost.url()).await;
    let channel = raw.channel();
    let kind = lapin::ExchangeKind::Topic;
    let declared = channel.exchange_declare(
        "x".into(),
        kind,
        ExchangeDeclareOptions::default(),
        FieldTable::default(),
    );
    declared.await.expect("the exchange is declared");
    for (index, pattern) in PATTERNS.iter().enumerate() {
        let queue = format!("q{index}");
        let exclusive = QueueDeclareOptions {
            exclusive: true,
            ..QueueDeclareOptions::default()
        };
        let declared =
            channel.queue_declare(queue.as_str().into(), exclusive, FieldTable::default());
        declared.await.expect("the queue is declared");
        let bind = channel.queue_bind(
            queue.as_str().into(),
            "x".into(),
            (*pattern).into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        );
        bind.await.expect("the queue is bound");
    }
    for key in KEYS {
        let publish = channel.basic_publish(
            "x".into(),
            (*key).into(),
            BasicPublishOptions::default(),
            b"",
            BasicProperties::default(),
        );
        publish
            .await
            .expect("it is written")
            .await
            .expect("it is confirmed");
        for (index, pattern) in PATTERNS.iter().enumerate() {
            let expected = topic::matches(&Pattern::new(*pattern).expect("a pattern"), key);
            let got = raw.get(&format!("q{index}")).await.is_some();
            assert_eq!(got, expected, "pattern {pattern:?}, key {key:?}");
        }
    }
    raw.close().await;
    vhost.delete().await;
}
