//! Whole tools: what they return, what they are given, and what they ask.

use std::sync::atomic::{AtomicU32, Ordering};

use saga_runtime::script::saga;
use saga_runtime::step::{Elicit, StepKind};
use saga_runtime::{
    Json, Provides, Root, Saga, StepError, ToolError, ToolResult, call, checkpoint, elicit, elicit_url, join,
    join_all, list_roots, saga, saga_tool, sample,
};
use saga_tests::forms::{Count, Name, Nothing, Region, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::Serialize;

bodies! {
    returns_text;
    returns_a_number;
    returns_nothing;
    returns_an_option;
    returns_an_optional_result;
    returns_json;
    returns_a_tool_result;
    returns_an_alias;
    returns_a_boxed_error;
    returns_a_string_error;
    returns_a_step_error;
    returns_a_static_str;
    returns_without_a_word;
    asks_nothing(name: "ada".to_owned());
    asks_at_once;
    asks_at_the_end;
    takes_many(text: "t".to_owned(), number: 3_u8, list: vec![1_u8, 2], maybe: None::<u8>, sure: true);
    takes_mutable(mut_text: "t".to_owned(), counter: 3_u8);
    takes_a_struct(start: Start { n: 2 });
    moves_its_parameters(name: "ada".to_owned(), list: vec!["x".to_owned()]);
    shadows_its_parameters(name: "ada".to_owned());
    changes_a_mutable_parameter_in_a_loop(left: 3_u8);
    a_context in Fleet::new();
    a_context_and_arguments(service: "web".to_owned()) in Fleet::new();
    a_context_borrowed_deeply in Fleet::new();
    two_contexts in App { fleet: Fleet::new(), db: Db(3) } => |app| plain_of_two_contexts(app);
    rounds_and_keys in App { fleet: Fleet::new(), db: Db(3) } => |app| plain_of_rounds_and_keys(app);
    asked_but_once;
    a_page_to_visit;
    roots;
    roots_in_a_loop;
    optional_forms;
    keys;
    keys_in_loops;
    dynamic_keys;
    attempts;
    titles_and_defaults;
    a_form_without_fields;
    samples_in_turn;
    all_kinds_in_turn;
    conversation;
    deploy(service: "web".to_owned()) in Fleet::new();
    approval(amount: 120_u32);
    interview;
    quiz;
    triage(tickets: vec!["a".to_owned(), "b".to_owned()]);
    a_form_written_in_another_way(form: Form { name: "ada".to_owned(), note: None, more: More { pages: 2 } });
}

fn told(saga: &Saga) -> String {
    format!("{} {}", saga.round(), saga.client().supports(StepKind::Sample))
}

#[saga_tool]
async fn returns_text() -> String {
    let Ok(name) = elicit::<Name>("name?").await else { return noted("nobody".to_owned()) };
    effect(&name.name);
    match elicit::<Yes>("sure?").await {
        Ok(yes) => format!("{} {}", name.name, yes.yes),
        Err(error) => error.to_string(),
    }
}

#[saga_tool]
async fn returns_a_number() -> u64 {
    let mut sum = 0;
    while let Ok(count) = elicit::<Count>(format!("{sum}?")).await
        && sum < 9
    {
        sum += u64::from(count.n) + 1;
        effect(sum);
    }
    sum
}

#[saga_tool]
async fn returns_nothing() {
    let answer = elicit::<Yes>("?").await;
    effect(answer.is_ok());
    if answer.is_err() {
        return;
    }
    effect(elicit::<Yes>("??").await.is_ok());
}

#[saga_tool]
async fn returns_an_option() -> Option<String> {
    let target = elicit::<Target>("target?").await.ok()?;
    effect(format_args!("{target:?}"));
    let note = target.note?;
    let first = note.chars().next()?;
    let yes = elicit::<Yes>(format!("{note} {first}?")).await.ok()?;
    yes.yes.then_some(note)
}

#[saga_tool]
async fn returns_an_optional_result() -> Result<Option<String>, ToolError> {
    let Some(name) = elicit::<Name>("name?").optional().await? else { return Ok(None) };
    effect(&name.name);
    let count: Option<Count> = elicit("n?").optional().await?;
    Ok(count.map(|count| format!("{} {}", name.name, count.n)))
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
struct Report {
    who: String,
    many: u8,
}

#[saga_tool]
async fn returns_json() -> Result<Json<Report>, ToolError> {
    let who = elicit::<Name>("who?").await?.name;
    effect(&who);
    Ok(Json(Report { many: elicit::<Count>("many?").await?.n, who }))
}

#[saga_tool]
async fn returns_a_tool_result() -> ToolResult {
    match elicit::<Name>("who?").await {
        Ok(name) => ToolResult::text(name.name),
        Err(error) => {
            effect(&error);
            ToolResult::error(format!("{error} {:?}", elicit::<Yes>("really?").await))
        }
    }
}

type Answer<T = String> = Result<T, ToolError>;

#[saga_tool]
async fn returns_an_alias() -> Answer {
    let inner: Answer<u8> = Ok(elicit::<Count>("n?").await?.n);
    let number = inner?;
    elicit::<Yes>(format!("{number}?")).await?;
    Ok(number.to_string())
}

#[saga_tool]
async fn returns_a_boxed_error() -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let name: Name = elicit("name?").await?;
    if name.name.is_empty() {
        return Err("empty".into());
    }
    effect(&name.name);
    let number = name.name.parse::<i32>();
    let failed = number.is_err();
    elicit::<Yes>(format!("{failed}?")).await?;
    Err(format!("{} is not it", name.name))?;
    Ok(name.name)
}

#[saga_tool]
async fn returns_a_string_error() -> Result<u8, String> {
    let count: Count = elicit("n?").await.map_err(|error| error.to_string())?;
    effect(count.n);
    if count.n == 0 {
        return Err(elicit::<Name>("why?").await.map_err(|error| format!("{error:?}"))?.name);
    }
    Ok(count.n)
}

#[saga_tool]
async fn returns_a_step_error() -> Result<String, StepError> {
    let name: Name = elicit("name?").await?;
    effect(&name.name);
    elicit::<Yes>("sure?").await.map(|yes| format!("{} {}", name.name, yes.yes))
}

#[saga_tool]
async fn returns_a_static_str() -> &'static str {
    let yes = elicit::<Yes>("?").await.is_ok_and(|yes| yes.yes);
    effect(yes);
    let _ = elicit::<Yes>("??").await;
    if yes { "yes" } else { "no" }
}

