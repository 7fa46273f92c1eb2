//! What the tests share: the law, the people who answer, and the forms that they fill in.

pub mod external;
pub mod forms;
pub mod law;
pub mod people;
pub mod refused;
