//! Brokers that the library was not made for, played by a listener that speaks as they begin.

use std::net::SocketAddr;

use contract_runtime::{ConnectError, Connection};
use lapin::protocol::connection::{AMQPMethod, Start};
use lapin::types::{AMQPValue, FieldTable};
use tests::WITHIN;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::timeout;

const HEADER: &[u8] = b"AMQP\0\0\x09\x01";

/// Greets one client as `product` and `version`, hangs up once it has said its password or gone, and
/// gives back all that it sent.
async fn greets_as(product: &str, version: &str) -> (SocketAddr, JoinHandle<Vec<u8>>) {
    let greeting = start(product, version);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let heard = tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut heard = vec![0; HEADER.len()];
        client.read_exact(&mut heard).await.unwrap();
        // In two pieces, as a network may deliver it.
        let (one, two) = greeting.split_at(20);
        client.write_all(one).await.unwrap();
        client.flush().await.unwrap();
        client.write_all(two).await.unwrap();
        // Nothing more, or an error, says that it is gone.
        while !holds(&heard, b"sesame")
            && client.read_buf(&mut heard).await.is_ok_and(|read| read > 0)
        {}
        heard
    });
    (address, heard)
}

/// The frame of `connection.start`.
fn start(product: &str, version: &str) -> Vec<u8> {
    let mut properties = FieldTable::default();
    for (name, value) in [("product", product), ("version", version)] {
        properties.insert(name.into(), AMQPValue::LongString(value.into()));
    }
    let start = AMQPMethod::Start(Start {
        version_major: 0,
        version_minor: 9,
        server_properties: properties,
        mechanisms: "PLAIN".into(),
        locales: "en_US".into(),
    });
    let written = lapin::protocol::connection::gen_connection(&start)(Vec::new().into());
    let (method, _) = written.unwrap().into_inner();
    let mut frame = vec![1, 0, 0];
    frame.extend(u32::try_from(method.len()).unwrap().to_be_bytes());
    frame.extend(method);
    frame.push(0xce);
    frame
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn url(address: SocketAddr) -> String {
    format!("amqp://guest:sesame@{address}")
}

#[tokio::test]
async fn an_old_rabbitmq_and_another_product_are_refused_before_they_are_told_who_we_are() {
    for (product, version) in [("RabbitMQ", "3.8.34"), ("LavinMQ", "2.4.0"), ("", "")] {
        let (address, heard) = greets_as(product, version).await;
        let open = Connection::builder(&url(address)).open();
        let error = timeout(WITHIN, open).await.expect("bounded").unwrap_err();
        let refused = ConnectError::UnknownBroker {
            address: address.to_string(),
            product: product.into(),
            version: version.into(),
        };
        assert_eq!(error, refused);
        assert!(!error.is_retryable());
        assert!(error.to_string().contains("any_broker"), "{error}");
        assert_eq!(heard.await.unwrap(), HEADER, "nothing else was said");
    }
}

#[tokio::test]
async fn any_broker_is_entered_where_any_will_do() {
    let (address, heard) = greets_as("LavinMQ", "2.4.0").await;
    let open = Connection::builder(&url(address)).any_broker().open();
    // The listener hangs up.
    let error = timeout(WITHIN, open).await.expect("bounded").unwrap_err();
    assert!(matches!(error, ConnectError::Unreachable { .. }), "{error}");
    let heard = heard.await.unwrap();
    assert!(holds(&heard, b"sesame"), "{heard:?}");
}
