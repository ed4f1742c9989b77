//! The types that stand for exchanges and queues.

/// An exchange of a contract: a unit struct marked `#[exchange(..)]` inside a module marked
/// [`#[contract]`](macro@crate::contract), which implements this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an exchange of a contract",
    label = "expected a unit struct marked `#[exchange(..)]`"
)]
pub trait Exchange {
    /// Its name on the broker.
    const NAME: &'static str;
}

/// A queue of a contract: a unit struct marked `#[queue(..)]` inside a module marked
/// [`#[contract]`](macro@crate::contract), which implements this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a queue of a contract",
    label = "expected a unit struct marked `#[queue(..)]`"
)]
pub trait Queue {
    /// Its name on the broker.
    const NAME: &'static str;
}
