//! What the generated documentation says: what each item does on the broker.

use contract_core::Contract;
use contract_core::consumer::{DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT};
use contract_core::dead_letter::dead_letter_target;
use contract_core::model::{
    Binding, BindingKey, Consume, DeadLetter, DeadLetterOwner, Exchange, Loss, Message, Publish,
    PublishKey, Queue, Retry, Takes,
};
use contract_core::retry::RetryPlan;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;

/// Paragraphs as attributes, to stand behind what the user wrote.
pub fn doc(attrs: &[Attribute], paragraphs: impl IntoIterator<Item = String>) -> TokenStream {
    let mut follows = attrs.iter().any(|attr| attr.path().is_ident("doc"));
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        if follows {
            lines.push(String::new());
        }
        lines.push(format!(" {paragraph}"));
        follows = true;
    }
    quote!(#(#[doc = #lines])*)
}

pub fn exchange(exchange: &Exchange) -> Vec<String> {
    let (name, kind) = (&exchange.name, exchange.kind.as_str());
    let mut said = vec![if exchange.external {
        format!("On the broker: the {kind} exchange `{name}`, which somebody else declares.")
    } else {
        let durable = if exchange.durable {
            "durable"
        } else {
            "transient"
        };
        format!("On the broker: the {durable} {kind} exchange `{name}`.")
    }];
    said.extend(exchange.bindings.iter().map(binding));
    said.extend(
        exchange
            .alternate
            .iter()
            .map(|alternate| format!("What no binding takes goes to exchange `{alternate}`.")),
    );
    said
}

pub fn queue(queue: &Queue) -> Vec<String> {
    let (name, kind) = (&queue.name, queue.kind.as_str());
    let mut said = vec![if queue.external {
        format!("On the broker: the {kind} queue `{name}`, which somebody else declares.")
    } else {
        let durable = if queue.durable {
            "durable"
        } else {
            "transient"
        };
        format!("On the broker: the {durable} {kind} queue `{name}`.")
    }];
    said.extend(queue.bindings.iter().map(binding));
    if queue.retry != Retry::None {
        said.push(retries(queue));
        said.extend(buckets(queue));
    }
    // Without one, and without a consumer that needs it, there is nothing to say.
    if queue.dead_letter.is_some() || queue.lossy.contains(&Loss::Poison) {
        said.push(failures(queue));
    }
    said
}

fn binding(binding: &Binding) -> String {
    let exchange = &binding.exchange;
    match &binding.key {
        BindingKey::Pattern(key) => {
            format!("Takes what exchange `{exchange}` is sent with key `{key}`.")
        }
        BindingKey::Headers(headers) => {
            let all = if headers.all { "all" } else { "any" };
            let names: Vec<String> = headers
                .headers
                .iter()
                .map(|(name, _)| format!("`{name}`"))
                .collect();
            format!(
                "Takes what exchange `{exchange}` is sent with {all} of the headers {}.",
                names.join(", ")
            )
        }
        _ => format!("Takes everything that exchange `{exchange}` is sent."),
    }
}

/// How often and after which pauses a delivery is tried again.
fn retries(queue: &Queue) -> String {
    match &queue.retry {
        Retry::None => "A failed delivery is not tried again.".to_owned(),
        Retry::ImmediateRequeue { max_retries } => {
            format!(
                "A retryable failure is tried again at once, at most {}.",
                times(*max_retries)
            )
        }
        retry => match RetryPlan::new(&queue.name, retry) {
            Ok(plan) => {
                let delays: Vec<String> = plan
                    .delays()
                    .map(|step| {
                        let step: Vec<String> = step.iter().map(ToString::to_string).collect();
                        step.join(" or ")
                    })
                    .collect();
                let max = times(retry.max_retries());
                format!(
                    "A retryable failure is tried again, at most {max}: after {}.",
                    delays.join(", ")
                )
            }
            // Reported: there is no such plan.
            Err(_) => "A retryable failure is tried again.".to_owned(),
        },
    }
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// Where deliveries wait for their next try, and how many can.
fn buckets(queue: &Queue) -> Option<String> {
    let plan = RetryPlan::new(&queue.name, &queue.retry).ok()?;
    let names: Vec<String> = plan
        .buckets()
        .iter()
        .map(|bucket| format!("`{}`", bucket.name))
        .collect();
    let first = plan.buckets().first()?;
    let room = match first.max_length {
        Some(most) => format!("each holds at most {most} messages"),
        None => "each holds any number of messages".to_owned(),
    };
    Some(format!(
        "Until then it waits in {}: {room}.",
        names.join(", ")
    ))
}

/// Where a message goes that cannot be handled.
fn failures(queue: &Queue) -> String {
    let Some(target) = dead_letter_target(queue) else {
        return "It has no dead letter: a message that cannot be handled is dropped.".to_owned();
    };
    let exchange = &target.exchange;
    let key = match &target.key {
        Some(key) => format!("key `{key}`"),
        None => "the key that it came with".to_owned(),
    };
    let rest = match (&queue.dead_letter, target.owner) {
        (Some(DeadLetter::Derived), _) => match queue.name.derived_dead_letter_queue() {
            Ok(name) => format!(" and on to queue `{name}`, both made for it"),
            Err(_) => String::new(),
        },
        (_, DeadLetterOwner::External) => ", which somebody else binds".to_owned(),
        (_, DeadLetterOwner::Policy) => ", as a policy of the broker says too".to_owned(),
        _ => String::new(),
    };
    format!("A message that cannot be handled goes to exchange `{exchange}` with {key}{rest}.")
}

pub fn message(message: &Message) -> Vec<String> {
    let (name, version) = (&message.name, message.version);
    vec![format!(
        "On the wire: JSON of type `{name}`, version {version}."
    )]
}

pub fn publish(publish: &Publish) -> Vec<String> {
    let (exchange, message) = (&publish.exchange, &publish.message);
    let key = &publish.key;
    let mut said = vec![format!(
        "Publishes `{message}` to exchange `{exchange}` with key `{key}`."
    )];
    if let PublishKey::Template(_) = key {
        said.push(
            "What fills a field of the key is one word of it: not empty, without a dot, a wildcard or white space."
                .to_owned(),
        );
    }
    said.extend(
        publish
            .expiration
            .map(|expiration| format!("It expires after {expiration} in a queue.")),
    );
    said.push("It resolves when the broker has answered for this message.".to_owned());
    said
}

pub fn consume(contract: &Contract, consume: &Consume) -> Vec<String> {
    let queue = &consume.queue;
    let takes = match &consume.takes {
        Takes::Message(message) => format!("Takes `{message}` from queue `{queue}`"),
        Takes::DeadLetter => format!("Takes dead letters from queue `{queue}`"),
        _ => format!("Takes whatever comes from queue `{queue}`"),
    };
    let concurrency = consume.concurrency.unwrap_or(DEFAULT_CONCURRENCY);
    let timeout = consume.timeout.unwrap_or(DEFAULT_TIMEOUT);
    let mut said = vec![format!(
        "{takes}: at most {concurrency} at once, {timeout} each."
    )];
    if let Some(queue) = contract.queue(queue)
        && consume.takes != Takes::DeadLetter
    {
        said.extend([retries(queue), failures(queue)]);
    }
    said
}
