//! As whom a connection enters the broker, where that changes while it lives.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use contract_runtime::{ConnectError, Connection, ConnectionState, Credentials};
use tests::{Vhost, eventually};

use crate::connection::reaches;

/// Waits until a hook was asked so often: a state of the connection in between may pass unseen.
async fn is_asked(asked: &AtomicUsize, times: usize) {
    let what = format!("the hook is asked {times} times");
    let enough = async || (asked.load(Ordering::SeqCst) >= times).then_some(());
    eventually(&what, enough).await;
}

#[tokio::test]
async fn a_rotated_password_is_asked_for_when_the_connection_is_lost() {
    let vhost = Vhost::new().await;
    let user = vhost.user().await;
    let password = Arc::new(Mutex::new("first"));
    let asked = Arc::new(AtomicUsize::new(0));
    let hook = {
        let (name, password, asked) = (user.name().to_owned(), password.clone(), asked.clone());
        move || {
            asked.fetch_add(1, Ordering::SeqCst);
            let now = *password.lock().unwrap();
            let credentials = Credentials::new(name.clone(), now);
            async { Ok::<_, io::Error>(credentials) }
        }
    };
    // What the URL says does not count.
    let connection = Connection::builder(&user.url(vhost.url(), "neither"))
        .credentials(hook)
        .reconnect_pauses(Duration::from_millis(50), Duration::from_millis(200))
        .open()
        .await
        .unwrap();
    assert_eq!(asked.load(Ordering::SeqCst), 2, "once a TCP connection");

    user.set_password("second").await;
    *password.lock().unwrap() = "second";
    user.end_connections(2).await;
    is_asked(&asked, 4).await;
    reaches(&mut connection.state(), &ConnectionState::Open).await;
    connection.close().await;
    user.delete().await;
    vhost.delete().await;
}

#[tokio::test]
async fn a_password_that_is_wrong_for_a_while_is_tried_again() {
    let vhost = Vhost::new().await;
    let user = vhost.user().await;
    let (name, asked) = (user.name().to_owned(), Arc::new(AtomicUsize::new(0)));
    let counter = asked.clone();
    let connection = Connection::builder(vhost.url())
        // The store fails the third and fourth time, and is behind the broker the fifth and sixth.
        .credentials(move || {
            let answer = match counter.fetch_add(1, Ordering::SeqCst) {
                2 | 3 => Err("the store is away"),
                4 | 5 => Ok(Credentials::new(name.clone(), "sesame")),
                _ => Ok(Credentials::new(name.clone(), "first")),
            };
            async { answer }
        })
        .reconnect_pauses(Duration::from_millis(50), Duration::from_millis(200))
        .open()
        .await
        .unwrap();
    user.end_connections(2).await;
    is_asked(&asked, 8).await;
    reaches(&mut connection.state(), &ConnectionState::Open).await;
    connection.close().await;
    user.delete().await;
    vhost.delete().await;
}

#[tokio::test]
async fn what_a_hook_says_is_refused_by_name_and_without_the_password() {
    let vhost = Vhost::new().await;
    let wrong = async || Ok::<_, io::Error>(Credentials::new("nobody", "sesame"));
    let builder = Connection::builder(vhost.url()).credentials(wrong);
    let shown = format!("{builder:?}");
    let error = builder.open().await.unwrap_err();
    let ConnectError::Credentials { user, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(user, "nobody");
    let shown = format!("{shown} {error} {error:?}");
    assert!(!shown.contains("sesame"), "{shown}");
    vhost.delete().await;
}

#[tokio::test]
async fn a_hook_that_fails_fails_the_first_start() {
    let vhost = Vhost::new().await;
    let away = async || Err::<Credentials, _>("the store is away");
    let open = Connection::builder(vhost.url()).credentials(away).open();
    let error = open.await.unwrap_err();
    let reason = "the store is away".to_owned();
    assert_eq!(error, ConnectError::NoCredentials { reason });
    vhost.delete().await;
}
