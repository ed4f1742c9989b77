//! A TCP proxy in front of the broker that knows frames, for the faults that a network has and for
//! those that must hit one frame.

mod frame;
mod relay;
mod trap;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use lapin::uri::AMQPUri;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{broadcast, watch};

pub use self::frame::{Frame, Method};
use self::relay::{Mode, Shared, relay};
pub use self::trap::{Fault, Portion, Scope, Trap, Way};

/// Relays every connection to the broker until told otherwise.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    upstream: AMQPUri,
    shared: Shared,
    arrivals: Arrivals,
}

/// When each connection came.
type Arrivals = Arc<Mutex<Vec<Instant>>>;

impl Proxy {
    /// A proxy in front of the broker of this URL, on a port of its own.
    ///
    /// # Panics
    ///
    /// If the URL is none, or nothing can listen on loopback.
    pub async fn before(url: &str) -> Self {
        let upstream: AMQPUri = url.parse().expect("the broker's URL");
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port is free");
        let proxy = Self {
            address: listener.local_addr().expect("it is bound"),
            upstream,
            shared: Shared {
                mode: watch::Sender::new(Mode {
                    open: true,
                    up: true,
                    down: true,
                }),
                cut: broadcast::Sender::new(16),
                inject: broadcast::Sender::new(16),
                traps: trap::Traps::default(),
            },
            arrivals: Arrivals::default(),
        };
        let authority = proxy.upstream.authority.clone();
        tokio::spawn(accept(
            listener,
            (authority.host, authority.port),
            proxy.shared.clone(),
            Arc::clone(&proxy.arrivals),
        ));
        proxy
    }

    /// The broker's URL through the proxy.
    #[must_use]
    pub fn url(&self) -> String {
        let mut uri = self.upstream.clone();
        uri.authority.host = self.address.ip().to_string();
        uri.authority.port = self.address.port();
        uri.to_string()
    }

    /// Sets a fault: it happens to the first frame with this method that goes this way from now on,
    /// on whichever connection, once.
    #[must_use = "dropped, it lets go what it holds"]
    pub fn trap(&self, way: Way, method: Method, fault: Fault) -> Trap {
        self.trap_after(0, way, method, fault)
    }

    /// The same, after `before` other such frames.
    #[must_use = "dropped, it lets go what it holds"]
    pub fn trap_after(&self, before: usize, way: Way, method: Method, fault: Fault) -> Trap {
        self.shared.traps.set(way, method, before, fault)
    }

    /// When each connection came, from the first on, those included that were not taken.
    ///
    /// # Panics
    ///
    /// If the proxy has.
    #[must_use]
    pub fn arrivals(&self) -> Vec<Instant> {
        self.arrivals
            .lock()
            .expect("the proxy did not panic")
            .clone()
    }

    /// Ends every connection.
    pub fn cut(&self) {
        let _ = self.shared.cut.send(());
    }

    /// Ends every connection, and takes no more until [`reopen`](Self::reopen).
    pub fn close(&self) {
        self.shared.mode.send_modify(|mode| mode.open = false);
        self.cut();
    }

    /// Takes connections again.
    pub fn reopen(&self) {
        self.shared.mode.send_modify(|mode| mode.open = true);
    }

    /// Holds back what the broker sends: no confirm comes through.
    pub fn mute(&self) {
        self.shared.mode.send_modify(|mode| mode.down = false);
    }

    /// Lets what the broker sends through again.
    pub fn unmute(&self) {
        self.shared.mode.send_modify(|mode| mode.down = true);
    }

    /// Passes nothing on in either direction, and keeps the connections.
    pub fn black_hole(&self) {
        self.shared.mode.send_modify(|mode| {
            mode.up = false;
            mode.down = false;
        });
    }

    /// Passes everything on again.
    pub fn relay_again(&self) {
        self.shared.mode.send_modify(|mode| {
            mode.up = true;
            mode.down = true;
        });
    }

    /// Tells every client what a broker under an alarm tells it. The broker itself is not touched.
    ///
    /// # Panics
    ///
    /// If nobody is connected, or the reason is longer than a short string.
    pub fn block(&self, reason: &str) {
        let mut arguments = vec![u8::try_from(reason.len()).expect("a short reason")];
        arguments.extend(reason.as_bytes());
        self.inject(Frame::of_method(0, Method::BLOCKED, &arguments));
    }

    /// Tells every client that the alarm is over.
    ///
    /// # Panics
    ///
    /// If nobody is connected.
    pub fn unblock(&self) {
        self.inject(Frame::of_method(0, Method::UNBLOCKED, &[]));
    }

    fn inject(&self, frame: Frame) {
        self.shared
            .inject
            .send(frame)
            .expect("somebody is connected");
    }
}

async fn accept(
    listener: TcpListener,
    upstream: (String, u16),
    shared: Shared,
    arrivals: Arrivals,
) {
    while let Ok((client, _)) = listener.accept().await {
        if let Ok(mut arrivals) = arrivals.lock() {
            arrivals.push(Instant::now());
        }
        if shared.mode.borrow().open {
            // Not here: the broker may be slow to take it, and the next one is not to wait for that.
            tokio::spawn(connect(client, upstream.clone(), shared.clone()));
        }
    }
}

async fn connect(client: TcpStream, upstream: (String, u16), shared: Shared) {
    let Ok(broker) = TcpStream::connect(upstream).await else {
        return;
    };
    let no_delay = client.set_nodelay(true).and(broker.set_nodelay(true));
    if no_delay.is_ok() {
        relay(client, broker, shared).await;
    }
}
