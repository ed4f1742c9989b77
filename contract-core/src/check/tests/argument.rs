//! Raw arguments are read by somebody.

use super::*;

#[test]
fn raw_argument() {
    let argument = |name: &'static str, value: Literal| {
        move |contract: &mut Contract| {
            contract.queues[0].arguments = vec![Argument::new(name, value.clone())];
        }
    };
    let int = Literal::Int;
    breaks(
        argument("x-max-lenght", int(5)),
        expect![[r#"
            RabbitMQ reads no argument "x-max-lenght" of a quorum queue, and would not say so [raw-argument]
            help: write `max_length = N`, or add `unchecked` if a plugin or a later RabbitMQ reads it"#]],
        |contract| contract.queues[0].arguments[0].unchecked = true,
    );
    breaks(
        argument("x-max-length", int(5)),
        expect![[r#"
        argument "x-max-length" has an option of its own, which is checked [raw-argument]
        help: write `max_length = N`"#]],
        |contract| {
            contract.queues[0].arguments.clear();
            contract.queues[0].max_length = Some(5);
        },
    );
    breaks(
        argument("x-quorum-initial-group-size", Literal::Bool(true)),
        expect![[r#"
            argument "x-quorum-initial-group-size" takes a whole number [raw-argument]
            help: write a whole number, without quotes"#]],
        |contract| contract.queues[0].arguments[0].value = Literal::Int(3),
    );
    breaks(
        argument("x-queue-version", int(2)),
        expect![[r#"
            RabbitMQ reads argument "x-queue-version" of a classic queue, and this is a quorum queue [raw-argument]
            help: leave it out, or make the queue `classic`, or add `unchecked` if a later RabbitMQ reads it here"#]],
        |contract| contract.queues[0].kind = QueueKind::Classic,
    );
}
