//! A user of the broker for one test, whose password can change under whoever is connected.

use lapin::uri::AMQPUri;
use serde_json::{Value, json};

use crate::eventually::eventually;
use crate::management::Management;

/// A user who may do everything in one virtual host. Made by [`Vhost::user`](crate::Vhost::user).
#[derive(Debug)]
pub struct User {
    name: String,
    vhost: String,
    management: Management,
}

impl User {
    pub(crate) async fn new(name: String, vhost: &str, management: Management) -> Self {
        let vhost = vhost.to_owned();
        let user = Self {
            name,
            vhost,
            management,
        };
        user.set_password("first").await;
        user.permit(".*", ".*", ".*").await;
        user
    }

    /// Lets it configure, write and read what these expressions match, and nothing else.
    pub async fn permit(&self, configure: &str, write: &str, read: &str) {
        let permissions = json!({ "configure": configure, "write": write, "read": read });
        let path = format!("permissions/{}/{}", self.vhost, self.name);
        self.management.put(&path, &permissions.to_string()).await;
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `url` with this user and `password`.
    ///
    /// # Panics
    ///
    /// If `url` is none.
    #[must_use]
    pub fn url(&self, url: &str, password: &str) -> String {
        let mut uri: AMQPUri = url.parse().expect("a URL");
        self.name.clone_into(&mut uri.authority.userinfo.username);
        password.clone_into(&mut uri.authority.userinfo.password);
        uri.to_string()
    }

    /// Gives it another password; who is connected stays so. The first one is `first`.
    pub async fn set_password(&self, password: &str) {
        let user = json!({ "password": password, "tags": "" });
        self.management
            .put(&format!("users/{}", self.name), &user.to_string())
            .await;
    }

    /// Ends its connections, once the broker lists `count` of them.
    pub async fn end_connections(&self, count: usize) {
        let what = format!("{count} connections of {} are listed", self.name);
        // The list is made of statistics, which come a while after the connections.
        let connections = eventually(&what, async || {
            let connections = self.connections().await;
            (connections.len() >= count).then_some(connections)
        });
        for connection in connections.await {
            let path = format!("connections/{}", escaped(&connection));
            self.management.delete(&path).await;
        }
    }

    async fn connections(&self) -> Vec<String> {
        let all = self.management.get("connections").await.unwrap_or_default();
        let mine = |connection: &&Value| connection["user"] == self.name.as_str();
        let name = |connection: &Value| connection["name"].as_str().map(str::to_owned);
        let all = all.as_array().into_iter().flatten();
        all.filter(mine).filter_map(name).collect()
    }

    /// Deletes it.
    pub async fn delete(self) {
        self.management
            .delete(&format!("users/{}", self.name))
            .await;
    }
}

/// A connection's name as a part of a path: `127.0.0.1:1 -> 127.0.0.1:2`.
fn escaped(name: &str) -> String {
    name.replace(' ', "%20").replace('>', "%3E")
}
