//! Templates of commands that an agent expands without a mark: the human typed what fills them, and the rest is the command's.
//!
//! The layout is that of Spec Kit's commands (`templates/commands/*.md` of github/spec-kit), which many agents expand word for word.

/// How the prompts begin that agents put in the place of `/init`.
const COMMANDS: &[&str] = &[
    "Please analyze this codebase and create a",
    "Generate a file named AGENTS.md that serves as a contributor guide",
    "You are an AI agent that brings the power of Gemini directly into the terminal. Your task is to analyze the current directory",
];

/// Whether a prompt is what a command stands for, of which the human typed no word.
pub(super) fn is_command(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches('`');
    COMMANDS.iter().any(|words| text.starts_with(words))
}

/// A command's template that was filled in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Filled<'t> {
    /// Up to what the human typed, with the fence that opens it.
    pub(super) before: &'t str,
    /// What the human typed.
    pub(super) input: &'t str,
    /// The rest, from the fence that closes it on.
    pub(super) behind: &'t str,
}

/// The heading of what the human typed, and what the text behind calls it.
const HEADING: &str = "User Input";
const CALLED: &str = "the user input";

/// The parts of a filled template; none where nothing was typed, since then the command is all that the human said.
pub(super) fn filled(text: &str) -> Option<Filled<'_>> {
    let heading = text.trim_start().strip_prefix('#')?.trim_start_matches('#').trim_start().strip_prefix(HEADING)?;
    let fence = heading.trim_start().strip_prefix("```")?;
    let (_, inner) = fence.split_once('\n')?;
    let (input, behind) = inner.split_at(inner.find("\n```")? + 1);
    if input.trim().is_empty() || !behind.contains(CALLED) {
        return None;
    }
    let start = text.len() - inner.len();
    Some(Filled { before: text.get(..start)?.trim(), input: input.trim(), behind: behind.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fills_a_template_is_the_humans() {
        let text =
            "\n## User Input\n\n```text\nSort the shelf by year.\nKeep the index.\n```\n\nYou **MUST** consider the user input.\n";
        let told = filled(text).unwrap();
        assert_eq!(told.before, "## User Input\n\n```text");
        assert_eq!(told.input, "Sort the shelf by year.\nKeep the index.");
        assert_eq!(told.behind, "```\n\nYou **MUST** consider the user input.");
    }

    #[test]
    fn what_a_command_stands_for_is_nobodys_words() {
        assert!(is_command("`Please analyze this codebase and create a **CRUSH.md** file containing:\n\n- Build commands"));
        assert!(!is_command("Please analyze the harbour module"));
    }

    #[test]
    fn what_a_human_writes_is_no_template() {
        for text in [
            "",
            "## User Input\n\nvalidate it",
            "## User Input\n```text\n\n```\nYou MUST consider the user input.",
            "## User Input\n```json\n{}\n```\nis rejected by the form, please fix",
            "## User Input\n```text\nnever closed, says the user input",
            "Sort it.\n\n## User Input\n```text\na\n```\nConsider the user input.",
        ] {
            assert_eq!(filled(text), None, "{text:?}");
        }
    }
}
