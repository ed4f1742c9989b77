//! The model as code that builds it: what was checked is what is run. The code stands where
//! `__private` is that of the runtime.

use contract_core::Millis;
use contract_core::model::{
    Argument, Backoff, Binding, BindingKey, Consume, DeadLetter, DeadLetterOwner, DeliveryLimit,
    Exchange, ExchangeKind, HeaderMatch, Literal, Loss, MessageRef, Overflow, Publish, PublishKey,
    Queue, QueueKind, Retry, Schedule, Takes,
};
use contract_core::name::{ExchangeName, Pattern, QueueName, RoutingKey};
use proc_macro2::TokenStream;
use quote::quote;

pub fn build_exchange(exchange: &Exchange) -> TokenStream {
    let (name, kind) = (
        build_exchange_name(&exchange.name),
        build_exchange_kind(&exchange.kind),
    );
    let label = &exchange.label;
    let durable = (!exchange.durable).then(|| quote!(exchange.durable = false;));
    let auto_delete = exchange
        .auto_delete
        .then(|| quote!(exchange.auto_delete = true;));
    let internal = exchange.internal.then(|| quote!(exchange.internal = true;));
    let external = exchange.external.then(|| quote!(exchange.external = true;));
    let alternate = exchange.alternate.as_ref().map(|alternate| {
        let alternate = build_exchange_name(alternate);
        quote!(exchange.alternate = ::core::option::Option::Some(#alternate);)
    });
    let bindings = exchange.bindings.iter().map(build_binding);
    let arguments = exchange.arguments.iter().map(build_argument);
    quote!({
        let mut exchange = __private::model::Exchange::new(#name, #kind);
        exchange.label = ::std::borrow::ToOwned::to_owned(#label);
        #durable #auto_delete #internal #external #alternate
        #(exchange.bindings.push(#bindings);)*
        #(exchange.arguments.push(#arguments);)*
        exchange
    })
}

fn build_exchange_kind(kind: &ExchangeKind) -> TokenStream {
    match kind {
        ExchangeKind::Direct => quote!(__private::model::ExchangeKind::Direct),
        ExchangeKind::Fanout => quote!(__private::model::ExchangeKind::Fanout),
        ExchangeKind::Headers => quote!(__private::model::ExchangeKind::Headers),
        ExchangeKind::Custom(name) => {
            quote!(__private::model::ExchangeKind::Custom(::std::borrow::ToOwned::to_owned(#name)))
        }
        _ => quote!(__private::model::ExchangeKind::Topic),
    }
}

pub fn build_queue(queue: &Queue) -> TokenStream {
    let (name, label) = (build_queue_name(&queue.name), &queue.label);
    let bindings = queue.bindings.iter().map(build_binding);
    let policies = build_queue_policies(queue);
    let limits = build_queue_limits(queue);
    let flags = build_queue_flags(queue);
    let arguments = queue.arguments.iter().map(build_argument);
    let lossy = queue.lossy.iter().map(|loss| build_loss(*loss));
    quote!({
        let mut queue = __private::model::Queue::new(#name);
        queue.label = ::std::borrow::ToOwned::to_owned(#label);
        #(queue.bindings.push(#bindings);)*
        #policies #limits #flags
        #(queue.arguments.push(#arguments);)*
        #(queue.lossy.insert(#lossy);)*
        queue
    })
}

fn build_queue_policies(queue: &Queue) -> TokenStream {
    let kind = (queue.kind == QueueKind::Classic)
        .then(|| quote!(queue.kind = __private::model::QueueKind::Classic;));
    let dead_letter = queue.dead_letter.as_ref().map(|dead_letter| {
        let dead_letter = build_dead_letter(dead_letter);
        quote!(queue.dead_letter = ::core::option::Option::Some(#dead_letter);)
    });
    let retry = (queue.retry != Retry::None).then(|| {
        let retry = build_retry(&queue.retry);
        quote!(queue.retry = #retry;)
    });
    quote!(#kind #dead_letter #retry)
}

fn build_queue_limits(queue: &Queue) -> TokenStream {
    let some = |field: TokenStream, value: Option<TokenStream>| {
        value.map(|value| quote!(queue.#field = ::core::option::Option::Some(#value);))
    };
    let message_ttl = some(quote!(message_ttl), queue.message_ttl.map(build_millis));
    let expires = some(quote!(expires), queue.expires.map(build_millis));
    let max_length = some(quote!(max_length), queue.max_length.map(|it| quote!(#it)));
    let max_bytes = some(
        quote!(max_length_bytes),
        queue.max_length_bytes.map(|it| quote!(#it)),
    );
    let max_priority = some(
        quote!(max_priority),
        queue.max_priority.map(|it| quote!(#it)),
    );
    let overflow = (queue.overflow == Overflow::DropHead)
        .then(|| quote!(queue.overflow = __private::model::Overflow::DropHead;));
    let limit = match queue.delivery_limit {
        DeliveryLimit::Count(count) => {
            Some(quote!(queue.delivery_limit = __private::model::DeliveryLimit::Count(#count);))
        }
        DeliveryLimit::Broker => {
            Some(quote!(queue.delivery_limit = __private::model::DeliveryLimit::Broker;))
        }
        _ => None,
    };
    quote!(#message_ttl #expires #max_length #max_bytes #max_priority #overflow #limit)
}

fn build_dead_letter(dead_letter: &DeadLetter) -> TokenStream {
    let DeadLetter::To {
        exchange,
        key,
        owner,
    } = dead_letter
    else {
        return quote!(__private::model::DeadLetter::Derived);
    };
    let exchange = build_exchange_name(exchange);
    let key = key.as_ref().map(build_routing_key).map_or_else(
        || quote!(::core::option::Option::None),
        |key| quote!(::core::option::Option::Some(#key)),
    );
    let owner = match owner {
        DeadLetterOwner::External => quote!(External),
        DeadLetterOwner::Policy => quote!(Policy),
        _ => quote!(Contract),
    };
    quote! {
        __private::model::DeadLetter::To {
            exchange: #exchange,
            key: #key,
            owner: __private::model::DeadLetterOwner::#owner,
        }
    }
}

fn build_retry(retry: &Retry) -> TokenStream {
    match retry {
        Retry::ImmediateRequeue { max_retries } => {
            quote!(__private::model::Retry::ImmediateRequeue { max_retries: #max_retries })
        }
        Retry::TtlBackoff(backoff) => {
            let backoff = build_backoff(backoff);
            quote!(__private::model::Retry::TtlBackoff(#backoff))
        }
        _ => quote!(__private::model::Retry::None),
    }
}

fn build_backoff(backoff: &Backoff) -> TokenStream {
    let schedule = match &backoff.schedule {
        Schedule::Delays(delays) => {
            let delays = delays.iter().map(|delay| build_millis(*delay));
            quote!(__private::model::Schedule::Delays(
                ::std::vec![#(#delays),*]
            ))
        }
        Schedule::Exponential {
            max_retries,
            initial,
            max,
            multiplier,
        } => {
            let (initial, max) = (build_millis(*initial), build_millis(*max));
            quote! {
                __private::model::Schedule::Exponential {
                    max_retries: #max_retries,
                    initial: #initial,
                    max: #max,
                    multiplier: #multiplier,
                }
            }
        }
        _ => quote!(__private::model::Schedule::Delays(::std::vec::Vec::new())),
    };
    let jitter = backoff.jitter;
    let bucket = backoff
        .bucket_max_length
        .map(|most| quote!(backoff.bucket_max_length = ::core::option::Option::Some(#most);));
    quote!({
        let mut backoff = __private::model::Backoff::new(#schedule);
        backoff.jitter = #jitter;
        #bucket
        backoff
    })
}

fn build_binding(binding: &Binding) -> TokenStream {
    let exchange = build_exchange_name(&binding.exchange);
    let key = match &binding.key {
        BindingKey::Pattern(pattern) => {
            let pattern = build_pattern(pattern);
            quote!(__private::model::BindingKey::Pattern(#pattern))
        }
        BindingKey::Headers(headers) => {
            let headers = build_header_match(headers);
            quote!(__private::model::BindingKey::Headers(#headers))
        }
        _ => quote!(__private::model::BindingKey::None),
    };
    quote!(__private::model::Binding::new(#exchange, #key))
}

fn build_header_match(headers: &HeaderMatch) -> TokenStream {
    let all = headers.all;
    let headers = headers.headers.iter().map(build_header);
    quote!(__private::model::HeaderMatch::new(#all, ::std::vec![#(#headers),*]))
}

fn build_header((name, value): &(String, Literal)) -> TokenStream {
    let value = build_literal(value);
    quote!((::std::borrow::ToOwned::to_owned(#name), #value))
}

fn build_argument(argument: &Argument) -> TokenStream {
    let (name, value) = (&argument.name, build_literal(&argument.value));
    let unchecked = argument.unchecked;
    quote!({
        let mut argument = __private::model::Argument::new(#name, #value);
        argument.unchecked = #unchecked;
        argument
    })
}

fn build_literal(literal: &Literal) -> TokenStream {
    match literal {
        Literal::Bool(value) => quote!(__private::model::Literal::Bool(#value)),
        Literal::Int(value) => quote!(__private::model::Literal::Int(#value)),
        Literal::Text(value) => {
            quote!(__private::model::Literal::Text(::std::borrow::ToOwned::to_owned(#value)))
        }
        _ => quote!(::core::unreachable!()),
    }
}

fn build_loss(loss: Loss) -> TokenStream {
    let variant = match loss {
        Loss::Expiry => quote!(Expiry),
        Loss::Overflow => quote!(Overflow),
        Loss::Deletion => quote!(Deletion),
        Loss::Restart => quote!(Restart),
        Loss::Hop => quote!(Hop),
        _ => quote!(Poison),
    };
    quote!(__private::model::Loss::#variant)
}

pub fn build_publish(publish: &Publish) -> TokenStream {
    let (method, exchange) = (&publish.method, build_exchange_name(&publish.exchange));
    let message = build_message_ref(&publish.message);
    let key = build_publish_key(&publish.key);
    let headers = publish.headers.iter().map(build_header);
    let expiration = publish.expiration.map(|expiration| {
        let expiration = build_millis(expiration);
        quote!(publish.expiration = ::core::option::Option::Some(#expiration);)
    });
    let (external, lossy) = (publish.external, publish.lossy_unroutable);
    quote!({
        let mut publish = __private::model::Publish::new(
            #method,
            #exchange,
            #key,
            #message,
        );
        #(publish.headers.push(#headers);)*
        #expiration
        publish.external = #external;
        publish.lossy_unroutable = #lossy;
        publish
    })
}

fn build_publish_key(key: &PublishKey) -> TokenStream {
    match key {
        PublishKey::Fixed(key) => {
            let key = build_routing_key(key);
            quote!(__private::model::PublishKey::Fixed(#key))
        }
        PublishKey::Template(template) => {
            let text = template.to_string();
            quote!(__private::model::PublishKey::Template(__private::key::KeyTemplate::literal(#text)))
        }
        _ => quote!(::core::unreachable!()),
    }
}

pub fn build_consume(consume: &Consume) -> TokenStream {
    let (method, queue) = (&consume.method, build_queue_name(&consume.queue));
    let takes = match &consume.takes {
        Takes::Message(message) => {
            let message = build_message_ref(message);
            quote!(__private::model::Takes::Message(#message))
        }
        Takes::DeadLetter => quote!(__private::model::Takes::DeadLetter),
        _ => quote!(__private::model::Takes::Raw),
    };
    let some = |field: TokenStream, value: Option<TokenStream>| {
        value.map(|value| quote!(consume.#field = ::core::option::Option::Some(#value);))
    };
    let concurrency = some(
        quote!(concurrency),
        consume.concurrency.map(|it| quote!(#it)),
    );
    let prefetch = some(quote!(prefetch), consume.prefetch.map(|it| quote!(#it)));
    let timeout = some(quote!(timeout), consume.timeout.map(build_millis));
    let priority = some(quote!(priority), consume.priority.map(|it| quote!(#it)));
    let exclusive = consume.exclusive;
    quote!({
        let mut consume = __private::model::Consume::new(#method, #queue, #takes);
        #concurrency #prefetch #timeout #priority
        consume.exclusive = #exclusive;
        consume
    })
}

fn build_message_ref(message: &MessageRef) -> TokenStream {
    let (name, version) = (&message.name, message.version);
    quote!(__private::model::MessageRef::new(#name, #version))
}

fn build_millis(millis: Millis) -> TokenStream {
    let millis = millis.0;
    quote!(__private::Millis(#millis))
}

fn build_exchange_name(name: &ExchangeName) -> TokenStream {
    build_name(&quote!(ExchangeName), name.as_str())
}

fn build_queue_name(name: &QueueName) -> TokenStream {
    build_name(&quote!(QueueName), name.as_str())
}

fn build_routing_key(key: &RoutingKey) -> TokenStream {
    build_name(&quote!(RoutingKey), key.as_str())
}

fn build_pattern(pattern: &Pattern) -> TokenStream {
    build_name(&quote!(Pattern), pattern.as_str())
}

fn build_name(ty: &TokenStream, text: &str) -> TokenStream {
    quote!(const { __private::name::#ty::literal(#text) })
}

fn build_queue_flags(queue: &Queue) -> TokenStream {
    let active = queue
        .single_active_consumer
        .then(|| quote!(queue.single_active_consumer = true;));
    let exclusive = queue.exclusive.then(|| quote!(queue.exclusive = true;));
    let auto_delete = queue.auto_delete.then(|| quote!(queue.auto_delete = true;));
    let durable = (!queue.durable).then(|| quote!(queue.durable = false;));
    let external = queue.external.then(|| quote!(queue.external = true;));
    quote!(#active #exclusive #auto_delete #durable #external)
}
