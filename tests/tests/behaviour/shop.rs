//! A contract whose handler does what the message tells it to, and a worker that runs it in a virtual
//! host of its own.

use std::time::Duration;

use contract_runtime::{
    Connection, Delivery, HandlerError, HandlerResult, Report, RunningWorker, Uuid, Worker,
    contract,
};
use tests::{Raw, Vhost};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout};

use self::jobs::{Job, JobEventsPublisher, JobHandlers, Step, job_handlers};

#[contract]
pub mod jobs {
    use contract_runtime::prelude::*;

    #[exchange("jobs", topic)]
    pub struct Jobs;

    #[queue("once", bind(Jobs, "job.once"), dead_letter)]
    pub struct Once;

    #[queue(
        "backoff",
        bind(Jobs, "job.backoff"),
        dead_letter,
        retry(ttl_backoff, delays("100ms", "300ms"))
    )]
    pub struct Backoff;

    /// Bound like `Backoff`: whatever that one does with a message is none of its business.
    #[queue("sibling", bind(Jobs, "job.backoff"))]
    pub struct Sibling;

    #[queue(
        "requeue",
        bind(Jobs, "job.requeue"),
        dead_letter,
        retry(immediate_requeue, max_retries = 2)
    )]
    pub struct Requeue;

    #[queue(
        "patient",
        bind(Jobs, "job.patient"),
        dead_letter,
        retry(ttl_backoff, delays("1s", "60s"))
    )]
    pub struct Patient;

    /// What the handler does at each run; the last step stands for all that follow.
    #[message("job")]
    #[derive(Debug, Clone)]
    pub struct Job {
        pub id: Uuid,
        #[schemars(length(min = 1))]
        pub steps: Vec<Step>,
    }

    #[payload]
    #[derive(Debug, Clone, Copy)]
    pub enum Step {
        Succeed,
        Retry,
        Refuse,
        Panic,
        Hang,
    }

    #[publisher]
    pub trait JobEvents {
        #[publish(Jobs, "job.once")]
        async fn once(&self, job: &Job) -> PublishResult;

        #[publish(Jobs, "job.backoff")]
        async fn backoff(&self, job: &Job) -> PublishResult;

        #[publish(Jobs, "job.requeue")]
        async fn requeue(&self, job: &Job) -> PublishResult;

        #[publish(Jobs, "job.patient")]
        async fn patient(&self, job: &Job) -> PublishResult;
    }

    #[handlers]
    pub trait JobHandlers {
        #[consume(Once, timeout = "1s")]
        async fn run_once(&self, job: Job, delivery: &Delivery) -> HandlerResult;

        #[consume(Backoff)]
        async fn run_backoff(&self, job: Job, delivery: &Delivery) -> HandlerResult;

        #[consume(Requeue)]
        async fn run_requeue(&self, job: Job, delivery: &Delivery) -> HandlerResult;

        #[consume(Patient)]
        async fn run_patient(&self, job: Job, delivery: &Delivery) -> HandlerResult;
    }
}

/// One run of a handler.
#[derive(Debug, Clone)]
pub struct Run {
    pub id: Uuid,
    pub delivery: Delivery,
    pub at: Instant,
}

/// The handlers: they say that they ran, then do as they are told.
struct Obedient {
    runs: UnboundedSender<Run>,
}

impl Obedient {
    async fn obey(&self, job: Job, delivery: &Delivery) -> HandlerResult {
        let _ = self.runs.send(Run {
            id: job.id,
            delivery: delivery.clone(),
            at: Instant::now(),
        });
        let run = usize::try_from(delivery.attempt() - 1).expect("few attempts");
        match job.steps.get(run).or(job.steps.last()) {
            None | Some(Step::Succeed) => Ok(()),
            Some(Step::Retry) => Err(HandlerError::retryable(format!(
                "not yet, at run {}",
                run + 1
            ))),
            Some(Step::Refuse) => Err(HandlerError::permanent("never")),
            Some(Step::Panic) => panic!("as told"),
            Some(Step::Hang) => std::future::pending().await,
        }
    }
}

impl JobHandlers for Obedient {
    async fn run_once(&self, job: Job, delivery: &Delivery) -> HandlerResult {
        self.obey(job, delivery).await
    }

    async fn run_backoff(&self, job: Job, delivery: &Delivery) -> HandlerResult {
        self.obey(job, delivery).await
    }

    async fn run_requeue(&self, job: Job, delivery: &Delivery) -> HandlerResult {
        self.obey(job, delivery).await
    }

    async fn run_patient(&self, job: Job, delivery: &Delivery) -> HandlerResult {
        self.obey(job, delivery).await
    }
}

/// A worker over the contract, with everything that a test looks at it by.
pub struct Shop {
    pub vhost: Vhost,
    pub connection: Connection,
    pub events: JobEventsPublisher,
    pub raw: Raw,
    worker: RunningWorker,
    runs: UnboundedReceiver<Run>,
}

impl Shop {
    pub async fn open() -> Self {
        let vhost = Vhost::new().await;
        let connection = Connection::open(vhost.url())
            .await
            .expect("the broker can be reached");
        connection
            .declare(jobs::contract())
            .await
            .expect("the vhost is empty");
        let (sender, runs) = unbounded_channel();
        let worker = Worker::new(&connection)
            .handlers(job_handlers(Obedient { runs: sender }))
            .shutdown_limit(Duration::from_secs(2))
            .start()
            .await
            .expect("the worker starts");
        let events = JobEventsPublisher::new(&connection);
        let raw = Raw::connect(vhost.url()).await;
        Self {
            vhost,
            connection,
            events,
            raw,
            worker,
            runs,
        }
    }

    /// The next run of a handler.
    pub async fn run(&mut self) -> Run {
        let run = timeout(tests::WITHIN, self.runs.recv()).await;
        run.expect("a handler runs in time")
            .expect("the worker runs")
    }

    /// Stops the worker: what it did.
    pub async fn stop(self) -> Report {
        let report = self.worker.shutdown().await;
        self.connection.close().await;
        self.raw.close().await;
        self.vhost.delete().await;
        report
    }
}

pub fn job(steps: &[Step]) -> Job {
    Job {
        id: Uuid::now_v7(),
        steps: steps.to_vec(),
    }
}
