//! `amqps`: whom we trust, as whom we are trusted, and what we say where that fails.
//!
//! A TLS listener of the test's own stands before the broker, with certificates made for the test.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use contract_runtime::{ConnectError, Connection, ConnectionBuilder, ConnectionState, Tls};
use lapin::uri::{AMQPScheme, AMQPUri};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, date_time_ymd,
};
use tests::Vhost;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// A company's own authority, which no system trusts.
struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
struct Identity {
    certificate: String,
    key: String,
}

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Self(CertifiedIssuer::self_signed(params, key).expect("a certificate"))
    }

    fn pem(&self) -> String {
        self.0.pem()
    }

    fn certify(&self, name: &str) -> Identity {
        self.certify_as(name, |_| {})
    }

    fn certify_as(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).expect("a name");
        params.extended_key_usages = vec![
            ExtendedKeyUsagePurpose::ServerAuth,
            ExtendedKeyUsagePurpose::ClientAuth,
        ];
        change(&mut params);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        Identity {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        }
    }
}

fn certificates(pem: &str) -> Vec<CertificateDer<'static>> {
    CertificateDer::pem_slice_iter(pem.as_bytes())
        .collect::<Result<_, _>>()
        .expect("PEM")
}

/// TLS before the broker, for clients that it asks for a certificate where there are `clients`.
async fn listen(vhost: &Vhost, server: &Identity, clients: Option<&Authority>) -> SocketAddr {
    let builder = ServerConfig::builder();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(certificates(&authority.pem()));
            let verifier = WebPkiClientVerifier::builder(Arc::new(roots)).build();
            builder.with_client_cert_verifier(verifier.expect("roots"))
        }
    };
    let key = PrivateKeyDer::from_pem_slice(server.key.as_bytes()).expect("PEM");
    let config = builder.with_single_cert(certificates(&server.certificate), key);
    let acceptor = TlsAcceptor::from(Arc::new(config.expect("a certificate of this key")));
    let broker = uri(vhost).authority;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let (acceptor, broker) = (acceptor.clone(), (broker.host.clone(), broker.port));
            tokio::spawn(async move {
                // What fails here is what the client is asked about.
                let mut client = acceptor.accept(client).await?;
                let mut broker = TcpStream::connect(broker).await?;
                copy_bidirectional(&mut client, &mut broker).await
            });
        }
    });
    address
}

fn uri(vhost: &Vhost) -> AMQPUri {
    vhost.url().parse().expect("the broker's URL")
}

fn amqps(vhost: &Vhost, host: &str, port: u16) -> String {
    let mut uri = uri(vhost);
    uri.scheme = AMQPScheme::AMQPS;
    uri.authority.host = host.into();
    uri.authority.port = port;
    uri.to_string()
}

fn builder(url: &str) -> ConnectionBuilder {
    Connection::builder(url).connect_timeout(Duration::from_secs(10))
}

/// The text of a refusal that no waiting mends.
fn refusal(error: &ConnectError) -> String {
    assert!(matches!(error, ConnectError::Tls { .. }), "{error:?}");
    assert!(!error.is_retryable());
    let text = error.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.to_lowercase()
}

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_by_name_and_by_address() {
    let vhost = Vhost::new().await;
    let authority = Authority::new("ours");
    for host in ["localhost", "127.0.0.1"] {
        let port = listen(&vhost, &authority.certify(host), None).await.port();
        let url = amqps(&vhost, host, port);
        let tls = Tls::new().authorities(authority.pem());
        let connection = builder(&url).tls(tls).open().await.expect("it is trusted");
        assert_eq!(*connection.state().borrow(), ConnectionState::Open);
        connection.close().await;
    }
    vhost.delete().await;
}

#[tokio::test]
async fn a_broker_that_cannot_be_trusted_is_refused_for_a_reason() {
    let vhost = Vhost::new().await;
    let (ours, theirs) = (Authority::new("ours"), Authority::new("theirs"));
    let expired = ours.certify_as("localhost", |params| {
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2001, 1, 2);
    });
    for (server, reason) in [
        (theirs.certify("localhost"), "issuer"),
        (ours.certify("elsewhere.example"), "name"),
        (expired, "expired"),
    ] {
        let port = listen(&vhost, &server, None).await.port();
        let tls = Tls::new().authorities(ours.pem());
        let open = builder(&amqps(&vhost, "localhost", port)).tls(tls).open();
        let text = refusal(&open.await.expect_err("it is not to be trusted"));
        assert!(text.contains(reason), "{text}");
    }
    vhost.delete().await;
}

#[tokio::test]
async fn a_client_shows_its_certificate_where_it_is_asked_for() {
    let vhost = Vhost::new().await;
    let authority = Authority::new("ours");
    let server = authority.certify("localhost");
    let port = listen(&vhost, &server, Some(&authority)).await.port();
    let url = amqps(&vhost, "localhost", port);
    let trusting = Tls::new().authorities(authority.pem());

    let client = authority.certify("order-service");
    let tls = trusting.clone().identity(client.certificate, client.key);
    let connection = builder(&url).tls(tls).open().await.expect("it is trusted");
    connection.close().await;

    let without = builder(&url).tls(trusting).open().await;
    let text = refusal(&without.expect_err("a certificate is asked for"));
    assert!(text.contains("certificate"), "{text}");
    vhost.delete().await;
}

#[tokio::test]
async fn a_port_without_tls_is_no_tls_and_no_plaintext() {
    let vhost = Vhost::new().await;
    let broker = uri(&vhost).authority;
    let open = builder(&amqps(&vhost, &broker.host, broker.port)).open();
    refusal(&open.await.expect_err("the port speaks no TLS"));
    vhost.delete().await;
}
