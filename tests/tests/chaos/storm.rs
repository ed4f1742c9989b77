//! A fleet loses its broker at one moment, and does not come back at one.

use std::time::{Duration, Instant};

use contract_runtime::{Connection, ConnectionState};
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use tests::{Proxy, WITHIN};
use tokio::time::timeout;

use crate::ALONE;
use crate::workbench::url;

/// Each of them is two TCP connections.
const CONNECTIONS: usize = 200;
/// Long against what a busy machine needs to connect them all, so that it is the pauses that are seen.
const FIRST_PAUSE: Duration = Duration::from_secs(10);

/// How many the limit of open files allows: a connection has two sockets, the proxy four.
fn connections() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let files = line.and_then(|line| line.split_whitespace().nth(3)?.parse::<usize>().ok());
    CONNECTIONS.min(files.unwrap_or(usize::MAX).saturating_sub(200) / 6)
}

/// Waits until the connection has been lost, and is there again.
async fn comes_back(connection: &Connection) {
    let mut state = connection.state();
    for wanted in [ConnectionState::Connecting, ConnectionState::Open] {
        let reached = timeout(WITHIN, state.wait_for(|state| *state == wanted)).await;
        assert!(matches!(reached, Ok(Ok(_))), "never {wanted:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fleet_does_not_come_back_in_step() {
    let _alone = ALONE.lock().await;
    let proxy = Proxy::before(&url()).await;
    let count = connections();
    let open = async || {
        Connection::builder(&proxy.url())
            .reconnect_pauses(FIRST_PAUSE, 2 * FIRST_PAUSE)
            .open()
            .await
            .unwrap()
    };
    let all: Vec<Connection> = stream::iter(0..count)
        .map(|_| open())
        .buffer_unordered(16)
        .collect()
        .await;
    let before = proxy.arrivals().len();
    assert_eq!(before, 2 * count);
    let cut = Instant::now();
    proxy.cut();
    join_all(all.iter().map(comes_back)).await;

    let mut pauses: Vec<Duration> = proxy.arrivals()[before..]
        .iter()
        .map(|arrival| *arrival - cut)
        .collect();
    pauses.sort_unstable();
    assert_eq!(pauses.len(), 2 * count, "each came back at the first try");
    let quarter = |number: usize| pauses[(pauses.len() - 1) * number / 4];
    println!(
        "{} TCP connections came back after {:?}, {:?}, {:?}, {:?}, {:?} (by quarters)",
        pauses.len(),
        quarter(0),
        quarter(1),
        quarter(2),
        quarter(3),
        quarter(4),
    );
    // Each pause is from a half of the first to all of it. In step, they would come together at some
    // time in it, as fast as the machine can connect them.
    assert!(quarter(0) >= FIRST_PAUSE / 2, "some did not wait");
    assert!(quarter(1) <= FIRST_PAUSE * 7 / 8, "few came early");
    assert!(quarter(4) >= FIRST_PAUSE * 9 / 10, "none came late");
    join_all(all.iter().map(Connection::close)).await;
}
