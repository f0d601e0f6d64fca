//! Scripts and targets that a project defines: `npm run lint`, `make test build`, `mise run test:ci`. Their names say what they do.

use super::super::class::{Class, Known};
use super::super::combine::{Part, Why};
use super::super::commands::Found;
use super::{Context, Shell};

/// A verb stands among this many words behind the program.
const VERB_WORDS: usize = 4;

impl Shell<'_, '_> {
    /// Adds a part for each name. False where there is none.
    pub(super) fn named(&mut self, found: &Found<'_, '_>, context: Context<'_>) -> bool {
        let Some(names) = found.at(found.rule.script()) else { return false };
        let mut any = false;
        for name in names.split(' ').filter(|name| !name.is_empty() && !name.starts_with('-') && !super::is_assignment(name)) {
            let part = self.script_part(name, found, context);
            self.parts.push(part);
            any = true;
        }
        any
    }

    /// Adds a part for a command whose sub-commands are verbs: `aws ec2 describe-instances`, `gcloud compute instances list`.
    pub(super) fn verb(&mut self, found: &Found<'_, '_>, context: Context<'_>) -> bool {
        let words = found.operands.iter().take(VERB_WORDS).copied().collect::<Vec<_>>().join(" ");
        let Some(rule) = self.catalogue.verbs.of_name(&words) else { return false };
        let target = found.at(found.rule.target());
        let part = self.part(rule, &found.name, Some(&words), target, found, context);
        self.parts.push(Part { known: Known::Inferred, ..part });
        true
    }

    fn script_part(&self, name: &str, found: &Found<'_, '_>, context: Context<'_>) -> Part {
        let lower = name.to_lowercase();
        let scripts = &self.catalogue.scripts;
        // `build-and-deploy` does both: of several words the strongest counts.
        let by_word =
            || lower.split(|c: char| !c.is_alphanumeric()).filter_map(|word| scripts.get(word)).max_by_key(|rule| rule.class());
        match scripts.get(&lower).or_else(by_word) {
            Some(rule) => Part { known: Known::Listed, ..self.part(rule, &found.name, Some(name), None, found, context) },
            None => {
                let part = self.part(found.rule, &found.name, Some(name), None, found, context);
                let why = Why::Said(format!("{} {name}: a script of the project's own, so execute by inference", found.name));
                Part { class: Class::Execute, idempotency: Class::Execute.usual_idempotency(), known: Known::Inferred, why, ..part }
            }
        }
    }
}