#[saga_tool]
async fn returns_without_a_word() -> Result<(), ToolError> {
    effect("start");
    elicit::<Yes>("a?").await?;
    effect("middle");
    elicit::<Yes>("b?").await?;
    Ok(())
}

#[saga_tool]
async fn asks_nothing(name: String) -> Result<String, ToolError> {
    effect(&name);
    tokio::task::yield_now().await;
    Ok(format!("hello {name}"))
}

#[saga_tool]
async fn asks_at_once() -> Result<String, ToolError> {
    let name = elicit::<Name>("name?").await?.name;
    effect(&name);
    Ok(name)
}

#[saga_tool]
async fn asks_at_the_end() -> Result<String, ToolError> {
    effect("start");
    Ok(elicit::<Name>("name?").await?.name)
}

#[saga_tool]
async fn takes_many(
    text: String,
    number: u8,
    list: Vec<u8>,
    maybe: Option<u8>,
    sure: bool,
) -> Result<String, ToolError> {
    let yes: Yes = elicit(format!("{text} {number}?")).await?;
    effect(list.len());
    for item in &list {
        elicit::<Yes>(format!("{item} {maybe:?}?")).await?;
    }
    Ok(format!("{text} {number} {list:?} {maybe:?} {sure} {yes:?}"))
}

