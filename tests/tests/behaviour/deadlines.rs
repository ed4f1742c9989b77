//! Whatever is asked of a broker that no longer answers ends, and says what it waited for.

use std::time::Duration;

use contract_core::model::QueueKind;
use contract_runtime::{
    Connection, DeclareError, HandlerResult, PublishOptions, PublishOutcome, StartError,
    TopologyMode, Worker, contract,
};
use futures_util::future::join_all;
use tests::{Fault, Frame, Method, Proxy, Trap, Vhost, WITHIN, Way};
use tokio::time::timeout;

use crate::workbench::{Bench, Raw, Tick, url};

#[contract]
mod tasks {
    use contract_runtime::prelude::*;

    #[exchange("tasks", direct)]
    pub struct Tasks;

    #[queue("endless", bind(Tasks, "task"), dead_letter)]
    pub struct Endless;

    #[message("task")]
    pub struct Task {}

    #[publisher]
    pub trait Boss {
        #[publish(Tasks)]
        async fn task(&self, task: &Task) -> PublishResult;
    }

    #[handlers]
    pub trait Clerk {
        #[consume(Endless, timeout = "1h")]
        async fn work(&self, task: Task) -> HandlerResult;
    }
}

struct Clerk;

impl tasks::Clerk for Clerk {
    async fn work(&self, _task: tasks::Task) -> HandlerResult {
        std::future::pending().await
    }
}

/// What is set where something can be set; the rest has limits of its own, of ten seconds.
const SHORT: Duration = Duration::from_secs(1);

/// A connection through a proxy. That the broker no longer answers is not seen by its heartbeat.
async fn through(proxy: &Proxy) -> Connection {
    Connection::builder(&proxy.url())
        .heartbeat(Duration::from_secs(600))
        .declare_timeout(SHORT)
        .close_timeout(SHORT)
        .open()
        .await
        .unwrap()
}

/// From the first answer of this kind on, the connection that it is for hears nothing more.
fn deaf_from(proxy: &Proxy, method: Method) -> Trap {
    proxy.trap(Way::Down, method, Fault::Hold)
}

