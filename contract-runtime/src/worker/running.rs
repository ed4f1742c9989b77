//! A worker that runs, and how it ends.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::Topologies;
use super::consumer::{Consumer, ConsumerState};
use super::report::{Counters, Report};
use super::subscription::Subscription;
use crate::connection::Connection;
use crate::error::StartError;

/// How much longer than its limit a shutdown may take to close channels.
const CLOSING: Duration = Duration::from_secs(5);

/// A worker that consumes. Shut it down to let its handlers finish: dropped, it stops at once, and
/// what was running is handed out again by the broker.
#[derive(Debug)]
#[must_use = "dropped, a worker stops at once"]
pub struct RunningWorker {
    consumers: Vec<Running>,
    counters: Arc<Counters>,
    stop: watch::Sender<Option<Instant>>,
    shutdown_limit: Duration,
}

#[derive(Debug)]
struct Running {
    queue: String,
    state: watch::Receiver<ConsumerState>,
    task: JoinHandle<()>,
}

/// Why a worker did not end well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Handlers did not finish in the shutdown's time. Their messages are handed out again.
    #[error("the shutdown's time was over with handlers still running: {report}")]
    Abandoned {
        /// What the worker did.
        report: Report,
    },
}

impl RunningWorker {
    pub(super) async fn start(
        connection: Connection,
        subscriptions: Vec<Subscription>,
        topologies: Arc<Topologies>,
        shutdown_limit: Duration,
        handoff_budget: Duration,
    ) -> Result<Self, StartError> {
        let counters = Arc::new(Counters::default());
        let stop = watch::Sender::new(None);
        let consumers = subscriptions
            .into_iter()
            .map(|subscription| {
                let queue = subscription.queue.to_string();
                let (sender, state) = watch::channel(ConsumerState::Starting);
                let consumer = Consumer::new(
                    connection.clone(),
                    Arc::clone(&topologies),
                    subscription,
                    handoff_budget,
                    Arc::clone(&counters),
                    sender,
                    stop.subscribe(),
                );
                Running {
                    queue,
                    state,
                    task: tokio::spawn(consumer.run()),
                }
            })
            .collect();
        let mut worker = Self {
            consumers,
            counters,
            stop,
            shutdown_limit,
        };
        worker.consuming().await?;
        Ok(worker)
    }

    /// Waits until every queue is consumed for the first time; one that cannot be stops them all.
    async fn consuming(&mut self) -> Result<(), StartError> {
        for consumer in &mut self.consumers {
            let state = consumer
                .state
                .wait_for(|state| *state != ConsumerState::Starting)
                .await;
            match state.as_deref() {
                Ok(ConsumerState::Consuming) => {}
                Ok(ConsumerState::Returning(reason)) => {
                    return Err(StartError::Consume {
                        queue: consumer.queue.clone(),
                        reason: reason.clone(),
                    });
                }
                Ok(ConsumerState::Starting | ConsumerState::Stopped) | Err(_) => {
                    return Err(StartError::Closed);
                }
            }
        }
        Ok(())
    }

    /// The queues with their states, as they are now: a worker is healthy while all are
    /// [`Consuming`](ConsumerState::Consuming).
    #[must_use]
    pub fn consumers(&self) -> Vec<(&str, ConsumerState)> {
        self.consumers
            .iter()
            .map(|consumer| (consumer.queue.as_str(), consumer.state.borrow().clone()))
            .collect()
    }

    /// What the worker has done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.counters.report()
    }

    /// Runs until `stop` completes, then [shuts down](Self::shutdown).
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> Result<Report, RunError> {
        stop.await;
        let report = self.shutdown().await;
        if report.abandoned > 0 {
            Err(RunError::Abandoned { report })
        } else {
            Ok(report)
        }
    }

    /// Stops taking, gives back what was not started, lets running handlers finish and settles them,
    /// then closes. Returns when all is done, at the latest five seconds after the
    /// [limit](super::Worker::shutdown_limit).
    pub async fn shutdown(mut self) -> Report {
        let end = Instant::now() + self.shutdown_limit;
        self.stop.send_replace(Some(end));
        for consumer in &mut self.consumers {
            if timeout_at(end + CLOSING, &mut consumer.task).await.is_err() {
                tracing::error!(queue = consumer.queue, "the consumer did not stop in time");
                consumer.task.abort();
            }
        }
        self.counters.report()
    }
}
