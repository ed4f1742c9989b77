//! What is named exists.

use super::*;

#[test]
fn unknown_entity() {
    breaks(
        |contract| contract.publishers[0].publishes[0].exchange = ExchangeName::literal("odrers"),
        expect![[r#"
            exchange `odrers` is not in the contract [unknown-entity]
            help: the contract has exchange `orders`"#]],
        |contract| contract.publishers[0].publishes[0].exchange = ExchangeName::literal("orders"),
    );
    breaks(
        |contract| contract.handlers[0].consumers[0].takes = takes("invoice.created"),
        expect![[r#"
            message `invoice.created` is not in the contract [unknown-entity]
            help: add message `invoice.created` to the contract, marked external if it is declared elsewhere"#]],
        |contract| contract.handlers[0].consumers[0].takes = takes("order.created"),
    );
}
