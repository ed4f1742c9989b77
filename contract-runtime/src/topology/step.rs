//! One step of a declaration: what it is called, and how it is sent.

use contract_core::declaration::{Declaration, Destination, Step, Treatment};
use contract_core::model::Literal;
use lapin::options::{
    ExchangeBindOptions, ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{Channel, ErrorKind, ExchangeKind};

/// The round in which a step is sent: all of one round are done before the next begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Round {
    Exchanges,
    /// Queues that dead-letter nowhere: what others dead-letter to.
    Queues,
    /// Queues that name a dead-letter exchange, retry buckets included.
    DeadLettering,
    Bindings,
}

impl Round {
    pub(super) fn of(step: &Declaration) -> Self {
        match step {
            Declaration::Exchange(_) | Declaration::ExchangeExists(_) => Self::Exchanges,
            Declaration::Queue(queue)
                if queue
                    .arguments
                    .iter()
                    .any(|(name, _)| name == "x-dead-letter-exchange") =>
            {
                Self::DeadLettering
            }
            Declaration::Queue(_) | Declaration::QueueExists(_) => Self::Queues,
            _ => Self::Bindings,
        }
    }
}

/// Something on the broker that a step declares or needs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Entity {
    Exchange(String),
    Queue(String),
}

/// What a step declares; nothing for a binding.
pub(super) fn declares(step: &Declaration) -> Option<Entity> {
    match step {
        Declaration::Exchange(exchange) => Some(Entity::Exchange(exchange.name.to_string())),
        Declaration::ExchangeExists(name) => Some(Entity::Exchange(name.to_string())),
        Declaration::Queue(queue) => Some(Entity::Queue(queue.name.to_string())),
        Declaration::QueueExists(name) => Some(Entity::Queue(name.to_string())),
        _ => None,
    }
}

/// Whether somebody else declares it.
pub(super) fn is_external(step: &Declaration) -> bool {
    matches!(
        step,
        Declaration::ExchangeExists(_) | Declaration::QueueExists(_)
    )
}

/// What a step cannot do without.
pub(super) fn needs(step: &Declaration) -> Vec<Entity> {
    match step {
        Declaration::Bind(bind) => vec![
            Entity::Exchange(bind.source.to_string()),
            match &bind.destination {
                Destination::Queue(name) => Entity::Queue(name.to_string()),
                Destination::Exchange(name) => Entity::Exchange(name.to_string()),
            },
        ],
        _ => Vec::new(),
    }
}

/// What a step is about, as messages to people name it.
pub(super) fn describe(step: &Declaration) -> String {
    match step {
        Declaration::Exchange(exchange) => format!("exchange `{}`", exchange.name),
        Declaration::ExchangeExists(name) => format!("external exchange `{name}`"),
        Declaration::Queue(queue) => format!("queue `{}`", queue.name),
        Declaration::QueueExists(name) => format!("external queue `{name}`"),
        Declaration::Bind(bind) => {
            let destination = match &bind.destination {
                Destination::Queue(name) => format!("queue `{name}`"),
                Destination::Exchange(name) => format!("exchange `{name}`"),
            };
            format!(
                "binding of {destination} to exchange `{}` with key \"{}\"",
                bind.source, bind.key
            )
        }
        _ => "a declaration that this version does not know".to_owned(),
    }
}

/// Why a step failed.
#[derive(Debug)]
pub(super) enum StepError {
    /// It cannot be put on the wire.
    Unsendable(String),
    /// It is there, but the user may not compare it.
    NotCompared(lapin::Error),
    Amqp(lapin::Error),
}

impl From<lapin::Error> for StepError {
    fn from(error: lapin::Error) -> Self {
        Self::Amqp(error)
    }
}

/// Sends a step and waits for the broker's answer.
pub(super) async fn send(channel: &Channel, step: &Step) -> Result<(), StepError> {
    match step.treatment {
        Treatment::Declare => declare(channel, &step.declaration).await,
        Treatment::Compare => compare(channel, &step.declaration).await,
    }
}

/// Compares without creating: only what is there is declared once more, which changes nothing where
/// it is equal, and is refused where it is not.
async fn compare(channel: &Channel, step: &Declaration) -> Result<(), StepError> {
    match step {
        Declaration::Exchange(exchange) => exchange_exists(channel, exchange.name.as_str()).await?,
        Declaration::Queue(queue) => queue_exists(channel, queue.name.as_str()).await?,
        _ => {}
    }
    declare(channel, step).await.map_err(|error| match error {
        StepError::Amqp(error) if is_denied(&error) => StepError::NotCompared(error),
        error => error,
    })
}

fn is_denied(error: &lapin::Error) -> bool {
    matches!(error.kind(), ErrorKind::ProtocolError(refused) if refused.get_id() == 403)
}

