//! The server's own values in a tool: `#[context] fleet: &Fleet`.

/// A server's context that has a `T` for its tools.
///
/// Every type provides itself; a context of several parts provides each.
///
/// ```
/// use saga_runtime::Provides;
/// struct Fleet;
/// struct App {
///     fleet: Fleet,
/// }
/// impl Provides<Fleet> for App {
///     fn provide(&self) -> &Fleet {
///         &self.fleet
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "the server's context `{Self}` has no `{T}`",
    label = "a tool asks for it with `#[context]`",
    note = "implement `Provides<{T}>` for `{Self}`, or pass a `{T}` to `.context(..)`"
)]
pub trait Provides<T: ?Sized> {
    /// The value.
    fn provide(&self) -> &T;
}

impl<T: ?Sized> Provides<T> for T {
    fn provide(&self) -> &T {
        self
    }
}
