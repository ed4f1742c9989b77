//! Any contract survives JSON.

use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::key::KeyTemplate;
use crate::{ExchangeName, Millis, Pattern, QueueName, RoutingKey};

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z.ä-]{0,12}"
}

fn exchange_name() -> impl Strategy<Value = ExchangeName> {
    name().prop_map(|name| ExchangeName::new(name).expect("a name"))
}

fn queue_name() -> impl Strategy<Value = QueueName> {
    name().prop_map(|name| QueueName::new(name).expect("a name"))
}

fn millis() -> impl Strategy<Value = Millis> {
    (1u64..=u64::from(u32::MAX)).prop_map(Millis)
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        any::<i64>().prop_map(Literal::Int),
        ".{0,8}".prop_map(Literal::Text),
    ]
}

fn headers() -> impl Strategy<Value = Vec<(String, Literal)>> {
    vec((name(), literal()), 0..3)
}

fn binding() -> impl Strategy<Value = Binding> {
    let key = prop_oneof![
        Just(BindingKey::None),
        "[a-z*#.]{0,12}".prop_map(|key| BindingKey::Pattern(Pattern::new(key).expect("a key"))),
        (any::<bool>(), headers())
            .prop_map(|(all, headers)| BindingKey::Headers(HeaderMatch { all, headers })),
    ];
    (exchange_name(), key).prop_map(|(exchange, key)| Binding { exchange, key })
}

fn arguments() -> impl Strategy<Value = Vec<Argument>> {
    let argument = (name(), literal(), any::<bool>());
    vec(
        argument.prop_map(|(name, value, unchecked)| Argument {
            name,
            value,
            unchecked,
        }),
        0..3,
    )
}

fn exchange() -> impl Strategy<Value = Exchange> {
    let kind = prop_oneof![
        select(vec![
            ExchangeKind::Direct,
            ExchangeKind::Topic,
            ExchangeKind::Fanout,
            ExchangeKind::Headers
        ]),
        name().prop_map(ExchangeKind::Custom),
    ];
    let flags = any::<[bool; 4]>();
    (
        exchange_name(),
        name(),
        kind,
        flags,
        option::of(exchange_name()),
        vec(binding(), 0..3),
        arguments(),
    )
        .prop_map(
            |(name, label, kind, flags, alternate, bindings, arguments)| {
                let [durable, auto_delete, internal, external] = flags;
                Exchange {
                    name,
                    label,
                    kind,
                    durable,
                    auto_delete,
                    internal,
                    alternate,
                    bindings,
                    arguments,
                    external,
                }
            },
        )
}

fn retry() -> impl Strategy<Value = Retry> {
    let schedule = prop_oneof![
        vec(millis(), 0..4).prop_map(Schedule::Delays),
        (any::<u32>(), millis(), millis(), 1.0f64..9.0).prop_map(
            |(max_retries, initial, max, multiplier)| {
                Schedule::Exponential {
                    max_retries,
                    initial,
                    max,
                    multiplier,
                }
            }
        ),
    ];
    let backoff = (schedule, 0.0f64..0.5, option::of(any::<u32>()));
    prop_oneof![
        Just(Retry::None),
        any::<u32>().prop_map(|max_retries| Retry::ImmediateRequeue { max_retries }),
        backoff.prop_map(|(schedule, jitter, bucket_max_length)| {
            Retry::TtlBackoff(Backoff {
                schedule,
                jitter,
                bucket_max_length,
            })
        }),
    ]
}

fn dead_letter() -> impl Strategy<Value = DeadLetter> {
    let owner = select(vec![
        DeadLetterOwner::Contract,
        DeadLetterOwner::External,
        DeadLetterOwner::Policy,
    ]);
    let key = option::of("[a-z.]{0,12}".prop_map(|key| RoutingKey::new(key).expect("a key")));
    prop_oneof![
        Just(DeadLetter::Derived),
        (exchange_name(), key, owner).prop_map(|(exchange, key, owner)| DeadLetter::To {
            exchange,
            key,
            owner
        }),
    ]
}

