//! Keys are those that their exchange reads.

use super::*;

#[test]
fn binding_key_missing() {
    breaks(
        |contract| {
            contract.queues[0].bindings.push(Binding::new(
                ExchangeName::literal("orders"),
                BindingKey::None,
            ));
        },
        expect![[r#"
            `processing` is bound to exchange `orders` (topic) without a key [binding-key-missing]
            help: write the key: `bind(orders, "key")`"#]],
        |contract| contract.queues[0].bindings[1].key = BindingKey::Pattern(Pattern::literal("k")),
    );
}

#[test]
fn binding_key_ignored() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("all", ExchangeKind::Fanout));
            contract.queues[0]
                .bindings
                .push(bind("all", "order.created"));
        },
        expect![[r#"
            exchange `all` (fanout) ignores the binding key `order.created` [binding-key-ignored]
            help: leave the key out: `bind(all)`, or make `all` a topic exchange"#]],
        |contract| contract.queues[0].bindings[1].key = BindingKey::None,
    );
}

#[test]
fn wildcard_on_direct() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("direct", ExchangeKind::Direct));
            contract.queues[0].bindings.push(bind("direct", "order.#"));
        },
        expect![[r#"
            exchange `direct` (direct) takes `order.#` literally, it knows no wildcards [wildcard-on-direct]
            help: write the exact key, or make `direct` a topic exchange"#]],
        |contract| contract.exchanges[1].kind = ExchangeKind::Topic,
    );
}
