//! The right to settle a delivery: one for each, used up by settling.

use std::time::Duration;

use lapin::Channel;
use lapin::options::{BasicAckOptions, BasicNackOptions, BasicRejectOptions};

/// How long a settlement may take to be written: on a dead or blocked connection it would wait for
/// ever.
const WRITE_LIMIT: Duration = Duration::from_secs(5);

/// The right to settle one delivery, on the channel that it came from. Settling takes it by value, so
/// that nothing is settled twice; a channel is never reopened, so that a late one settles nothing
/// else. Dropped without settling, the broker hands the delivery out again when the channel closes.
#[derive(Debug)]
#[must_use = "the delivery stays unsettled until its channel closes"]
pub(crate) struct Settlement {
    channel: Channel,
    tag: u64,
}

/// The settlement did not reach the broker: the delivery will be handed out again.
#[derive(Debug)]
pub(crate) struct Lost;

impl Settlement {
    pub(crate) fn new(channel: Channel, tag: u64) -> Self {
        Self { channel, tag }
    }

    /// Whether the channel is still there, so that settling can make a difference.
    pub(crate) fn is_possible(&self) -> bool {
        self.channel.status().connected()
    }

    /// It is done with.
    pub(crate) async fn ack(self) -> Result<(), Lost> {
        bounded(self.channel.basic_ack(self.tag, BasicAckOptions::default())).await
    }

    /// It failed and is to be tried again: the broker counts. A nack would not be counted from 4.3 on.
    pub(crate) async fn requeue(self) -> Result<(), Lost> {
        bounded(
            self.channel
                .basic_reject(self.tag, BasicRejectOptions { requeue: true }),
        )
        .await
    }

    /// It is given up, and cannot be handed on: the broker dead-letters it.
    pub(crate) async fn reject(self) -> Result<(), Lost> {
        bounded(
            self.channel
                .basic_reject(self.tag, BasicRejectOptions { requeue: false }),
        )
        .await
    }

    /// It was not tried, or could not be handed on: not the message's fault.
    pub(crate) async fn give_back(self) -> Result<(), Lost> {
        let options = BasicNackOptions {
            multiple: false,
            requeue: true,
        };
        bounded(self.channel.basic_nack(self.tag, options)).await
    }
}

async fn bounded(write: impl Future<Output = lapin::Result<()>>) -> Result<(), Lost> {
    match tokio::time::timeout(WRITE_LIMIT, write).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Lost),
    }
}
