//! Reads properties and headers, whatever type another client gave them.

use contract_core::header::Field;
use lapin::BasicProperties;
use lapin::types::{AMQPValue, ShortString};

/// The header of this name, as far as the library has to know it.
pub(crate) fn header<'p>(properties: &'p BasicProperties, name: &str) -> Option<Field<'p>> {
    properties.headers().as_ref()?.inner().get(name).map(field)
}

/// The header of this name, if it is a text.
pub(crate) fn text<'p>(properties: &'p BasicProperties, name: &str) -> Option<&'p str> {
    match header(properties, name) {
        Some(Field::Text(text)) => Some(text),
        _ => None,
    }
}

/// A property, if it is set.
#[expect(
    clippy::ref_option,
    reason = "lapin's getters return a reference to an option"
)]
pub(crate) fn short(property: &Option<ShortString>) -> Option<&str> {
    property.as_ref().map(ShortString::as_str)
}

/// Any integer type is an integer: clients choose as they like, and the broker keeps what they chose.
fn field(value: &AMQPValue) -> Field<'_> {
    match value {
        AMQPValue::ShortShortInt(number) => Field::Int(i64::from(*number)),
        AMQPValue::ShortShortUInt(number) => Field::Int(i64::from(*number)),
        AMQPValue::ShortInt(number) => Field::Int(i64::from(*number)),
        AMQPValue::ShortUInt(number) => Field::Int(i64::from(*number)),
        AMQPValue::LongInt(number) => Field::Int(i64::from(*number)),
        AMQPValue::LongUInt(number) => Field::Int(i64::from(*number)),
        AMQPValue::LongLongInt(number) => Field::Int(*number),
        AMQPValue::LongString(text) => {
            str::from_utf8(text.as_bytes()).map_or(Field::Other, Field::Text)
        }
        AMQPValue::ShortString(text) => Field::Text(text.as_str()),
        AMQPValue::Boolean(_)
        | AMQPValue::Float(_)
        | AMQPValue::Double(_)
        | AMQPValue::DecimalValue(_)
        | AMQPValue::FieldArray(_)
        | AMQPValue::Timestamp(_)
        | AMQPValue::FieldTable(_)
        | AMQPValue::ByteArray(_)
        | AMQPValue::Void => Field::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_integer_type_is_an_integer() {
        let seven = [
            AMQPValue::ShortShortInt(7),
            AMQPValue::ShortShortUInt(7),
            AMQPValue::ShortInt(7),
            AMQPValue::ShortUInt(7),
            AMQPValue::LongInt(7),
            AMQPValue::LongUInt(7),
            AMQPValue::LongLongInt(7),
        ];
        for value in &seven {
            assert_eq!(field(value), Field::Int(7));
        }
    }

    #[test]
    fn text_is_utf8_or_nothing() {
        assert_eq!(field(&AMQPValue::LongString("ä".into())), Field::Text("ä"));
        assert_eq!(
            field(&AMQPValue::LongString(vec![0xff].into())),
            Field::Other
        );
        assert_eq!(field(&AMQPValue::Void), Field::Other);
    }
}
