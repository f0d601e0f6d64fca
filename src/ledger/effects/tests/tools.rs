//! Tools of both agents, and of MCP servers.

use super::super::{Atomicity, Class, Idempotency, Known};
use super::{CLAUDE, call, classifier, line};
use crate::transcript::{Agent, Call, Input};

const CODEX: Agent = Agent("codex");

/// Each row: tool, input, the action on one line, its label.
fn check(agent: Agent, rows: &[(&str, &str, &str, &str)]) {
    let mut classifier = classifier();
    for (tool, json, expected, label) in rows {
        let action = classifier.classify(agent, &call(tool, json));
        assert_eq!((line(&action).as_str(), action.label.as_str()), (*expected, *label), "{tool} {json}");
    }
}

#[test]
fn claude_code() {
    check(
        CLAUDE,
        &[
            ("Read", r#"{"file_path":"/w/a.rs","offset":10}"#, "read [Read /w/a.rs] /w/a.rs", "/w/a.rs"),
            (
                "Edit",
                r#"{"file_path":"/w/a.rs","old_string":"x","new_string":"y"}"#,
                "write safe [Edit /w/a.rs] /w/a.rs",
                "/w/a.rs",
            ),
            ("Write", r#"{"file_path":"/w/a.rs","content":"x"}"#, "write safe [Write /w/a.rs] /w/a.rs", "/w/a.rs"),
            (
                "NotebookEdit",
                r#"{"notebook_path":"a.ipynb","edit_mode":"insert"}"#,
                "create harm [NotebookEdit a.ipynb] a.ipynb",
                "a.ipynb",
            ),
            ("NotebookEdit", r#"{"notebook_path":"a.ipynb"}"#, "write safe [NotebookEdit a.ipynb] a.ipynb", "a.ipynb"),
            ("Grep", r#"{"pattern":"fn main","path":"src"}"#, "read [Grep src] src", "fn main  src"),
            (
                "WebFetch",
                r#"{"url":"https://example.org","prompt":"x"}"#,
                "read [WebFetch https://example.org] https://example.org",
                "https://example.org",
            ),
            ("WebSearch", r#"{"query":"rust lints"}"#, "read [WebSearch]", "rust lints"),
            ("TodoWrite", r#"{"todos":[{"content":"a"},{"content":"b"}]}"#, "control [TodoWrite]", "2 items"),
            ("TaskUpdate", r#"{"taskId":"3","status":"completed"}"#, "control [TaskUpdate 3] 3", "3  completed"),
            (
                "Task",
                r#"{"description":"Find the bug","prompt":"...","subagent_type":"Explore"}"#,
                "control [Task]",
                "Find the bug  Explore",
            ),
            ("Agent", r#"{"description":"Find the bug","prompt":"..."}"#, "control [Agent]", "Find the bug"),
            (
                "AskUserQuestion",
                r#"{"questions":[{"question":"Which one?","options":[]}]}"#,
                "control [AskUserQuestion]",
                "Which one?",
            ),
            ("ExitPlanMode", "{\"plan\":\"\\n# The plan\\nstep one\"}", "control [ExitPlanMode]", "# The plan"),
            ("KillShell", r#"{"shell_id":"b1"}"#, "control [KillShell b1] b1", "b1"),
            ("Bash", r#"{"command":"cd /w && git push","description":"Push it"}"#, "external safe [git push]", "git push"),
            ("Bash", r#"{"description":"no command"}"#, "execute unknown [Bash]", "Bash"),
            ("PowerShell", r#"{"command":"Get-Content a.txt"}"#, "read? [Get-Content a.txt] a.txt", "Get-Content a.txt"),
        ],
    );
}

#[test]
fn tools_of_agents_that_nobody_listed() {
    check(
        Agent("langchain"),
        &[
            (
                "bash",
                r#"{"command":"git push origin main"}"#,
                "external safe [git push origin main] origin main",
                "git push origin main",
            ),
            ("shell", r#"{"command":["git","push"]}"#, "external safe [git push]", "git push"),
            ("run_terminal_cmd", r#"{"command":"ls -F"}"#, "read [ls .] .", "ls -F"),
            ("run_commands", r#"{"commands":["cargo test","git push"]}"#, "external safe [git push]", "cargo test"),
            ("write_file", r#"{"path":"a.rs","content":"x"}"#, "write safe [write_file a.rs] a.rs", "a.rs"),
            ("edit_file", r#"{"target_file":"a.rs"}"#, "write safe [edit_file a.rs] a.rs", "a.rs"),
            ("append_to_file", r#"{"file":"a.rs"}"#, "create harm [append_to_file a.rs] a.rs", "a.rs"),
            ("finish", r#"{"message":"It is done."}"#, "control [finish]", "It is done."),
        ],
    );
    check(
        Agent("openai-chat"),
        &[
            ("create", r#"{"filename":"a.py"}"#, "write safe [create a.py] a.py", "a.py"),
            ("submit", "{}", "control [submit]", "submit"),
        ],
    );
}

#[test]
fn cline_and_roo() {
    check(
        Agent("cline"),
        &[
            ("run_commands", r#"{"commands":["git push","ls"]}"#, "external safe [git push]", "git push"),
            (
                "read_files",
                r#"{"files":[{"path":"a.rs","start_line":1},{"path":"b.rs"}]}"#,
                "read [read_files a.rs b.rs] a.rs b.rs",
                "a.rs",
            ),
            (
                "use_mcp_tool",
                r#"{"server_name":"fs","tool_name":"list_directory","arguments":"{\"path\":\"src\"}"}"#,
                "read? [list_directory src] src",
                "src",
            ),
            (
                "use_mcp_tool",
                r#"{"server_name":"x","tool_name":"send_mail","arguments":{}}"#,
                "external? harm [send_mail]",
                "send_mail",
            ),
            ("use_mcp_tool", r#"{"server_name":"x"}"#, "execute unknown [use_mcp_tool]", "x"),
        ],
    );
}

#[test]
fn codex() {
    check(
        CODEX,
        &[
            ("shell", r#"{"command":["bash","-lc","git push"],"workdir":"/w"}"#, "external safe [git push]", "git push"),
            ("shell", r#"{"command":["rm","-rf","a b"]}"#, "write safe [rm a b] a b", "rm -rf a b"),
            (
                "shell",
                r#"{"command":["apply_patch","*** Begin Patch\n*** Add File: a.rs\n+x\n*** End Patch"]}"#,
                "write safe [apply_patch a.rs] a.rs",
                "apply_patch *** Begin Patch⏎*** Add File: a.rs⏎+x⏎*** End Patch",
            ),
            (
                "exec_command",
                r#"{"cmd":"rm a.txt","workdir":"/w","yield_time_ms":1000}"#,
                "write safe [rm a.txt] /w/a.txt",
                "rm a.txt",
            ),
            ("local_shell_call", r#"{"type":"exec","command":["git","status"]}"#, "read [git status]", "git status"),
            (
                "apply_patch",
                r#"{"input":"*** Begin Patch\n*** Update File: a.rs\n*** Add File: b.rs\n*** End Patch"}"#,
                "write safe [apply_patch a.rs b.rs] a.rs b.rs",
                "a.rs b.rs",
            ),
            ("write_stdin", r#"{"session_id":7,"chars":"yes\n"}"#, "execute unknown [write_stdin 7] 7", "yes  7"),
            ("write_stdin", r#"{"session_id":7,"chars":""}"#, "read [write_stdin 7] 7", "7"),
            ("update_plan", r#"{"plan":[{"step":"a","status":"pending"}]}"#, "control [update_plan]", "1 item"),
            ("view_image", r#"{"path":"a.png"}"#, "read [view_image a.png] a.png", "a.png"),
            ("web_search_call", r#"{"action":{"type":"search","query":"rust"}}"#, "read [web_search_call]", "rust"),
            (
                "spawn_agent",
                r#"{"message":"Summarise it.","agent_type":"explorer"}"#,
                "control [spawn_agent]",
                "Summarise it.  explorer",
            ),
            ("exec", r#"{"input":"await tools.exec_command({cmd:\"git push\"});"}"#, "external safe [git push]", "git push"),
            ("github__create_issue", r#"{"title":"A bug"}"#, "external? harm [github__create_issue]", "A bug"),
        ],
    );
}

#[test]
fn texts_are_inputs_too() {
    let mut classifier = classifier();
    let text = |tool: &'static str, text: &'static str| Call { id: "1".into(), tool: tool.into(), input: Input::Text(text.into()) };
    for (call, expected, label) in [
        (
            text("apply_patch", "*** Begin Patch\n*** Delete File: a.rs\n*** End Patch"),
            "write safe [apply_patch a.rs] a.rs",
            "a.rs",
        ),
        (
            text("exec", "const r = await tools.exec_command({cmd:\"cat a.txt\"}); text(r.output);"),
            "read [cat a.txt] a.txt",
            "cat a.txt",
        ),
        (
            text(
                "exec",
                "await tools.exec_command({cmd:'ls'}); const p = `*** Begin Patch\n*** Add File: a\n*** End Patch`; await tools.apply_patch(p);",
            ),
            "write safe [apply_patch a] a",
            "ls · a",
        ),
        (text("exec", "await tools.exec_command({cmd: build()});"), "execute unknown [exec_command]", "exec_command"),
        (text("exec", "text(1 + 1)"), "execute unknown [exec]", "text(1 + 1)"),
    ] {
        let action = classifier.classify(CODEX, &call);
        assert_eq!((line(&action).as_str(), action.label.as_str()), (expected, label));
    }
}

#[test]
fn an_mcp_tool_is_what_its_verb_says() {
    check(
        CLAUDE,
        &[
            ("mcp__github__list_issues", r#"{"repo":"a/b"}"#, "read? [mcp__github__list_issues]", "list_issues"),
            (
                "mcp__github__get_pull_request",
                r#"{"pull_number":12}"#,
                "read? [mcp__github__get_pull_request 12] 12",
                "get_pull_request",
            ),
            (
                "mcp__github__add_issue_comment",
                r#"{"issue_number":12,"body":"x"}"#,
                "external? harm [mcp__github__add_issue_comment 12] 12",
                "add_issue_comment",
            ),
            ("mcp__slack__sendMessage", r#"{"text":"hello"}"#, "external? harm [mcp__slack__sendMessage]", "hello"),
            ("mcp__jira__updateIssue", "{}", "external? safe [mcp__jira__updateIssue]", "updateIssue"),
            (
                "mcp__playwright__browser_click",
                r#"{"element":"Save button","ref":"e1"}"#,
                "execute? unknown [mcp__playwright__browser_click]",
                "Save button",
            ),
            ("mcp__playwright__browser_snapshot", "{}", "read? [mcp__playwright__browser_snapshot]", "browser_snapshot"),
            (
                "mcp__playwright__browser_file_upload",
                r#"{"paths":["a"]}"#,
                "execute? unknown [mcp__playwright__browser_file_upload]",
                "browser_file_upload",
            ),
            (
                "mcp__plugin_playwright_playwright__browser_close",
                "{}",
                "execute? unknown [mcp__plugin_playwright_playwright__browser_close]",
                "browser_close",
            ),
            (
                "mcp__context7__resolve-library-id",
                r#"{"libraryName":"ratatui"}"#,
                "read? [mcp__context7__resolve-library-id]",
                "resolve-library-id",
            ),
            (
                "mcp__filesystem__write_file",
                r#"{"path":"a.txt"}"#,
                "write? safe [mcp__filesystem__write_file a.txt] a.txt",
                "a.txt",
            ),
            ("mcp__payments__refund", r#"{"id":"ch_1"}"#, "external? harm [mcp__payments__refund ch_1] ch_1", "ch_1"),
            ("Frobnicate", "{}", "execute? unknown [Frobnicate]", "Frobnicate"),
            (
                "Task\" >\n<parameter name=\"description",
                "{}",
                "execute? unknown [Task\" >\n<parameter name=\"description]",
                "Task\" >⏎<parameter name=\"description",
            ),
        ],
    );
}

#[test]
fn an_edit_that_failed_did_not_happen_and_a_read_shows_whether_it_did() {
    let mut classifier = classifier();
    let edit = classifier.classify(CLAUDE, &call("Edit", r#"{"file_path":"/w/a.rs","old_string":"x","new_string":"y"}"#));
    assert_eq!(
        (edit.class, edit.idempotency, edit.known, edit.atomicity),
        (Class::Write, Idempotency::Idempotent, Known::Listed, Atomicity::Atomic)
    );
    assert_eq!(edit.reconcile_with.as_deref(), Some("read /w/a.rs"));
    let patch = classifier.classify(CODEX, &call("apply_patch", r#"{"input":"*** Update File: a\n*** Update File: b"}"#));
    assert_eq!((patch.atomicity, patch.reconcile_with.as_deref()), (Atomicity::Partial, Some("read a b")));
}

#[test]
fn an_explanation_names_the_rule() {
    let mut classifier = classifier();
    let action = classifier.explain(CLAUDE, &call("Bash", r#"{"command":"cargo test && git push"}"#));
    assert_eq!(
        action.why,
        [
            "cargo test: check (command.\"cargo test\")",
            "git push: external, idempotent (command.\"git push\")",
            "external: the strongest of 2 parts is git push"
        ]
    );
    assert!(classifier.classify(CLAUDE, &call("Bash", r#"{"command":"git push"}"#)).why.is_empty());
}
