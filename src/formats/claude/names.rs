//! The runtime's names for its records, attachments and commands. A new one goes here.

/// A set of names.
pub(super) struct Names(&'static str);

impl Names {
    /// Whether `name` is one of them.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.split_ascii_whitespace().any(|known| known == name)
    }
}

/// Record types that carry nothing for the ledger.
pub(super) const RECORDS: Names = Names(
    "agent-color agent-name agent-setting ai-title artifact-comment-monitor atis-latch attribution-snapshot bridge-session cost-state
     custom-title file-history-delta file-history-snapshot frame-link last-prompt mode permission-mode pr-link relocated summary tag
     worktree-state",
);

/// Subtypes of system lines that the model never sees.
pub(super) const SYSTEM: Names = Names(
    "agents_killed api_metrics away_summary bridge_status file_snapshot memory_saved model_refusal_fallback permission_retry
     scheduled_task_fire",
);

/// Kinds of progress that carry nothing for the ledger. (A hook's line and a sub-agent's message are looked into first.)
pub(super) const PROGRESS: Names =
    Names("agent_progress bash_progress hook_progress mcp_progress query_update search_results_received waiting_for_task");

/// Attachments that show the model the runtime's text.
pub(super) const INJECTED_ATTACHMENTS: Names = Names(
    "agent_listing_delta agent_mention already_read_file async_hook_response auto_mode auto_mode_exit batching_reminder_sent
     command_permissions compact_file_reference compaction_reminder critical_system_reminder date date_change deferred_tools_delta
     deferred_tools_record diagnostics directory dynamic_skill edited_image_file edited_text_file environment file
     hook_additional_context hook_blocking_error hook_cancelled hook_error_during_execution hook_non_blocking_error
     hook_permission_decision hook_stopped_continuation hook_success hook_system_message inlined_image_paths invoked_skills
     mcp_instructions_delta mcp_resource model opened_file_in_ide output_style output_style_instructions pdf_reference
     plan_file_reference plan_mode plan_mode_exit plan_mode_reentry prompt_snapshot read_truncation_notice remote_session_change
     selected_lines_in_ide session_context silent_turn_reminder skill_discovery skill_listing task_reminder team_context
     teammate_mailbox thinking_stripped todo todo_reminder token_usage total_tokens_reminder ultra_effort_enter ultra_effort_exit
     verify_plan_reminder workflow_keyword_request",
);

/// Attachments that quote rules files.
pub(super) const RULES_ATTACHMENTS: Names = Names("instructions nested_memory relevant_memories");

/// Slash commands that the runtime answers itself: what is typed behind them is not for the agent. Any other command is a prompt.
pub(super) const LOCAL_COMMANDS: Names = Names(
    "add-dir agents autocompact bashes bug chrome clear color compact config context copy cost desktop doctor effort exit export
     extra-usage fast feedback help hooks ide keybindings login logout mcp memory mobile model output-style permissions plugin plugins
     privacy-settings quit release-notes reload-plugins remote-control rename resume rewind sandbox skills stats status statusline
     stickers tag tasks terminal-setup theme todos upgrade usage vim voice",
);
