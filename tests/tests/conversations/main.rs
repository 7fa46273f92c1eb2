//! Conversations between a client and a server, message by message. What is said stands whole in `transcripts/`, by
//! dialect, with the tokens replaced; `UPDATE_EXPECT=1` writes it anew.

#![expect(clippy::needless_pass_by_value, reason = "`json!(..)` reads better without a borrow")]

mod conversation;
mod more;
mod pipe;
mod tools;
mod web;

mod bounds;
mod content;
mod mrtr;
mod prompts;
mod push;
mod resumable;
mod resumable_http;
mod resume_token;
mod saga;
mod state;
mod streamless;

mod hostile;
mod log;
mod schema;
