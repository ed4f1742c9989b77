//! RabbitMQ has an exchange `amq.topic`; a name that only looks like one of its own is free.

#[contract_runtime::contract]
pub mod orders {
    #[exchange("amq.topic", topic, external)]
    pub struct AmqTopic;

    #[queue("amqp.billing", bind(AmqTopic, "order.created"), dead_letter)]
    pub struct Billing;
}
