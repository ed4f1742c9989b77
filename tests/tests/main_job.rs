//! The main job as a user runs it: its exit status is its verdict.

use std::path::PathBuf;
use std::process::{Command, Output};

use tests::Vhost;

/// The built example: cargo builds those of the workspace along with its tests.
fn orders() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps/test");
    let program = profile
        .join("examples")
        .join(format!("orders{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "run `cargo build --examples` first");
    program
}

fn run(url: &str) -> Output {
    Command::new(orders())
        .env("AMQP_URL", url)
        .output()
        .expect("it can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test]
async fn what_happens_is_what_should_happen() {
    let vhost = Vhost::new().await;
    let url = vhost.url().to_owned();
    let output = tokio::task::spawn_blocking(move || run(&url))
        .await
        .expect("it ends");
    let (shown, said) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{shown}\n{said}");
    assert!(shown.contains("All of it is as it should be."), "{shown}");
    vhost.delete().await;
}

#[test]
fn without_a_broker_it_says_what_to_start() {
    let output = run("amqp://127.0.0.1:1");
    let said = text(&output.stderr);
    assert!(!output.status.success());
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("scripts/broker up"), "{said}");
}
