//! Large Claude Code sessions, made up line by line, the same for the same seed.
//!
//! Their shape is that of real ones: lines of 3.5 kB on average and of 1 kB at the median; a second copy of what tools returned
//! takes two fifths of the bytes, what the model saw a fifth, running output another fifth; there are some five prompts, thirty
//! messages and sixty calls in a megabyte; a kilobyte of output holds some fifteen words that look like exact values; hooks run after
//! calls; the context is compacted whenever it comes near 170,000 tokens.

use std::io::{self, Write};

use crate::words::{Random, Words};

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    /// Bytes, line breaks included.
    pub(crate) bytes: u64,
    /// Lines.
    pub(crate) lines: u64,
    /// Tool calls.
    pub(crate) calls: u64,
    /// Compactions.
    pub(crate) boundaries: u64,
    /// Bytes of text that the model saw.
    pub(crate) seen: u64,
    /// Bytes of the second copies of results.
    pub(crate) copies: u64,
}

/// Tokens of the context before anybody has said anything.
const BASE: f64 = 42_000.0;
/// Where the context is compacted.
const FULL: f64 = 168_000.0;
/// Bytes of text for a token.
const BYTES: f64 = 2.7;

/// Writes a session of at least `bytes` bytes, to the end of a turn.
pub(crate) fn session(out: &mut impl Write, bytes: u64, seed: u64) -> io::Result<Written> {
    let mut session = Session {
        out,
        random: Random(seed),
        words: Words::new(seed),
        line: String::new(),
        n: 0,
        ms: 0,
        context: BASE,
        charged: 0.0,
        written: Written::default(),
    };
    while session.written.bytes < bytes {
        session.turn()?;
    }
    Ok(session.written)
}

struct Session<'o, W: Write> {
    out: &'o mut W,
    random: Random,
    words: Words,
    line: String,
    /// Number of ids given out.
    n: u64,
    /// Session time, in milliseconds.
    ms: u64,
    context: f64,
    /// The context that the last request was charged for.
    charged: f64,
    written: Written,
}

