//! A prompt for the client's model: `sampling/createMessage`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::sampling::{Block, IncludeContext, Message, Role, Tool, ToolChoice, ToolUse};
use super::{Answer, InputRequest, Step, StepKind, json_text};
use crate::error::{Problem, StepError};

/// How much the model may say where the author sets no limit; MCP demands one.
const DEFAULT_MAX_TOKENS: u32 = 1024;

/// Asks the client's model.
///
/// Awaited in a tool it gives `Result<Sampled, StepError>`. The prompt is a text, a [`Message`], or a whole
/// conversation. MCP 2026-07-28 deprecates sampling, and it goes on working.
///
/// ```
/// use saga_runtime::sample;
/// use saga_runtime::step::Step;
///
/// let question = sample("Is it safe?").system_prompt("Answer Yes or No.").max_tokens(100).temperature(0.2);
/// let params = question.request().params.to_json();
/// assert_eq!(params["messages"][0]["content"]["text"], "Is it safe?");
/// assert_eq!(params["maxTokens"], 100);
/// ```
pub fn sample(prompt: impl Into<Prompt>) -> Sample {
    Sample {
        messages: prompt.into().messages,
        max_tokens: DEFAULT_MAX_TOKENS,
        system_prompt: None,
        temperature: None,
        stop_sequences: Vec::new(),
        model_hints: Vec::new(),
        cost_priority: None,
        speed_priority: None,
        intelligence_priority: None,
        include_context: None,
        metadata: None,
        tools: Vec::new(),
        tool_choice: None,
        key: None,
        attempts: None,
    }
}

/// What [`sample`] asks the model: made from a text, a [`Message`], or a list of messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    messages: Vec<Message>,
}

/// A prompt for the client's model; made by [`sample`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use = "a question does nothing unless awaited"]
pub struct Sample {
    messages: Vec<Message>,
    max_tokens: u32,
    system_prompt: Option<String>,
    temperature: Option<f64>,
    stop_sequences: Vec<String>,
    model_hints: Vec<String>,
    cost_priority: Option<f64>,
    speed_priority: Option<f64>,
    intelligence_priority: Option<f64>,
    include_context: Option<IncludeContext>,
    #[serde(with = "json_text")]
    metadata: Option<Map<String, Value>>,
    tools: Vec<Tool>,
    tool_choice: Option<ToolChoice>,
    key: Option<String>,
    attempts: Option<u8>,
}

impl Sample {
    /// Sets the name under which the client sees the question.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets how often the question may be asked before a wrong answer is an error.
    pub fn attempts(mut self, attempts: u8) -> Self {
        self.attempts = Some(attempts);
        self
    }

    /// Adds messages after the prompt.
    pub fn messages(mut self, messages: impl IntoIterator<Item = Message>) -> Self {
        self.messages.extend(messages);
        self
    }

    /// Sets how much the model may say: 1024 tokens where it is not set.
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// Sets what the model is told before the conversation; the client may leave it out.
    pub fn system_prompt(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// Sets how freely the model chooses its words.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature).filter(|temperature| temperature.is_finite());
        self
    }

    /// Adds a text at which the model stops.
    pub fn stop_sequence(mut self, text: impl Into<String>) -> Self {
        self.stop_sequences.push(text.into());
        self
    }

    /// Adds a part of a model's name that the client prefers; the first that it can follow counts.
    pub fn model_hint(mut self, name: impl Into<String>) -> Self {
        self.model_hints.push(name.into());
        self
    }

    /// Sets how much a low price counts, from 0 to 1.
    pub fn cost_priority(mut self, priority: f64) -> Self {
        self.cost_priority = priority_within_bounds(priority);
        self
    }

    /// Sets how much a quick answer counts, from 0 to 1.
    pub fn speed_priority(mut self, priority: f64) -> Self {
        self.speed_priority = priority_within_bounds(priority);
        self
    }

    /// Sets how much an able model counts, from 0 to 1.
    pub fn intelligence_priority(mut self, priority: f64) -> Self {
        self.intelligence_priority = priority_within_bounds(priority);
        self
    }

    /// Sets which servers' context the client adds to the prompt.
    pub fn include_context(mut self, context: IncludeContext) -> Self {
        self.include_context = Some(context);
        self
    }

    /// Sets what the client passes on to its provider.
    pub fn metadata(mut self, metadata: Map<String, Value>) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// Adds a tool that the model may use; the client must be able to sample with tools.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds tools that the model may use; the client must be able to sample with tools.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Sets whether the model uses tools; the client must be able to sample with tools.
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    fn model_preferences(&self) -> Option<Value> {
        let mut preferences = Map::new();
        if !self.model_hints.is_empty() {
            let hints = self.model_hints.iter().map(|name| json!({ "name": name })).collect();
            preferences.insert("hints".into(), hints);
        }
        insert_some(&mut preferences, "costPriority", self.cost_priority);
        insert_some(&mut preferences, "speedPriority", self.speed_priority);
        insert_some(&mut preferences, "intelligencePriority", self.intelligence_priority);
        if preferences.is_empty() { None } else { Some(Value::Object(preferences)) }
    }
}

