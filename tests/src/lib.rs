//! What the tests share: the law, the people who answer, and the forms that they fill in.

pub mod batch;
pub mod external;
pub mod forms;
pub mod kit;
pub mod law;
pub mod log;
pub mod people;
pub mod places;
pub mod prelude;
pub mod random;
pub mod refused;
