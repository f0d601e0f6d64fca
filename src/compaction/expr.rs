//! The arithmetic of policies: `min(0.9*W, U)`, `if(W>200000, W-20000, 0.8*W)`.
//!
//! Functions: `min` and `max` of two or more, `clamp(x, low, high)`, `pos(x, else)` (x where it is above zero), and
//! `if(a > b, then, else)` with `>`, `<`, `>=`, `<=`.

mod parse;

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

/// An expression, parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    source: String,
    root: Node,
}

/// What the names of an expression stand for, in tokens unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Env {
    /// `W`: the model's window.
    pub window: f64,
    /// `O`: the most that the model writes.
    pub output: f64,
    /// `I`: the most that the model reads.
    pub input: f64,
    /// `U`: what the runtime's user has set. Infinite where nothing is set, so that `min` passes over it.
    pub user: f64,
    /// `T`: where the policy compacts by itself.
    pub trigger: f64,
    /// `target`: what the run must get under.
    pub target: f64,
    /// `n`: number of messages in the context.
    pub messages: f64,
    /// `events`: number of records that those messages are made of.
    pub events: f64,
    /// `tokens`: what those messages come to by the runtime's own estimate.
    pub tokens: f64,
}

/// A mistake in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExprError {
    /// 1-based place in the expression, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at column {} of the expression", self.message, self.column)
    }
}

impl std::error::Error for ExprError {}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    Name(Name),
    Minus(Box<Node>),
    Binary(char, Box<[Node; 2]>),
    Min(Vec<Node>),
    Max(Vec<Node>),
    Clamp(Box<[Node; 3]>),
    Pos(Box<[Node; 2]>),
    If(Compare, Box<[Node; 4]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Window,
    Output,
    Input,
    User,
    Trigger,
    Target,
    Messages,
    Events,
    Tokens,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

impl Expr {
    /// Reads an expression.
    ///
    /// # Errors
    /// With the column and what was expected there.
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        Ok(Self { source: text.trim().to_owned(), root: parse::tree(text)? })
    }

    /// A plain number.
    #[must_use]
    pub fn number(number: f64) -> Self {
        Self { source: number.to_string(), root: Node::Number(number) }
    }

    /// Its value. Infinite where it rests on a name that is not set; never a crash: a division by zero is infinite too.
    #[must_use]
    pub fn value(&self, env: &Env) -> f64 {
        self.root.value(env)
    }

    /// Its value as a number of tokens or messages: rounded down, at least 0; none where it is infinite.
    #[must_use]
    pub fn count(&self, env: &Env) -> Option<u64> {
        let value = self.value(env);
        // Guards against 166999.99999999997: a count never hangs on the last bit of a fraction.
        value.is_finite().then(|| (value + 1e-6).max(0.0) as u64)
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl Node {
    fn value(&self, env: &Env) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Name(name) => match name {
                Name::Window => env.window,
                Name::Output => env.output,
                Name::Input => env.input,
                Name::User => env.user,
                Name::Trigger => env.trigger,
                Name::Target => env.target,
                Name::Messages => env.messages,
                Name::Events => env.events,
                Name::Tokens => env.tokens,
            },
            Self::Minus(of) => -of.value(env),
            Self::Binary(op, sides) => {
                let [left, right] = sides.each_ref().map(|side| side.value(env));
                match op {
                    '+' => left + right,
                    '-' => left - right,
                    '*' => left * right,
                    _ => left / right,
                }
            }
            Self::Min(of) => of.iter().map(|node| node.value(env)).fold(f64::INFINITY, f64::min),
            Self::Max(of) => of.iter().map(|node| node.value(env)).fold(f64::NEG_INFINITY, f64::max),
            Self::Clamp(of) => {
                let [x, low, high] = of.each_ref().map(|node| node.value(env));
                x.min(high).max(low)
            }
            Self::Pos(of) => {
                let [x, otherwise] = of.each_ref().map(|node| node.value(env));
                if x > 0.0 { x } else { otherwise }
            }
            Self::If(compare, of) => {
                let [left, right, then, otherwise] = of.each_ref().map(|node| node.value(env));
                let holds = match compare {
                    Compare::Greater => left > right,
                    Compare::GreaterOrEqual => left >= right,
                    Compare::Less => left < right,
                    Compare::LessOrEqual => left <= right,
                };
                if holds { then } else { otherwise }
            }
        }
    }
}

