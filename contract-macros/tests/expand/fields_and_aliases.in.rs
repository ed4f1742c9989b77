#[contract]
mod letters {
    #[exchange("letters", topic)]
    pub struct Letters;

    #[queue("desk", bind(Letters, "letter.*"), dead_letter)]
    pub struct Desk;

    #[message("letter")]
    pub type Letter = post::Letter;

    #[publisher]
    pub trait Post {
        #[publish(Letters, "letter.{type}", header("by", "hand"), expiration = "5s")]
        async fn letter(&self, letter: &Letter, r#type: u8) -> PublishResult;
    }

    #[handlers]
    pub trait Clerk {
        #[consume(Desk)]
        async fn letter(&self, letter: Letter) -> HandlerResult;
    }
}
