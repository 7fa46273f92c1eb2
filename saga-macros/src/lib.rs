//! The compiler of Saga: tokens in, tokens out. `pipeline.rs` has its stages in order. Authors use it through
//! `saga-runtime`, which exports the macros below.

mod analysis;
mod codegen;
mod diagnostics;
mod flow;
mod form;
mod lower;
mod parse;
mod pipeline;
#[cfg(test)]
mod tests;
mod tree;

use proc_macro::TokenStream;

use self::parse::Kind;

/// Compiles an `async fn` that asks questions into a tool whose state travels in a sealed token.
///
/// ```ignore
/// /// Deletes a project after the person has confirmed it.
/// #[saga_tool(title = "Delete a project", annotations(destructive), ttl = "30m")]
/// async fn delete(
///     /// The project's name.
///     project: String,
///     #[context] store: &Store,
/// ) -> Result<String, ToolError> {
///     let size = store.size(&project).await?;
///     let sure: Confirm = elicit(format!("Delete {project} with {size} files?")).await?;
///     if sure.yes { store.delete(&project).await?; }
///     Ok(format!("{project}: {}", if sure.yes { "deleted" } else { "kept" }))
/// }
/// ```
///
/// The function becomes a type of its name, for `Sagas::builder(..).tool::<delete>()`; in tests the function stays
/// beside it. Its doc comment is the tool's description, its parameters are the tool's arguments (their doc comments
/// the descriptions, their types the schema, an `Option` may be left out), and what it returns is the tool's result.
/// A parameter with `#[context]` is the server's: `&T` for a context that provides a `T`, `&Saga` for the running
/// saga itself.
///
/// An argument with `#[header = "Region"]`, a text, a whole number or a `bool`, is repeated by HTTP clients in the
/// header `Mcp-Param-Region`, for the machines between that route by it.
///
/// An await suspends if its method chain is rooted in a call of `elicit`, `elicit_url`, `sample`, `list_roots`, `ask`,
/// `call`, `checkpoint`, `join_all` or in `join!`, by bare name or by a path through `saga_runtime`. Every other await
/// is an ordinary one.
///
/// # Arguments
///
/// - `name = ".."`: the name that clients call, the function's by default.
/// - `title = ".."`: a name for people.
/// - `annotations(read_only, destructive, idempotent, open_world)`: MCP's hints, each with `= false` for no.
/// - `ttl = "10m"`: how long one question may wait for its answer (`s`, `m`, `h`, `d`), 10 minutes by default.
/// - `max_age = "24h"`: how long a saga may take from its start, a day by default.
/// - `max_rounds = 32`: how often a saga may suspend. Many clients give up after ten requests: a tool that asks more
///   than nine questions on its longest way is warned of, unless this is set.
/// - `attempts = 3`: how often one question is asked before the await gives `StepError::Invalid`.
/// - `replay = "once"`: a token is good once, its repetition gets the same reply, and another branch is refused; the
///   server needs a guard, and with one this is the default. `replay = "window"`: until it expires.
/// - `store_down = "run"`: goes on unguarded while the guard's store cannot be asked, where `"refuse"` is the default.
///
/// # In the body
///
/// `#[saga(rebuild)] let name = expression;` derives the local again after a question instead of holding it, where
/// the compiler would not by itself: a mutable reference that a method gave, a shared one of what is not `Clone`. The
/// expression must have no effect, and name nothing that changes but what it borrows from.
#[proc_macro_attribute]
pub fn saga_tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::saga(Kind::Tool, &arguments.into(), &item.into()).into()
}