/// From a string, or from a plain number.
impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Expr;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an expression, as \"min(0.9*W, U)\", or a number")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Expr, E> {
                Expr::parse(text).map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Expr, E> {
                self.visit_f64(number as f64)
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Expr, E> {
                Ok(Expr::number(number))
            }
        }
        from.deserialize_any(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENV: Env = Env {
        window: 200_000.0,
        output: 32_000.0,
        input: 168_000.0,
        user: f64::INFINITY,
        trigger: 167_000.0,
        target: 50_000.0,
        messages: 40.0,
        events: 60.0,
        tokens: 90_000.0,
    };

    #[test]
    fn the_triggers_of_real_runtimes() {
        for (text, window, output, want) in [
            ("W - min(O,20000) - 13000", 200_000.0, 32_000.0, Some(167_000)),
            ("W - min(O,20000) - 13000", 200_000.0, 8_192.0, Some(178_808)),
            ("min(0.9*W, U)", 272_000.0, 128_000.0, Some(244_800)),
            ("U", 272_000.0, 128_000.0, None),
            ("pos(min(0.85*W, W-33000), 0.85*W)", 200_000.0, 0.0, Some(167_000)),
            ("pos(min(0.85*W, W-33000), 0.85*W)", 32_000.0, 0.0, Some(27_200)),
            ("if(W>200000, W-20000, 0.8*W)", 200_000.0, 0.0, Some(160_000)),
            ("if(W>200000, W-20000, 0.8*W)", 1_000_000.0, 0.0, Some(980_000)),
            ("if(W>200000, max(W-40000,0.8*W), if(W>128000, W-40000, if(W>64000, W-30000, W-27000)))", 64_000.0, 0.0, Some(37_000)),
            (
                "if(W>200000, max(W-40000,0.8*W), if(W>128000, W-40000, if(W>64000, W-30000, W-27000)))",
                128_000.0,
                0.0,
                Some(98_000),
            ),
            ("clamp(W/16,1024,8192)", 200_000.0, 0.0, Some(8_192)),
            ("20000", 0.0, 0.0, Some(20_000)),
            ("W-300000", 200_000.0, 0.0, Some(0)),
        ] {
            let env = Env { window, output, ..ENV };
            assert_eq!(Expr::parse(text).unwrap().count(&env), want, "{text} at {window}");
        }
    }

    #[test]
    fn operators_bind_as_people_expect() {
        for (text, want) in [
            ("2+3*4", 14.0),
            ("(2+3)*4", 20.0),
            ("20-5-5", 10.0),
            ("8/2/2", 2.0),
            ("-2 + 5", 3.0),
            ("2*-3", -6.0),
            (" n ", 40.0),
            ("if(events>n, tokens, 0)", 90_000.0),
            ("min(target, T, 9)", 9.0),
            ("if(n<=40, 1, 2)", 1.0),
            ("if(n<40, 1, 2)", 2.0),
            ("if(n>=40, 1, 2)", 1.0),
            ("1_000", 1000.0),
        ] {
            assert_eq!(Expr::parse(text).unwrap().value(&ENV), want, "{text}");
        }
        assert_eq!(Expr::parse("1/0").unwrap().count(&ENV), None);
    }

    #[test]
    fn a_mistake_says_where_and_what_is_known() {
        for (text, column, part) in [
            ("min(0.9*W, Q)", 12, "`Q` is not known (names: W, O, I, U, T, n, events, tokens, target"),
            ("", 1, "found the end"),
            ("W -", 4, "found the end"),
            ("min(W)", 6, "`min` was given 1 value"),
            ("clamp(W, 1)", 11, "`clamp` was given 2 values"),
            ("(W", 3, "expected `)`"),
            ("W W", 3, "expected the end"),
            ("if(W, 1, 2)", 5, "expected `>`"),
            ("1.2.3", 1, "is no number"),
            ("W € 2", 3, "found `€`"),
        ] {
            let error = Expr::parse(text).unwrap_err();
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
        assert!(Expr::parse(&"(".repeat(10_000)).is_err());
    }

    proptest! {
        #[test]
        fn nothing_crashes_it_and_what_is_shown_is_what_was_read(text in "[WOIUTn0-9minaxclpof().,<>=+*/ -]{0,60}") {
            if let Ok(expr) = Expr::parse(&text) {
                prop_assert_eq!(Expr::parse(&expr.to_string()).unwrap().count(&ENV), expr.count(&ENV));
            }
        }
    }
}
