//! Words, code, commands and numbers that look like work, from a seed.

/// A small generator of numbers: the same for the same seed, on every machine (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// True in `percent` of all cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// A size in bytes around `middle`, with a long tail up to `most`.
    pub(crate) fn size(&mut self, middle: u64, most: u64) -> usize {
        let spread = (0..4).map(|_| self.next() % 1000).sum::<u64>() as f64 / 1000.0 - 2.0;
        ((middle as f64 * (spread * 2.1).exp()) as u64).clamp(40, most) as usize
    }

    /// Sixteen hexadecimal digits.
    pub(crate) fn hex(&mut self) -> String {
        format!("{:016x}", self.next())
    }
}

/// A stock of lines, written once and put together again and again. All of it stands as it would inside a JSON string.
#[derive(Debug)]
pub(crate) struct Words {
    code: Vec<String>,
    log: Vec<String>,
    prose: Vec<String>,
    noise: String,
}

const NOUNS: &[&str] = &[
    "shelf", "order", "pallet", "route", "invoice", "label", "carrier", "depot", "picker", "crate", "stock", "batch", "driver",
    "return", "parcel", "scan",
];
const VERBS: &[&str] = &[
    "load", "store", "merge", "reserve", "release", "count", "split", "assign", "confirm", "expire", "resolve", "publish", "parse",
    "render", "verify", "close",
];
const SENTENCES: &[&str] = &[
    "The $n is read twice, once in `$v_$n` and once when the $n is closed.",
    "Do not $v the $n before the $n is confirmed.",
    "I look at `src/$n/$v.rs` first, then at the test that fails.",
    "The test for $v passes now; the one for $n still expects the old order.",
    "Always run the linter before you $v a $n.",
    "This needs the $n id from the output above, $x.",
    "Please $v every $n of depot $d and leave the others alone.",
    "Nothing was sent; the $n waits until somebody has approved it.",
    "The cause is in `$v`: it takes the $n of the day before.",
];
const CODE: &[&str] = &[
    "    let $n = self.$v_$n(id)?;",
    "pub fn $v_$n(&self, id: u64) -> Result<Option<$N>, Error> {",
    "        .filter(|$n| $n.depot == depot && !$n.closed)",
    "    // A $n without a depot is left for the night.",
    "    assert_eq!($v_$n(\\\"$x\\\"), Some($d));",
    "use crate::$n::{self, $N};",
    "        $N::Open { id, .. } => self.$v(id, $d),",
    "}",
    "",
    "select $n_id, count(*) from $ns where depot = $d group by 1;",
    "    }",
    "        return None;",
    "    /// The $n that is told of every $n before it is closed, and of none behind it.",
    "        if $n < $d {",
    "    // What the $n of a depot waits for, the $n of another need not wait for.",
    "        continue;",
];
const LOG: &[&str] = &[
    "test $n::tests::$v_$d ... ok",
    "2026-03-02T09:$m:$m.$dZ INFO warehouse::$n $v id=$x depot=$d took $d ms",
    "src/$n/$v.rs:$d:$m: warning: unused variable: `$n`",
    "   Compiling warehouse-$n v0.$m.0 (/home/dev/src/warehouse/crates/$n)",
    " $d | $x | $n | 2026-03-$m | open",
    "GET /v1/$ns/$x?depot=$d 200 $mms",
    "src/$n/mod.rs:$d:    pub fn $v(&mut self, $n: &$N) -> u64 {",
    "  $d of $d done, nothing left to $v",
    "warning: the $n is older than its $n, and nobody has asked to $v it again",
    "Nothing to $v: every $n of this depot is closed",
    "   the $n waits for the $n of depot $d",
    "error: no $n of that name, did you mean another $n or its $n",
    "Read $d lines and found the $n in none of them, so there is nothing to $v today",
];
const COMMANDS: &[&str] = &[
    "cargo test -p warehouse-$n $v 2>&1 | tail -40",
    "git status --short && git diff --stat",
    "rg -n '$v_$n' crates --type rust | head -$m",
    "git add -A && git commit -m '$n: $v once'",
    "sed -n '$m,$dp' crates/$n/src/$v.rs",
    "npm run build --workspace apps/$n",
    "psql \\\"$WAREHOUSE\\\" -c 'select count(*) from $ns where depot = $d'",
    "docker compose exec -T api python -m warehouse.$v --depot $d",
    "git push origin $v-$n",
    "ls -la crates/$n/src && wc -l crates/$n/src/*.rs",
    "curl -s http://localhost:8080/v1/$ns/$d | jq .$n",
    "./scripts/$v-$n.sh --dry-run --depot $d",
    "pytest -q tests/test_$n.py -k $v",
    "gh pr view $d --json title,state",
];

