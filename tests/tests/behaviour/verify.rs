//! Topologies that somebody else declares: compared, or trusted.

use contract_runtime::{
    Connection, DeclareError, DifferenceKind, HandlerResult, StartError, TopologyMode, Worker,
    contract,
};
use tests::{Raw, User, Vhost, eventually};

use self::parcels::{Parcel, ParcelEventsPublisher, ParcelHandlers, parcel_handlers};

#[contract]
pub mod parcels {
    use contract_runtime::prelude::*;

    #[exchange("parcels", topic)]
    pub struct Parcels;

    #[queue(
        "parcels.sort",
        bind(Parcels, "parcel.#"),
        dead_letter,
        retry(ttl_backoff, delays("1s"))
    )]
    pub struct Sort;

    #[message("parcel")]
    pub struct Parcel {
        pub number: u32,
    }

    #[publisher]
    pub trait ParcelEvents {
        #[publish(Parcels, "parcel.sent")]
        async fn sent(&self, parcel: &Parcel) -> PublishResult;
    }

    #[handlers]
    pub trait ParcelHandlers {
        #[consume(Sort)]
        async fn sort(&self, parcel: Parcel) -> HandlerResult;
    }
}

/// All that a worker of the contract needs.
const ENTITIES: [&str; 5] = [
    "exchange `parcels`",
    "exchange `parcels.sort.dlx`",
    "queue `parcels.sort.dlq`",
    "queue `parcels.sort`",
    "queue `parcels.sort.retry.v1.1000ms`",
];

struct Sorter;

impl ParcelHandlers for Sorter {
    async fn sort(&self, _parcel: Parcel) -> HandlerResult {
        Ok(())
    }
}

/// A virtual host with one who may declare, and one who may only use what is there.
struct House {
    vhost: Vhost,
    guest: User,
    owner: Connection,
    tenant: Connection,
}

impl House {
    async fn open() -> Self {
        let vhost = Vhost::new().await;
        let guest = vhost.user().await;
        guest.permit("", ".*", ".*").await;
        let owner = Connection::open(vhost.url()).await.unwrap();
        let tenant = guest.url(vhost.url(), "first");
        let tenant = Connection::open(&tenant).await.unwrap();
        Self {
            vhost,
            guest,
            owner,
            tenant,
        }
    }

    fn worker(&self, mode: TopologyMode) -> Worker {
        Worker::new(&self.tenant)
            .handlers(parcel_handlers(Sorter))
            .topology(mode)
    }

    async fn close(self) {
        self.owner.close().await;
        self.tenant.close().await;
        self.guest.delete().await;
        self.vhost.delete().await;
    }
}

fn found(error: &DeclareError) -> Vec<(&str, DifferenceKind)> {
    error
        .differences()
        .iter()
        .map(|difference| (difference.entity.as_str(), difference.kind))
        .collect()
}

#[tokio::test]
async fn verifying_names_all_that_is_missing_and_creates_none_of_it() {
    let house = House::open().await;
    for connection in [&house.owner, &house.tenant] {
        let error = connection.verify(parcels::contract()).await.unwrap_err();
        let missing = ENTITIES.map(|entity| (entity, DifferenceKind::Undeclared));
        assert_eq!(found(&error), missing, "{error}");
        assert!(
            error.to_string().contains("`connection.declare`"),
            "{error}"
        );
    }
    assert_eq!(house.vhost.queues().await, [""; 0]);
    assert_eq!(house.vhost.exchange("parcels").await, None);
    house.close().await;
}

#[tokio::test]
async fn verifying_compares_what_the_user_may_configure() {
    let house = House::open().await;
    house.owner.declare(parcels::contract()).await.unwrap();
    house.owner.verify(parcels::contract()).await.unwrap();

    let mut changed = parcels::contract().clone();
    changed.queues[0].max_length = Some(10);
    let error = house.owner.verify(&changed).await.unwrap_err();
    assert_eq!(
        found(&error),
        [("queue `parcels.sort`", DifferenceKind::Other)]
    );
    assert!(error.to_string().contains("x-max-length"), "{error}");
    // To one who may not configure it, it is there; that is all RabbitMQ says.
    house.tenant.verify(&changed).await.unwrap();
    house.close().await;
}

#[tokio::test]
async fn a_user_who_may_not_configure_works_with_what_is_there() {
    let house = House::open().await;
    let refused = house.worker(TopologyMode::Declare).start().await;
    let Err(StartError::Declare(error)) = refused else {
        panic!("{refused:?}");
    };
    assert!(
        found(&error)
            .iter()
            .all(|(_, kind)| *kind == DifferenceKind::Denied),
        "{error}"
    );
    // RabbitMQ names the resource, the contract the permission.
    let text = error.to_string();
    assert!(text.contains("exchange 'parcels'"), "{text}");
    assert!(
        text.contains("grant the user configure permission"),
        "{text}"
    );

    for mode in [TopologyMode::Verify, TopologyMode::Trust] {
        let refused = house.worker(mode).start().await;
        match (mode, refused) {
            (TopologyMode::Verify, Err(StartError::Declare(error))) => {
                assert_eq!(found(&error).len(), ENTITIES.len(), "{error}");
            }
            (TopologyMode::Trust, Err(StartError::Consume { queue, reason })) => {
                assert_eq!(queue, "parcels.sort");
                assert!(
                    reason.contains("404") || reason.contains("NOT_FOUND"),
                    "{reason}"
                );
            }
            (mode, refused) => panic!("{mode:?}: {refused:?}"),
        }
    }

    house.owner.declare(parcels::contract()).await.unwrap();
    let events = ParcelEventsPublisher::new(&house.tenant);
    for mode in [TopologyMode::Verify, TopologyMode::Trust] {
        let worker = house.worker(mode).start().await.unwrap();
        events.sent(&Parcel { number: 1 }).await.unwrap();
        eventually("the parcel is sorted", async || {
            (worker.report().handled == 1).then_some(())
        })
        .await;
        worker.shutdown().await;
    }
    let raw = Raw::connect(house.vhost.url()).await;
    assert_eq!(raw.count("parcels.sort").await, 0);
    raw.close().await;
    house.close().await;
}
