//! Reads an expression: recursive descent over
//!
//! ```text
//! sum    = product { ("+" | "-") product }
//! product = factor { ("*" | "/") factor }
//! factor = number | name | "(" sum ")" | "-" factor | function "(" sum { "," sum } ")" | "if(" sum compare sum "," sum "," sum ")"
//! ```

use super::{Compare, ExprError, Name, Node};

/// Longest expression, in bytes. It bounds the depth of the tree, and so the stack.
const LONGEST: usize = 300;

/// The tree of an expression, whole.
pub(super) fn tree(text: &str) -> Result<Node, ExprError> {
    let mut parser = Parser { text, at: 0 };
    if text.len() > LONGEST {
        return Err(parser.error(format!("an expression has at most {LONGEST} bytes")));
    }
    let root = parser.sum()?;
    match parser.peek() {
        None => Ok(root),
        Some(c) => Err(parser.error(format!("expected the end, an operator or `)`, found `{c}`"))),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error(&self, message: String) -> ExprError {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        ExprError { column: before.chars().count() + 1, message }
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char) -> Result<(), ExprError> {
        match self.peek() {
            Some(c) if c == wanted => {
                self.at += c.len_utf8();
                Ok(())
            }
            Some(c) => Err(self.error(format!("expected `{wanted}`, found `{c}`"))),
            None => Err(self.error(format!("expected `{wanted}`, found the end"))),
        }
    }

    fn sum(&mut self) -> Result<Node, ExprError> {
        let mut left = self.product()?;
        while let Some(op @ ('+' | '-')) = self.peek() {
            self.at += 1;
            left = Node::Binary(op, Box::new([left, self.product()?]));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, ExprError> {
        let mut left = self.factor()?;
        while let Some(op @ ('*' | '/')) = self.peek() {
            self.at += 1;
            left = Node::Binary(op, Box::new([left, self.factor()?]));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Node, ExprError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                self.take(')')?;
                Ok(inner)
            }
            Some('-') => {
                self.at += 1;
                Ok(Node::Minus(Box::new(self.factor()?)))
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.name_or_call(),
            Some(c) => Err(self.error(format!("expected a number, a name or `(`, found `{c}`"))),
            None => Err(self.error("expected a number, a name or `(`, found the end".to_owned())),
        }
    }

    /// The longest run of characters here that `part` accepts.
    fn word(&self, part: impl Fn(char) -> bool) -> String {
        self.rest().chars().take_while(|c| part(*c)).collect()
    }

    fn number(&mut self) -> Result<Node, ExprError> {
        let word = self.word(|c| c.is_ascii_digit() || matches!(c, '.' | '_'));
        let number = word.replace('_', "").parse().map_err(|_| self.error(format!("`{word}` is no number")))?;
        self.at += word.len();
        Ok(Node::Number(number))
    }

    fn name_or_call(&mut self) -> Result<Node, ExprError> {
        let word = self.word(char::is_alphanumeric);
        let name = match word.as_str() {
            "W" => Name::Window,
            "O" => Name::Output,
            "I" => Name::Input,
            "U" => Name::User,
            "T" => Name::Trigger,
            "target" => Name::Target,
            "n" => Name::Messages,
            "events" => Name::Events,
            "tokens" => Name::Tokens,
            "min" | "max" | "clamp" | "pos" | "if" => return self.call(&word),
            _ => {
                return Err(self.error(format!(
                    "`{word}` is not known (names: W, O, I, U, T, n, events, tokens, target; functions: min, max, clamp, if, pos)"
                )));
            }
        };
        self.at += word.len();
        Ok(Node::Name(name))
    }

    fn call(&mut self, function: &str) -> Result<Node, ExprError> {
        self.at += function.len();
        self.take('(')?;
        if function == "if" {
            return self.condition();
        }
        let mut args = vec![self.sum()?];
        while self.peek() == Some(',') {
            self.at += 1;
            args.push(self.sum()?);
        }
        let wrong = |n: usize| format!("`{function}` was given {n} value{}", if n == 1 { "" } else { "s" });
        let node = match function {
            "min" if args.len() > 1 => Node::Min(args),
            "max" if args.len() > 1 => Node::Max(args),
            "clamp" => Node::Clamp(Box::new(args.try_into().map_err(|a: Vec<_>| self.error(wrong(a.len())))?)),
            "pos" => Node::Pos(Box::new(args.try_into().map_err(|a: Vec<_>| self.error(wrong(a.len())))?)),
            _ => return Err(self.error(wrong(args.len()))),
        };
        self.take(')')?;
        Ok(node)
    }

    /// What stands in `if(...)`, up to its closing parenthesis.
    fn condition(&mut self) -> Result<Node, ExprError> {
        let left = self.sum()?;
        self.peek();
        let (compare, len) = match self.word(|c| matches!(c, '<' | '>' | '=')).as_str() {
            ">" => (Compare::Greater, 1),
            ">=" => (Compare::GreaterOrEqual, 2),
            "<" => (Compare::Less, 1),
            "<=" => (Compare::LessOrEqual, 2),
            _ => return Err(self.error("expected `>`, `<`, `>=` or `<=`".to_owned())),
        };
        self.at += len;
        let right = self.sum()?;
        self.take(',')?;
        let then = self.sum()?;
        self.take(',')?;
        let otherwise = self.sum()?;
        self.take(')')?;
        Ok(Node::If(compare, Box::new([left, right, then, otherwise])))
    }
}