impl Words {
    /// The stock of a seed.
    #[must_use]
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(seed ^ 0x5eed);
        let mut lines = |patterns: &[&str], count: usize| -> Vec<String> {
            (0..count).map(|n| fill(patterns[n % patterns.len()], &mut random)).collect()
        };
        let (code, log, prose) = (lines(CODE, 4096), lines(LOG, 4096), lines(SENTENCES, 2048));
        let noise = (0..1024).map(|_| char::from(b'A' + (random.next() % 26) as u8)).collect();
        Self { code, log, prose, noise }
    }

    /// Sentences, up to about `most` bytes.
    pub(crate) fn prose(&self, random: &mut Random, least: u64, most: u64) -> String {
        gather(&self.prose, random, most.min(least + most / 4), most, " ")
    }

    /// Lines of code.
    pub(crate) fn code(&self, random: &mut Random, least: u64, most: u64) -> String {
        gather(&self.code, random, least, most, "\\n")
    }

    /// What a tool returns: code or a log, with a long tail of sizes.
    pub(crate) fn output(&self, random: &mut Random, middle: u64, most: u64) -> String {
        gather(if random.chance(50) { &self.code } else { &self.log }, random, middle, most, "\\n")
    }

    /// A command line.
    pub(crate) fn command(&self, random: &mut Random) -> String {
        fill(pick(COMMANDS, random), random)
    }

    /// A path.
    pub(crate) fn path(&self, random: &mut Random) -> String {
        fill("/home/dev/src/warehouse/crates/$n/src/$v_$n.rs", random)
    }

    /// Characters without a meaning.
    pub(crate) fn noise(&self, line: &mut String, random: &mut Random, length: u64) {
        let start = (random.next() % 512) as usize;
        line.push_str(&self.noise[start..start + (length as usize).min(512)]);
        line.push_str(&self.noise[..(length as usize).saturating_sub(512).min(1024)]);
    }

    /// The id of the `n`th record.
    #[must_use]
    pub(crate) fn uuid(n: u64) -> String {
        format!("{:08x}-0000-4000-8000-{n:012x}", (n as u32).wrapping_mul(2_654_435_761))
    }
}

/// Puts names and numbers into a pattern: `$n` a noun, `$N` a type, `$v` a verb, `$d` and `$m` numbers, `$x` an id.
fn fill(pattern: &str, random: &mut Random) -> String {
    let mut out = String::with_capacity(pattern.len() + 24);
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character != '$' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push_str(pick(NOUNS, random)),
            Some('N') => {
                let (first, rest) = pick(NOUNS, random).split_at(1);
                out.push_str(&first.to_uppercase());
                out.push_str(rest);
            }
            Some('v') => out.push_str(pick(VERBS, random)),
            Some('d') => out.push_str(&random.between(100, 999).to_string()),
            Some('m') => out.push_str(&random.between(10, 59).to_string()),
            Some('x') => out.push_str(&random.hex()[..9]),
            other => out.extend(other),
        }
    }
    out
}

fn pick<'w>(words: &[&'w str], random: &mut Random) -> &'w str {
    words[(random.next() % words.len() as u64) as usize]
}

fn gather(stock: &[String], random: &mut Random, middle: u64, most: u64, joint: &str) -> String {
    let size = random.size(middle, most);
    let mut out = String::with_capacity(size + 120);
    while out.len() < size {
        out.push_str(&stock[(random.next() % stock.len() as u64) as usize]);
        out.push_str(joint);
    }
    out
}
