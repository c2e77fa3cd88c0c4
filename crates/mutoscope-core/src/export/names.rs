//! Makes names valid and unique for a target.

use std::collections::HashMap;

use super::Report;
use crate::diagnostics::format_count;

/// Cleans each of `names` with `clean`, and appends a number to repeated names: `toe`, `toe.001`.
/// Importers number names in the same way, so bone matching understands them. Reports the changed
/// names.
pub fn clean_and_deduplicate<'a>(
    names: impl Iterator<Item = &'a str>,
    separator: char,
    clean: impl Fn(&str) -> String,
    report: &mut Report,
) -> Vec<String> {
    let mut used = UsedNames::default();
    let mut changed: Vec<(String, String)> = Vec::new();
    let unique = names
        .map(|name| {
            let unique = used.claim(clean(name), separator);
            if unique != name {
                changed.push((name.to_owned(), unique.clone()));
            }
            unique
        })
        .collect();
    if let Some((name, unique)) = changed.first() {
        let names = format_count(changed.len(), "name");
        report.info(format!("{names} changed to be unique and legible: {name:?} is {unique:?}"));
    }
    unique
}

/// Appends a number to repeated names, for the columns of tables.
pub fn deduplicate<'a>(names: impl Iterator<Item = &'a str>, separator: char) -> Vec<String> {
    let mut used = UsedNames::default();
    names.map(|name| used.claim(name.to_owned(), separator)).collect()
}

/// The names in use. The value of a name is the number to try next if the name is repeated.
#[derive(Debug, Default)]
pub struct UsedNames(HashMap<String, usize>);

impl UsedNames {
    /// Returns `name` if it is free, or else `name` with the first free number: `toe`, `toe.001`.
    /// The returned name is then in use.
    pub fn claim(&mut self, name: String, separator: char) -> String {
        let Some(next) = self.0.get(&name).copied() else {
            self.0.insert(name.clone(), 1);
            return name;
        };
        let numbers = next..;
        let mut numbered = numbers.map(|number| (number, format!("{name}{separator}{number:03}")));
        let free = numbered.find(|(_, numbered)| !self.0.contains_key(numbered));
        let (number, numbered) = free.expect("numbers do not end");
        self.0.insert(name, number + 1);
        self.0.insert(numbered.clone(), 1);
        numbered
    }
}

#[derive(Debug)]
pub(super) struct NamesByOwner {
    reserved: &'static [&'static str],
    separator: char,
    used: HashMap<String, UsedNames>,
    changed_count: usize,
    first_change: Option<[String; 2]>,
}

impl NamesByOwner {
    pub(super) fn new(reserved: &'static [&'static str], separator: char) -> Self {
        Self { reserved, separator, used: HashMap::new(), changed_count: 0, first_change: None }
    }

    pub(super) fn claim(&mut self, owner: &str, name: &str) -> String {
        let reserved = self.reserved;
        let used = self.used.entry(owner.to_owned()).or_insert_with(|| {
            let mut used = UsedNames::default();
            reserved.iter().for_each(|name| drop(used.claim((*name).to_owned(), '.')));
            used
        });
        let unique = used.claim(name.to_owned(), self.separator);
        if unique != name {
            self.changed_count += 1;
            self.first_change
                .get_or_insert_with(|| [name, &unique].map(|name| format!("{owner}.{name}")));
        }
        unique
    }

    pub(super) fn report(&self, report: &mut Report) {
        if let Some([name, unique]) = &self.first_change {
            let names = format_count(self.changed_count, "signal");
            report.info(format!("{names} renamed to be unique: {name:?} is {unique:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_and_made_unique() {
        let mut report = Report::default();
        let clean = |name: &str| name.replace(' ', "_");
        let unique = clean_and_deduplicate(
            ["a b", "a_b", "c", "c", "c.001"].into_iter(),
            '.',
            clean,
            &mut report,
        );
        assert_eq!(unique, ["a_b", "a_b.001", "c", "c.001", "c.001.001"]);
        assert_eq!(report.remarks().len(), 1);
        assert!(report.remarks()[0].message.starts_with("4 names changed"));
    }
}
