//! The orders of the story: what each meets, and what has to become of it.

use contract_runtime::Uuid;

use crate::service::{Answer, ChargeError};

/// An order, or what claims to be one.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) event_id: Uuid,
    pub(crate) order_id: Uuid,
    /// What the gateway says, run by run: as many runs as there have to be.
    pub(crate) answers: &'static [Answer],
    /// The dead letter that has to come of it, if any.
    pub(crate) letter: Option<Expected>,
    /// A body that a raw client puts in the exchange, past the typed publisher.
    pub(crate) raw_body: Option<&'static str>,
}

/// What a dead letter has to say.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) kind: &'static str,
    pub(crate) error: &'static str,
    pub(crate) attempts: i64,
    /// The pointer and the keyword of each schema error.
    pub(crate) schema: &'static [(&'static str, &'static str)],
}

const CHARGED: Answer = Ok(());
const DECLINED: Answer = Err(ChargeError::Declined);
const DOWN: Answer = Err(ChargeError::Unavailable);

impl Case {
    fn new(name: &'static str, answers: &'static [Answer], letter: Option<Expected>) -> Self {
        Self {
            name,
            event_id: Uuid::now_v7(),
            order_id: Uuid::now_v7(),
            answers,
            letter,
            raw_body: None,
        }
    }

    /// The whole story. Every run has ids of its own, and so never takes what an earlier one left
    /// for its own.
    pub(crate) fn all() -> Vec<Self> {
        let declined = Expected {
            kind: "permanent",
            error: "the card was declined",
            attempts: 1,
            schema: &[],
        };
        let never = Expected {
            kind: "retryable",
            error: "the payment gateway is down",
            attempts: 6,
            schema: &[],
        };
        let malformed = Expected {
            kind: "schema",
            error: "the body violates its schema: ",
            attempts: 1,
            schema: &[("/amount_cents", "minimum"), ("/order_id", "format")],
        };
        vec![
            Self::new("good order 1", &[CHARGED], None),
            Self::new("good order 2", &[CHARGED], None),
            Self::new("good order 3", &[CHARGED], None),
            Self::new("gateway down twice", &[DOWN, DOWN, CHARGED], None),
            Self::new("card declined", &[DECLINED], Some(declined)),
            Self::new("gateway stays down", &[DOWN; 6], Some(never)),
            Self {
                raw_body: Some(r#"{"order_id":"order 66","amount_cents":0}"#),
                ..Self::new("malformed body", &[], Some(malformed))
            },
        ]
    }
}
