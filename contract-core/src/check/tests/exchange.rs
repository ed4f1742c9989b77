//! Exchanges keep what passes through them.

use super::*;

#[test]
fn an_exchange_that_is_published_to_may_be_transient() {
    let mut contract = orders();
    contract.exchanges[0].durable = false;
    contract.exchanges[0].auto_delete = true;
    assert_eq!(check(&contract), []);
}

#[test]
fn alternate_unroutable() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("rest", ExchangeKind::Topic));
            contract.exchanges[0].alternate = Some(ExchangeName::literal("rest"));
            contract
                .queues
                .push(queue("rest", vec![bind("rest", "*.created")]));
        },
        expect![[r#"
            what exchange `orders` passes to its alternate `rest` reaches no queue [alternate-unroutable]
            such as a message with key ""
            exchange `rest` (topic) has bindings: "*.created"
            help: bind a queue to `rest` that takes key "", or make it a fanout exchange"#]],
        |contract| contract.queues[1].bindings = vec![bind("rest", "#")],
    );
}
