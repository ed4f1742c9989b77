//! How many bytes the properties of a message take on the wire.
//!
//! They travel in one frame. RabbitMQ closes the whole connection over one that is too large, and a
//! message that grows over the limit on its way, by `x-death`, kills every consumer that gets it.

use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable};

/// What is kept free in the frame, in bytes: for what the broker adds when a message dies.
pub(crate) const ROOM_TO_DIE_IN: usize = 4096;

/// The frame size that RabbitMQ offers by default, in bytes: taken for it while no connection has
/// been agreed on.
const USUAL_FRAME: usize = 131_072;

/// The largest properties that are sent where this frame size was agreed on; 0 means no limit.
pub(crate) fn limit(frame_max: u32) -> usize {
    let frame = match usize::try_from(frame_max) {
        Ok(0) | Err(_) => USUAL_FRAME,
        Ok(frame) => frame,
    };
    frame.saturating_sub(ROOM_TO_DIE_IN)
}

/// The encoded size of the properties, headers included, in bytes.
pub(crate) fn encoded(properties: &BasicProperties) -> usize {
    const FLAGS: usize = 2;
    let texts = [
        properties.content_type(),
        properties.content_encoding(),
        properties.correlation_id(),
        properties.reply_to(),
        properties.expiration(),
        properties.message_id(),
        properties.kind(),
        properties.user_id(),
        properties.app_id(),
        properties.cluster_id(),
    ];
    let texts: usize = texts
        .into_iter()
        .flatten()
        .map(|text| 1 + text.as_str().len())
        .sum();
    let bytes = [properties.delivery_mode(), properties.priority()];
    FLAGS
        + texts
        + bytes.into_iter().flatten().count()
        + properties.timestamp().map_or(0, |_| 8)
        + properties.headers().as_ref().map_or(0, table)
}

fn table(table: &FieldTable) -> usize {
    let entry = |(name, value): (&lapin::types::ShortString, &AMQPValue)| {
        1 + name.as_str().len() + typed(value)
    };
    4 + table.inner().iter().map(entry).sum::<usize>()
}

fn typed(value: &AMQPValue) -> usize {
    1 + match value {
        AMQPValue::Void => 0,
        AMQPValue::Boolean(_) | AMQPValue::ShortShortInt(_) | AMQPValue::ShortShortUInt(_) => 1,
        AMQPValue::ShortInt(_) | AMQPValue::ShortUInt(_) => 2,
        AMQPValue::LongInt(_) | AMQPValue::LongUInt(_) | AMQPValue::Float(_) => 4,
        AMQPValue::DecimalValue(_) => 5,
        AMQPValue::LongLongInt(_) | AMQPValue::Double(_) | AMQPValue::Timestamp(_) => 8,
        AMQPValue::ShortString(text) => 1 + text.as_str().len(),
        AMQPValue::LongString(text) => 4 + text.len(),
        AMQPValue::ByteArray(bytes) => 4 + bytes.len(),
        AMQPValue::FieldArray(values) => 4 + values.as_slice().iter().map(typed).sum::<usize>(),
        AMQPValue::FieldTable(values) => table(values),
    }
}

#[cfg(test)]
mod tests {
    use lapin::types::{FieldArray, ShortString};

    use super::*;

    fn headers(values: Vec<(&str, AMQPValue)>) -> BasicProperties {
        let mut table = FieldTable::default();
        for (name, value) in values {
            table.insert(ShortString::try_new(name).unwrap(), value);
        }
        BasicProperties::default().with_headers(table)
    }

    #[test]
    fn properties_are_flags_and_what_is_set() {
        assert_eq!(encoded(&BasicProperties::default()), 2);
        let properties = BasicProperties::default()
            .with_delivery_mode(2)
            .with_priority(1)
            .with_timestamp(7)
            .with_message_id("12345".into())
            .with_type("t".into());
        assert_eq!(encoded(&properties), 2 + 1 + 1 + 8 + 6 + 2);
    }

    #[test]
    fn headers_are_counted_with_names_and_types() {
        assert_eq!(encoded(&headers(vec![])), 2 + 4);
        let text = AMQPValue::LongString("xyz".into());
        assert_eq!(
            encoded(&headers(vec![("ab", text.clone())])),
            2 + 4 + 3 + 1 + 4 + 3
        );
        let nested = AMQPValue::FieldArray(FieldArray::from(vec![text, AMQPValue::Void]));
        assert_eq!(
            encoded(&headers(vec![("a", nested)])),
            2 + 4 + 2 + 1 + 4 + 8 + 1
        );
    }

    #[test]
    fn the_limit_leaves_room() {
        assert_eq!(limit(131_072), 126_976);
        assert_eq!(limit(0), 126_976);
        assert_eq!(limit(4096), 0);
    }
}
