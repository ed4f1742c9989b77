//! Paths of the user's to names of the broker's.

use contract_core::model::MessageRef;
use contract_core::name::{ExchangeName, QueueName};
use syn::Path;

use super::Lowering;
use crate::names::{Kind, Meaning};
use crate::parse::shown;

/// A path that the user wrote where an entity is expected.
pub struct Reference {
    pub path: Path,
    pub kind: Kind,
    /// It is a message that stands for a type of elsewhere.
    pub is_alias: bool,
    /// It is no item of the contract: rustc knows whether there is one elsewhere.
    pub foreign: bool,
}

/// Each is `None` where the path means nothing that can be used: whoever needs it is poisoned.
impl Lowering<'_> {
    pub(super) fn exchange_name(&mut self, path: &Path) -> Option<ExchangeName> {
        let index = self.resolve(path, Kind::Exchange)?;
        let exchange = self.lowered.contract.exchanges.get(index)?;
        Some(exchange.name.clone())
    }

    pub(super) fn queue_name(&mut self, path: &Path) -> Option<QueueName> {
        let index = self.resolve(path, Kind::Queue)?;
        let queue = self.lowered.contract.queues.get(index)?;
        Some(queue.name.clone())
    }

    pub(super) fn message_ref(&mut self, path: &Path) -> Option<MessageRef> {
        let index = self.resolve(path, Kind::Message)?;
        let message = self.lowered.contract.messages.get(index)?;
        Some(message.reference())
    }

    fn resolve(&mut self, path: &Path, wanted: Kind) -> Option<usize> {
        let meaning = self.names.meaning(path, wanted);
        if let Meaning::Other(kind) = meaning {
            let path_shown = shown(path);
            let message = format!("`{path_shown}` is {kind}; expected {wanted} [unknown-entity]");
            self.sink.error(path, message);
            return None;
        }
        if meaning == Meaning::Lost {
            return None;
        }
        self.lowered.references.push(Reference {
            path: path.clone(),
            kind: wanted,
            is_alias: self.names.alias(path).is_some(),
            foreign: meaning == Meaning::Foreign,
        });
        match meaning {
            Meaning::Known(index) => Some(index),
            _ => None,
        }
    }
}
