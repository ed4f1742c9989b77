//! What a service does about the topology that it finds: declare it, compare it, or trust it.

use std::collections::BTreeSet;

use super::{Declaration, Destination, Scope, declarations};
use crate::model::Contract;
use crate::name::QueueName;

/// What a service does about the broker's topology when it starts, and when it comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TopologyMode {
    /// Declares what is not there, and compares what is.
    #[default]
    Declare,
    /// Creates nothing: what the contract names has to be there, as the contract says.
    ///
    /// Without the permission to configure an entity, RabbitMQ tells a client only that it is there;
    /// it never tells of bindings.
    Verify,
    /// Asks the broker nothing: somebody else declares, and is trusted to.
    Trust,
}

/// A step, and what is done with it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// What the contract says.
    pub declaration: Declaration,
    /// What is done about it.
    pub treatment: Treatment,
}

/// What is done about a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Treatment {
    /// It is declared as it stands.
    Declare,
    /// It has to be there already, and is compared as far as the broker lets us.
    Compare,
}

/// The steps of [`declarations`], as far as `mode` takes them.
///
/// An exclusive queue lives and dies with one connection, so nobody else can have declared it: it is
/// declared, with its bindings, in every mode.
#[must_use]
pub fn steps(contract: &Contract, scope: &Scope, mode: TopologyMode) -> Vec<Step> {
    let exclusive: BTreeSet<&QueueName> = contract
        .queues
        .iter()
        .filter(|queue| queue.exclusive)
        .map(|queue| &queue.name)
        .collect();
    let is_ours_alone = |declaration: &Declaration| match declaration {
        Declaration::Queue(queue) => queue.exclusive,
        Declaration::Bind(bind) => match &bind.destination {
            Destination::Queue(name) => exclusive.contains(name),
            Destination::Exchange(_) => false,
        },
        _ => false,
    };
    declarations(contract, scope)
        .into_iter()
        .filter_map(|declaration| {
            let treatment = match (mode, &declaration) {
                (TopologyMode::Declare, _) => Treatment::Declare,
                _ if is_ours_alone(&declaration) => Treatment::Declare,
                (TopologyMode::Verify, Declaration::Bind(_)) | (TopologyMode::Trust, _) => {
                    return None;
                }
                (TopologyMode::Verify, _) => Treatment::Compare,
            };
            Some(Step {
                declaration,
                treatment,
            })
        })
        .collect()
}