impl<W: Write> Session<'_, W> {
    fn turn(&mut self) -> io::Result<()> {
        let prompt = self.words.prose(&mut self.random, 40, 900);
        let id = self.id();
        self.head("user", &id);
        self.line.push_str("\"message\":{\"role\":\"user\",\"content\":\"");
        self.say(&prompt);
        self.line.push_str("\"},\"todos\":[],\"permissionMode\":\"acceptEdits\"}");
        self.end()?;
        for _ in 0..self.random.between(3, 22) {
            self.step()?;
            if self.context > FULL {
                self.compact()?;
            }
        }
        let id = self.id();
        self.head("system", &id);
        self.line.push_str("\"subtype\":\"turn_duration\",\"durationMs\":61250,\"isMeta\":false}");
        self.end()
    }

    /// One assistant message: reasoning, text, calls, then their results.
    fn step(&mut self) -> io::Result<()> {
        let message = self.random.hex();
        if self.random.chance(55) {
            let text = self.words.prose(&mut self.random, 80, 900);
            let signature = self.random.between(500, 1536);
            self.block(&message, |line, session| {
                line.push_str("{\"type\":\"thinking\",\"thinking\":\"");
                session.say_into(line, &text);
                line.push_str("\",\"signature\":\"");
                session.words.noise(line, &mut session.random, signature);
                line.push_str("\"}");
            })?;
        }
        if self.random.chance(55) {
            let text = self.words.prose(&mut self.random, 30, 700);
            self.block(&message, |line, session| {
                line.push_str("{\"type\":\"text\",\"text\":\"");
                session.say_into(line, &text);
                line.push_str("\"}");
            })?;
        }
        let calls = if self.random.chance(18) { self.random.between(2, 4) } else { 1 };
        let mut open = Vec::new();
        for _ in 0..calls {
            open.push(self.call(&message)?);
        }
        open.into_iter().try_for_each(|(id, tool)| self.result(&id, tool))
    }

    fn call(&mut self, message: &str) -> io::Result<(String, Tool)> {
        self.written.calls += 1;
        let id = format!("toolu_{}", self.random.hex());
        let tool = match self.random.between(0, 99) {
            0..46 => Tool::Bash(self.words.command(&mut self.random)),
            46..70 => Tool::Read(self.words.path(&mut self.random)),
            70..88 => Tool::Edit(self.words.path(&mut self.random)),
            88..93 => Tool::Write(self.words.path(&mut self.random)),
            _ => Tool::Grep(self.words.path(&mut self.random)),
        };
        let (name, input) = match &tool {
            Tool::Bash(command) => ("Bash", format!("\"command\":\"{command}\",\"description\":\"Run it\"")),
            Tool::Read(path) => ("Read", format!("\"file_path\":\"{path}\"")),
            Tool::Edit(path) => {
                let (old, new) = (self.words.code(&mut self.random, 60, 900), self.words.code(&mut self.random, 60, 1200));
                (
                    "Edit",
                    format!("\"file_path\":\"{path}\",\"old_string\":\"{old}\",\"new_string\":\"{new}\",\"replace_all\":false"),
                )
            }
            Tool::Write(path) => {
                ("Write", format!("\"file_path\":\"{path}\",\"content\":\"{}\"", self.words.code(&mut self.random, 400, 9000)))
            }
            Tool::Grep(path) => ("Grep", format!("\"pattern\":\"fn \",\"path\":\"{path}\",\"output_mode\":\"content\"")),
        };
        self.block(message, |line, session| {
            line.push_str(&format!("{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"{name}\",\"input\":{{"));
            session.say_into(line, &input);
            line.push_str("},\"caller\":{\"type\":\"direct\"}}");
        })?;
        Ok((id, tool))
    }

    fn result(&mut self, call: &str, tool: Tool) -> io::Result<()> {
        let (seen, copy, error) = match tool {
            Tool::Bash(_) => {
                let out = self.words.output(&mut self.random, 1_200, 30_000);
                if self.random.chance(50) {
                    self.progress(call, &out)?;
                }
                if self.random.chance(7) {
                    let text = format!("Exit code 1\\n{out}");
                    let copy = format!("\"Error: {text}\"");
                    (text, copy, true)
                } else {
                    let copy = format!("{{\"stdout\":\"{out}\",\"stderr\":\"\",\"interrupted\":false,\"isImage\":false}}");
                    (out, copy, false)
                }
            }
            Tool::Read(path) => {
                let text = self.words.output(&mut self.random, 2_600, 60_000);
                let copy = format!(
                    "{{\"type\":\"text\",\"file\":{{\"filePath\":\"{path}\",\"content\":\"{text}\",\"numLines\":80,\"startLine\":1,\"totalLines\":80}}}}"
                );
                (format!("     1→{text}"), copy, false)
            }
            Tool::Edit(path) => {
                let file = self.words.output(&mut self.random, 9_000, 240_000);
                let patch = self.words.code(&mut self.random, 100, 1500);
                let copy = format!(
                    "{{\"filePath\":\"{path}\",\"oldString\":\"{patch}\",\"newString\":\"{patch}\",\"originalFile\":\"{file}\",\"structuredPatch\":[{{\"oldStart\":1,\"oldLines\":3,\"newStart\":1,\"newLines\":4,\"lines\":[\"{patch}\"]}}],\"userModified\":false,\"replaceAll\":false}}"
                );
                (format!("The file {path} has been updated.\\n{patch}"), copy, false)
            }
            Tool::Write(path) => {
                let copy = format!(
                    "{{\"type\":\"create\",\"filePath\":\"{path}\",\"content\":\"{}\",\"structuredPatch\":[],\"originalFile\":null}}",
                    self.words.code(&mut self.random, 400, 9000)
                );
                (format!("File created successfully at: {path}"), copy, false)
            }
            Tool::Grep(_) => {
                let out = self.words.output(&mut self.random, 900, 16_000);
                let copy =
                    format!("{{\"mode\":\"content\",\"numFiles\":0,\"filenames\":[],\"content\":\"{out}\",\"numLines\":20}}");
                (out, copy, false)
            }
        };
        if self.random.chance(60) {
            let id = self.id();
            self.head("progress", &id);
            self.line.push_str(&format!("\"data\":{{\"type\":\"hook_progress\",\"hookEvent\":\"PostToolUse\",\"hookName\":\"PostToolUse:Bash\",\"command\":\"callback\"}},\"parentToolUseID\":\"{call}\",\"toolUseID\":\"{call}\"}}"));
            self.end()?;
        }
        let id = self.id();
        self.head("user", &id);
        self.line.push_str(&format!(
            "\"message\":{{\"role\":\"user\",\"content\":[{{\"tool_use_id\":\"{call}\",\"type\":\"tool_result\",\"content\":\""
        ));
        self.say(&seen);
        self.written.copies += copy.len() as u64;
        self.line
            .push_str(&format!("\",\"is_error\":{error}}}]}},\"toolUseResult\":{copy},\"sourceToolAssistantUUID\":\"{id}\"}}"));
        self.end()
    }

    /// The output of a running command, as far as it is, once a second.
    fn progress(&mut self, call: &str, out: &str) -> io::Result<()> {
        let ticks = self.random.between(1, 12);
        for tick in 1..=ticks {
            let end = (out.len() as u64 * tick / ticks) as usize;
            let end = (0..=end).rev().find(|&end| out.is_char_boundary(end) && !out[..end].ends_with('\\')).unwrap_or(0);
            let id = self.id();
            self.head("progress", &id);
            self.line.push_str(&format!("\"data\":{{\"type\":\"bash_progress\",\"output\":\"\",\"fullOutput\":\"{}\",\"elapsedTimeSeconds\":{tick},\"totalLines\":{tick}}},\"toolUseID\":\"bash-progress-0\",\"parentToolUseID\":\"{call}\"}}", &out[..end]));
            self.end()?;
        }
        Ok(())
    }

    fn compact(&mut self) -> io::Result<()> {
        self.written.boundaries += 1;
        let (boundary, tokens) = (self.id(), self.context as u64);
        self.head("system", &boundary);
        self.line.push_str(&format!("\"subtype\":\"compact_boundary\",\"content\":\"Conversation compacted\",\"isMeta\":false,\"level\":\"info\",\"compactMetadata\":{{\"trigger\":\"auto\",\"preTokens\":{tokens}}}}}"));
        self.end()?;
        self.context = BASE + 9_000.0;
        self.charged = 0.0;
        let summary = self.words.prose(&mut self.random, 6_000, 14_000);
        let id = self.id();
        self.head("user", &id);
        self.line.push_str("\"message\":{\"role\":\"user\",\"content\":\"This session is being continued from a previous conversation that ran out of context. ");
        self.say(&summary);
        self.line.push_str("\"},\"isVisibleInTranscriptOnly\":true,\"isCompactSummary\":true}");
        self.end()
    }

    /// A line with one block of an assistant message.
    fn block(&mut self, message: &str, write: impl FnOnce(&mut String, &mut Self)) -> io::Result<()> {
        let id = self.id();
        self.head("assistant", &id);
        let (total, before) = (self.context, self.charged);
        self.charged = total;
        let mut line = std::mem::take(&mut self.line);
        line.push_str(&format!("\"message\":{{\"model\":\"claude-opus-4-5-20251101\",\"id\":\"msg_{message}\",\"type\":\"message\",\"role\":\"assistant\",\"content\":["));
        write(&mut line, self);
        line.push_str(&format!("],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{{\"input_tokens\":1,\"cache_creation_input_tokens\":{},\"cache_read_input_tokens\":{},\"cache_creation\":{{\"ephemeral_5m_input_tokens\":0,\"ephemeral_1h_input_tokens\":0}},\"output_tokens\":9,\"service_tier\":\"standard\"}}}},\"requestId\":\"req_{message}\"}}", (total - before) as u64, before as u64));
        self.line = line;
        self.end()
    }

    fn head(&mut self, kind: &str, id: &str) {
        self.ms += self.random.between(40, 4_000);
        let (day, left) = (self.ms / 86_400_000, self.ms % 86_400_000);
        let (month, day) = (day / 28 % 12 + 1, day % 28 + 1);
        let (hour, minute, second, ms) = (left / 3_600_000, left / 60_000 % 60, left / 1000 % 60, left % 1000);
        let parent = if self.n > 1 { format!("\"{}\"", Words::uuid(self.n - 1)) } else { "null".to_owned() };
        self.line.clear();
        self.line.push_str(&format!("{{\"parentUuid\":{parent},\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/dev/src/warehouse\",\"sessionId\":\"5d0c7f3e-1b2a-4c6d-8e9f-0a1b2c3d4e5f\",\"version\":\"2.1.47\",\"gitBranch\":\"main\",\"slug\":\"steady-amber-mill\",\"type\":\"{kind}\",\"uuid\":\"{id}\",\"timestamp\":\"2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z\","));
    }

    fn id(&mut self) -> String {
        self.n += 1;
        Words::uuid(self.n)
    }

    fn say(&mut self, text: &str) {
        let mut line = std::mem::take(&mut self.line);
        self.say_into(&mut line, text);
        self.line = line;
    }

    /// Adds text that the model sees.
    fn say_into(&mut self, line: &mut String, text: &str) {
        line.push_str(text);
        self.written.seen += text.len() as u64;
        self.context += text.len() as f64 / BYTES + 30.0;
    }

    fn end(&mut self) -> io::Result<()> {
        self.line.push('\n');
        self.written.bytes += self.line.len() as u64;
        self.written.lines += 1;
        self.out.write_all(self.line.as_bytes())
    }
}

/// A call, with what its result needs to know of it.
enum Tool {
    Bash(String),
    Read(String),
    Edit(String),
    Write(String),
    Grep(String),
}
