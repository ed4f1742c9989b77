//! Which of a queue's consumers takes a delivery.

use crate::model::{MessageRef, Takes};

/// No consumer of the queue takes this message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
#[non_exhaustive]
pub struct UnknownMessage {
    /// The message's name, where it has one.
    pub name: Option<String>,
    /// The version that it says it has.
    pub version: Option<u32>,
    /// What the queue's consumers take.
    pub accepted: Vec<MessageRef>,
}

impl UnknownMessage {
    fn text(&self) -> String {
        let came = match (&self.name, self.version) {
            (None, None) => "a message without a type".to_owned(),
            (None, Some(version)) => format!("a message without a type, of version {version}"),
            (Some(name), version) => {
                format!(
                    "message `{}`",
                    MessageRef::new(name.as_str(), version.unwrap_or(1))
                )
            }
        };
        let accepted: Vec<String> = self
            .accepted
            .iter()
            .map(|message| format!("`{message}`"))
            .collect();
        format!(
            "{came} is taken by no handler of this queue, which takes {}",
            accepted.join(", ")
        )
    }
}

/// The consumer, by its place in `consumers`, that takes a message of this name and version.
///
/// A message without a name is taken where the consumers take exactly one message: producers in
/// other languages seldom set a type. `RawMessage` and `DeadLetter` handlers take all that is left.
pub fn consumer_of(
    consumers: &[Takes],
    name: Option<&str>,
    version: Option<u32>,
) -> Result<usize, UnknownMessage> {
    let messages: Vec<(usize, &MessageRef)> = consumers
        .iter()
        .enumerate()
        .filter_map(|(at, takes)| match takes {
            Takes::Message(message) => Some((at, message)),
            Takes::Raw | Takes::DeadLetter => None,
        })
        .collect();
    let by_name = match (name, messages.as_slice()) {
        (Some(name), messages) => messages
            .iter()
            .find(|(_, message)| message.name == name && message.version == version.unwrap_or(1)),
        (None, [only]) => {
            Some(only).filter(|(_, message)| version.is_none_or(|it| it == message.version))
        }
        (None, _) => None,
    };
    let takes_all = || {
        consumers
            .iter()
            .position(|takes| matches!(takes, Takes::Raw | Takes::DeadLetter))
    };
    by_name
        .map(|(at, _)| *at)
        .or_else(takes_all)
        .ok_or_else(|| UnknownMessage {
            name: name.map(str::to_owned),
            version,
            accepted: messages
                .into_iter()
                .map(|(_, message)| message.clone())
                .collect(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(name: &str, version: u32) -> Takes {
        Takes::Message(MessageRef::new(name, version))
    }

    #[test]
    fn name_and_version_choose() {
        let consumers = [takes("a", 1), takes("a", 2), takes("b", 1)];
        assert_eq!(consumer_of(&consumers, Some("a"), None).unwrap(), 0);
        assert_eq!(consumer_of(&consumers, Some("a"), Some(2)).unwrap(), 1);
        assert_eq!(consumer_of(&consumers, Some("b"), Some(1)).unwrap(), 2);
        assert_eq!(
            consumer_of(&consumers, Some("b"), Some(2))
                .unwrap_err()
                .to_string(),
            "message `b version 2` is taken by no handler of this queue, \
             which takes `a`, `a version 2`, `b`"
        );
    }

    #[test]
    fn without_a_name_the_only_message_is_meant() {
        assert_eq!(consumer_of(&[takes("a", 3)], None, None).unwrap(), 0);
        assert_eq!(consumer_of(&[takes("a", 3)], None, Some(3)).unwrap(), 0);
        assert!(consumer_of(&[takes("a", 3)], None, Some(2)).is_err());
        assert!(consumer_of(&[takes("a", 1), takes("b", 1)], None, None).is_err());
    }

    #[test]
    fn a_raw_handler_takes_what_is_left() {
        let consumers = [Takes::Raw, takes("a", 1)];
        assert_eq!(consumer_of(&consumers, Some("a"), None).unwrap(), 1);
        assert_eq!(consumer_of(&consumers, Some("b"), None).unwrap(), 0);
        assert_eq!(consumer_of(&[Takes::DeadLetter], None, None).unwrap(), 0);
    }
}
