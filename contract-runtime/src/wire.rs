//! Between AMQP's types and the core's: headers read, copies made.

pub(crate) mod copy;
pub(crate) mod read;