async fn exchange_exists(channel: &Channel, name: &str) -> Result<(), StepError> {
    let options = ExchangeDeclareOptions {
        passive: true,
        ..ExchangeDeclareOptions::default()
    };
    let (name, kind) = (short(name)?, ExchangeKind::Direct);
    channel
        .exchange_declare(name, kind, options, FieldTable::default())
        .await?;
    Ok(())
}

async fn queue_exists(channel: &Channel, name: &str) -> Result<(), StepError> {
    let options = QueueDeclareOptions {
        passive: true,
        ..QueueDeclareOptions::default()
    };
    channel
        .queue_declare(short(name)?, options, FieldTable::default())
        .await?;
    Ok(())
}

async fn declare(channel: &Channel, step: &Declaration) -> Result<(), StepError> {
    match step {
        Declaration::Exchange(exchange) => {
            let options = ExchangeDeclareOptions {
                durable: exchange.durable,
                auto_delete: exchange.auto_delete,
                internal: exchange.internal,
                ..ExchangeDeclareOptions::default()
            };
            let name = short(exchange.name.as_str())?;
            // lapin turns the kind into a short string itself.
            short(&exchange.kind)?;
            let kind = ExchangeKind::Custom(exchange.kind.clone());
            let arguments = table(&exchange.arguments)?;
            channel
                .exchange_declare(name, kind, options, arguments)
                .await?;
        }
        Declaration::ExchangeExists(name) => exchange_exists(channel, name.as_str()).await?,
        Declaration::Queue(queue) => {
            let options = QueueDeclareOptions {
                passive: false,
                durable: queue.durable,
                exclusive: queue.exclusive,
                auto_delete: queue.auto_delete,
                nowait: false,
            };
            let arguments = table(&queue.arguments)?;
            channel
                .queue_declare(short(queue.name.as_str())?, options, arguments)
                .await?;
        }
        Declaration::QueueExists(name) => queue_exists(channel, name.as_str()).await?,
        Declaration::Bind(bind) => {
            let source = short(bind.source.as_str())?;
            let key = short(&bind.key)?;
            let arguments = table(&bind.arguments)?;
            match &bind.destination {
                Destination::Queue(queue) => {
                    let queue = short(queue.as_str())?;
                    let options = QueueBindOptions::default();
                    channel
                        .queue_bind(queue, source, key, options, arguments)
                        .await?;
                }
                Destination::Exchange(exchange) => {
                    let exchange = short(exchange.as_str())?;
                    let options = ExchangeBindOptions::default();
                    channel
                        .exchange_bind(exchange, source, key, options, arguments)
                        .await?;
                }
            }
        }
        other => return Err(StepError::Unsendable(describe(other))),
    }
    Ok(())
}

fn short(text: &str) -> Result<ShortString, StepError> {
    ShortString::try_new(text).map_err(|_| {
        StepError::Unsendable(format!(
            "a name or key has {} bytes; RabbitMQ takes at most 255",
            text.len()
        ))
    })
}

/// Numbers are sent as 64-bit ones: the broker compares values, not widths.
fn table(arguments: &[(String, Literal)]) -> Result<FieldTable, StepError> {
    let mut table = FieldTable::default();
    for (name, value) in arguments {
        let value = match value {
            Literal::Bool(value) => AMQPValue::Boolean(*value),
            Literal::Int(value) => AMQPValue::LongLongInt(*value),
            Literal::Text(value) => AMQPValue::LongString(value.as_str().into()),
            _ => return Err(StepError::Unsendable(format!("the value of `{name}`"))),
        };
        table.insert(short(name)?, value);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use contract_core::declaration::{Scope, declarations};
    use contract_core::model::{
        Binding, BindingKey, Contract, DeadLetter, Exchange, ExchangeKind, Queue,
    };
    use contract_core::name::{ExchangeName, Pattern, QueueName};

    use super::*;

    #[test]
    fn what_others_dead_letter_to_is_declared_before_them() {
        let mut contract = Contract::new("c");
        let exchange = Exchange::new(ExchangeName::literal("x"), ExchangeKind::Direct);
        let mut queue = Queue::new(QueueName::literal("q"));
        queue.dead_letter = Some(DeadLetter::Derived);
        queue.bindings.push(Binding::new(
            exchange.name.clone(),
            BindingKey::Pattern(Pattern::literal("k")),
        ));
        contract.exchanges.push(exchange);
        contract.queues.push(queue);
        let steps = declarations(&contract, &Scope::All);
        let round = |name: &str| {
            let step = steps.iter().find(|step| describe(step) == name);
            Round::of(step.expect("such a step"))
        };
        assert_eq!(round("exchange `q.dlx`"), Round::Exchanges);
        assert_eq!(round("queue `q.dlq`"), Round::Queues);
        assert_eq!(round("queue `q`"), Round::DeadLettering);
        let binding = "binding of queue `q` to exchange `x` with key \"k\"";
        assert_eq!(round(binding), Round::Bindings);
        let rounds: Vec<Round> = steps.iter().map(Round::of).collect();
        assert!(rounds.is_sorted(), "{rounds:?}");
    }
}