#[saga_tool]
async fn takes_mutable(mut mut_text: String, mut counter: u8) -> Result<String, ToolError> {
    mut_text.push('!');
    let name: Name = elicit(format!("{mut_text}?")).await?;
    mut_text.push_str(&name.name);
    while counter > 0 {
        counter -= 1;
        elicit::<Yes>(format!("{counter}?")).await?;
        mut_text.push('.');
        effect(&mut_text);
    }
    Ok(mut_text)
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Start {
    n: u8,
}

#[saga_tool]
async fn takes_a_struct(start: Start) -> Result<String, ToolError> {
    let Start { n } = start.clone();
    let count: Count = elicit(format!("{n}?")).await?;
    effect(start.n + count.n);
    elicit::<Yes>(format!("{start:?}?")).await?;
    Ok(format!("{n} {start:?}"))
}

#[saga_tool]
async fn moves_its_parameters(name: String, list: Vec<String>) -> Result<String, ToolError> {
    let owned = name;
    let mut all = list;
    all.push(owned.clone());
    elicit::<Yes>(format!("{owned}?")).await?;
    effect(all.len());
    all.push(elicit::<Name>(format!("{all:?}?")).await?.name);
    Ok(format!("{owned} {all:?}"))
}

#[saga_tool]
async fn shadows_its_parameters(name: String) -> Result<String, ToolError> {
    let length = name.len();
    {
        let name = elicit::<Name>(format!("{name}?")).await?;
        effect(&name.name);
        elicit::<Yes>(format!("{}?", name.name)).await?;
    }
    effect(&name);
    let name = name.to_uppercase();
    elicit::<Yes>(format!("{name}?")).await?;
    Ok(format!("{name} {length}"))
}

#[saga_tool]
async fn changes_a_mutable_parameter_in_a_loop(mut left: u8) -> Result<String, ToolError> {
    let start = left;
    while left > 0 {
        left = left.saturating_sub(elicit::<Count>(format!("{left} of {start}?")).await?.n.max(1));
        effect(left);
    }
    Ok(format!("{start} {left}"))
}

struct Fleet {
    version: u8,
    names: Vec<String>,
    rollouts: AtomicU32,
}

impl Fleet {
    fn new() -> Self {
        Self { version: 7, names: vec!["eu".to_owned(), "us".to_owned()], rollouts: AtomicU32::new(0) }
    }

    async fn latest_release(&self, service: &str) -> Result<String, std::io::Error> {
        effect(format_args!("latest release of {service}"));
        tokio::task::yield_now().await;
        Ok(format!("{service}-{}", self.version))
    }

    async fn deploy(&self, service: &str, region: &str) -> Result<(), std::io::Error> {
        effect(format_args!("deploy {service} to {region}"));
        self.rollouts.fetch_add(1, Ordering::Relaxed);
        tokio::task::yield_now().await;
        if region.is_empty() { Err(std::io::Error::other("nowhere")) } else { Ok(()) }
    }

    fn name(&self, index: usize) -> &str {
        effect(format_args!("name {index}"));
        &self.names[index % self.names.len()]
    }
}

#[saga_tool]
async fn a_context(#[context] fleet: &Fleet) -> Result<String, ToolError> {
    let release = fleet.latest_release("web").await?;
    let yes: Yes = elicit(format!("{release}?")).await?;
    effect(fleet.version);
    for name in &fleet.names {
        elicit::<Yes>(format!("{name} {release}?")).await?;
        fleet.deploy("web", name).await?;
    }
    Ok(format!("{release} {yes:?} {}", fleet.names.len()))
}

#[saga_tool]
async fn a_context_and_arguments(#[context] fleet: &Fleet, mut service: String) -> Result<String, ToolError> {
    for index in 0..fleet.names.len() {
        let name = fleet.names[index].as_str();
        service += name;
        elicit::<Yes>(format!("{service} {name} {}?", fleet.version)).await?;
        effect(&service);
    }
    let release = fleet.latest_release(&elicit::<Name>("of what?").await?.name).await?;
    Ok(release + &service)
}

#[saga_tool]
async fn a_context_borrowed_deeply(#[context] fleet: &Fleet) -> Result<String, ToolError> {
    let names = &fleet.names;
    let first = &names[0];
    let version = fleet.version;
    elicit::<Yes>(format!("{first} {version}?")).await?;
    effect(first);
    let called = fleet.name(usize::from(elicit::<Count>("which?").await?.n));
    effect(called);
    let Fleet { names, version, .. } = fleet;
    elicit::<Yes>(format!("{names:?} {version} {called}?")).await?;
    Ok(format!("{first} {names:?} {version} {called}"))
}

struct Db(u8);

struct App {
    fleet: Fleet,
    db: Db,
}

impl Provides<Fleet> for App {
    fn provide(&self) -> &Fleet {
        &self.fleet
    }
}

impl Provides<Db> for App {
    fn provide(&self) -> &Db {
        &self.db
    }
}

async fn plain_of_two_contexts(app: &App) -> Result<String, ToolError> {
    two_contexts(&app.fleet, &app.db, &saga()).await
}

async fn plain_of_rounds_and_keys(_: &App) -> Result<String, ToolError> {
    rounds_and_keys(&saga()).await
}

/// An effect in each round has a key of its own, and knows its round: in a loop, in sagas that run together, after an
/// answer that had to be given again, after a join of nothing, and after a checkpoint.
#[saga_tool]
async fn rounds_and_keys(#[context] saga: &Saga) -> Result<String, ToolError> {
    effect(told_of_round(saga));
    for at in 0..2 {
        let count: Count = elicit(format!("{at}?")).await?;
        effect(format_args!("{} {}", count.n, told_of_round(saga)));
    }
    let all = join_all((0..2).map(|at| call(asks_twice(at)))).await?;
    effect(told_of_round(saga));
    let none: Vec<Yes> = join_all(Vec::<Elicit<Yes>>::new()).await?;
    effect(told_of_round(saga));
    checkpoint(format!("{}", none.len())).await;
    effect(told_of_round(saga));
    let (one, two) = join!(elicit::<Yes>("one?"), sample("two?")).await?;
    Ok(format!("{all:?} {} {} {}", one.yes, two.text(), told_of_round(saga)))
}

#[saga]
async fn asks_twice(at: u32) -> Result<u8, StepError> {
    let mut sum = 0;
    for part in 0..=at {
        sum += elicit::<Count>(format!("{at}.{part}?")).await?.n;
    }
    Ok(sum)
}

fn told_of_round(saga: &Saga) -> String {
    format!("{} {}", saga.round(), saga.idempotency_key("pay"))
}

/// An answer that does not fit is an answer.
#[saga_tool(attempts = 1)]
async fn asked_but_once() -> Result<String, ToolError> {
    let count = elicit::<Count>("how many?").await;
    let said = join!(elicit::<Yes>("sure?"), sample("well?").attempts(2)).each().await;
    Ok(format!("{count:?} {said:?}"))
}

#[saga_tool]
async fn two_contexts(
    #[context] fleet: &Fleet,
    #[context] db: &Db,
    #[context] saga: &Saga,
) -> Result<String, ToolError> {
    let before = told(saga);
    let count: Count = elicit(format!("{} {}?", fleet.version, db.0)).await?;
    effect(told(saga));
    let sum = fleet.version + db.0 + count.n;
    elicit::<Yes>(format!("{sum} {}?", saga.client().supports(StepKind::ElicitUrl))).await?;
    Ok(format!("{sum} {before} {} {}", fleet.names.len(), saga.idempotency_key("charge")))
}

#[saga_tool]
async fn a_page_to_visit() -> Result<String, ToolError> {
    let account = noted("ada");
    elicit_url("sign in", format!("https://example.com/{account}")).await?;
    effect("signed in");
    if let Err(error) = elicit_url(noted("pay"), noted("https://example.com/pay")).key("payment").await {
        effect(&error);
        elicit::<Yes>(format!("{error}, later?")).await?;
    }
    let visited = elicit_url("last", "https://example.com/last").await.is_ok();
    Ok(format!("{account} {visited}"))
}

#[saga_tool]
async fn roots() -> Result<String, ToolError> {
    let roots = list_roots().await?;
    effect(roots.len());
    let first: Option<&Root> = roots.first();
    let uri = first.map(|root| root.uri.clone()).unwrap_or_default();
    elicit::<Yes>(format!("{uri}?")).await?;
    let again = list_roots().key("folders").await.unwrap_or_default();
    Ok(format!("{roots:?} {}", again.len()))
}

#[saga_tool]
async fn roots_in_a_loop() -> Result<String, ToolError> {
    let mut names = Vec::new();
    for root in list_roots().await? {
        let yes: Yes = elicit(format!("{}?", root.uri)).await?;
        effect(&root.uri);
        if yes.yes {
            names.push(root.name.unwrap_or(root.uri));
        }
    }
    for root in &list_roots().await? {
        effect(&root.uri);
    }
    Ok(names.concat())
}

#[saga_tool]
async fn optional_forms() -> Result<String, ToolError> {
    let name = elicit::<Name>("name?").optional().await?;
    effect(format_args!("{name:?}"));
    let count: Option<Count> = elicit("count?").optional().key("how many").await?;
    let Some(Yes { yes }) = elicit("yes?").title("Sure?").optional().await? else {
        effect("dismissed");
        return Ok(format!("{name:?} {count:?}"));
    };
    Ok(format!("{name:?} {count:?} {yes}"))
}

#[saga_tool]
async fn keys() -> Result<String, ToolError> {
    let name: Name = elicit("a?").key("first").await?;
    effect(&name.name);
    let name: Name = elicit("b?").await?;
    effect(&name.name);
    let name: Name = elicit("c?").await?;
    let (a, b): (Yes, Yes) = (elicit("d?").await?, elicit("e?").key("explicit").await?);
    elicit::<Yes>("f?").await?;
    sample("g?").await?;
    Ok(format!("{name:?} {a:?} {b:?}"))
}

#[saga_tool]
async fn keys_in_loops() -> Result<String, ToolError> {
    let mut log = Vec::new();
    for index in 0..3_u8 {
        let answer: Yes = elicit(format!("{index}?")).await?;
        let named: Name = elicit("name?").key("who").await?;
        effect(index);
        log.push((answer.yes, named.name));
    }
    let answer: Yes = elicit("after?").await?;
    Ok(format!("{log:?} {answer:?}"))
}

#[saga_tool]
async fn dynamic_keys() -> Result<String, ToolError> {
    let regions = ["eu", "us"];
    for region in regions {
        let sure: Yes = elicit(format!("{region}?")).key(format!("sure-{region}")).await?;
        effect(format_args!("{region} {}", sure.yes));
    }
    let key = elicit::<Name>("key?").await?.name;
    let last: Yes = elicit("last?").key(key.clone() + "k").await?;
    Ok(format!("{key} {last:?}"))
}

#[saga_tool]
async fn attempts() -> Result<String, ToolError> {
    let once = elicit::<Count>("once?").attempts(1).await;
    effect(once.is_ok());
    let often = elicit::<Count>("often?").attempts(5).await;
    effect(often.is_ok());
    let said = sample("say?").attempts(2).await;
    Ok(format!("{once:?} {often:?} {}", said.is_ok()))
}

#[saga_tool]
async fn titles_and_defaults() -> Result<String, ToolError> {
    let start = Target { region: Region::Far, replicas: noted(2), note: Some("n".to_owned()) };
    let target = elicit::<Target>("where?").title(noted("Target")).default(start.clone()).await?;
    effect(format_args!("{target:?}"));
    let again: Target = elicit("again?").default(target).await?;
    Ok(format!("{start:?} {again:?}"))
}

#[saga_tool]
async fn a_form_without_fields() -> Result<String, ToolError> {
    let Nothing {} = elicit("go on?").await?;
    effect("on");
    let on = elicit::<Nothing>("and on?").await.is_ok();
    Ok(on.to_string())
}

#[saga_tool]
async fn samples_in_turn() -> Result<String, ToolError> {
    let mut history = Vec::new();
    loop {
        let said = sample(format!("turn {}", history.len())).system_prompt("be brief").await?;
        effect(said.text());
        history.push(said.text());
        if history.len() > 2 || said.text().starts_with("Yes") {
            break Ok(history.join("|"));
        }
    }
}

#[saga_tool]
async fn all_kinds_in_turn() -> Result<String, ToolError> {
    let name: Name = elicit("a?").await?;
    effect(1);
    let verdict = sample(format!("{}?", name.name)).await?;
    effect(2);
    elicit_url(verdict.text(), "https://example.com").await?;
    effect(3);
    let roots = list_roots().await?;
    effect(roots.len());
    let maybe = elicit::<Count>(format!("{}?", roots.len())).optional().await?;
    Ok(format!("{name:?} {} {maybe:?}", verdict.text()))
}

#[saga_tool]
async fn conversation() -> Result<String, ToolError> {
    use saga_runtime::step::sampling::Message;
    let mut messages = vec![Message::user("hello")];
    for turn in 0..2_u8 {
        let said = sample(&messages).max_tokens(50).await?;
        effect(format_args!("{turn} {}", said.text()));
        messages.push(said.into());
        let more: Name = elicit("what else?").await?;
        messages.push(Message::user(more.name));
    }
    Ok(messages.len().to_string())
}

#[saga_tool(title = "Deploy", annotations(destructive), ttl = "10m")]
async fn deploy(#[context] fleet: &Fleet, service: String) -> Result<String, ToolError> {
    let release = fleet.latest_release(&service).await?;
    let target: Target = elicit(format!("Where should {service} {release} go?")).await?;
    let verdict = sample(format!("Is deploying to {:?} safe?", target.region)).max_tokens(100).await?;
    if !verdict.text().starts_with("Yes") {
        let go: Yes = elicit(format!("The reviewer says: {}. Continue?", verdict.text())).await?;
        if !go.yes {
            return Err(ToolError::new("stopped by the operator"));
        }
    }
    let mut done = Vec::new();
    for region in &fleet.names {
        let ok: Yes = elicit(format!("Roll out to {region}?")).await?;
        if ok.yes {
            fleet.deploy(&service, region).await?;
            done.push(region.as_str());
        }
    }
    Ok(format!("{service} {release} is out in {}", done.join(", ")))
}

#[saga_tool]
async fn approval(amount: u32) -> Result<String, ToolError> {
    let limit = 100;
    let mut approvers = Vec::new();
    let needed = if amount > limit { 2 } else { 1 };
    'approvals: while approvers.len() < needed {
        let Name { name } = elicit(format!("{amount}: approver {}?", approvers.len() + 1)).await?;
        if name.is_empty() || approvers.contains(&name) {
            effect("not counted");
            if elicit::<Yes>("someone else?").await?.yes {
                continue 'approvals;
            }
            return Err(ToolError::new(format!("only {approvers:?} approved")));
        }
        approvers.push(name);
    }
    effect(format_args!("charge {amount}"));
    Ok(format!("{amount} approved by {approvers:?}"))
}

