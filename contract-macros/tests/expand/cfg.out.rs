#[self::rabbit::contract(crate = super::rabbit)]
#[__cfg]
#[cfg_attr(unix, __cfg(unix))]
#[cfg_attr(not(unix), __cfg(not(unix)))]
#[cfg_attr(all(windows, feature = "copies"), __cfg(all(windows, feature = "copies")))]
mod orders {
    #[cfg(unix)]
    #[exchange("orders", topic)]
    pub struct Orders;
    #[cfg_attr(not(unix), exchange("orders", fanout))]
    #[cfg(all(windows, feature = "copies"))]
    pub struct Orders;
}
