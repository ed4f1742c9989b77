//! Policies can be carried out.

use super::*;

#[test]
fn retry_range() {
    breaks(
        |contract| contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 101 },
        expect![[r#"
            queue `processing` cannot be retried so: 101 retries are asked for; at most 100 are possible [retry-range]
            help: set `max_retries` to 100 or less"#]],
        |contract| contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 100 },
    );
    let with_jitter = |jitter| {
        let mut backoff = Backoff::new(Schedule::Delays(vec![Millis(1_000)]));
        backoff.jitter = jitter;
        Retry::TtlBackoff(backoff)
    };
    breaks(
        |contract| contract.queues[0].retry = with_jitter(0.6),
        expect![[r#"
            queue `processing` cannot be retried so: the jitter 0.6 is outside 0.0 to 0.5 [retry-range]
            help: write a jitter of at most 0.5"#]],
        |contract| contract.queues[0].retry = with_jitter(0.5),
    );
}

#[test]
fn a_contract_has_no_more_buckets_than_can_be_had() {
    let delays = |from: u64| (from..from + 32).map(Millis).collect();
    let mut contract = Contract::new("c");
    for index in 0..128 {
        let mut queue = queue(&format!("q{index}"), vec![]);
        queue.retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(delays(1))));
        contract.queues.push(queue);
    }
    assert_eq!(check(&contract), []);
    let mut one_more = queue("one-more", vec![]);
    one_more.retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(vec![Millis(1)])));
    contract.queues.push(one_more.clone());
    one_more.name = QueueName::literal("and-another");
    contract.queues.push(one_more);
    let rules: Vec<_> = check(&contract)
        .iter()
        .map(|finding| finding.rule.id())
        .collect();
    assert_eq!(rules, ["retry-range"]);
}

#[test]
fn delivery_limit_below_retries() {
    breaks(
        |contract| {
            contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 3 };
            contract.queues[0].delivery_limit = DeliveryLimit::Count(3);
        },
        expect![[r#"
            the broker gives up messages of queue `processing` before their 3 retries are spent [delivery-limit-below-retries]
            the delivery limit is 3
            help: leave `delivery_limit` out, or set it to 4 or more"#]],
        |contract| contract.queues[0].delivery_limit = DeliveryLimit::Count(4),
    );
    breaks(
        |contract| {
            contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 20 };
            contract.queues[0].delivery_limit = DeliveryLimit::Broker;
        },
        expect![[r#"
            the broker gives up messages of queue `processing` before their 20 retries are spent [delivery-limit-below-retries]
            the delivery limit is 20
            help: leave `delivery_limit` out, or set it to 21 or more"#]],
        |contract| contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 19 },
    );
}

#[test]
fn a_classic_queue_has_no_delivery_limit() {
    let mut contract = orders();
    contract.queues[0].kind = QueueKind::Classic;
    contract.queues[0].external = true;
    contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 50 };
    assert_eq!(check(&contract), []);
}
