//! What a copy keeps, loses and gains.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::*;
use crate::collector::encoded_size;

const PLACE: Place<'static> = Place {
    queue: "q",
    handler: Some("process"),
    exchange: "orders",
    routing_key: "order.created",
};

fn table(entries: &[(&str, AMQPValue)]) -> FieldTable {
    let mut table = FieldTable::default();
    for (name, value) in entries {
        table.insert((*name).into(), value.clone());
    }
    table
}

fn copy(original: &BasicProperties, purpose: Purpose) -> BasicProperties {
    let failure = Failure::now(FailureKind::Retryable, "down");
    properties(original, PLACE, &failure, purpose, |_| true).expect("it fits")
}

fn headers(properties: &BasicProperties) -> &FieldTable {
    properties.headers().as_ref().expect("a copy has headers")
}

#[test]
fn what_is_the_messages_own_stays() {
    let original = BasicProperties::default()
        .with_message_id("id".into())
        .with_correlation_id("correlation".into())
        .with_reply_to("reply".into())
        .with_type("order.created".into())
        .with_app_id("app".into())
        .with_priority(9)
        .with_timestamp(12)
        .with_content_type("application/json".into())
        .with_content_encoding("identity".into())
        .with_headers(table(&[
            ("tenant", AMQPValue::ShortShortInt(3)),
            (
                "nested",
                AMQPValue::FieldTable(table(&[("a", AMQPValue::Void)])),
            ),
        ]));
    let copy = copy(&original, Purpose::Retry(1));
    assert_eq!(copy.message_id(), original.message_id());
    assert_eq!(copy.correlation_id(), original.correlation_id());
    assert_eq!(copy.reply_to(), original.reply_to());
    assert_eq!(copy.kind(), original.kind());
    assert_eq!(copy.app_id(), original.app_id());
    assert_eq!(copy.priority(), original.priority());
    assert_eq!(copy.timestamp(), original.timestamp());
    assert_eq!(copy.content_type(), original.content_type());
    assert_eq!(copy.content_encoding(), original.content_encoding());
    for (name, value) in original.headers().as_ref().unwrap() {
        assert_eq!(headers(&copy).inner().get(name.as_str()), Some(value));
    }
}

#[test]
fn what_would_change_its_way_becomes_data() {
    let original = BasicProperties::default()
        .with_expiration("5000".into())
        .with_user_id("alice".into())
        .with_delivery_mode(1)
        .with_headers(table(&[
            (
                "CC",
                AMQPValue::FieldArray(vec![long_string("elsewhere")].into()),
            ),
            (
                "BCC",
                AMQPValue::FieldArray(vec![long_string("hidden")].into()),
            ),
            ("x-death", AMQPValue::Void),
            ("x-first-death-queue", long_string("q")),
            ("x-last-death-reason", long_string("expired")),
            ("x-delivery-count", AMQPValue::LongLongInt(4)),
            ("x-acquired-count", AMQPValue::LongLongInt(4)),
        ]));
    let copy = copy(&original, Purpose::Retry(1));
    assert_eq!((copy.expiration(), copy.user_id()), (&None, &None));
    assert_eq!(copy.delivery_mode(), &Some(2));
    let copied = headers(&copy);
    for gone in [
        "CC",
        "BCC",
        "x-death",
        "x-first-death-queue",
        "x-last-death-reason",
    ] {
        assert!(!copied.contains_key(gone), "{gone}");
    }
    assert!(!copied.contains_key("x-delivery-count") && !copied.contains_key("x-acquired-count"));
    assert_eq!(
        copied.inner()[header::ORIGINAL_EXPIRATION],
        long_string("5000")
    );
    assert_eq!(
        copied.inner()[header::ORIGINAL_USER_ID],
        long_string("alice")
    );
    assert!(copied.contains_key(header::ORIGINAL_CC) && copied.contains_key(header::ORIGINAL_BCC));
}

