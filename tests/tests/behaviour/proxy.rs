//! A TCP proxy in front of the broker, for the faults that a network has.

use std::net::SocketAddr;

use lapin::uri::AMQPUri;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{broadcast, watch};

use crate::workbench::url;

/// Relays every connection to the broker until told otherwise.
pub(crate) struct Proxy {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    cut: broadcast::Sender<()>,
    inject: broadcast::Sender<Vec<u8>>,
}

#[derive(Clone, Copy)]
struct Mode {
    /// Whether new connections are taken.
    open: bool,
    /// Whether what the client sends goes on.
    up: bool,
    /// Whether what the broker sends goes on.
    down: bool,
}

impl Proxy {
    pub(crate) async fn start() -> Self {
        let uri: AMQPUri = url().parse().expect("the broker's URL");
        let upstream = (uri.authority.host, uri.authority.port);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Self {
            address: listener.local_addr().unwrap(),
            mode: watch::Sender::new(Mode {
                open: true,
                up: true,
                down: true,
            }),
            cut: broadcast::Sender::new(16),
            inject: broadcast::Sender::new(16),
        };
        let (mode, cut, inject) = (
            proxy.mode.subscribe(),
            proxy.cut.clone(),
            proxy.inject.clone(),
        );
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if !mode.borrow().open {
                    continue;
                }
                let Ok(broker) = TcpStream::connect(upstream.clone()).await else {
                    continue;
                };
                client.set_nodelay(true).unwrap();
                broker.set_nodelay(true).unwrap();
                let relay = relay(
                    client,
                    broker,
                    mode.clone(),
                    cut.subscribe(),
                    inject.subscribe(),
                );
                tokio::spawn(relay);
            }
        });
        proxy
    }

    /// The broker's URL through the proxy.
    pub(crate) fn url(&self) -> String {
        let mut uri: AMQPUri = url().parse().expect("the broker's URL");
        uri.authority.host = self.address.ip().to_string();
        uri.authority.port = self.address.port();
        uri.to_string()
    }

    /// Ends every connection.
    pub(crate) fn cut(&self) {
        let _ = self.cut.send(());
    }

    /// Ends every connection, and takes no more until [`reopen`](Self::reopen).
    pub(crate) fn close(&self) {
        self.mode.send_modify(|mode| mode.open = false);
        self.cut();
    }

    pub(crate) fn reopen(&self) {
        self.mode.send_modify(|mode| mode.open = true);
    }

    /// Holds back what the broker sends: no confirm comes through.
    pub(crate) fn mute(&self) {
        self.mode.send_modify(|mode| mode.down = false);
    }

    pub(crate) fn unmute(&self) {
        self.mode.send_modify(|mode| mode.down = true);
    }

    /// Swallows everything in both directions, and keeps the connections.
    pub(crate) fn black_hole(&self) {
        self.mode.send_modify(|mode| {
            mode.up = false;
            mode.down = false;
        });
    }

    pub(crate) fn relay_again(&self) {
        self.mode.send_modify(|mode| {
            mode.up = true;
            mode.down = true;
        });
    }

    /// Tells every client what a broker under an alarm tells it. The broker itself is not touched.
    pub(crate) fn block(&self, reason: &str) {
        let length = u8::try_from(reason.len()).unwrap();
        let mut arguments = vec![length];
        arguments.extend(reason.as_bytes());
        self.send_method(60, &arguments);
    }

    pub(crate) fn unblock(&self) {
        self.send_method(61, &[]);
    }

    /// A method frame of class 10, on channel 0.
    fn send_method(&self, method: u16, arguments: &[u8]) {
        let mut payload = 10u16.to_be_bytes().to_vec();
        payload.extend(method.to_be_bytes());
        payload.extend(arguments);
        let mut frame = vec![1, 0, 0];
        frame.extend(u32::try_from(payload.len()).unwrap().to_be_bytes());
        frame.extend(payload);
        frame.push(0xce);
        self.inject.send(frame).expect("a connection to block");
    }
}

async fn relay(
    client: TcpStream,
    broker: TcpStream,
    mut mode: watch::Receiver<Mode>,
    mut cut: broadcast::Receiver<()>,
    mut inject: broadcast::Receiver<Vec<u8>>,
) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_broker, mut to_broker) = broker.into_split();
    let (mut up, mut down) = ([0u8; 16 * 1024], [0u8; 16 * 1024]);
    loop {
        let now = *mode.borrow_and_update();
        let relayed = tokio::select! {
            // A change of mode holds for all that is sent after it.
            biased;
            changed = mode.changed() => match changed {
                Ok(()) => Ok(()),
                Err(_) => return,
            },
            _ = cut.recv() => return,
            Ok(frame) = inject.recv() => to_client.write_all(&frame).await,
            read = from_client.read(&mut up), if now.up => match read {
                Ok(read) if read > 0 => to_broker.write_all(&up[..read]).await,
                _ => return,
            },
            read = from_broker.read(&mut down), if now.down => match read {
                Ok(read) if read > 0 => to_client.write_all(&down[..read]).await,
                _ => return,
            },
        };
        if relayed.is_err() {
            return;
        }
    }
}
