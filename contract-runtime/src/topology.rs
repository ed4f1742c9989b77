//! Bringing a contract onto the broker, or comparing it with what is there: the steps are the core's,
//! the sending is here.

mod step;

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use contract_core::Contract;
use contract_core::declaration::{Scope, Step, TopologyMode, Treatment, steps};
use futures_util::future::join_all;
use lapin::protocol::AMQPErrorKind;
use lapin::{Channel, ErrorKind};
use tokio::time::{Instant, sleep, timeout_at};

use self::step::{Entity, Round, StepError};
use crate::error::{DeclareError, Difference, DifferenceKind};
use crate::link::{ChannelError, Link, LinkClosed, Live};

/// How many channels declare at the same time. Each waits for one answer: a failure closes the
/// channel that it came on, and so names one thing and costs nothing else.
const CHANNELS: usize = 8;

/// A pause before declaring again on a fresh connection, where the last one was lost over it.
const AGAIN: Duration = Duration::from_millis(200);

/// Declares or compares the contract, as far as `scope` and `mode` go, on channels of its own. Within
/// the connection's timeout for it, a lost connection is waited for, and it starts again.
pub(crate) async fn declare(
    link: &Link,
    contract: &Contract,
    scope: &Scope,
    mode: TopologyMode,
) -> Result<(), DeclareError> {
    let steps = steps(contract, scope, mode);
    if steps.is_empty() {
        return Ok(());
    }
    let within = link.settings().declare_timeout;
    let deadline = Instant::now() + within;
    // What to say when time runs out.
    let waiting_for = Mutex::new("the connection".to_owned());
    let declare = async {
        loop {
            let live = link.live().await.map_err(|LinkClosed| closed(contract))?;
            match declare_on(&live, &steps, &waiting_for).await {
                Ok(differences) if differences.is_empty() => return Ok(()),
                Ok(differences) => {
                    return Err(DeclareError::Differs {
                        contract: contract.name.clone(),
                        differences,
                    });
                }
                Err(Broken::Fatal(error)) => return Err(error),
                Err(Broken::Lost(reason)) => {
                    tracing::warn!(contract = contract.name, reason, "declaring again");
                    *lock(&waiting_for) = format!("the connection ({reason})");
                    sleep(AGAIN).await;
                }
            }
        }
    };
    match timeout_at(deadline, declare).await {
        Ok(declared) => declared,
        Err(_) => Err(DeclareError::Timeout {
            contract: contract.name.clone(),
            within,
            reason: format!("waiting for {}", lock(&waiting_for)),
        }),
    }
}

fn closed(contract: &Contract) -> DeclareError {
    DeclareError::Closed {
        contract: contract.name.clone(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end of a connection while it declared.
enum Broken {
    /// The broker will never take it.
    Fatal(DeclareError),
    /// Another connection may do.
    Lost(String),
}

/// Declares all steps that can be, and tells what differs, in the order of the steps.
async fn declare_on(
    live: &Live,
    steps: &[Step],
    waiting_for: &Mutex<String>,
) -> Result<Vec<Difference>, Broken> {
    let mut differences: Vec<(usize, Difference)> = Vec::new();
    let mut failed: HashSet<Entity> = HashSet::new();
    // Channels outlive a round.
    let mut channels: Vec<Option<Channel>> = vec![None; CHANNELS];
    for round in [
        Round::Exchanges,
        Round::Queues,
        Round::DeadLettering,
        Round::Bindings,
    ] {
        let queue: Vec<(usize, &Step)> = steps
            .iter()
            .enumerate()
            .filter(|(_, step)| Round::of(&step.declaration) == round)
            // What is bound to something that could not be declared has no mistake of its own.
            .filter(|(_, step)| !step::needs(&step.declaration).iter().any(|need| failed.contains(need)))
            .collect();
        let queue = Mutex::new(queue.into_iter());
        let workers = channels
            .iter_mut()
            .map(|channel| work(live, channel, &queue, waiting_for));
        for found in join_all(workers).await {
            differences.extend(found?);
        }
        failed.extend(
            differences
                .iter()
                .filter_map(|(at, _)| step::declares(&steps[*at].declaration)),
        );
    }
    differences.sort_by_key(|(at, _)| *at);
    Ok(differences
        .into_iter()
        .map(|(_, difference)| difference)
        .collect())
}

/// Declares one step after the other until none is left.
async fn work<'s>(
    live: &Live,
    slot: &mut Option<Channel>,
    queue: &Mutex<impl Iterator<Item = (usize, &'s Step)>>,
    waiting_for: &Mutex<String>,
) -> Result<Vec<(usize, Difference)>, Broken> {
    let mut differences = Vec::new();
    loop {
        let Some((at, step)) = lock(queue).next() else {
            return Ok(differences);
        };
        let entity = step::describe(&step.declaration);
        lock(waiting_for).clone_from(&entity);
        let channel = match slot.take() {
            Some(channel) => channel,
            None => live.open_channel().await.map_err(|error| match error {
                ChannelError::Amqp(error) => broken(&entity, &error),
                ChannelError::Timeout(_) => Broken::Lost(error.to_string()),
            })?,
        };
        match step::send(&channel, step).await {
            Ok(()) => *slot = Some(channel),
            Err(StepError::Unsendable(reason)) => {
                *slot = Some(channel);
                differences.push((at, Difference::unsendable(entity, reason)));
            }
            // It is there, and the channel is gone.
            Err(StepError::NotCompared(reason)) => {
                tracing::info!(entity, %reason, "it is there; nothing more can be seen of it");
            }
            // The channel is gone with it.
            Err(StepError::Amqp(error)) => match error.kind() {
                ErrorKind::ProtocolError(refused)
                    if matches!(refused.kind(), AMQPErrorKind::Soft(_)) =>
                {
                    let text = refused.get_message().to_string();
                    tracing::warn!(entity, text, "the broker differs from the contract");
                    let kind = kind(step, refused.get_id());
                    differences.push((at, Difference::new(entity, kind, refused.get_id(), text)));
                }
                _ => return Err(broken(&entity, &error)),
            },
        }
    }
}

fn kind(step: &Step, code: u16) -> DifferenceKind {
    match code {
        404 if step.treatment == Treatment::Compare && !step::is_external(&step.declaration) => {
            DifferenceKind::Undeclared
        }
        404 => DifferenceKind::Missing,
        403 => DifferenceKind::Denied,
        405 => DifferenceKind::Locked,
        _ => DifferenceKind::Other,
    }
}

/// What the end of a connection means. 320 says that the broker stops, or that an operator closed
/// the connection; every other hard error says that it cannot take what it was sent.
fn broken(entity: &str, error: &lapin::Error) -> Broken {
    match error.kind() {
        ErrorKind::ProtocolError(hard)
            if matches!(hard.kind(), AMQPErrorKind::Hard(_)) && hard.get_id() != 320 =>
        {
            Broken::Fatal(DeclareError::Fatal {
                entity: entity.to_owned(),
                code: hard.get_id(),
                text: hard.get_message().to_string(),
            })
        }
        _ => Broken::Lost(error.to_string()),
    }
}
