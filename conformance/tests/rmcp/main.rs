//! Sagas in an rmcp server, driven by rmcp's own client.

mod client;

mod child;
mod deploy;
mod embedded;
mod front;
mod methods;
mod misread;
mod modern;
mod older;
mod revisions;
mod schemas;
mod served;
mod undeprecated;
