#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("audit", bind(Orders, "#"), retry(ttl_backoff, max_retries = 5))]
    pub struct Audit;

    #[handlers]
    pub trait Audits {
        #[consume(Audit)]
        async fn file(&self, message: RawMessage) -> HandlerResult;
    }
}

struct App;

impl orders::Audits for App {
    async fn file(&self, _it: contract_runtime::RawMessage) -> contract_runtime::HandlerResult {
        Ok(())
    }
}

fn main() {
    let _ = orders::audits(App);
}
