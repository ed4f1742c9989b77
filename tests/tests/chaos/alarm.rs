//! A broker that is short of memory: who publishes is told so, who consumes goes on, and both come to
//! an end when they are to.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contract_runtime::{
    Connection, ConnectionState, HandlerResult, PublishOptions, PublishOutcome, Worker, contract,
};
use futures_util::future::join_all;
use tests::{Node, WITHIN, eventually};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::ALONE;

#[contract]
mod stock {
    use contract_runtime::prelude::*;

    #[exchange("stock", topic)]
    pub struct Stock;

    #[queue("counted", bind(Stock, "count"), dead_letter)]
    pub struct Counted;

    #[message("count")]
    pub struct Count {
        pub number: u32,
    }

    #[publisher]
    pub trait Counts {
        #[publish(Stock)]
        async fn count(&self, count: &Count) -> PublishResult;
    }

    #[handlers]
    pub trait Counter {
        #[consume(Counted, concurrency = 50)]
        async fn counted(&self, count: Count) -> HandlerResult;
    }
}

/// Counts nothing until it may.
struct Counter(Arc<Semaphore>);

impl stock::Counter for Counter {
    async fn counted(&self, _count: stock::Count) -> HandlerResult {
        let _ = self.0.acquire().await;
        Ok(())
    }
}

const MESSAGES: u32 = 40;

/// Messages of the queue, those that are being handled too.
async fn messages(node: &Node) -> String {
    let queues = node.ctl(&["-q", "list_queues", "name", "messages"]).await;
    let line = queues.lines().find(|line| line.starts_with("counted\t"));
    line.unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alarm_stops_publishers_alone_and_no_end() {
    let _alone = ALONE.lock().await;
    let node = Node::start("alarm").await;
    let most = Duration::from_secs(2);
    let open = async || {
        Connection::builder(node.url())
            .close_timeout(most)
            .open()
            .await
            .unwrap()
    };
    let (connection, other) = (open().await, open().await);
    let go = Arc::new(Semaphore::new(0));
    let counter = stock::counter(Counter(Arc::clone(&go)));
    let worker = Worker::new(&connection).handlers(counter);
    let worker = worker.start().await.unwrap();
    let publisher = stock::CountsPublisher::new(&connection);
    let counts: Vec<_> = (0..MESSAGES)
        .map(|number| stock::Count { number })
        .collect();
    for taken in publisher
        .publish_all(counts.iter().map(|count| publisher.count(count)))
        .await
    {
        taken.unwrap();
    }
    // The broker counts now and then.
    eventually("all are in the queue", async || {
        (messages(&node).await == format!("counted\t{MESSAGES}")).then_some(())
    })
    .await;

    node.ctl(&["set_vm_memory_high_watermark", "0.000001"])
        .await;
    // The broker says so to who publishes. What was sent by then is in doubt, the rest is not sent.
    let others = stock::CountsPublisher::new(&other);
    for (connection, publisher) in [(&connection, &publisher), (&other, &others)] {
        let hasty = publisher.with(PublishOptions::new().timeout(Duration::from_millis(500)));
        let in_doubt = hasty.count(&counts[0]).await.unwrap_err();
        assert_eq!(in_doubt.outcome(), PublishOutcome::Unknown, "{in_doubt}");
        let mut state = connection.state();
        let blocked = state.wait_for(|state| matches!(state, ConnectionState::Blocked(_)));
        timeout(WITHIN, blocked)
            .await
            .expect("it is blocked")
            .unwrap();
        let error = hasty.count(&counts[0]).await.unwrap_err();
        assert_eq!(error.outcome(), PublishOutcome::NotSent, "{error}");
        assert!(error.to_string().contains("memory"), "{error}");
    }

    go.add_permits(1);
    eventually("all are handled and acknowledged", async || {
        (messages(&node).await == "counted\t0").then_some(())
    })
    .await;

    let started = Instant::now();
    let waiting = (0..3).map(|_| others.count(&counts[0]));
    let (answers, ()) = tokio::join!(join_all(waiting), other.close());
    assert!(
        started.elapsed() < most + WITHIN / 2,
        "{:?}",
        started.elapsed()
    );
    for answer in answers {
        assert_eq!(answer.unwrap_err().outcome(), PublishOutcome::NotSent);
    }
    let report = timeout(WITHIN, worker.shutdown()).await.expect("bounded");
    assert_eq!(
        (report.handled, report.abandoned),
        (MESSAGES.into(), 0),
        "{report:?}"
    );

    node.ctl(&["set_vm_memory_high_watermark", "0.6"]).await;
    publisher.count(&counts[0]).await.unwrap();
    connection.close().await;
}
