//! The end of a connection that does not end by itself.

use std::io;
use std::net::{Shutdown, TcpStream};

/// A second handle to the socket of a connection. Shutting the socket down ends lapin's thread
/// where a close would wait for a broker that reads no more: under an alarm, or behind a dead link.
#[derive(Debug)]
pub(crate) struct Cut(TcpStream);

impl Cut {
    #[cfg(unix)]
    pub(crate) fn of(socket: &impl std::os::fd::AsFd) -> io::Result<Self> {
        Ok(Self(socket.as_fd().try_clone_to_owned()?.into()))
    }

    #[cfg(windows)]
    pub(crate) fn of(socket: &impl std::os::windows::io::AsSocket) -> io::Result<Self> {
        Ok(Self(socket.as_socket().try_clone_to_owned()?.into()))
    }
}

impl Cut {
    /// Ends the connection at once. Where it has been closed in order, this changes nothing.
    pub(crate) fn now(&self) {
        // A socket that is gone already is what is wanted.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

impl Drop for Cut {
    fn drop(&mut self) {
        self.now();
    }
}
