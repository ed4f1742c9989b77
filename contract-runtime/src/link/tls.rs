//! Whom to trust over TLS, and as whom to be trusted.

use std::fmt;

use lapin::tcp::{OwnedIdentity, OwnedTLSConfig};

use crate::error::ConnectError;

/// What `amqps://` needs beyond the URL: authorities of one's own, a certificate of the client.
/// Given to [`ConnectionBuilder::tls`](crate::ConnectionBuilder::tls).
///
/// The broker's certificate is always checked, against its host name or IP address in the URL too;
/// there is no switch to leave that out.
///
/// ```no_run
/// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
/// use contract_runtime::{Connection, Tls};
///
/// let tls = Tls::new()
///     .authorities(std::fs::read_to_string("ca.pem")?)
///     .identity(std::fs::read("client.pem")?, std::fs::read("client.key")?);
/// let connection = Connection::builder("amqps://rabbit.internal/orders")
///     .tls(tls)
///     .open()
///     .await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Default)]
#[must_use = "it does nothing until it is given to a connection's builder"]
pub struct Tls {
    config: OwnedTLSConfig,
}

impl Tls {
    /// The authorities that the system trusts, and no certificate of our own.
    pub fn new() -> Self {
        Self::default()
    }

    /// Certificates of authorities to be trusted besides the system's, in PEM: of a company's own,
    /// for instance. Replaces what was given before.
    pub fn authorities(mut self, pem: impl Into<String>) -> Self {
        self.config.cert_chain = Some(pem.into());
        self
    }

    /// The client's certificate, with what stands between it and its authority behind it, and its
    /// private key, both in PEM; for brokers that ask for one. The key is not encrypted.
    pub fn identity(mut self, certificates: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        self.config.identity = Some(OwnedIdentity::PKCS8 {
            pem: certificates.into(),
            key: key.into(),
        });
        self
    }

    /// What can be said of it before anything is sent. rustls passes over certificates that it
    /// cannot read, and would later only say that it does not know the broker's authority.
    pub(crate) fn check(&self) -> Result<(), ConnectError> {
        let refuse = |what, reason| Err(ConnectError::Certificate { what, reason });
        if let Some(pem) = &self.config.cert_chain
            && !pem.contains(CERTIFICATE)
        {
            return refuse(
                "what was given as authorities",
                "it holds no PEM certificate",
            );
        }
        if let Some(OwnedIdentity::PKCS8 { pem, key }) = &self.config.identity {
            if !holds(pem, CERTIFICATE) {
                let what = "what was given as the client's certificate";
                return refuse(what, "it holds no PEM certificate");
            }
            if holds(key, "-----BEGIN ENCRYPTED PRIVATE KEY-----") {
                return refuse("the client's private key", "it is encrypted");
            }
            if !holds(key, "PRIVATE KEY-----") {
                return refuse("the client's private key", "it holds no PEM private key");
            }
        }
        Ok(())
    }

    pub(super) fn config(&self) -> &OwnedTLSConfig {
        &self.config
    }
}

const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----";

fn holds(pem: &[u8], mark: &str) -> bool {
    pem.windows(mark.len())
        .any(|bytes| bytes == mark.as_bytes())
}

/// Says what there is, and shows nothing of it: it may be a private key.
impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls")
            .field("authorities", &self.config.cert_chain.is_some())
            .field("identity", &self.config.identity.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEM: &str = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";

    fn refused(tls: &Tls) -> String {
        tls.check().unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_pem_is_refused_by_name() {
        assert!(refused(&Tls::new().authorities("secret")).contains("as authorities"));
        let tls = Tls::new().authorities(PEM);
        assert_eq!(tls.check(), Ok(()));
        assert!(refused(&tls.clone().identity("secret", "key")).contains("certificate"));
        assert!(refused(&tls.clone().identity(PEM, "secret")).contains("private key"));
        let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----";
        assert!(refused(&tls.clone().identity(PEM, encrypted)).contains("encrypted"));
        let key = "-----BEGIN EC PRIVATE KEY-----";
        assert_eq!(tls.identity(PEM, key).check(), Ok(()));
    }

    #[test]
    fn neither_debug_nor_refusal_shows_a_key() {
        let tls = Tls::new().authorities("sesame").identity(PEM, "sesame");
        assert!(!format!("{tls:?} {:?}", tls.check()).contains("sesame"));
    }
}
