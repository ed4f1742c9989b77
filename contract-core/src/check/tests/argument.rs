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
        a quorum queue of RabbitMQ reads no argument "x-max-lenght", and would not say so [raw-argument]
        help: write "x-max-length", or add `unchecked` if a plugin or a later RabbitMQ reads it"#]],
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
            argument "x-quorum-initial-group-size" is not a whole number [raw-argument]
            help: write a whole number"#]],
        |contract| contract.queues[0].arguments[0].value = Literal::Int(3),
    );
    breaks(
        argument("x-queue-version", int(2)),
        expect![[r#"
            a quorum queue of RabbitMQ reads no argument "x-queue-version", and would not say so [raw-argument]
            help: add `unchecked` if a plugin or a later RabbitMQ reads it"#]],
        |contract| contract.queues[0].kind = QueueKind::Classic,
    );
}
