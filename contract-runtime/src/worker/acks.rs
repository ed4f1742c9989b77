//! The acks of one channel, written together as they come.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use lapin::Channel;
use lapin::options::BasicAckOptions;
use tokio::sync::{mpsc, oneshot, watch};

use super::ledger::Ledger;
use super::report::{Count, Counters};

/// How long a settlement may take to be written: on a dead connection it would wait for ever.
pub(super) const WRITE_LIMIT: Duration = Duration::from_secs(5);
/// How many reports one flush takes in, at most. What more there is waits for the next.
const AT_ONCE: usize = 256;

/// Where the settlements of one channel report.
#[derive(Debug)]
pub(super) struct Acks {
    pub(super) channel: Channel,
    queue: Arc<str>,
    counters: Arc<Counters>,
    // Without a bound: the prefetch is one.
    reports: mpsc::UnboundedSender<Report>,
    ended: watch::Sender<bool>,
}

#[derive(Debug)]
enum Report {
    /// To be acknowledged, and then counted as this.
    Finished(u64, Count),
    /// Settled by itself.
    Settled(u64),
    /// All that was reported before is written.
    Flushed(oneshot::Sender<()>),
}

impl Acks {
    /// Starts writing for a channel, until the last settlement of it is gone.
    pub(super) fn open(channel: Channel, queue: &str, counters: Arc<Counters>) -> Arc<Self> {
        let (reports, reported) = mpsc::unbounded_channel();
        let queue = Arc::from(queue);
        let writer = Writer {
            channel: channel.clone(),
            queue: Arc::clone(&queue),
            counters: Arc::clone(&counters),
            ledger: Ledger::default(),
            flushed: Vec::new(),
        };
        tokio::spawn(writer.run(reported));
        Arc::new(Self {
            channel,
            queue,
            counters,
            reports,
            ended: watch::Sender::new(false),
        })
    }

    /// A delivery is to be acknowledged at the next flush, and is then counted.
    pub(super) fn finished(&self, tag: u64, count: Count) {
        self.report(Report::Finished(tag, count));
    }

    /// A delivery was to be settled by itself, and this came of it.
    pub(super) fn settled(&self, tag: u64, written: Written, count: Count) {
        match written {
            Written::Yes => {
                self.report(Report::Settled(tag));
                self.counters.add(count);
            }
            // Never reported as settled: what may yet be rejected must not be acknowledged.
            Written::Unknown => lost(&self.queue, &self.counters, 1),
        }
    }

    /// The channel is gone, or about to be: what was not settled will be handed out again.
    pub(super) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Waits for the [`end`](Self::end).
    pub(super) async fn ended(&self) {
        // The sender is held by self: there is always an answer.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// Returns when all that was reported is written, or cannot be.
    pub(super) async fn flushed(&self) {
        let (done, flushed) = oneshot::channel();
        self.report(Report::Flushed(done));
        let _ = flushed.await;
    }

    fn report(&self, report: Report) {
        // The writer goes after the last sender, so it is there; unless its runtime is being shut down,
        // and the broker then hands everything out again.
        let _ = self.reports.send(report);
    }
}

/// Whether a settlement reached the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Yes,
    Unknown,
}

/// Waits for a settlement to be written, for a while.
pub(super) async fn written(write: impl Future<Output = lapin::Result<()>>) -> Written {
    match tokio::time::timeout(WRITE_LIMIT, write).await {
        Ok(Ok(())) => Written::Yes,
        Ok(Err(_)) | Err(_) => Written::Unknown,
    }
}

struct Writer {
    channel: Channel,
    queue: Arc<str>,
    counters: Arc<Counters>,
    ledger: Ledger,
    flushed: Vec<oneshot::Sender<()>>,
}

impl Writer {
    /// While one flush is being written, the next fills: there is no timer, and nothing waits for one.
    async fn run(mut self, mut reported: mpsc::UnboundedReceiver<Report>) {
        let mut reports = Vec::with_capacity(AT_ONCE);
        while reported.recv_many(&mut reports, AT_ONCE).await > 0 {
            let mut counts = Vec::with_capacity(reports.len());
            for report in reports.drain(..) {
                match report {
                    Report::Finished(tag, count) => {
                        self.ledger.finished(tag);
                        counts.push(count);
                    }
                    Report::Settled(tag) => self.ledger.settled(tag),
                    Report::Flushed(done) => self.flushed.push(done),
                }
            }
            self.write(&counts).await;
            for done in self.flushed.drain(..) {
                let _ = done.send(());
            }
        }
    }

    async fn write(&mut self, counts: &[Count]) {
        let acks = self.ledger.flush().into_iter().map(|ack| {
            let options = BasicAckOptions {
                multiple: ack.multiple,
            };
            self.channel.basic_ack(ack.tag, options)
        });
        let all = async { join_all(acks).await.into_iter().collect() };
        match written(all).await {
            Written::Yes => counts.iter().for_each(|&count| self.counters.add(count)),
            Written::Unknown => lost(&self.queue, &self.counters, counts.len()),
        }
    }
}

fn lost(queue: &str, counters: &Counters, settlements: usize) {
    tracing::warn!(
        queue,
        settlements,
        "settlements were lost; their messages will come again"
    );
    for _ in 0..settlements {
        counters.add(Count::settlements_lost);
    }
}
