//! One delivery more than there are retries is enough; pauses are counted by the library alone.

#[contract_runtime::contract]
pub mod orders {
    #[queue(
        "exact",
        dead_letter,
        retry(immediate_requeue, max_retries = 10),
        delivery_limit = 11
    )]
    pub struct Exact;

    #[queue(
        "broker",
        dead_letter,
        retry(immediate_requeue, max_retries = 19),
        delivery_limit(broker)
    )]
    pub struct Broker;

    #[queue("default", dead_letter, retry(immediate_requeue, max_retries = 100))]
    pub struct Default;

    #[queue(
        "paused",
        dead_letter,
        retry(ttl_backoff, max_retries = 10),
        delivery_limit = 5
    )]
    pub struct Paused;

    #[queue(
        "classic",
        classic,
        dead_letter,
        retry(immediate_requeue, max_retries = 100)
    )]
    pub struct Classic;
}
