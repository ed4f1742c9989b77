//! Connecting, and staying connected.

use std::time::{Duration, Instant};

use contract_core::model::QueueKind;
use contract_runtime::{ConnectError, Connection, ConnectionState};
use lapin::uri::AMQPUri;
use tests::{WITHIN, eventually};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::workbench::{Bench, Raw, Tick, url};
use tests::Proxy;

/// The broker's URL with another password or virtual host.
fn with(change: impl FnOnce(&mut AMQPUri)) -> String {
    let mut uri: AMQPUri = url().parse().unwrap();
    change(&mut uri);
    uri.to_string()
}

/// An address at which nobody listens.
async fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    format!("amqp://guest:sesame@127.0.0.1:{port}")
}

pub(crate) async fn reaches(
    state: &mut watch::Receiver<ConnectionState>,
    wanted: &ConnectionState,
) {
    let reaching = async { state.wait_for(|state| state == wanted).await.is_ok() };
    let reached = timeout(WITHIN, reaching).await == Ok(true);
    assert!(reached, "never {wanted:?}: {:?}", *state.borrow());
}

async fn quick(url: &str) -> Connection {
    Connection::builder(url)
        .reconnect_pauses(Duration::from_millis(50), Duration::from_millis(200))
        .close_timeout(Duration::from_secs(1))
        .open()
        .await
        .unwrap()
}

#[tokio::test]
async fn a_wrong_password_fails_at_once() {
    let url = with(|uri| uri.authority.userinfo.password = "sesame".into());
    let error = Connection::open(&url).await.unwrap_err();
    assert!(matches!(error, ConnectError::Credentials { .. }), "{error}");
    assert!(!error.is_retryable());
    assert!(!format!("{error} {error:?}").contains("sesame"));
}

#[tokio::test]
async fn a_missing_virtual_host_fails_at_once() {
    let url = with(|uri| uri.vhost = "no/such".into());
    let error = Connection::open(&url).await.unwrap_err();
    let ConnectError::VirtualHost { vhost, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(vhost, "no/such");
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn nobody_listening_is_one_line() {
    let (one, two) = (nobody().await, nobody().await);
    let error = Connection::builder(&one)
        .url(&two)
        .open()
        .await
        .unwrap_err();
    let ConnectError::Unreachable { attempts } = &error else {
        panic!("{error}");
    };
    assert_eq!(attempts.len(), 2);
    let shown = error.to_string();
    assert!(
        !shown.contains('\n') && !shown.contains("sesame"),
        "{shown}"
    );
    assert!(shown.contains("connection refused"), "{shown}");
}

#[tokio::test]
async fn a_try_that_fails_leaves_nothing_behind() {
    let alive = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let nobody = nobody().await;
    for _ in 0..20 {
        Connection::open(&nobody).await.unwrap_err();
    }
    eventually("all tasks end", async || (alive() == 0).then_some(())).await;
}

#[tokio::test]
async fn the_next_url_is_tried() {
    let dead = nobody().await;
    let connection = Connection::builder(&dead).url(&url()).open().await.unwrap();
    assert_eq!(*connection.state().borrow(), ConnectionState::Open);
    connection.close().await;
}

#[tokio::test]
async fn tls_is_never_plaintext() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("amqps://{}", listener.local_addr().unwrap());
    let error = Connection::open(&url).await.unwrap_err();
    assert!(matches!(error, ConnectError::TlsDisabled { .. }), "{error}");
}

#[tokio::test]
async fn a_broker_that_never_speaks_is_given_up_with_its_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("amqp://{}", listener.local_addr().unwrap());
    let listening = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut all = Vec::new();
        // Ends only when the other side does.
        timeout(WITHIN, socket.read_to_end(&mut all)).await.is_ok()
    });
    let most = Duration::from_millis(300);
    let open = Connection::builder(&url).connect_timeout(most).open();
    let error = timeout(WITHIN, open).await.expect("bounded").unwrap_err();
    assert!(
        error.to_string().contains("no answer within 300ms"),
        "{error}"
    );
    assert!(listening.await.unwrap(), "the socket was left open");
}

