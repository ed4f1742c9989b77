//! The broker closed a channel: what that means for each message that was under way on it.

use std::collections::HashMap;

use lapin::ErrorKind;
use lapin::protocol::AMQPErrorKind;

use super::SendError;

/// Why the broker closed the channel, and over which exchange as far as can be told.
#[derive(Debug, Clone)]
pub(super) struct Closure {
    code: u16,
    text: String,
    /// For each exchange that messages were under way to: how many.
    under_way: HashMap<String, usize>,
}

impl Closure {
    /// None if the error was not the channel's. `exchanges` has one entry for each message under
    /// way.
    pub(super) fn of<'e>(
        error: &lapin::Error,
        exchanges: impl Iterator<Item = &'e str>,
    ) -> Option<Self> {
        let ErrorKind::ProtocolError(error) = error.kind() else {
            return None;
        };
        if !matches!(error.kind(), AMQPErrorKind::Soft(_)) {
            return None;
        }
        let mut under_way = HashMap::new();
        for exchange in exchanges {
            *under_way.entry(exchange.to_owned()).or_default() += 1;
        }
        Some(Self {
            code: error.get_id(),
            text: error.get_message().to_string(),
            under_way,
        })
    }

    /// What the closure means for a message under way to this exchange.
    pub(super) fn error_for(&self, exchange: &str) -> SendError {
        let certain = match self.code {
            // The exchange was the mistake.
            403 | 404 if self.is_about(exchange) => self.under_way.get(exchange) == Some(&1),
            403 | 404 => {
                return SendError::Unknown(format!("its channel was closed: {}", self.text));
            }
            // One message was.
            _ => self.under_way.values().sum::<usize>() == 1,
        };
        if self.code == 404 {
            return SendError::ExchangeMissing { certain };
        }
        SendError::Refused {
            code: self.code,
            text: self.text.clone(),
            certain,
        }
    }

    /// The code says that an exchange was the mistake; the text is asked only where it could have
    /// been several.
    fn is_about(&self, exchange: &str) -> bool {
        self.under_way.len() == 1 || self.text.contains(&format!("'{exchange}'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closure(code: u16, text: &str, under_way: &[(&str, usize)]) -> Closure {
        Closure {
            code,
            text: text.into(),
            under_way: under_way
                .iter()
                .map(|(exchange, number)| ((*exchange).to_owned(), *number))
                .collect(),
        }
    }

    #[test]
    fn a_missing_exchange_is_certain_for_its_only_message() {
        let missing = |certain| SendError::ExchangeMissing { certain };
        let one = closure(404, "whatever", &[("x", 1)]);
        assert_eq!(one.error_for("x"), missing(true));
        let many = closure(404, "whatever", &[("x", 3)]);
        assert_eq!(many.error_for("x"), missing(false));
    }

    #[test]
    fn another_exchange_is_not_blamed() {
        let two = closure(
            404,
            "NOT_FOUND - no exchange 'x' in vhost '/'",
            &[("x", 1), ("y", 2)],
        );
        assert_eq!(
            two.error_for("x"),
            SendError::ExchangeMissing { certain: true }
        );
        assert!(matches!(two.error_for("y"), SendError::Unknown(_)));
    }

    #[test]
    fn a_refused_message_is_certain_only_alone() {
        let certain =
            |under_way: &[(&str, usize)]| match closure(406, "t", under_way).error_for("x") {
                SendError::Refused { certain, .. } => certain,
                other => panic!("{other:?}"),
            };
        assert!(certain(&[("x", 1)]));
        assert!(!certain(&[("x", 1), ("y", 1)]));
    }
}
