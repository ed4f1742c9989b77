//! The broker's management API, as far as tests need it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A client of the management API.
#[derive(Debug, Clone)]
pub struct Management {
    host: String,
    credentials: String,
}

impl Management {
    /// The broker that the tests were given by `CONTRACT_TEST_MANAGEMENT_URL`.
    ///
    /// # Panics
    ///
    /// If the variable is not set: `scripts/test` sets it.
    #[must_use]
    pub fn of_the_tests() -> Self {
        let url = std::env::var("CONTRACT_TEST_MANAGEMENT_URL")
            .expect("CONTRACT_TEST_MANAGEMENT_URL is set: run the tests by `scripts/test`");
        let (credentials, host) = url
            .strip_prefix("http://")
            .and_then(|rest| rest.trim_end_matches('/').split_once('@'))
            .expect("CONTRACT_TEST_MANAGEMENT_URL is http://user:password@host:port");
        Self {
            host: host.to_owned(),
            credentials: credentials.to_owned(),
        }
    }

    /// The answer to a GET, or none if there is nothing at `path`.
    ///
    /// # Panics
    ///
    /// If the broker does not answer, or with another error.
    pub async fn get(&self, path: &str) -> Option<Value> {
        match self.request("GET", path, "").await {
            (200, body) => Some(serde_json::from_str(&body).expect("the answer is JSON")),
            (404, _) => None,
            (status, body) => panic!("GET {path}: {status} {body}"),
        }
    }

    /// Puts `body`.
    ///
    /// # Panics
    ///
    /// If the broker refuses.
    pub async fn put(&self, path: &str, body: &str) {
        let (status, answer) = self.request("PUT", path, body).await;
        assert!(
            (200..300).contains(&status),
            "PUT {path}: {status} {answer}"
        );
    }

    /// Deletes what is at `path`, if anything is.
    ///
    /// # Panics
    ///
    /// If the broker refuses.
    pub async fn delete(&self, path: &str) {
        let (status, answer) = self.request("DELETE", path, "").await;
        assert!(
            (200..300).contains(&status) || status == 404,
            "DELETE {path}: {status} {answer}"
        );
    }

    async fn request(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut socket = TcpStream::connect(&self.host)
            .await
            .expect("the management API listens");
        let request = format!(
            "{method} /api/{path} HTTP/1.0\r\nHost: {}\r\nAuthorization: Basic {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            BASE64_STANDARD.encode(&self.credentials),
            body.len(),
        );
        socket
            .write_all(request.as_bytes())
            .await
            .expect("the request is written");
        let mut answer = Vec::new();
        socket
            .read_to_end(&mut answer)
            .await
            .expect("the answer is read");
        let answer = String::from_utf8(answer).expect("the answer is UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.expect("the answer has a status"), body.to_owned())
    }
}