fn queue() -> impl Strategy<Value = Queue> {
    let lossy = btree_set(select(Loss::ALL.to_vec()), 0..3);
    let limits = (
        option::of(millis()),
        option::of(millis()),
        option::of(any::<u32>()),
        option::of(any::<u64>()),
        option::of(any::<u8>()),
        option::of(any::<u32>()),
    );
    let parts = (
        vec(binding(), 0..3),
        option::of(dead_letter()),
        retry(),
        arguments(),
        lossy,
    );
    (queue_name(), name(), any::<[bool; 7]>(), limits, parts).prop_map(
        |(name, label, flags, limits, (bindings, dead_letter, retry, arguments, lossy))| {
            let [
                classic,
                drop_head,
                single,
                exclusive,
                auto_delete,
                durable,
                external,
            ] = flags;
            let (message_ttl, expires, max_length, max_length_bytes, max_priority, limit) = limits;
            let lossy: BTreeSet<Loss> = lossy;
            Queue {
                name,
                label,
                kind: if classic {
                    QueueKind::Classic
                } else {
                    QueueKind::Quorum
                },
                bindings,
                dead_letter,
                retry,
                message_ttl,
                expires,
                max_length,
                max_length_bytes,
                overflow: if drop_head {
                    Overflow::DropHead
                } else {
                    Overflow::RejectPublish
                },
                delivery_limit: limit.map_or(DeliveryLimit::Broker, DeliveryLimit::Count),
                single_active_consumer: single,
                max_priority,
                exclusive,
                auto_delete,
                durable,
                arguments,
                external,
                lossy,
            }
        },
    )
}

fn reference() -> impl Strategy<Value = MessageRef> {
    (name(), any::<u32>()).prop_map(|(name, version)| MessageRef { name, version })
}

fn publish() -> impl Strategy<Value = Publish> {
    let key = select(vec![
        "",
        "order.created",
        "order.{region}.created",
        "{a}.{b}",
    ])
    .prop_map(|key| {
        let template = KeyTemplate::parse(key).expect("a key");
        if key.contains('{') {
            PublishKey::Template(template)
        } else {
            PublishKey::Fixed(RoutingKey::new(key).expect("a key"))
        }
    });
    (
        name(),
        exchange_name(),
        key,
        reference(),
        headers(),
        option::of(millis()),
        any::<[bool; 2]>(),
    )
        .prop_map(
            |(
                method,
                exchange,
                key,
                message,
                headers,
                expiration,
                [external, lossy_unroutable],
            )| Publish {
                method,
                exchange,
                key,
                message,
                headers,
                expiration,
                external,
                lossy_unroutable,
            },
        )
}

fn consume() -> impl Strategy<Value = Consume> {
    let takes = prop_oneof![
        reference().prop_map(Takes::Message),
        Just(Takes::Raw),
        Just(Takes::DeadLetter)
    ];
    let numbers = (
        option::of(any::<u16>()),
        option::of(any::<u16>()),
        option::of(any::<i32>()),
    );
    (
        name(),
        queue_name(),
        takes,
        numbers,
        option::of(millis()),
        any::<bool>(),
    )
        .prop_map(
            |(method, queue, takes, (concurrency, prefetch, priority), timeout, exclusive)| {
                Consume {
                    method,
                    queue,
                    takes,
                    concurrency,
                    prefetch,
                    timeout,
                    priority,
                    exclusive,
                }
            },
        )
}

fn contract() -> impl Strategy<Value = Contract> {
    let message =
        (name(), any::<u32>(), name(), any::<bool>()).prop_map(|(name, version, label, known)| {
            let schema = known.then(|| serde_json::json!({ "type": "object" }));
            Message {
                name,
                version,
                label,
                schema,
            }
        });
    let publisher = (name(), vec(publish(), 0..3))
        .prop_map(|(label, publishes)| Publisher { label, publishes });
    let handlers =
        (name(), vec(consume(), 0..3)).prop_map(|(label, consumers)| Handlers { label, consumers });
    (
        name(),
        vec(exchange(), 0..3),
        vec(queue(), 0..3),
        vec(message, 0..3),
        vec(publisher, 0..2),
        vec(handlers, 0..2),
    )
        .prop_map(
            |(name, exchanges, queues, messages, publishers, handlers)| Contract {
                format: Format,
                name,
                exchanges,
                queues,
                messages,
                publishers,
                handlers,
            },
        )
}

proptest! {
    #[test]
    fn json_gives_back_what_it_was_given(contract in contract()) {
        let json = serde_json::to_string(&contract).expect("a contract is JSON");
        prop_assert_eq!(serde_json::from_str::<Contract>(&json).expect("it is read"), contract);
    }
}

#[test]
fn another_format_is_refused() {
    let json = serde_json::to_string(&Contract::new("orders")).unwrap();
    assert!(json.starts_with(r#"{"format":1,"name":"orders""#), "{json}");
    let error = serde_json::from_str::<Contract>(&json.replace("\"format\":1", "\"format\":2"))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("expected a contract of format 1"),
        "{error}"
    );
}
