//! What the tests that cross crates share: a virtual host of their own, the broker's management API,
//! a client that knows nothing of contracts, a proxy that does harm, a broker to do harm to.

mod eventually;
mod management;
mod memory;
mod node;
mod proxy;
mod raw;
mod user;
mod vhost;

pub use self::eventually::{WITHIN, eventually};
pub use self::management::Management;
pub use self::memory::resident;
pub use self::node::Node;
pub use self::proxy::{Fault, Frame, Method, Portion, Proxy, Scope, Trap, Way};
pub use self::raw::{Raw, header};
pub use self::user::User;
pub use self::vhost::Vhost;
