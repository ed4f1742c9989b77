//! Types of other crates as messages, one of them under two names and versions.

#[contract_runtime::contract]
pub mod letters {
    use contract_runtime::prelude::*;

    #[exchange("letters", topic)]
    pub struct Letters;

    #[queue("desk", bind(Letters, Letter), bind(Letters, "parcel"), dead_letter)]
    pub struct Desk;

    /// Anything.
    #[message("letter")]
    pub type Letter = serde_json::Value;

    #[message("letter", version = 2)]
    pub type NewLetter = serde_json::Value;

    #[message("parcel")]
    pub type Parcel = std::collections::BTreeMap<String, u64>;

    #[publisher]
    pub trait Post {
        #[publish(Letters)]
        async fn letter(&self, letter: &Letter) -> PublishResult;
        #[publish(Letters, "letter")]
        async fn new_letter(&self, letter: &NewLetter) -> PublishResult;
        #[publish(Letters)]
        async fn parcel(&self, parcel: &Parcel) -> PublishResult;
    }

    #[handlers]
    pub trait Clerk {
        #[consume(Desk)]
        async fn letter(&self, letter: Letter) -> HandlerResult;
        #[consume(Desk)]
        async fn new_letter(&self, letter: NewLetter, delivery: &Delivery) -> HandlerResult;
        #[consume(Desk)]
        async fn parcel(&self, parcel: self::Parcel) -> HandlerResult;
    }
}

/// A message of another contract is one here by an alias.
#[contract_runtime::contract]
mod archive {
    use contract_runtime::prelude::*;

    #[exchange("letters", topic, external)]
    pub struct Letters;

    #[queue("archive", bind(Letters, Letter), dead_letter)]
    pub struct Archive;

    #[message("letter", version = 3)]
    pub type Letter = super::stamps::Stamp;

    #[handlers]
    pub trait Archivist {
        #[consume(Archive)]
        async fn letter(&self, letter: Letter) -> HandlerResult;
    }
}

#[contract_runtime::contract]
mod stamps {
    #[message("stamp")]
    pub struct Stamp {
        pub pence: u8,
    }
}

use contract_runtime::prelude::*;

struct Desk;

impl letters::Clerk for Desk {
    async fn letter(&self, letter: serde_json::Value) -> HandlerResult {
        let _ = letter["stamp"].as_str();
        Ok(())
    }

    async fn new_letter(&self, _: letters::NewLetter, _: &Delivery) -> HandlerResult {
        Ok(())
    }

    async fn parcel(&self, parcel: letters::Parcel) -> HandlerResult {
        drop(parcel.into_values());
        Ok(())
    }
}

#[allow(dead_code)]
async fn send(post: &letters::PostPublisher) -> PublishResult {
    post.letter(&serde_json::json!({ "stamp": "1d" })).await?;
    post.parcel(&letters::Parcel::new()).await
}

fn main() {
    let _ = letters::clerk(Desk);
    assert_eq!(archive::contract().messages[0].schema, stamps::contract().messages[0].schema);
    let [letter, new, parcel] = letters::contract().messages.as_slice() else { panic!() };
    assert_eq!((letter.name.as_str(), letter.version, letter.label.as_str()), ("letter", 1, "Letter"));
    assert_eq!((new.name.as_str(), new.version), ("letter", 2));
    let schema = parcel.schema.as_ref().unwrap();
    assert_eq!(schema["type"], "object");
}
