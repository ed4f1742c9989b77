//! A socket that is listened to until the broker has said what it is: lapin reads that too, and
//! does not tell.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use async_rs::traits::Reactor;
use async_rs::util::{DummyIO, RuntimeParts};
use async_rs::{Runtime, TokioRuntime};
use futures_io::{AsyncRead, AsyncWrite};
use futures_util::Stream;
use lapin::AsyncTcpStream;

use super::greeting::{Greeting, Heard};

/// A connected socket, with TLS or without.
pub(super) type Socket = AsyncTcpStream<<TokioRuntime as Reactor>::TcpStream>;

/// The runtime of a connection: tokio's, but for the type of its sockets.
pub(super) type TappedRuntime = Runtime<RuntimeParts<TokioRuntime, Tapped>>;

pub(super) fn runtime(tokio: TokioRuntime) -> TappedRuntime {
    Runtime::new(RuntimeParts::new(tokio.clone(), Tapped(tokio)))
}

/// What was heard, for whoever made the tap.
pub(super) type Overheard = Arc<OnceLock<Greeting>>;

pub(super) struct Tap {
    socket: Socket,
    ear: Option<Ear>,
}

struct Ear {
    heard: Vec<u8>,
    overheard: Overheard,
    any_broker: bool,
}

impl Tap {
    /// Unless `any_broker`, a broker that is not known is not heard to the end of its greeting: it
    /// is told no user and no password.
    pub(super) fn new(socket: Socket, any_broker: bool) -> (Self, Overheard) {
        let overheard = Overheard::default();
        let ear = Ear {
            heard: Vec::new(),
            overheard: Arc::clone(&overheard),
            any_broker,
        };
        let ear = Some(ear);
        (Self { socket, ear }, overheard)
    }

    fn hear<'b>(
        &mut self,
        read: io::Result<usize>,
        buffers: impl Iterator<Item = &'b [u8]>,
    ) -> io::Result<usize> {
        let (Ok(count), Some(ear)) = (&read, &mut self.ear) else {
            return read;
        };
        let mut left = *count;
        for buffer in buffers {
            let fresh = &buffer[..left.min(buffer.len())];
            ear.heard.extend_from_slice(fresh);
            left -= fresh.len();
        }
        let greeting = match Greeting::read(&ear.heard) {
            Heard::NotYet => return read,
            Heard::Greeting(greeting) => Some(greeting),
            Heard::Other => None,
        };
        let any_broker = ear.any_broker;
        let overheard = self.ear.take().map(|ear| ear.overheard);
        if let (Some(greeting), Some(overheard)) = (greeting, overheard)
            && !overheard.get_or_init(|| greeting).will_do(any_broker)
        {
            return Err(io::Error::other("not a broker that is known"));
        }
        read
    }
}

impl AsyncRead for Tap {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let read = Pin::new(&mut self.socket).poll_read(context, buffer);
        read.map(|read| self.hear(read, std::iter::once(&*buffer)))
    }

    fn poll_read_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        let read = Pin::new(&mut self.socket).poll_read_vectored(context, buffers);
        read.map(|read| self.hear(read, buffers.iter().map(|buffer| &**buffer)))
    }
}

impl AsyncWrite for Tap {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(context, buffer)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(context, buffers)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_close(context)
    }
}

/// tokio's reactor, with sockets that can be listened to.
#[derive(Debug, Clone)]
pub(super) struct Tapped(TokioRuntime);

impl Reactor for Tapped {
    type TcpStream = Tap;
    type Sleep = <TokioRuntime as Reactor>::Sleep;

    /// Nothing is registered by lapin: it is given sockets.
    fn register<H: Read + Write + Send + 'static>(
        &self,
        _: H,
    ) -> io::Result<impl AsyncRead + AsyncWrite + Send + Unpin + 'static> {
        Err::<DummyIO, _>(io::ErrorKind::Unsupported.into())
    }

    fn sleep(&self, duration: Duration) -> Self::Sleep {
        self.0.sleep(duration)
    }

    fn interval(&self, duration: Duration) -> impl Stream<Item = Instant> + Send + 'static {
        self.0.interval(duration)
    }

    fn tcp_connect_addr(
        &self,
        address: SocketAddr,
    ) -> impl Future<Output = io::Result<Self::TcpStream>> + Send + 'static {
        let socket = self.0.tcp_connect_addr(address);
        async move {
            let socket = AsyncTcpStream::Plain(socket.await?);
            Ok(Tap { socket, ear: None })
        }
    }
}