#[saga_tool]
async fn interview() -> Result<String, ToolError> {
    let questions = ["name", "place", "reason"];
    let mut answers = std::collections::BTreeMap::new();
    for question in questions {
        let text = loop {
            let Name { name } = elicit(format!("{question}?")).await?;
            if !name.is_empty() {
                break name;
            }
            match elicit::<Yes>(format!("skip {question}?")).await {
                Ok(Yes { yes: true }) => break "-".to_owned(),
                Ok(_) => effect("asks again"),
                Err(StepError::Declined) => break "declined".to_owned(),
                Err(other) => return Err(other.into()),
            }
        };
        answers.insert(question, text);
        effect(answers.len());
    }
    let summary = sample(format!("Summarise {answers:?}")).await?.text();
    Ok(format!("{answers:?} {summary}"))
}

#[saga_tool]
async fn quiz() -> Result<String, ToolError> {
    struct Question {
        text: &'static str,
        right: u8,
    }
    const QUESTIONS: [Question; 3] = [
        Question { text: "1+1", right: 2 },
        Question { text: "0*5", right: 0 },
        Question { text: "4-1", right: 3 },
    ];
    let (mut score, mut streak, mut best) = (0_u8, 0_u8, 0_u8);
    for (index, Question { text, right }) in QUESTIONS.iter().enumerate() {
        let guess = elicit::<Count>(format!("{}. {text}?", index + 1)).await?.n;
        if guess == *right {
            score += 1;
            streak += 1;
            best = best.max(streak);
        } else {
            streak = 0;
            effect(format_args!("{text} is {right}"));
        }
    }
    Ok(format!("{score} {best}"))
}

