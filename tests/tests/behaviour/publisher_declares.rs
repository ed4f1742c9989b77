//! A service that only publishes declares where its messages go, and nothing of others.

use contract_runtime::{Connection, DeclareError, HandlerResult, PublishError, Worker, contract};
use tests::Vhost;

#[contract]
mod shop {
    use contract_runtime::prelude::*;

    #[exchange("sales", topic, alternate(Unsold))]
    pub struct Sales;

    #[exchange("unsold", fanout)]
    pub struct Unsold;

    #[exchange("eu.sales", topic, bind(Sales, "sold.eu"))]
    pub struct EuSales;

    #[exchange("returns", topic)]
    pub struct Returns;

    #[queue("invoices", bind(EuSales, "sold.#"), dead_letter)]
    pub struct Invoices;

    /// Nobody of this contract consumes it.
    #[queue("unsold", bind(Unsold), dead_letter)]
    pub struct Unbilled;

    /// A warehouse reads it that knows no contract.
    #[queue("shipments", bind(Sales, "sold.eu"))]
    pub struct Shipments;

    #[queue("refunds", bind(Returns, "returned"), dead_letter)]
    pub struct Refunds;

    #[message("sold")]
    pub struct Sold {
        pub item: String,
    }

    #[publisher]
    pub trait Till {
        #[publish(Sales, "sold.eu")]
        async fn sold(&self, sold: &Sold) -> PublishResult;
    }

    #[publisher]
    pub trait Desk {
        #[publish(Returns, "returned")]
        async fn returned(&self, sold: &Sold) -> PublishResult;
    }

    #[handlers]
    pub trait Billing {
        #[consume(Invoices)]
        async fn bill(&self, sold: Sold) -> HandlerResult;
    }

    #[handlers]
    pub trait Refunding {
        #[consume(Refunds)]
        async fn refund(&self, sold: Sold) -> HandlerResult;
    }
}

struct Refunder;

impl shop::Refunding for Refunder {
    async fn refund(&self, _sold: shop::Sold) -> HandlerResult {
        Ok(())
    }
}

fn sold() -> shop::Sold {
    shop::Sold {
        item: "hat".to_owned(),
    }
}

#[tokio::test]
async fn a_publisher_declares_where_its_messages_go_and_nothing_of_others() {
    let vhost = Vhost::new().await;
    let user = vhost.user().await;
    // Of the contract it may touch no more than what its messages pass, and the queues of nobody.
    let ours = "^(sales|unsold.*|eu[.]sales|shipments)$";
    user.permit(ours, ours, ours).await;
    let url = user.url(vhost.url(), "first");
    let connection = Connection::open(&url).await.unwrap();
    let till = shop::TillPublisher::new(&connection);

    let early = till.sold(&sold()).await.unwrap_err();
    assert!(
        matches!(early, PublishError::ExchangeMissing { .. }),
        "{early}"
    );
    till.declare().await.unwrap();
    till.declare().await.unwrap();
    till.sold(&sold()).await.unwrap();

    for exchange in ["sales", "unsold", "eu.sales", "unsold.dlx"] {
        assert!(vhost.exchange(exchange).await.is_some(), "{exchange}");
    }
    assert!(vhost.exchange("returns").await.is_none());
    assert_eq!(vhost.queues().await, ["shipments", "unsold", "unsold.dlq"]);
    let hops = vhost.bindings_of_exchange("eu.sales").await;
    assert_eq!((hops[0].0.as_str(), hops.len()), ("sales", 1));

    // What it may not touch is named.
    user.permit("^sales$", ".*", ".*").await;
    vhost.delete_queue("shipments").await;
    let error = till.declare().await.unwrap_err();
    let DeclareError::Differs { differences, .. } = &error else {
        panic!("{error}");
    };
    assert!(
        differences
            .iter()
            .any(|one| one.entity == "queue `shipments`"),
        "{error}"
    );
    connection.close().await;
    user.delete().await;
    vhost.delete().await;
}

#[tokio::test]
async fn until_its_consumers_have_declared_their_queue_a_publish_is_refused() {
    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url()).await.unwrap();
    let desk = shop::DeskPublisher::new(&connection);
    desk.declare().await.unwrap();
    assert!(vhost.exchange("returns").await.is_some());
    assert!(vhost.queues().await.is_empty());
    let error = desk.returned(&sold()).await.unwrap_err();
    assert!(matches!(error, PublishError::Unroutable { .. }), "{error}");

    let worker = Worker::new(&connection).handlers(shop::refunding(Refunder));
    let worker = worker.start().await.unwrap();
    desk.returned(&sold()).await.unwrap();
    worker.shutdown().await;
    connection.close().await;
    vhost.delete().await;
}