#[test]
fn the_first_failure_and_route_stay_and_the_last_error_changes() {
    let first = copy(&BasicProperties::default(), Purpose::Retry(1));
    let mut failure = Failure::now(FailureKind::Permanent, "declined");
    failure.at = SystemTime::UNIX_EPOCH;
    let place = Place {
        exchange: "",
        routing_key: "q",
        handler: None,
        ..PLACE
    };
    let second = properties(
        &first,
        place,
        &failure,
        Purpose::DeadLetter { attempts: 2 },
        |_| true,
    )
    .expect("it fits");
    let (first, second) = (headers(&first).inner(), headers(&second).inner());
    assert_eq!(second[header::FIRST_FAILURE], first[header::FIRST_FAILURE]);
    assert_eq!(second[header::LAST_FAILURE], AMQPValue::LongLongInt(0));
    assert_eq!(second[header::ORIGINAL_EXCHANGE], long_string("orders"));
    assert_eq!(
        second[header::ORIGINAL_ROUTING_KEY],
        long_string("order.created")
    );
    assert_eq!(second[header::LAST_ERROR], long_string("declined"));
    assert_eq!(second[header::ERROR_KIND], long_string("permanent"));
    assert_eq!(second[header::ATTEMPTS], AMQPValue::LongInt(2));
    assert_eq!(second[header::FAILED_QUEUE], long_string("q"));
    for spent in [header::RETRY_COUNT, header::RETRY_QUEUE, header::CONSUMER] {
        assert!(!second.contains_key(spent), "{spent}");
    }
}

#[test]
fn the_longest_of_ours_gives_way_first() {
    let mut failure = Failure::now(FailureKind::Schema, "e".repeat(5_000));
    let issue = SchemaIssue {
        pointer: "/p".repeat(500),
        keyword: "k".into(),
        message: "m".repeat(5_000),
    };
    failure.schema_issues = vec![issue; 20];
    let purpose = Purpose::DeadLetter { attempts: 1 };
    let original = BasicProperties::default();
    let all = properties(&original, PLACE, &failure, purpose, |_| true).expect("it fits");
    let text = |name| read::text(&all, name).map(str::len).expect("a text");
    assert!(text(header::LAST_ERROR) <= header::MAX_ERROR_BYTES);
    assert!(text(header::SCHEMA_ERRORS) <= header::MAX_SCHEMA_ERRORS_BYTES);
    let has_no_text = |copy: &BasicProperties| read::text(copy, header::LAST_ERROR).is_none();
    let least = properties(&original, PLACE, &failure, purpose, has_no_text).expect("it fits");
    assert!(!headers(&least).contains_key(header::SCHEMA_ERRORS));
    assert!(headers(&least).contains_key(header::ERROR_KIND));
    assert_eq!(
        properties(&original, PLACE, &failure, purpose, |_| false),
        None
    );
}

fn value() -> impl Strategy<Value = AMQPValue> {
    let leaf = prop_oneof![
        Just(AMQPValue::Void),
        any::<bool>().prop_map(AMQPValue::Boolean),
        any::<i8>().prop_map(AMQPValue::ShortShortInt),
        any::<u16>().prop_map(AMQPValue::ShortUInt),
        any::<i32>().prop_map(AMQPValue::LongInt),
        any::<i64>().prop_map(AMQPValue::LongLongInt),
        any::<u64>().prop_map(AMQPValue::Timestamp),
        vec(any::<u8>(), 0..20).prop_map(|bytes| AMQPValue::LongString(bytes.into())),
        vec(any::<u8>(), 0..20).prop_map(|bytes| AMQPValue::ByteArray(bytes.into())),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|values| AMQPValue::FieldArray(values.into())),
            btree_map("[a-z]{1,4}", inner, 0..4).prop_map(|entries| AMQPValue::FieldTable(
                entries
                    .into_iter()
                    .map(|(name, value)| (name.into(), value))
                    .collect::<std::collections::BTreeMap<_, _>>()
                    .into()
            )),
        ]
    })
}

/// Names of the sender's own, of ours and of the broker's.
fn header_name() -> impl Strategy<Value = String> {
    let known = [
        "CC",
        "BCC",
        "x-death",
        "x-first-death-queue",
        "x-last-death-reason",
        "x-delivery-count",
        header::RETRY_COUNT,
        header::RETRY_QUEUE,
        header::ATTEMPTS,
        header::LAST_ERROR,
        header::ERROR_KIND,
        header::SCHEMA_ERRORS,
        header::FIRST_FAILURE,
        header::LAST_FAILURE,
        header::ORIGINAL_EXCHANGE,
        header::ORIGINAL_ROUTING_KEY,
        header::ORIGINAL_EXPIRATION,
        header::ORIGINAL_USER_ID,
        header::ORIGINAL_CC,
        header::FAILED_QUEUE,
        header::CONSUMER,
        header::SCHEMA_VERSION,
        "traceparent",
    ];
    prop_oneof![
        "[a-z-]{1,12}",
        prop::sample::select(known.map(str::to_owned).to_vec())
    ]
}