/// Compiles a method with `&self` into a tool of an rmcp server, inside an `impl` with rmcp's `#[tool_router]`, which
/// finds it by the last word of its path.
///
/// ```ignore
/// #[tool_router]
/// impl Counter {
///     /// Sets the counter to zero, if the person agrees.
///     #[saga_runtime::rmcp::tool]
///     async fn reset(&self) -> Result<String, ToolError> {
///         let sure: Sure = elicit(format!("The counter stands at {}. Reset it?", self.value())).await?;
///         ..
///     }
/// }
/// ```
///
/// The server says where its sagas are: `impl Provides<Sagas> for Counter`. The arguments are those of
/// [`saga_tool`](macro@saga_tool). It is a tool of this server alone: the fast path, the command line and
/// `tools/callSaga` do not know it.
#[proc_macro_attribute]
pub fn rmcp_tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::saga(Kind::Method, &arguments.into(), &item.into()).into()
}

/// Compiles an `async fn` that asks questions into a prompt (MCP, `prompts/get`), as [`saga_tool`](macro@saga_tool)
/// does into a tool.
///
/// ```ignore
/// /// Plans a trip, for as long as the person says.
/// #[saga_prompt(title = "Plan a trip")]
/// async fn plan_trip(
///     /// Where to.
///     city: String,
/// ) -> Result<Vec<PromptMessage>, StepError> {
///     let stay: Stay = elicit(format!("How long in {city}?")).await?;
///     Ok(vec![PromptMessage::user(format!("Plan {} nights in {city}.", stay.nights))])
/// }
/// ```
///
/// It is added with `Sagas::builder(..).prompt::<plan_trip>()`. A prompt's arguments come as texts: a parameter is a
/// `String`, or a type that is read from one, like a number, a `bool` or an enum; an `Option` may be left out. It
/// returns a text, which the person is to say, a `PromptMessage`, or a `Vec` of them; a failure is the request's error.
///
/// # Arguments
///
/// `name`, `title`, `ttl`, `max_age`, `max_rounds`, `attempts`, `replay` and `store_down`, as for a tool.
#[proc_macro_attribute]
pub fn saga_prompt(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::saga(Kind::Prompt, &arguments.into(), &item.into()).into()
}

/// Compiles an `async fn` that asks questions into a resource, or a template of resources (MCP, `resources/read`), as
/// [`saga_tool`](macro@saga_tool) does into a tool.
///
/// ```ignore
/// /// A trip's plan, for whoever may see it.
/// #[saga_resource(uri = "trip://{id}/plan", mime_type = "text/markdown")]
/// async fn plan(id: u64, #[context] trips: &Trips) -> Result<String, ToolError> {
///     let code: Code = elicit("The trip's code?").await?;
///     trips.plan(id, &code.digits).await
/// }
/// ```
///
/// It is added with `Sagas::builder(..).resource::<plan>()`. Each variable of the address is a parameter: a `String`,
/// or a type that is read from one. `{id}` is one segment of the address; `{+path}` may have several. A `String` is
/// what the client's segment says when it is decoded, and may hold `/` and `..` in both (`%2F`): check it before it
/// becomes a part of a path, or of another address.
///
/// It returns a text, bytes (`Vec<u8>`), `Json(value)`, `ResourceContents` or a `Vec` of them; a failure is the
/// request's error.
///
/// # Arguments
///
/// - `uri = ".."`: the address; with variables it is a template.
/// - `mime_type = ".."`: the type of what stands there.
/// - `cache = "5m"`: how long a client may keep what it read; not at all by default, nor what answers went into.
/// - `annotations(audience = ["user", "assistant"], priority = 0.5)`: MCP's hints.
/// - `name`, `title`, `ttl`, `max_age`, `max_rounds`, `attempts`, `replay` and `store_down`, as for a tool.
#[proc_macro_attribute]
pub fn saga_resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::saga(Kind::Resource, &arguments.into(), &item.into()).into()
}

