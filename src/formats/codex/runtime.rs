//! What the runtime says of its turns (`event_msg`), and which of it matters.
//!
//! Every text of the conversation stands in a rollout twice: as the item that the model was sent or wrote (`response_item`), and as
//! an event for the screen (`event_msg`; in paginated threads `item_completed`). **The item is told, the event is not:** it is there
//! in every version, in bare rollouts and in filtered exports; it stands first; and it is word for word what a compaction keeps.
//! What an event adds, that a person typed a text, shows from the text too (`zones`).

use super::line::{Item, TokenInfo, Tokens};
use crate::formats::json::Number;
use crate::transcript::{Mark, Usage};

/// What an event of the runtime means for the ledger.
pub(super) enum Heard {
    /// Nothing, and it is known.
    Nothing,
    /// Changes of state, in order.
    Marks(&'static [Mark]),
    /// The last turns were taken back.
    RolledBack(u32),
    /// A request was charged.
    Charged(Charge),
    /// A turn began.
    Began,
    /// Something ended that a script may have called.
    Ended,
    /// It is not known.
    Unknown,
}

/// Reads an `event_msg`.
pub(super) fn hear(item: &Item<'_>) -> Heard {
    match item.kind.as_str() {
        "task_started" | "turn_started" => Heard::Began,
        "task_complete" | "turn_complete" if item.error.is_some() => Heard::Marks(&[Mark::RequestFailed, Mark::TurnEnded]),
        "task_complete" | "turn_complete" => Heard::Marks(&[Mark::TurnEnded]),
        // Whatever the reason: the turn was stopped before it came to its end.
        "turn_aborted" => Heard::Marks(&[Mark::Interrupted]),
        "error" | "stream_error" => Heard::Marks(&[Mark::RequestFailed]),
        "thread_rolled_back" => {
            let turns = item.num_turns.0.unwrap_or_default();
            Heard::RolledBack(u32::try_from(turns).unwrap_or(u32::MAX))
        }
        "token_count" => item.info.0.as_ref().and_then(Charge::counted).map_or(Heard::Nothing, Heard::Charged),
        "item_completed" | "exec_command_end" | "patch_apply_end" => Heard::Ended,
        kind if BOOKKEEPING.contains(&kind) => Heard::Nothing,
        _ => Heard::Unknown,
    }
}

/// What a request was charged, and the thread with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) usage: Usage,
    /// Tokens of the whole thread so far: no two requests leave the same sum.
    total: Option<u64>,
}

impl Charge {
    fn counted(info: &TokenInfo) -> Option<Self> {
        Self::of(info.last_token_usage.0?, info.total_token_usage.0, info.model_context_window)
    }

    /// The charge of a `token_usage_record`, which newer versions write beside `token_count`.
    pub(super) fn recorded(item: &Item<'_>) -> Option<Self> {
        Self::of(item.usage.0?, item.thread_token_usage.0, Number::default())
    }

    fn of(last: Tokens, total: Option<Tokens>, window: Number) -> Option<Self> {
        let usage = Usage { input: last.input_tokens.0?, output: last.output_tokens.0.unwrap_or_default(), window: window.0 };
        Some(Self { usage, total: total.and_then(|total| total.total_tokens.0) })
    }

    /// Whether this is the same request again: each is counted two or three times.
    pub(super) fn repeats(self, last: Self) -> bool {
        (self.usage.input, self.usage.output, self.total) == (last.usage.input, last.usage.output, last.total)
    }
}

/// Events that carry nothing for the ledger. What they show has an item of its own, or concerns the screen alone.
const BOOKKEEPING: &[&str] = &[
    // The texts of the conversation, for the screen.
    "user_message",
    "agent_message",
    "agent_message_delta",
    "agent_message_content_delta",
    "agent_reasoning",
    "agent_reasoning_delta",
    "agent_reasoning_raw_content",
    "agent_reasoning_raw_content_delta",
    "agent_reasoning_section_break",
    "reasoning_content_delta",
    "reasoning_raw_content_delta",
    "plan_delta",
    "plan_update",
    "item_started",
    "raw_response_item",
    "raw_response_completed",
    "entered_review_mode",
    "exited_review_mode",
    "context_compacted",
    // Calls, whose own items say the same.
    "exec_command_begin",
    "exec_command_output_delta",
    "terminal_interaction",
    "patch_apply_begin",
    "patch_apply_updated",
    "turn_diff",
    "mcp_tool_call_begin",
    "mcp_tool_call_end",
    "web_search_begin",
    "web_search_end",
    "image_generation_begin",
    "image_generation_end",
    "view_image_tool_call",
    "dynamic_tool_call_request",
    "dynamic_tool_call_response",
    "sub_agent_activity",
    "collab_agent_spawn_begin",
    "collab_agent_spawn_end",
    "collab_agent_interaction_begin",
    "collab_agent_interaction_end",
    "collab_waiting_begin",
    "collab_waiting_end",
    "collab_close_begin",
    "collab_close_end",
    "collab_resume_begin",
    "collab_resume_end",
    // Questions to the human, whose answer is the call's output.
    "exec_approval_request",
    "apply_patch_approval_request",
    "request_permissions",
    "request_user_input",
    "elicitation_request",
    "guardian_assessment",
    // The session and its surroundings.
    "session_configured",
    "shutdown_complete",
    "thread_goal_updated",
    "thread_settings_applied",
    "thread_name_updated",
    "environment_connected",
    "environment_disconnected",
    "mcp_startup_update",
    "mcp_startup_complete",
    "model_reroute",
    "model_verification",
    "turn_moderation_metadata",
    "safety_buffering",
    "deprecation_notice",
    "background_event",
    "warning",
    "guardian_warning",
    "hook_started",
    "hook_completed",
    "undo_started",
    "undo_completed",
    "realtime_conversation_started",
    "realtime_conversation_realtime",
    "realtime_conversation_closed",
    "realtime_conversation_sdp",
    "realtime_conversation_list_voices_response",
];