impl Step for Sample {
    type Answer = Sampled;

    const KIND: StepKind = StepKind::Sample;

    fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    fn attempts(&self) -> Option<u8> {
        self.attempts
    }

    fn request(&self) -> InputRequest {
        let mut params = Map::new();
        params.insert("messages".into(), self.messages.iter().map(Message::to_json).collect());
        params.insert("maxTokens".into(), self.max_tokens.into());
        insert_some(&mut params, "systemPrompt", self.system_prompt.as_deref());
        insert_some(&mut params, "modelPreferences", self.model_preferences());
        insert_some(&mut params, "temperature", self.temperature);
        if !self.stop_sequences.is_empty() {
            params.insert("stopSequences".into(), self.stop_sequences.clone().into());
        }
        insert_some(&mut params, "includeContext", self.include_context.map(IncludeContext::name));
        insert_some(&mut params, "metadata", self.metadata.clone());
        if !self.tools.is_empty() {
            params.insert("tools".into(), self.tools.iter().map(Tool::to_json).collect());
        }
        insert_some(&mut params, "toolChoice", self.tool_choice.map(ToolChoice::to_json));
        let needs_tools = !self.tools.is_empty() || self.tool_choice.is_some();
        InputRequest::new(if needs_tools { StepKind::SampleTools } else { StepKind::Sample }, params)
    }

    fn read(&self, answer: &Answer) -> Result<Result<Sampled, StepError>, Vec<Problem>> {
        let result = match answer.result() {
            Ok(result) => result,
            Err(error) => return Ok(Err(error)),
        };
        let mut problems = Vec::new();
        let role = result.get("role").and_then(Role::read);
        if role.is_none() {
            problems.push(Problem::field("role", "must be `user` or `assistant`"));
        }
        let model = result.get("model").and_then(Value::as_str);
        if model.is_none() {
            problems.push(Problem::field("model", "must be a text"));
        }
        let stop_reason = match result.get("stopReason") {
            None | Some(Value::Null) => None,
            Some(Value::String(reason)) => Some(reason.clone()),
            Some(_) => {
                problems.push(Problem::field("stopReason", "must be a text"));
                None
            }
        };
        let content = match result.get("content").map(|content| Block::read_content(content, "content")) {
            Some(Ok(content)) => Some(content),
            Some(Err(problem)) => {
                problems.push(problem);
                None
            }
            None => {
                problems.push(Problem::field("content", "is missing"));
                None
            }
        };
        match (role, model, content) {
            (Some(role), Some(model), Some(content)) if problems.is_empty() => {
                Ok(Ok(Sampled { role, model: model.to_owned(), stop_reason, content }))
            }
            _ => Err(problems),
        }
    }
}

/// What the client's model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sampled {
    role: Role,
    model: String,
    stop_reason: Option<String>,
    content: Vec<Block>,
}

impl Sampled {
    /// All that the model said in words: its text blocks, one after the other.
    #[must_use]
    pub fn text(&self) -> String {
        self.content.iter().filter_map(Block::as_text).collect()
    }

    /// The model's name.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Why the model stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or the provider's own word.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&str> {
        self.stop_reason.as_deref()
    }

    /// Who speaks: the model.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// All that the model said, in blocks.
    #[must_use]
    pub fn content(&self) -> &[Block] {
        &self.content
    }

    /// The tools that the model calls; each call is to be answered in the next message.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.content.iter().filter_map(|block| match block {
            Block::ToolUse(call) => Some(call),
            _ => None,
        })
    }
}

impl From<Sampled> for Message {
    fn from(sampled: Sampled) -> Self {
        let Sampled { role, model: _, stop_reason: _, content } = sampled;
        Self { role, content }
    }
}

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Message::user(text).into()
    }
}

impl From<&String> for Prompt {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Message::user(text).into()
    }
}

impl From<Message> for Prompt {
    fn from(message: Message) -> Self {
        vec![message].into()
    }
}

impl From<Vec<Message>> for Prompt {
    fn from(messages: Vec<Message>) -> Self {
        Self { messages }
    }
}

impl From<&Vec<Message>> for Prompt {
    fn from(messages: &Vec<Message>) -> Self {
        messages.clone().into()
    }
}

impl From<&[Message]> for Prompt {
    fn from(messages: &[Message]) -> Self {
        messages.to_vec().into()
    }
}

/// MCP's priorities go from 0 to 1; a number that is none says nothing.
fn priority_within_bounds(priority: f64) -> Option<f64> {
    if priority.is_nan() { None } else { Some(priority.clamp(0.0, 1.0)) }
}

fn insert_some(params: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        params.insert(name.into(), value.into());
    }
}
