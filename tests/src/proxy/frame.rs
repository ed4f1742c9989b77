//! Frames of AMQP 0-9-1, as far as a proxy has to tell them apart.

use tokio::io::{AsyncRead, AsyncReadExt};

/// A method, by the ids of its class and its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method(u16, u16);

impl Method {
    /// `connection.blocked`
    pub const BLOCKED: Self = Self(10, 60);
    /// `connection.unblocked`
    pub const UNBLOCKED: Self = Self(10, 61);
    /// `connection.close-ok`
    pub const CONNECTION_CLOSE_OK: Self = Self(10, 51);
    /// `channel.open-ok`
    pub const CHANNEL_OPEN_OK: Self = Self(20, 11);
    /// `channel.close-ok`
    pub const CHANNEL_CLOSE_OK: Self = Self(20, 41);
    /// `exchange.declare-ok`
    pub const EXCHANGE_DECLARE_OK: Self = Self(40, 11);
    /// `queue.declare-ok`
    pub const QUEUE_DECLARE_OK: Self = Self(50, 11);
    /// `queue.bind-ok`
    pub const QUEUE_BIND_OK: Self = Self(50, 21);
    /// `confirm.select-ok`
    pub const CONFIRM_SELECT_OK: Self = Self(85, 11);
    /// `basic.qos-ok`
    pub const QOS_OK: Self = Self(60, 11);
    /// `basic.consume-ok`
    pub const CONSUME_OK: Self = Self(60, 21);
    /// `basic.cancel-ok`
    pub const CANCEL_OK: Self = Self(60, 31);
    /// `basic.publish`
    pub const PUBLISH: Self = Self(60, 40);
    /// `basic.deliver`
    pub const DELIVER: Self = Self(60, 60);
    /// `basic.ack`: from a client that it is done with a delivery, from the broker that it has a message.
    pub const ACK: Self = Self(60, 80);
    /// `basic.reject`
    pub const REJECT: Self = Self(60, 90);
    /// `basic.nack`: from a client that it gives a delivery back, from the broker that it refuses a message.
    pub const NACK: Self = Self(60, 120);
}

/// Type, channel, length of the payload.
const HEAD: usize = 7;
const END: u8 = 0xce;
const METHOD: u8 = 1;
/// A client's first bytes are no frame: `AMQP` and a version.
const GREETING: &[u8] = b"AMQP";
const GREETING_LENGTH: usize = 8;

/// One frame, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame(Vec<u8>);

impl Frame {
    /// A frame with a method.
    ///
    /// # Panics
    ///
    /// If the arguments do not fit one frame.
    #[must_use]
    pub fn of_method(channel: u16, method: Method, arguments: &[u8]) -> Self {
        let length = u32::try_from(4 + arguments.len()).expect("the arguments fit");
        let mut bytes = vec![METHOD];
        bytes.extend(channel.to_be_bytes());
        bytes.extend(length.to_be_bytes());
        bytes.extend(method.0.to_be_bytes());
        bytes.extend(method.1.to_be_bytes());
        bytes.extend(arguments);
        bytes.push(END);
        Self(bytes)
    }

    /// All of it, as it is on the wire.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Its channel.
    #[must_use]
    pub fn channel(&self) -> u16 {
        u16::from_be_bytes([self.0[1], self.0[2]])
    }

    /// The method that it carries; none for a content, a heartbeat, a greeting.
    #[must_use]
    pub fn method(&self) -> Option<Method> {
        match self.0[..] {
            [METHOD, _, _, _, _, _, _, c1, c0, m1, m0, ..] => Some(Method(
                u16::from_be_bytes([c1, c0]),
                u16::from_be_bytes([m1, m0]),
            )),
            _ => None,
        }
    }

    /// The arguments of its method.
    ///
    /// # Panics
    ///
    /// If it carries none.
    #[must_use]
    pub fn arguments(&self) -> &[u8] {
        assert!(self.method().is_some(), "a frame without a method");
        &self.0[HEAD + 4..self.0.len() - 1]
    }

    /// The first frame of `bytes`, which it is taken from; none while it is not complete.
    fn split_from(bytes: &mut Vec<u8>) -> Option<Self> {
        let length = if bytes.starts_with(GREETING) {
            GREETING_LENGTH
        } else {
            let length = bytes.get(3..HEAD)?;
            let length = u32::from_be_bytes(length.try_into().ok()?);
            HEAD + usize::try_from(length).ok()? + 1
        };
        if bytes.len() < length {
            return None;
        }
        let rest = bytes.split_off(length);
        Some(Self(std::mem::replace(bytes, rest)))
    }
}

/// Reads frames.
#[derive(Debug)]
pub(super) struct Frames<R> {
    from: R,
    read: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    pub(super) fn new(from: R) -> Self {
        Self {
            from,
            read: Vec::new(),
        }
    }

    /// The next frame; none at the end. Loses nothing when dropped.
    pub(super) async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = Frame::split_from(&mut self.read) {
                return Some(frame);
            }
            match self.from.read_buf(&mut self.read).await {
                Ok(0) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn frames_are_told_apart_however_they_come() {
        let ack = Frame::of_method(3, Method::ACK, &[0, 0, 0, 0, 0, 0, 0, 9, 0]);
        let heartbeat = Frame(vec![8, 0, 0, 0, 0, 0, 0, END]);
        let greeting = Frame(b"AMQP\x00\x00\x09\x01".to_vec());
        let sent = [&greeting, &ack, &heartbeat, &ack];
        let bytes: Vec<u8> = sent
            .iter()
            .flat_map(|frame| frame.bytes().to_vec())
            .collect();
        for piece in [1, 2, 7, bytes.len()] {
            let (mut near, far) = tokio::io::duplex(piece);
            let bytes = bytes.clone();
            let write = async move {
                tokio::io::AsyncWriteExt::write_all(&mut near, &bytes)
                    .await
                    .expect("the other side reads");
            };
            let read = async {
                let mut frames = Frames::new(far);
                let mut read = Vec::new();
                while let Some(frame) = frames.next().await {
                    read.push(frame);
                }
                read
            };
            let ((), read) = tokio::join!(write, read);
            assert_eq!(read.iter().collect::<Vec<_>>(), sent);
        }
        assert_eq!((ack.method(), ack.channel()), (Some(Method::ACK), 3));
        assert_eq!(ack.arguments(), [0, 0, 0, 0, 0, 0, 0, 9, 0]);
        assert_eq!((heartbeat.method(), greeting.method()), (None, None));
    }
}
