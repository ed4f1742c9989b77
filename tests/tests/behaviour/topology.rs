//! What a contract comes to on the broker.

use serde_json::json;

use crate::shop::Shop;

#[tokio::test]
async fn queues_buckets_and_dead_letters_are_declared_as_the_reference_says() {
    let shop = Shop::open().await;
    let arguments = async |queue: &str| {
        let mut queue = shop.vhost.queue(queue).await.expect("the queue exists");
        assert_eq!(queue["durable"], json!(true));
        queue["arguments"].take()
    };
    assert_eq!(
        arguments("backoff").await,
        json!({
            "x-queue-type": "quorum",
            "x-overflow": "reject-publish",
            "x-dead-letter-exchange": "backoff.dlx",
            "x-dead-letter-routing-key": "backoff",
            "x-dead-letter-strategy": "at-least-once",
            "x-delivery-limit": 120,
        })
    );
    assert_eq!(
        arguments("backoff.retry.v1.300ms").await,
        json!({
            "x-queue-type": "quorum",
            "x-overflow": "reject-publish",
            "x-dead-letter-exchange": "",
            "x-dead-letter-routing-key": "backoff",
            "x-dead-letter-strategy": "at-least-once",
            "x-delivery-limit": 0x7fff_ffff,
            "x-message-ttl": 300,
        })
    );
    assert_eq!(
        arguments("backoff.dlq").await,
        json!({
            "x-queue-type": "quorum",
            "x-overflow": "reject-publish",
            "x-delivery-limit": 0x7fff_ffff,
        })
    );
    shop.stop().await;
}