async fn ends<T>(what: &str, asked: impl Future<Output = T>) -> T {
    let end = timeout(WITHIN, asked).await;
    end.unwrap_or_else(|_| panic!("it never ends: {what}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declaration_ends() {
    let raw = Raw::connect().await;
    let each = [
        Method::CHANNEL_OPEN_OK,
        Method::EXCHANGE_DECLARE_OK,
        Method::QUEUE_DECLARE_OK,
        Method::QUEUE_BIND_OK,
    ]
    .map(async |method| {
        let proxy = Proxy::before(&url()).await;
        let connection = through(&proxy).await;
        let bench = Bench::new("deadline", QueueKind::Classic);
        let mut trap = deaf_from(&proxy, method);
        let publisher = bench.publisher(&connection, "Events");
        let what = format!("{method:?}");
        let declared = ends(&what, connection.declare(&bench.contract)).await;
        trap.sprung().await;
        for end in [
            declared,
            ends(&what, connection.verify(&bench.contract)).await,
            ends(&what, publisher.declare()).await,
        ] {
            let error = end.unwrap_err();
            assert!(matches!(error, DeclareError::Timeout { .. }), "{error}");
            assert!(error.is_retryable());
        }
        trap.release();
        connection.declare(&bench.contract).await.unwrap();
        ends(&what, connection.close()).await;
        bench
    });
    for bench in join_all(each).await {
        bench.delete(&raw).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_ends_wherever_the_answers_stop() {
    let raw = Raw::connect().await;
    let each = [
        (Method::CHANNEL_OPEN_OK, PublishOutcome::NotSent),
        (Method::CONFIRM_SELECT_OK, PublishOutcome::NotSent),
        (Method::ACK, PublishOutcome::Unknown),
    ]
    .map(async |(method, outcome)| {
        let proxy = Proxy::before(&url()).await;
        let connection = through(&proxy).await;
        let bench = Bench::new("deadline", QueueKind::Classic);
        connection.declare(&bench.contract).await.unwrap();
        let mut trap = deaf_from(&proxy, method);
        let publisher = bench.publisher(&connection, "Events");
        let hasty = publisher.with(PublishOptions::new().timeout(SHORT));
        let what = format!("{method:?}");
        let error = ends(&what, hasty.publish("routed", &Tick::new(1))).await;
        trap.sprung().await;
        assert_eq!(error.unwrap_err().outcome(), outcome, "{what}");
        trap.release();
        publisher.publish("routed", &Tick::new(2)).await.unwrap();
        ends(&what, connection.close()).await;
        bench
    });
    for bench in join_all(each).await {
        bench.delete(&raw).await;
    }
}

/// The broker's answer is lost, and what is said in its place changes nothing.
fn lose(_answer: &Frame) -> Frame {
    Frame::of_method(0, Method::UNBLOCKED, &[])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_costs_a_channel_and_no_publish() {
    let raw = Raw::connect().await;
    let each = [Method::CHANNEL_OPEN_OK, Method::CONFIRM_SELECT_OK].map(async |method| {
        let proxy = Proxy::before(&url()).await;
        let connection = through(&proxy).await;
        let bench = Bench::new("deadline", QueueKind::Classic);
        connection.declare(&bench.contract).await.unwrap();
        let mut trap = proxy.trap(Way::Down, method, Fault::Replace(lose));
        let publisher = bench.publisher(&connection, "Events");
        publisher.publish("routed", &Tick::new(1)).await.unwrap();
        trap.sprung().await;
        assert_eq!(bench.count(&raw).await, 1);
        ends("closing", connection.close()).await;
        bench
    });
    for bench in join_all(each).await {
        bench.delete(&raw).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_start_of_a_worker_ends() {
    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url()).await.unwrap();
    connection.declare(tasks::contract()).await.unwrap();
    let each = [Method::CHANNEL_OPEN_OK, Method::QOS_OK, Method::CONSUME_OK].map(async |method| {
        let proxy = Proxy::before(vhost.url()).await;
        let connection = through(&proxy).await;
        let mut trap = deaf_from(&proxy, method);
        let worker = Worker::new(&connection)
            .handlers(tasks::clerk(Clerk))
            .topology(TopologyMode::Trust);
        let what = format!("{method:?}");
        let error = ends(&what, worker.start()).await.unwrap_err();
        trap.sprung().await;
        assert!(matches!(error, StartError::Consume { .. }), "{error}");
        ends(&what, connection.close()).await;
    });
    join_all(each).await;

    let proxy = Proxy::before(vhost.url()).await;
    let deaf = through(&proxy).await;
    proxy.mute();
    let worker = Worker::new(&deaf).handlers(tasks::clerk(Clerk));
    let error = ends("declaring", worker.start()).await.unwrap_err();
    assert!(
        matches!(error, StartError::Declare(DeclareError::Timeout { .. })),
        "{error}"
    );
    deaf.close().await;
    connection.close().await;
    vhost.delete().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_worker_ends() {
    let vhost = Vhost::new().await;
    let each = [
        Method::CANCEL_OK,
        Method::CHANNEL_CLOSE_OK,
        Method::CONNECTION_CLOSE_OK,
    ]
    .map(async |method| {
        let proxy = Proxy::before(vhost.url()).await;
        let connection = through(&proxy).await;
        let worker = Worker::new(&connection)
            .handlers(tasks::clerk(Clerk))
            .shutdown_limit(SHORT);
        let worker = worker.start().await.unwrap();
        let boss = tasks::BossPublisher::new(&connection);
        boss.task(&tasks::Task {}).await.unwrap();
        let mut trap = deaf_from(&proxy, method);
        let what = format!("{method:?}");
        ends(&what, worker.shutdown()).await;
        ends(&what, connection.close()).await;
        trap.sprung().await;
    });
    join_all(each).await;
    vhost.delete().await;
}