#[saga_tool]
async fn triage(tickets: Vec<String>) -> Result<String, ToolError> {
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    let mut queue: std::collections::VecDeque<_> = tickets.into_iter().map(|ticket| (ticket, 0_u8)).collect();
    while let Some((ticket, seen)) = queue.pop_front() {
        let advice = sample(format!("What of {ticket}?")).await.map(|said| said.text()).unwrap_or_default();
        let target: Target = elicit(format!("{ticket} ({advice}): where?")).await?;
        match (target.region, seen) {
            (Region::Near, _) => {
                effect(format_args!("close {ticket}"));
                closed.push(ticket);
            }
            (Region::Far, 0) => queue.push_back((ticket, seen + 1)),
            (region, _) => {
                let note = match target.note {
                    Some(note) => note,
                    None => elicit::<Name>(format!("why {region:?}?")).await?.name,
                };
                open.push(format!("{ticket}: {note}"));
            }
        }
    }
    Ok(format!("{closed:?} {open:?}"))
}

/// As serde writes it, it would be misread; and it is no `Clone`.
#[derive(Debug, Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Form {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(flatten)]
    more: More,
}

#[derive(Debug, Serialize, serde::Deserialize, schemars::JsonSchema)]
struct More {
    pages: u8,
}

fn shown(form: &Form) -> String {
    format!("{form:?}")
}

#[saga_tool]
async fn a_form_written_in_another_way(form: Form) -> Result<String, ToolError> {
    let before = shown(&form);
    elicit::<Yes>(before.as_str()).await?;
    Ok(format!("{before}{}", shown(&form)))
}
