//! Twenty sagas: straight lines, branches, loops, rounds, failures and checkpoints, each with effects on its way.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use saga_runtime::script::{Outcome, Script};
use saga_runtime::{
    Builder, Choice, Form, IntoToolResult, Json, StepError, ToolError, checkpoint, elicit, elicit_url, join,
    join_all, list_roots, saga_tool, sample,
};
use serde::{Deserialize, Serialize};

/// What a run did, on whichever instance.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn did(&self, what: impl Into<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(what.into());
    }

    /// All that was done so far.
    pub(crate) fn effects(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// One of the twenty.
pub(crate) struct Saga {
    pub(crate) name: &'static str,
    /// The plain function, under a script.
    pub(crate) plain: for<'a> fn(&'a Log, &'a Script) -> Running<'a>,
}

type Running<'a> = Pin<Box<dyn Future<Output = Outcome> + 'a>>;

/// What every saga is called with.
pub(crate) const SUBJECT: &str = "web";

macro_rules! corpus {
    ($($name:ident)*) => {
        pub(crate) const CORPUS: &[Saga] = &[$(Saga {
            name: stringify!($name),
            plain: |log, script| Box::pin(async move {
                Outcome::Done(script.plain($name(log, SUBJECT.to_owned())).await.into_tool_result())
            }),
        }),*];

        /// A server with all of them.
        pub(crate) fn with_corpus(builder: Builder<()>, log: Log) -> Builder<Log> {
            builder.context(log)$(.tool::<$name>())*
        }
    };
}

corpus! {
    asks_nothing one_form one_prompt one_page folders
    two_in_line branch early_return matches_refusals prompts_until_content
    loop_over_a_range loop_over_a_list nested_loops counts_to_an_answer
    round_of_two round_of_all_kinds round_of_many each_on_its_own
    scan scan_among_questions
}

#[derive(Form, Serialize, Deserialize, Debug)]
struct Yes {
    yes: bool,
}

#[derive(Form, Serialize, Deserialize, Debug)]
struct Name {
    name: String,
}

#[derive(Form, Serialize, Deserialize, Debug)]
struct Target {
    region: Region,
    #[form(min = 1, max = 5, default = 2)]
    replicas: u8,
    #[form(max_items = 2)]
    flags: Vec<Flag>,
    note: Option<String>,
}

#[derive(Choice, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
enum Region {
    /// In Europe
    Europe,
    /// In America
    America,
}

#[derive(Choice, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
enum Flag {
    Canary,
    Quiet,
}

#[saga_tool]
async fn asks_nothing(#[context] log: &Log, subject: String) -> String {
    log.did("ran");
    subject
}

#[saga_tool]
async fn one_form(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    log.did("before");
    let target: Target = elicit(format!("Where does {subject} go?")).title("Target").await?;
    log.did(format!("{target:?}"));
    Ok(format!("{subject} in {target:?}"))
}

#[saga_tool]
async fn one_prompt(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let said = sample(format!("Is {subject} safe?")).system_prompt("Be brief.").max_tokens(10).await?;
    log.did(said.text());
    Ok(said.text())
}

#[saga_tool]
async fn one_page(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    elicit_url(format!("Sign in for {subject}."), "https://example.com/login").await?;
    log.did("signed in");
    Ok(subject)
}

#[saga_tool]
async fn folders(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let roots = list_roots().await?;
    log.did(format!("{roots:?}"));
    Ok(format!("{subject}: {}", roots.len()))
}

#[saga_tool]
async fn two_in_line(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let name: Name = elicit("Who?").await?;
    log.did(&name.name);
    let said = sample(format!("Greet {} for {subject}", name.name)).await?;
    log.did(said.text());
    Ok(format!("{}: {}", name.name, said.text()))
}

#[saga_tool]
async fn branch(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let sure: Yes = elicit("Sure?").await?;
    if sure.yes {
        log.did("yes");
        let name: Name = elicit(format!("Who signs for {subject}?")).await?;
        Ok(name.name)
    } else {
        log.did("no");
        let said = sample("Why not?").await?;
        Ok(said.text())
    }
}

#[saga_tool]
async fn early_return(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let sure: Yes = elicit(format!("Delete {subject}?")).await?;
    if !sure.yes {
        return Err(ToolError::new("stopped"));
    }
    log.did("deleted");
    let again: Yes = elicit("Empty the bin, too?").await?;
    Ok(format!("{}", again.yes))
}

#[saga_tool]
async fn matches_refusals(#[context] log: &Log, subject: String) -> String {
    let answer = elicit::<Name>(format!("Who owns {subject}?")).await;
    let text = match &answer {
        Ok(name) => name.name.clone(),
        Err(StepError::Declined) => "declined".to_owned(),
        Err(StepError::Client { code, .. }) => format!("client {code}"),
        Err(other) => other.to_string(),
    };
    log.did(&text);
    let second = elicit::<Yes>("Still?").optional().await;
    format!("{text} {second:?}")
}

#[saga_tool]
async fn prompts_until_content(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let mut draft = subject;
    for round in 0..3 {
        let said = sample(format!("Improve: {draft}")).await?;
        draft = format!("{}{round}", said.text());
        log.did(&draft);
        let good: Yes = elicit(format!("Good? {draft}")).await?;
        if good.yes {
            break;
        }
    }
    Ok(draft)
}

#[saga_tool]
async fn loop_over_a_range(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let mut sum = 0;
    for index in 1..=4 {
        let sure: Yes = elicit(format!("Is {index} for {subject}?")).await?;
        sum += if sure.yes { index } else { 0 };
        log.did(sum.to_string());
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn loop_over_a_list(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let regions = vec![format!("{subject}-a"), format!("{subject}-b"), format!("{subject}-c")];
    let mut out = Vec::new();
    for region in &regions {
        let ok: Yes = elicit(format!("Roll out to {region}?")).key("ok").await?;
        if ok.yes {
            log.did(region);
            out.push(region.as_str());
        }
    }
    Ok(out.join(","))
}

#[saga_tool]
async fn nested_loops(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let mut found = Vec::new();
    'rows: for row in ["x", "y"] {
        for column in 0..3 {
            let yes: Yes = elicit(format!("{subject} {row}{column}?")).await?;
            log.did(format!("{row}{column} {}", yes.yes));
            if yes.yes {
                found.push(format!("{row}{column}"));
                continue 'rows;
            }
        }
    }
    Ok(found.join(","))
}

#[saga_tool]
async fn counts_to_an_answer(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let mut count = 0;
    while count < 5 && elicit::<Yes>(format!("More {subject} than {count}?")).await?.yes {
        count += 1;
        log.did(count.to_string());
    }
    Ok(count.to_string())
}

#[saga_tool]
async fn round_of_two(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let (name, sure) =
        join!(elicit::<Name>(format!("Who for {subject}?")), elicit::<Yes>("Sure of it?")).await?;
    log.did(format!("{name:?} {sure:?}"));
    Ok(name.name)
}

#[saga_tool]
async fn round_of_all_kinds(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let (target, said, roots) =
        join!(elicit::<Target>(format!("Where for {subject}?")), sample("What else?"), list_roots()).await?;
    log.did(format!("{target:?} {} {}", said.text(), roots.len()));
    Ok(said.text())
}

#[saga_tool]
async fn round_of_many(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    let names = ["ada", "bo", "cyd"];
    let answers =
        join_all(names.iter().map(|name| elicit::<Yes>(format!("Invite {name} to {subject}?")))).await?;
    log.did(format!("{answers:?}"));
    let sure: Yes = elicit("Send?").await?;
    Ok(format!("{} {}", answers.len(), sure.yes))
}

#[saga_tool]
async fn each_on_its_own(#[context] log: &Log, subject: String) -> String {
    let (one, other) = join!(elicit::<Yes>(format!("One {subject}?")), sample("Other?")).each().await;
    let text = format!("{one:?} {:?}", other.map(|said| said.text()));
    log.did(&text);
    text
}

#[saga_tool]
async fn scan(#[context] log: &Log, subject: String) -> Json<Vec<u32>> {
    let mut found = Vec::new();
    for page in 1..=3 {
        log.did(format!("read page {page} of {subject}"));
        found.push(page * 7);
        checkpoint(format!("{found:?} so far")).await;
    }
    Json(found)
}

#[saga_tool]
async fn scan_among_questions(#[context] log: &Log, subject: String) -> Result<String, ToolError> {
    checkpoint("begun").await;
    let mut done = 0;
    for page in 1..=2 {
        let go: Yes = elicit(format!("Scan page {page} of {subject}?")).await?;
        if go.yes {
            log.did(format!("read page {page}"));
            done += 1;
        }
        checkpoint(format!("{done} of {page} pages")).await;
    }
    Ok(done.to_string())
}
