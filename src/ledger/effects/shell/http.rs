//! HTTP clients: the method decides, and whether the host is this machine.

use std::sync::Arc;

use super::super::class::{Class, Idempotency};
use super::super::combine::{Part, Why, short};
use super::super::commands::Found;
use super::super::rule::Rule;
use super::{Context, Shell};

/// Options by which `curl` asks for nothing but a look.
const LOOKS: &[&str] = &["-G", "--get", "-I", "--head"];

impl Shell<'_, '_> {
    pub(super) fn http(&self, found: &Found<'_, '_>, context: Context<'_>) -> Part {
        let rule = found.rule;
        let is_method = |word: &&&str| !word.is_empty() && word.len() <= 7 && word.chars().all(|c| c.is_ascii_uppercase());
        let leading = found.operands.first().filter(is_method).copied();
        let url = found.values_of("--url").next().or_else(|| found.operands.get(usize::from(leading.is_some())).copied());
        let url = url.unwrap_or_default();
        let sent = || rule.body().iter().flat_map(|option| found.values_of(option));
        // HTTPie sends what stands behind the address as `name=value`.
        let fields = found.operands.iter().skip(1).filter(|word| **word != url && word.contains('=') && !word.contains("=="));
        let has_body = sent().next().is_some() || fields.count() > 0;
        let given = rule.method().iter().find_map(|option| found.values_of(option).next()).or(leading);
        let address = url.split(['?', '#']).next().unwrap_or_default();
        // A query looks, however it is sent.
        let is_sent = given.map_or(has_body, |given| given.eq_ignore_ascii_case("POST"));
        let asks = (url.contains("graphql") && has_body && !sent().any(|text| text.contains("mutation")))
            || (is_sent && self.only_asks(address));
        let method = match given {
            _ if asks => "GET".to_owned(),
            Some(method) => method.to_uppercase(),
            None if LOOKS.iter().any(|option| found.has(option)) || !has_body => "GET".to_owned(),
            None => "POST".to_owned(),
        };
        let target = Some(address.to_owned()).filter(|address| !address.is_empty());
        let name = if method == "GET" { found.name.clone() } else { format!("{} {method}", found.name) };
        let by_method = self.catalogue.methods.get(&method.to_lowercase());
        let rule = by_method.filter(|by| by.class() > Class::Read).unwrap_or(rule);
        let mutation =
            sent().filter(|_| url.contains("graphql")).find_map(|text| text.split_once("mutation")).map(|(_, body)| body);
        let again = mutation.and_then(|body| self.again(body));
        let mut part = self.part(rule, &name, target.as_deref(), target.clone(), found, context);
        if let Some(again) = again {
            part.idempotency = again;
            let place = Arc::from("what the verbs of its fields say");
            part.why = Why::rule(&format!("{name} {address}"), part.class, again, part.known, &place);
        }
        if part.class == Class::External && self.is_here(address) {
            // Not known to leave this machine, and so neither to do harm.
            part.class = Class::Execute;
            part.idempotency = part.idempotency.min(Idempotency::Unknown);
            part.why =
                Why::rule(&format!("{name} {address} on this machine"), part.class, part.idempotency, part.known, &rule.place);
        }
        // What a download only shows is a look (`wget -qO-`).
        let is_shown = found.rule.writes().iter().any(|option| found.values_of(option).any(|path| path == "-"));
        if part.class == Class::Write && is_shown {
            part.class = Class::Read;
        }
        part.target = target.map(|target| short(&target).to_owned());
        part
    }

    /// Whether the mutation of GraphQL with this body may be done again: the most harmful of its fields says, each by its verb. None
    /// where nobody knows one of them.
    fn again(&self, body: &str) -> Option<Idempotency> {
        let (mut depth, mut inside) = (0usize, 0usize);
        let mut fields: Vec<&str> = Vec::new();
        for (at, c) in body.char_indices() {
            match c {
                '(' => {
                    let name = body.get(..at).unwrap_or_default().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
                    fields.extend(name.filter(|name| depth == 1 && inside == 0 && !name.is_empty()));
                    inside += 1;
                }
                ')' => inside = inside.saturating_sub(1),
                '{' if inside == 0 => depth += 1,
                '}' if inside == 0 => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        let known = fields.iter().map(|field| self.catalogue.verbs.of_name(field).map(Rule::idempotency));
        let known: Option<Vec<Idempotency>> = known.collect();
        known?.into_iter().max()
    }

    /// Whether what is sent to an address is a question.
    fn only_asks(&self, address: &str) -> bool {
        let address = address.trim_end_matches('/');
        self.catalogue.shell.queries.iter().any(|end| address.ends_with(end))
    }

    /// Whether an address is on this machine.
    fn is_here(&self, address: &str) -> bool {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let host = rest.split('/').next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let name = if host.starts_with('[') { host.split(']').next() } else { host.split(':').next() };
        let name = name.unwrap_or_default().trim_start_matches('[');
        self.catalogue.shell.here.iter().any(|here| match here.strip_prefix('*') {
            Some(ending) => name.ends_with(ending),
            None => name == here,
        })
    }
}
