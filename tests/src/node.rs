//! A broker that one test has to itself, to do harm to.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use tokio::task::spawn_blocking;

/// A RabbitMQ of the line that the tests run on, apart from the one that they share. It goes, with its
/// data, when it is dropped.
#[derive(Debug)]
pub struct Node {
    name: String,
    url: String,
}

impl Node {
    /// Starts one. `name` tells it from those of other tests; its ports are remembered by it.
    ///
    /// # Panics
    ///
    /// If `scripts/broker` cannot start it.
    pub async fn start(name: &str) -> Self {
        let line = std::env::var("CONTRACT_TEST_BROKER_LINE").unwrap_or_else(|_| "3".to_owned());
        let name = format!("{name}-{line}");
        // Before it starts: also one that did not is to be cleared away.
        let mut node = Self {
            name,
            url: String::new(),
        };
        node.url = node
            .broker(&["start", &node.name, "--line", &line, "--no-management"])
            .await;
        node
    }

    /// Its URL: the same as long as it is not dropped.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends it by SIGKILL.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub async fn kill(&self) {
        self.broker(&["kill", &self.name]).await;
    }

    /// Ends it in order.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub async fn stop(&self) {
        self.broker(&["stop", &self.name]).await;
    }

    /// Starts it again after it was ended, with the data that it had.
    ///
    /// # Panics
    ///
    /// If it does not start, or has another URL.
    pub async fn start_again(&self) {
        let url = self.broker(&["start", &self.name]).await;
        assert_eq!(url, self.url, "a node keeps its port");
    }

    /// What `rabbitmqctl` says when given these arguments.
    ///
    /// # Panics
    ///
    /// If it fails.
    pub async fn ctl(&self, arguments: &[&str]) -> String {
        let all = [&["ctl", &self.name], arguments].concat();
        self.broker(&all).await
    }

    async fn broker(&self, arguments: &[&str]) -> String {
        let mut command = broker(arguments);
        let output = spawn_blocking(move || command.output());
        let output = output.await.expect("it does not panic");
        let output = output.expect("scripts/broker is there");
        assert!(
            output.status.success(),
            "scripts/broker {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let down = broker(&["down", &self.name])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !down.is_ok_and(|status| status.success()) {
            eprintln!("node {} is left behind", self.name);
        }
    }
}

fn broker(arguments: &[&str]) -> Command {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../scripts/broker");
    let mut command = Command::new(script);
    command.args(arguments);
    command
}
