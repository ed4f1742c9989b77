//! A virtual host for one test, so that tests run side by side and use whatever names they like.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use crate::management::Management;
use crate::user::User;

/// A virtual host of its own. Delete it when done; one that a failing test leaves goes with the broker.
#[derive(Debug)]
pub struct Vhost {
    name: String,
    url: String,
    management: Management,
}

impl Vhost {
    /// Makes one on the broker of the tests.
    ///
    /// # Panics
    ///
    /// If there is no broker: `scripts/test` starts one.
    pub async fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "test-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let management = Management::of_the_tests();
        management.put(&format!("vhosts/{name}"), "").await;
        let broker = std::env::var("CONTRACT_TEST_AMQP_URL")
            .expect("CONTRACT_TEST_AMQP_URL is set: run the tests by `scripts/test`");
        let (scheme, rest) = broker
            .split_once("://")
            .expect("CONTRACT_TEST_AMQP_URL is a URL");
        let authority = rest.split('/').next().unwrap_or(rest);
        Self {
            url: format!("{scheme}://{authority}/{name}"),
            name,
            management,
        }
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Makes a user who may do everything in it. Delete it when done.
    pub async fn user(&self) -> User {
        let name = format!("{}-user", self.name);
        User::new(name, &self.name, self.management.clone()).await
    }

    /// What the broker says of a queue: `type`, `arguments`, `durable`, ..; none if there is no such
    /// queue.
    pub async fn queue(&self, name: &str) -> Option<Value> {
        self.management
            .get(&format!("queues/{}/{name}", self.name))
            .await
    }

    /// What the broker says of an exchange; none if there is no such exchange.
    pub async fn exchange(&self, name: &str) -> Option<Value> {
        self.management
            .get(&format!("exchanges/{}/{name}", self.name))
            .await
    }

    /// The bindings of a queue, but for that of the default exchange: source, key and arguments.
    pub async fn bindings_of_queue(&self, name: &str) -> Vec<(String, String, Value)> {
        self.bindings(&format!("queues/{}/{name}/bindings", self.name))
            .await
    }

    /// The bindings by which an exchange gets messages: source, key and arguments.
    pub async fn bindings_of_exchange(&self, name: &str) -> Vec<(String, String, Value)> {
        self.bindings(&format!(
            "exchanges/{}/{name}/bindings/destination",
            self.name
        ))
        .await
    }

    async fn bindings(&self, path: &str) -> Vec<(String, String, Value)> {
        let bindings = self.management.get(path).await.unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let binding = |binding: &Value| {
            (
                text(&binding["source"]),
                text(&binding["routing_key"]),
                binding["arguments"].clone(),
            )
        };
        let bindings = bindings.as_array().into_iter().flatten().map(binding);
        bindings
            .filter(|(source, _, _)| !source.is_empty())
            .collect()
    }

    /// The names of all its queues, sorted.
    ///
    /// # Panics
    ///
    /// If the broker does not answer.
    pub async fn queues(&self) -> Vec<String> {
        let queues = self
            .management
            .get(&format!("queues/{}", self.name))
            .await
            .unwrap_or_default();
        let name = |queue: &Value| queue["name"].as_str().map(str::to_owned);
        let mut names: Vec<String> = queues
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(name)
            .collect();
        names.sort_unstable();
        names
    }

    /// Deletes a queue under whoever uses it.
    pub async fn delete_queue(&self, name: &str) {
        self.management
            .delete(&format!("queues/{}/{name}", self.name))
            .await;
    }

    /// Deletes an exchange under whoever uses it.
    pub async fn delete_exchange(&self, name: &str) {
        self.management
            .delete(&format!("exchanges/{}/{name}", self.name))
            .await;
    }

    /// Deletes it and everything in it.
    pub async fn delete(self) {
        self.management
            .delete(&format!("vhosts/{}", self.name))
            .await;
    }
}