/// Makes an `async fn` a saga that tools, and other sagas, can call: `call(review(&plan)).await`.
///
/// It keeps its signature: generics, methods with `&self`, `async fn` in traits, arguments by `&mut`, recursion. In it
/// questions are asked as in a tool. Its locals travel inside those of its caller, and the keys of its questions carry
/// its name: `review.ok`.
///
/// ```ignore
/// #[saga]
/// async fn review(plan: &Plan) -> Result<bool, StepError> {
///     let ok: Confirm = elicit(format!("Deploy {}?", plan.name)).await?;
///     Ok(ok.yes)
/// }
///
/// #[saga_tool]
/// async fn deploy(plan: Plan) -> Result<String, StepError> {
///     if call(review(&plan)).await? { .. }
/// }
/// ```
///
/// On a `let` inside a tool or a saga, `#[saga(rebuild)]` derives what the `let` binds again after a question, in place
/// of carrying it: for a mutable reference that a method gave, or a shared one of what is not `Clone`.
#[proc_macro_attribute]
pub fn saga(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::called_saga(&arguments.into(), &item.into()).into()
}

/// Makes a flat struct a form that a tool can ask a person to fill in.
///
/// A field is a `String`, a `bool`, an integer, a float, an enum with [`Choice`](macro@Choice), a `Vec` or
/// `BTreeSet` of such an enum, or an `Option` of these, which may be left out. Its doc comment is what the person
/// reads beside it. A struct without fields is a plain question: the person accepts or declines.
///
/// ```ignore
/// #[derive(Form)]
/// #[form(title = "Deployment")]
/// struct Target {
///     /// Where to deploy.
///     environment: Environment,
///     #[form(min = 1, max = 9, default = 3)]
///     replicas: u8,
///     #[form(title = "E-mail", format = "email")]
///     contact: Option<String>,
/// }
/// ```
///
/// # Attributes
///
/// On the struct, in `#[form(..)]`:
///
/// - `title = ".."`: the headline of the whole form.
/// - `rename_all = ".."`: the case of the names that the client sees: `camelCase` and the others that serde knows.
///
/// On a field, in `#[form(..)]`:
///
/// - `title = ".."`: what the field is called; its name where there is none.
/// - `description = ".."`: what the person reads beside it, in place of the doc comment.
/// - `rename = ".."`: the name that the client sees.
/// - `default = value`: what stands there when nothing is filled in; the field is then not required. A string
///   literal and an array are converted, all else has the field's type (`T` for an `Option<T>`). `default` alone
///   is the type's own default.
/// - `min = value`, `max = value`: the bounds of a number, both inclusive.
/// - `min_length = n`, `max_length = n`: how many characters a text has.
/// - `format = ".."`: `email`, `uri`, `date` or `date-time` for a text.
/// - `min_items = n`, `max_items = n`: how many options are chosen.
///
/// `#[serde(rename = "..")]` and `#[serde(rename_all = "..")]` count where `#[form(..)]` does not say otherwise, so
/// that a struct with both derives has one name per field. Serde's other attributes do not change a form.
#[proc_macro_derive(Form, attributes(form))]
pub fn derive_form(input: TokenStream) -> TokenStream {
    form::derive_form(input.into()).into()
}

/// Makes an enum of unit variants a choice: a field of a form in which a person picks one option, or several with
/// a `Vec` of it.
///
/// A variant's doc comment (its first paragraph) is what the person reads; its name is what the answer has.
///
/// ```ignore
/// #[derive(Choice)]
/// #[choice(rename_all = "kebab-case")]
/// enum Environment {
///     /// Staging: may break
///     Staging,
///     #[choice(title = "Production, with real customers", rename = "prod")]
///     Production,
/// }
/// ```
///
/// # Attributes
///
/// On the enum, `#[choice(rename_all = "..")]`; on a variant, `#[choice(rename = "..")]` for what the answer has and
/// `#[choice(title = "..")]` for what the person reads. `#[serde(rename = "..")]` and `#[serde(rename_all = "..")]`
/// count where `#[choice(..)]` does not say otherwise.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn derive_choice(input: TokenStream) -> TokenStream {
    form::derive_choice(input.into()).into()
}
