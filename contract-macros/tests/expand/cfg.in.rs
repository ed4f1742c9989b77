#[contract(crate = super::rabbit)]
mod orders {
    #[cfg(unix)]
    #[exchange("orders", topic)]
    pub struct Orders;

    #[cfg_attr(not(unix), exchange("orders", fanout))]
    #[cfg(all(windows, feature = "copies"))]
    pub struct Orders;
}
