//! Whole sagas over HTTP: the same four requests to each contestant, in rounds, so that whatever else the machine does
//! meanwhile falls on all of them alike. The server has one core to itself and the driver another.

pub mod driver;
pub mod script;
pub mod server;

mod contest;

pub use contest::{CONNECTIONS, CONTESTANTS, Contest, Figures, contest};
