//! Messages in the shapes of the model APIs: Anthropic's blocks, OpenAI's tool calls, and what other programs made of both.
//!
//! Most programs keep a conversation in one of these shapes, inside something of their own. One flat struct serves them all: a message
//! says what it is by the fields that it has.

mod line;
mod tell;
#[cfg(test)]
pub(super) mod testing;

pub(super) use line::{Message, Part, ToolCall, Usage};
pub(super) use tell::{Chat, arguments as arguments_of, call, ended, result_text, unknown, written};