fn message() -> impl Strategy<Value = BasicProperties> {
    let text = || proptest::option::of("[a-z0-9]{0,20}");
    (
        btree_map(header_name(), value(), 0..8),
        text(),
        text(),
        text(),
        any::<Option<u8>>(),
    )
        .prop_map(|(headers, message_id, expiration, user_id, priority)| {
            let headers: std::collections::BTreeMap<ShortString, AMQPValue> = headers
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect();
            let mut properties = BasicProperties::default().with_headers(headers.into());
            if let Some(id) = message_id {
                properties = properties.with_message_id(id.into());
            }
            if let Some(expiration) = expiration {
                properties = properties.with_expiration(expiration.into());
            }
            if let Some(user_id) = user_id {
                properties = properties.with_user_id(user_id.into());
            }
            if let Some(priority) = priority {
                properties = properties.with_priority(priority);
            }
            properties
        })
}

fn purpose() -> impl Strategy<Value = Purpose> {
    prop_oneof![
        (1u32..=100).prop_map(Purpose::Retry),
        (1u32..=101).prop_map(|attempts| Purpose::DeadLetter { attempts }),
    ]
}

/// The names that a copy may write, or take away.
fn is_touched(name: &str) -> bool {
    header::is_history(name)
        || matches!(name, "CC" | "BCC")
        || (name.starts_with("x-")
            && ![header::SCHEMA_VERSION].contains(&name)
            && header::ALL.contains(&name))
}

proptest! {
    #[test]
    fn a_copy_changes_nothing_else(original in message(), purpose in purpose(), error in ".{0,3000}") {
        let failure = Failure::now(FailureKind::Retryable, error);
        let copy = properties(&original, PLACE, &failure, purpose, |_| true).expect("it fits");
        let own = |properties: &BasicProperties| -> Vec<(String, AMQPValue)> {
            let headers = headers(properties).inner().iter();
            headers
                .filter(|(name, _)| !is_touched(name.as_str()))
                .map(|(name, value)| (name.to_string(), value.clone()))
                .collect()
        };
        prop_assert_eq!(own(&copy), own(&original));
        prop_assert_eq!(copy.message_id(), original.message_id());
        prop_assert_eq!(copy.priority(), original.priority());
        prop_assert!(copy.expiration().is_none() && copy.user_id().is_none());
        prop_assert!(!headers(&copy).inner().keys().any(|name| header::is_history(name.as_str())));
    }

    #[test]
    fn a_copy_of_a_copy_is_the_same(original in message(), purpose in purpose()) {
        let failure = Failure::now(FailureKind::Timeout, "late");
        let once = properties(&original, PLACE, &failure, purpose, |_| true).expect("it fits");
        let twice = properties(&once, PLACE, &failure, purpose, |_| true).expect("it fits");
        prop_assert_eq!(&twice, &once);
    }

    #[test]
    fn a_copy_is_bounded(original in message(), purpose in purpose(), length in 0usize..200_000, most in 0usize..9_000) {
        let mut failure = Failure::now(FailureKind::Schema, "e".repeat(length));
        let issue = SchemaIssue { pointer: "/p".repeat(length % 999), keyword: "k".into(), message: "m".repeat(length) };
        failure.schema_issues = vec![issue; length % 30];
        // What is the message's own, the two longest texts, and names and short texts.
        let bound = encoded_size(&original) + header::MAX_ERROR_BYTES + header::MAX_SCHEMA_ERRORS_BYTES + 700;
        let copy = properties(&original, PLACE, &failure, purpose, |_| true).expect("it fits");
        prop_assert!(encoded_size(&copy) <= bound);
        let fits = |copy: &BasicProperties| encoded_size(copy) <= most;
        if let Some(copy) = properties(&original, PLACE, &failure, purpose, fits) {
            prop_assert!(fits(&copy));
        }
    }
}