#[tokio::test]
async fn a_lost_connection_comes_back_and_everyone_hears_of_it() {
    let proxy = Proxy::before(&url()).await;
    let connection = quick(&proxy.url()).await;
    let (mut one, mut two) = (connection.state(), connection.state());
    assert_eq!(*one.borrow_and_update(), ConnectionState::Open);
    two.borrow_and_update();
    proxy.close();
    reaches(&mut one, &ConnectionState::Connecting).await;
    reaches(&mut two, &ConnectionState::Connecting).await;
    proxy.reopen();
    reaches(&mut one, &ConnectionState::Open).await;
    reaches(&mut two, &ConnectionState::Open).await;
    connection.close().await;
    reaches(&mut one, &ConnectionState::Closed).await;
    reaches(&mut two, &ConnectionState::Closed).await;
}

#[tokio::test]
async fn a_dead_link_is_found_by_its_heartbeat() {
    let proxy = Proxy::before(&url()).await;
    let connection = Connection::builder(&proxy.url())
        .heartbeat(Duration::from_secs(1))
        .connect_timeout(Duration::from_millis(300))
        .reconnect_pauses(Duration::from_millis(50), Duration::from_millis(200))
        .open()
        .await
        .unwrap();
    let mut state = connection.state();
    proxy.black_hole();
    reaches(&mut state, &ConnectionState::Connecting).await;
    proxy.relay_again();
    reaches(&mut state, &ConnectionState::Open).await;
    connection.close().await;
}

#[tokio::test]
async fn close_returns_while_the_broker_is_away() {
    let proxy = Proxy::before(&url()).await;
    let connection = quick(&proxy.url()).await;
    let mut state = connection.state();
    proxy.close();
    reaches(&mut state, &ConnectionState::Connecting).await;
    timeout(WITHIN, connection.close()).await.expect("bounded");
    reaches(&mut state, &ConnectionState::Closed).await;
}

#[tokio::test]
async fn close_returns_while_the_broker_is_dumb_or_has_blocked_us() {
    let proxy = Proxy::before(&url()).await;
    let (dumb, blocked) = (quick(&proxy.url()).await, quick(&proxy.url()).await);
    let reason = "low on memory";
    proxy.block(reason);
    reaches(
        &mut blocked.state(),
        &ConnectionState::Blocked(reason.into()),
    )
    .await;
    timeout(WITHIN, blocked.close()).await.expect("bounded");
    reaches(&mut blocked.state(), &ConnectionState::Closed).await;

    proxy.unblock();
    reaches(&mut dumb.state(), &ConnectionState::Open).await;
    proxy.mute();
    let started = Instant::now();
    timeout(WITHIN, dumb.close()).await.expect("bounded");
    assert!(started.elapsed() < Duration::from_secs(10));
    reaches(&mut dumb.state(), &ConnectionState::Closed).await;
}

#[tokio::test]
async fn what_is_asked_of_a_closed_connection_fails_at_once() {
    let raw = Raw::connect().await;
    let bench = Bench::new("closed", QueueKind::Classic);
    let connection = quick(&url()).await;
    connection.declare(&bench.contract).await.unwrap();
    let publisher = bench.publisher(&connection, "Events");
    publisher.publish("routed", &Tick::new(1)).await.unwrap();
    connection.close().await;
    connection.close().await;
    let publish = publisher.publish("routed", &Tick::new(2));
    let error = timeout(WITHIN / 2, publish)
        .await
        .expect("at once")
        .unwrap_err();
    assert_eq!(error.outcome(), contract_runtime::PublishOutcome::NotSent);
    let declare = connection.declare(&bench.contract);
    assert!(
        timeout(WITHIN / 2, declare)
            .await
            .expect("at once")
            .is_err()
    );
    bench.delete(&raw).await;
}
