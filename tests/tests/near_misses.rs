//! Contracts that a careless rule would refuse. They compile: that is the test of each.
//!
//! They are modules of one program, since trybuild would link one for each.

// Written as the contract of a library is.
#![allow(missing_docs, unreachable_pub)]

#[path = "../ui/binding-key-ignored/works/what-each-exchange-reads.rs"]
mod binding_key_ignored_what_each_exchange_reads;
#[path = "../ui/binding-key-missing/works/exchanges-that-need-none.rs"]
mod binding_key_missing_exchanges_that_need_none;
#[path = "../ui/classic-option/works/retries-of-a-classic-queue.rs"]
mod classic_option_retries_of_a_classic_queue;
#[path = "../ui/consumer-option/works/each-once.rs"]
mod consumer_option_each_once;
#[path = "../ui/delivery-limit-below-retries/works/one-more-than-the-retries.rs"]
mod delivery_limit_below_retries_one_more_than_the_retries;
#[path = "../ui/derived-name/works/dead-letter-written-out.rs"]
mod derived_name_dead_letter_written_out;
#[path = "../ui/duplicate-consumer/works/told-apart.rs"]
mod duplicate_consumer_told_apart;
#[path = "../ui/duplicate-entity/works/another-kind-or-version.rs"]
mod duplicate_entity_another_kind_or_version;
#[path = "../ui/expiry-loss/works/dead-lettered-or-signed.rs"]
mod expiry_loss_dead_lettered_or_signed;
#[path = "../ui/message-not-taken/works/narrowed-or-taken.rs"]
mod message_not_taken_narrowed_or_taken;
#[path = "../ui/overflow-loss/works/refused-or-signed.rs"]
mod overflow_loss_refused_or_signed;
#[path = "../ui/poison-loss/works/nothing-to-lose.rs"]
mod poison_loss_nothing_to_lose;
#[path = "../ui/publish-internal/works/to-the-exchange-before-it.rs"]
mod publish_internal_to_the_exchange_before_it;
#[path = "../ui/publisher-unroutable/works/by-every-way.rs"]
mod publisher_unroutable_by_every_way;
#[path = "../ui/queue-split/works/one-queue-each.rs"]
mod queue_split_one_queue_each;
#[path = "../ui/quorum-option/works/what-quorum-queues-have.rs"]
mod quorum_option_what_quorum_queues_have;
#[path = "../ui/raw-argument/works/known-or-unchecked.rs"]
mod raw_argument_known_or_unchecked;
#[path = "../ui/reserved-name/works/one-of-the-brokers.rs"]
mod reserved_name_one_of_the_brokers;
#[path = "../ui/retry-range/works/at-the-limits.rs"]
mod retry_range_at_the_limits;
#[path = "../ui/unknown-entity/works/declared-here-as-well.rs"]
mod unknown_entity_declared_here_as_well;
#[path = "../ui/wildcard-on-direct/works/wildcards-elsewhere.rs"]
mod wildcard_on_direct_wildcards_elsewhere;

#[test]
fn every_near_miss_is_compiled() {
    let this = include_str!("near_misses.rs");
    let mut count = 0;
    for folder in std::fs::read_dir("ui").expect("tests run in their package's folder") {
        let works = folder.expect("a readable folder").path().join("works");
        for program in std::fs::read_dir(works).into_iter().flatten() {
            let path = program.expect("a readable folder").path();
            assert!(
                this.contains(&format!("#[path = \"../{}\"]", path.display())),
                "{}",
                path.display()
            );
            count += 1;
        }
    }
    assert_eq!(
        this.lines()
            .filter(|line| line.starts_with("#[path"))
            .count(),
        count
    );
}
