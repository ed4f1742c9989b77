//! The task that keeps a link: it watches the TCP connection, replaces it when it is lost, and
//! closes it in the end.
//!
//! lapin's own recovery is never used: it ends in silence when its tries are used up, replays
//! topology that is not ours, and leaves consumers waiting for ever.

use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt;
use lapin::Event;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout_at};

use super::Settings;
use super::backoff::Backoff;
use super::dial::{Dialer, Dialled};
use super::{Link, LinkState, Live};

/// How often the connection is looked at even though nothing was heard of it.
const LOOK: Duration = Duration::from_millis(500);

pub(crate) struct Supervisor {
    /// `publishing` or `consuming`.
    role: &'static str,
    dialer: Dialer,
    settings: Settings,
    state: watch::Sender<LinkState>,
    close: watch::Receiver<Option<Instant>>,
    backoff: Backoff,
    generation: u64,
}

/// Why a TCP connection is over.
enum End {
    Lost(String),
    Close(Instant),
}

impl Supervisor {
    /// Takes charge of a fresh connection.
    pub(crate) fn start(
        role: &'static str,
        dialer: Dialer,
        settings: Settings,
        runtime: &tokio::runtime::Handle,
        first: Dialled,
    ) -> Link {
        let (close, close_asked) = watch::channel(None);
        let mut supervisor = Self {
            role,
            dialer,
            backoff: Backoff::new(settings.first_pause, settings.longest_pause),
            settings,
            state: watch::Sender::new(LinkState::Connecting),
            close: close_asked,
            generation: 0,
        };
        let link = Link::new(
            supervisor.state.subscribe(),
            close,
            runtime.clone(),
            supervisor.settings.clone(),
        );
        let live = supervisor.open(first);
        runtime.spawn(supervisor.run(live));
        link
    }

    async fn run(mut self, mut live: Live) {
        loop {
            let opened = Instant::now();
            let deadline = match self.watch(&live).await {
                End::Close(deadline) => deadline,
                End::Lost(reason) => {
                    tracing::warn!(link = self.role, reason, "connection to RabbitMQ lost");
                    self.state.send_replace(LinkState::Connecting);
                    live.cut();
                    drop(live);
                    self.backoff.lived(opened.elapsed());
                    let Some(dialled) = self.reconnect().await else {
                        break;
                    };
                    live = self.open(dialled);
                    continue;
                }
            };
            shut(&live, deadline).await;
            break;
        }
        tracing::info!(link = self.role, "connection to RabbitMQ closed");
        self.state.send_replace(LinkState::Closed);
    }

    fn open(&mut self, dialled: Dialled) -> Live {
        self.generation += 1;
        tracing::info!(
            link = self.role,
            broker = dialled.address,
            product = dialled.broker,
            generation = self.generation,
            "connected to RabbitMQ"
        );
        let live = Live::new(
            self.generation,
            dialled.connection,
            dialled.cut,
            self.settings.channel_timeout,
        );
        self.state.send_replace(LinkState::Open(live.clone()));
        live
    }

    /// Until the connection is lost, or closing is asked for.
    async fn watch(&mut self, live: &Live) -> End {
        let status = live.connection().status();
        // There is one listener, here: a second one would take events away from it.
        let mut events = pin!(live.connection().events_listener());
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut reason = None;
        loop {
            tokio::select! {
                biased;
                deadline = asked_to_close(&mut self.close, self.settings.close_timeout) => {
                    return End::Close(deadline);
                }
                event = events.next() => match event {
                    Some(Event::ConnectionBlocked(why)) => {
                        tracing::warn!(link = self.role, reason = why, "RabbitMQ blocks publishing");
                        self.state.send_replace(LinkState::Blocked(live.clone(), why));
                    }
                    Some(Event::ConnectionUnblocked) => {
                        tracing::info!(link = self.role, "RabbitMQ takes messages again");
                        self.state.send_replace(LinkState::Open(live.clone()));
                    }
                    // A channel's error is told here too: the status says whether it was the
                    // connection's.
                    Some(Event::Error(error)) => reason = Some(error.to_string()),
                    Some(_) => {}
                    None => return End::Lost("lapin gave it up".into()),
                },
                _ = look.tick() => {}
            }
            if !status.connected() {
                return End::Lost(reason.unwrap_or_else(|| "the broker closed it".into()));
            }
        }
    }

    /// A new connection, for as long as one is wanted; none when closing was asked for.
    async fn reconnect(&mut self) -> Option<Dialled> {
        loop {
            let pause = self.backoff.pause();
            tokio::select! {
                biased;
                _ = asked_to_close(&mut self.close, self.settings.close_timeout) => return None,
                () = sleep(pause) => {}
            }
            let dialled = tokio::select! {
                biased;
                _ = asked_to_close(&mut self.close, self.settings.close_timeout) => return None,
                dialled = self.dialer.dial() => dialled,
            };
            match dialled {
                Ok(dialled) => return Some(dialled),
                Err(error) => {
                    let retryable = error.is_retryable();
                    tracing::warn!(link = self.role, %error, retryable, "RabbitMQ cannot be reached");
                    if !retryable {
                        self.backoff.slow_down();
                    }
                }
            }
        }
    }
}

/// Waits until somebody closes the link, or nobody has it any more; by when to be done.
async fn asked_to_close(close: &mut watch::Receiver<Option<Instant>>, most: Duration) -> Instant {
    match close.wait_for(Option::is_some).await {
        Ok(deadline) => deadline.unwrap_or_else(|| Instant::now() + most),
        Err(_) => Instant::now() + most,
    }
}

/// Closes a connection in order if the broker answers in time, else without it.
async fn shut(live: &Live, deadline: Instant) {
    let closed = live.connection().close(200, "OK".into());
    match timeout_at(deadline, closed).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "the connection was gone before it was closed"),
        Err(_) => tracing::warn!("RabbitMQ did not answer the close in time"),
    }
    live.cut();
}
