//! What a broker says of itself before anything else: the properties of its `connection.start`.

use std::fmt;

use lapin::types::parsing::parse_field_table;
use lapin::types::{AMQPValue, FieldTable};

/// The product and the version of a broker, in its own words; empty where it says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Greeting {
    pub(super) product: String,
    pub(super) version: String,
}

/// What the first bytes from a broker are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// Perhaps the beginning of a greeting.
    NotYet,
    Greeting(Greeting),
    /// No greeting; what else is for lapin to say.
    Other,
}

/// The oldest RabbitMQ whose answers the library is made for.
const OLDEST: (u32, u32) = (3, 10);

/// A frame's type, channel and size; a method's class and number; the protocol's two versions.
const HEAD: usize = 7 + 4 + 2;
/// A greeting has no need to be larger.
const MOST: usize = 128 * 1024;

impl Greeting {
    pub(super) fn read(bytes: &[u8]) -> Heard {
        // A method, on channel 0; its size, its class and number, and 0-9.
        const FRAME: [u8; 3] = [1, 0, 0];
        const METHOD: [u8; 6] = [0, 10, 0, 10, 0, 9];
        let starts = |at: usize, with: &[u8]| {
            let there = bytes.get(at..).unwrap_or_default();
            let least = there.len().min(with.len());
            there[..least] == with[..least]
        };
        if !starts(0, &FRAME) || !starts(7, &METHOD) {
            return Heard::Other;
        }
        let Some(size) = bytes.get(3..7) else {
            return Heard::NotYet;
        };
        let size = size
            .iter()
            .fold(0, |size, byte| size << 8 | usize::from(*byte));
        if size > MOST {
            return Heard::Other;
        }
        let Some(properties) = bytes.get(HEAD..7 + size) else {
            return if bytes.len() < 7 + size {
                Heard::NotYet
            } else {
                Heard::Other
            };
        };
        match parse_field_table(properties) {
            Ok((_, properties)) => Heard::Greeting(Self {
                product: text(&properties, "product"),
                version: text(&properties, "version"),
            }),
            Err(_) => Heard::Other,
        }
    }

    /// Whether the broker is to be entered: it is a RabbitMQ that the library knows, or any will do.
    pub(super) fn will_do(&self, any_broker: bool) -> bool {
        any_broker || self.is_known()
    }

    fn is_known(&self) -> bool {
        let mut numbers = self.version.split('.').map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => {
                self.product == "RabbitMQ" && (major, minor) >= OLDEST
            }
            _ => false,
        }
    }
}

impl fmt::Display for Greeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.product, self.version)
    }
}

fn text(properties: &FieldTable, name: &str) -> String {
    match properties.inner().get(name) {
        Some(AMQPValue::LongString(text)) => String::from_utf8_lossy(text.as_bytes()).into_owned(),
        Some(AMQPValue::ShortString(text)) => text.as_str().to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(product: &str, version: &str) -> Vec<u8> {
        let mut table = Vec::new();
        for (name, value) in [("product", product), ("version", version)] {
            table.push(u8::try_from(name.len()).unwrap());
            table.extend(name.bytes());
            table.push(b'S');
            table.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
            table.extend(value.bytes());
        }
        let mut method = vec![0, 10, 0, 10, 0, 9];
        method.extend(u32::try_from(table.len()).unwrap().to_be_bytes());
        method.extend(table);
        for list in ["PLAIN", "en_US"] {
            method.extend(u32::try_from(list.len()).unwrap().to_be_bytes());
            method.extend(list.bytes());
        }
        let mut frame = vec![1, 0, 0];
        frame.extend(u32::try_from(method.len()).unwrap().to_be_bytes());
        frame.extend(method);
        frame.push(0xce);
        frame
    }

    fn greeting(product: &str, version: &str) -> Greeting {
        Greeting {
            product: product.into(),
            version: version.into(),
        }
    }

    #[test]
    fn a_greeting_is_read_however_it_is_cut() {
        let frame = start("RabbitMQ", "3.10.8");
        let whole = frame.len() - 1;
        for length in 0..whole {
            assert_eq!(Greeting::read(&frame[..length]), Heard::NotYet, "{length}");
        }
        let read = Heard::Greeting(greeting("RabbitMQ", "3.10.8"));
        assert_eq!(Greeting::read(&frame[..whole]), read);
        assert_eq!(Greeting::read(&frame), read);
    }

    #[test]
    fn what_is_no_greeting_is_left_to_others() {
        let frame = start("RabbitMQ", "3.10.8");
        // A close, a frame on channel 1, a size without end, a table without end.
        for (at, byte) in [(10, 50), (2, 1), (3, 255), (13, 255)] {
            let mut frame = frame.clone();
            frame[at] = byte;
            assert_eq!(Greeting::read(&frame), Heard::Other, "{at}");
        }
        for other in [
            &b"AMQP\0\0\x09\x01"[..],
            b"HTTP/1.1 400 Bad Request",
            b"\x01\0\0\0\0\0\x04\0\x0a\0\x0a\xce",
        ] {
            assert_eq!(Greeting::read(other), Heard::Other);
        }
    }

    #[test]
    fn rabbitmq_from_3_10_on_is_known() {
        for version in ["3.10.0", "3.13.7", "4.0.5", "4.3.0-beta.1", "10.0"] {
            assert!(greeting("RabbitMQ", version).is_known(), "{version}");
        }
        for version in ["3.9.29", "3.8.0", "2.10.0", "3", "", "%%VSN%%", "four.0"] {
            assert!(!greeting("RabbitMQ", version).is_known(), "{version}");
        }
        assert!(!greeting("LavinMQ", "4.0.0").is_known());
        assert!(!greeting("", "4.0.0").is_known());
    }
}
