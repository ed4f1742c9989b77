//! The most of each: retries, jitter, and pauses of a queue.

#[contract_runtime::contract]
pub mod orders {
    #[queue("requeued", retry(immediate_requeue, max_retries = 100))]
    pub struct Requeued;

    #[queue(
        "jittered",
        retry(
            ttl_backoff,
            max_retries = 100,
            initial_delay = "1ms",
            jitter = 0.5,
            multiplier = 4
        )
    )]
    pub struct Jittered;

    #[queue(
        "even",
        retry(
            ttl_backoff,
            max_retries = 100,
            multiplier = 1,
            initial_delay = "1m",
            max_delay = "1m"
        )
    )]
    pub struct Even;

    #[queue(
        "pauses",
        retry(
            ttl_backoff,
            max_retries = 32,
            initial_delay = "1s",
            max_delay = "1h",
            multiplier = 1.25
        )
    )]
    pub struct Pauses;
}
