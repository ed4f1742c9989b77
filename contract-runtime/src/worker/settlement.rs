//! The right to settle a delivery: one for each, used up by settling.

use std::sync::Arc;

use lapin::options::{BasicNackOptions, BasicRejectOptions};

use super::acks::{Acks, written};
use super::report::Count;

/// The right to settle one delivery, on the channel that it came from. Settling takes it by value, so
/// that nothing is settled twice; a channel is never reopened, so that a late one settles nothing
/// else. Dropped without settling, the broker hands the delivery out again when the channel closes.
///
/// Each way of settling counts what it does, once it is done; if it cannot be done, the broker hands
/// the delivery out again, and that is counted.
#[derive(Debug)]
#[must_use = "the delivery stays unsettled until its channel closes"]
pub(crate) struct Settlement {
    acks: Arc<Acks>,
    tag: u64,
}

impl Settlement {
    pub(super) fn new(acks: &Arc<Acks>, tag: u64) -> Self {
        Self {
            acks: Arc::clone(acks),
            tag,
        }
    }

    /// Whether the channel is still there, so that settling can make a difference.
    pub(crate) fn is_possible(&self) -> bool {
        self.acks.channel.status().connected()
    }

    /// Waits until the channel is gone, as its consumer has seen.
    pub(crate) async fn impossible(&self) {
        self.acks.ended().await;
    }

    /// It is done with. Written with others, as soon as may be.
    pub(crate) fn ack(self, count: Count) {
        self.acks.finished(self.tag, count);
    }

    /// It failed and is to be tried again: the broker counts. A nack would not be counted from 4.3 on.
    pub(crate) async fn requeue(self, count: Count) {
        self.reject_with(BasicRejectOptions { requeue: true }, count)
            .await;
    }

    /// It is given up, and cannot be handed on: the broker dead-letters it.
    pub(crate) async fn reject(self, count: Count) {
        self.reject_with(BasicRejectOptions { requeue: false }, count)
            .await;
    }

    async fn reject_with(self, options: BasicRejectOptions, count: Count) {
        let rejected = written(self.acks.channel.basic_reject(self.tag, options)).await;
        self.acks.settled(self.tag, rejected, count);
    }

    /// It was not tried, or could not be handed on: not the message's fault.
    pub(crate) async fn give_back(self, count: Count) {
        let options = BasicNackOptions {
            multiple: false,
            requeue: true,
        };
        let given_back = written(self.acks.channel.basic_nack(self.tag, options)).await;
        self.acks.settled(self.tag, given_back, count);
    }
}
