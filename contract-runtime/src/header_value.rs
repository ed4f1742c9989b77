//! The values that headers can have.

use lapin::types::{AMQPValue, FieldTable, ShortString};
use uuid::Uuid;

/// The value of a header: whatever another client put there, and what a publish can carry.
///
/// AMQP has an integer type for each width; here all are one. What is sent is the 64-bit type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum HeaderValue {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A decimal number: its value is `value / 10^scale`.
    Decimal {
        /// How many digits stand behind the point.
        scale: u8,
        /// The digits.
        value: u32,
    },
    /// A text in UTF-8.
    Text(String),
    /// Bytes, or a text in another encoding.
    Bytes(Vec<u8>),
    /// A time: Unix seconds.
    Timestamp(u64),
    /// A list.
    List(Vec<HeaderValue>),
    /// A table.
    Table(Vec<(String, HeaderValue)>),
}

macro_rules! header_value {
    ($($from:ty => |$value:ident| $to:expr;)*) => {
        $(impl From<$from> for HeaderValue {
            fn from($value: $from) -> Self {
                $to
            }
        })*
    };
}

header_value! {
    bool => |value| Self::Bool(value);
    i64 => |value| Self::Int(value);
    i32 => |value| Self::Int(value.into());
    u32 => |value| Self::Int(value.into());
    f64 => |value| Self::Float(value);
    String => |value| Self::Text(value);
    &str => |value| Self::Text(value.to_owned());
    Uuid => |value| Self::Text(value.to_string());
}

impl HeaderValue {
    /// As it is sent. A table's names that are too long for AMQP are left out.
    pub(crate) fn on_the_wire(&self) -> AMQPValue {
        match self {
            Self::Null => AMQPValue::Void,
            Self::Bool(value) => AMQPValue::Boolean(*value),
            Self::Int(value) => AMQPValue::LongLongInt(*value),
            Self::Float(value) => AMQPValue::Double(*value),
            Self::Decimal { scale, value } => AMQPValue::DecimalValue(lapin::types::DecimalValue {
                scale: *scale,
                value: *value,
            }),
            Self::Text(value) => AMQPValue::LongString(value.as_str().into()),
            Self::Bytes(value) => AMQPValue::ByteArray(value.as_slice().into()),
            Self::Timestamp(value) => AMQPValue::Timestamp(*value),
            Self::List(values) => AMQPValue::FieldArray(
                values
                    .iter()
                    .map(Self::on_the_wire)
                    .collect::<Vec<_>>()
                    .into(),
            ),
            Self::Table(entries) => {
                let mut table = FieldTable::default();
                for (name, value) in entries {
                    if let Ok(name) = ShortString::try_new(name.as_str()) {
                        table.insert(name, value.on_the_wire());
                    }
                }
                AMQPValue::FieldTable(table)
            }
        }
    }

    /// As it came.
    pub(crate) fn of(value: &AMQPValue) -> Self {
        match value {
            AMQPValue::Boolean(value) => Self::Bool(*value),
            AMQPValue::ShortShortInt(value) => Self::Int(i64::from(*value)),
            AMQPValue::ShortShortUInt(value) => Self::Int(i64::from(*value)),
            AMQPValue::ShortInt(value) => Self::Int(i64::from(*value)),
            AMQPValue::ShortUInt(value) => Self::Int(i64::from(*value)),
            AMQPValue::LongInt(value) => Self::Int(i64::from(*value)),
            AMQPValue::LongUInt(value) => Self::Int(i64::from(*value)),
            AMQPValue::LongLongInt(value) => Self::Int(*value),
            AMQPValue::Float(value) => Self::Float(f64::from(*value)),
            AMQPValue::Double(value) => Self::Float(*value),
            AMQPValue::DecimalValue(value) => Self::Decimal {
                scale: value.scale,
                value: value.value,
            },
            AMQPValue::ShortString(value) => Self::Text(value.to_string()),
            AMQPValue::LongString(value) => match str::from_utf8(value.as_bytes()) {
                Ok(text) => Self::Text(text.to_owned()),
                Err(_) => Self::Bytes(value.as_bytes().to_vec()),
            },
            AMQPValue::FieldArray(values) => {
                Self::List(values.as_slice().iter().map(Self::of).collect())
            }
            AMQPValue::Timestamp(value) => Self::Timestamp(*value),
            AMQPValue::FieldTable(table) => Self::Table(
                table
                    .inner()
                    .iter()
                    .map(|(name, value)| (name.to_string(), Self::of(value)))
                    .collect(),
            ),
            AMQPValue::ByteArray(value) => Self::Bytes(value.as_slice().to_vec()),
            AMQPValue::Void => Self::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_read_back() {
        let values = HeaderValue::List(vec![
            HeaderValue::Null,
            HeaderValue::Bool(true),
            HeaderValue::Int(-7),
            HeaderValue::Float(1.5),
            HeaderValue::Decimal {
                scale: 2,
                value: 314,
            },
            HeaderValue::Text("ä".into()),
            HeaderValue::Bytes(vec![0xff]),
            HeaderValue::Timestamp(1_700_000_000),
            HeaderValue::Table(vec![("a".into(), HeaderValue::Int(1))]),
        ]);
        assert_eq!(HeaderValue::of(&values.on_the_wire()), values);
    }

    #[test]
    fn text_that_is_none_is_bytes() {
        let value = AMQPValue::LongString(vec![0xff].into());
        assert_eq!(HeaderValue::of(&value), HeaderValue::Bytes(vec![0xff]));
    }
}
