//! One connection through the proxy: a task for each way.

use std::future::pending;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{broadcast, watch};
use tokio::time::sleep;

use super::frame::{Frame, Frames};
use super::trap::{Fault, Portion, Scope, Traps, Way};

/// What every connection obeys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mode {
    /// Whether new connections are taken.
    pub(super) open: bool,
    /// Whether what the client sends goes on.
    pub(super) up: bool,
    /// Whether what the broker sends goes on.
    pub(super) down: bool,
}

impl Mode {
    fn lets(self, way: Way) -> bool {
        match way {
            Way::Up => self.up,
            Way::Down => self.down,
        }
    }
}

/// What the connections of a proxy share.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) mode: watch::Sender<Mode>,
    pub(super) cut: broadcast::Sender<()>,
    pub(super) inject: broadcast::Sender<Frame>,
    pub(super) traps: Traps,
}

/// One way of one connection.
struct Lane {
    way: Way,
    shared: Shared,
    mode: watch::Receiver<Mode>,
    /// Whether this connection lets nothing through any more.
    hole: watch::Sender<bool>,
}

/// Relays until either side ends, or the proxy ends it.
pub(super) async fn relay(client: TcpStream, broker: TcpStream, shared: Shared) {
    let (from_client, to_client) = client.into_split();
    let (from_broker, to_broker) = broker.into_split();
    let hole = watch::Sender::new(false);
    let lane = |way| Lane {
        way,
        mode: shared.mode.subscribe(),
        shared: shared.clone(),
        hole: hole.clone(),
    };
    let mut cut = shared.cut.subscribe();
    tokio::select! {
        // What was cut is cut, whatever is allowed after it.
        biased;
        _ = cut.recv() => {}
        () = lane(Way::Up).run(Frames::new(from_client), to_broker) => {}
        () = lane(Way::Down).run(Frames::new(from_broker), to_client) => {}
    }
}

impl Lane {
    async fn run<R, W>(mut self, mut from: Frames<R>, mut to: W)
    where
        R: tokio::io::AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let mut inject = self.shared.inject.subscribe();
        loop {
            let frame = tokio::select! {
                Ok(frame) = inject.recv(), if self.way == Way::Down => {
                    if to.write_all(frame.bytes()).await.is_err() {
                        return;
                    }
                    continue;
                }
                frame = from.next() => match frame {
                    Some(frame) => frame,
                    None => return,
                },
            };
            // A change of mode holds for all that is passed on after it. The sender is in `shared`.
            let way = self.way;
            let _ = self.mode.wait_for(|mode| mode.lets(way)).await;
            let Some(frame) = self.trapped(frame, &mut to).await else {
                return;
            };
            if *self.hole.borrow() {
                pending::<()>().await;
            }
            if to.write_all(frame.bytes()).await.is_err() {
                return;
            }
        }
    }

    /// What goes on in place of a frame; none where the connection ends with it.
    async fn trapped<W: AsyncWrite + Unpin>(&self, frame: Frame, to: &mut W) -> Option<Frame> {
        let Some(mut sprung) = self.shared.traps.spring(self.way, &frame) else {
            return Some(frame);
        };
        match sprung.fault {
            Fault::Cut(portion, scope) => {
                let bytes = frame.bytes();
                let goes_on = match portion {
                    Portion::None => 0,
                    Portion::Half => bytes.len() / 2,
                    Portion::All => bytes.len(),
                };
                let _ = to.write_all(&bytes[..goes_on]).await;
                let _ = to.shutdown().await;
                if scope == Scope::All {
                    let _ = self.shared.cut.send(());
                }
                return None;
            }
            Fault::Hold => {
                // Who drops the trap does not mean to hold for ever.
                let _ = sprung.released.wait_for(|released| *released).await;
            }
            Fault::Delay(pause) => sleep(pause).await,
            Fault::BlackHole => _ = self.hole.send_replace(true),
            Fault::Replace(by) => return Some(by(&frame)),
        }
        Some(frame)
    }
}
