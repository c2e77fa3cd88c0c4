//! Names that a target can have.

use std::collections::HashMap;

use super::{Report, report::counted};

/// `names`, each changed by `clean` and distinguished from those before it by a number, as
/// importers do and `rig` understands: `toe`, `toe.001`. Reports which were changed.
pub fn unique<'a>(
    names: impl Iterator<Item = &'a str>,
    separator: char,
    clean: impl Fn(&str) -> String,
    report: &mut Report,
) -> Vec<String> {
    let mut taken = Taken::default();
    let mut changed: Vec<(String, String)> = Vec::new();
    let made = names
        .map(|name| {
            let unique = taken.take(clean(name), separator);
            if unique != name {
                changed.push((name.to_owned(), unique.clone()));
            }
            unique
        })
        .collect();
    if let Some((name, unique)) = changed.first() {
        let names = counted(changed.len(), "name");
        report.info(format!("{names} changed to be unique and legible: {name:?} is {unique:?}"));
    }
    made
}

/// `names`, each distinguished from those before it by a number: for the columns of tables.
pub fn unique_names<'a>(names: impl Iterator<Item = &'a str>, separator: char) -> Vec<String> {
    let mut taken = Taken::default();
    names.map(|name| taken.take(name.to_owned(), separator)).collect()
}

/// Names that are taken, each with the number to try next for another of the same.
#[derive(Debug, Default)]
pub struct Taken(HashMap<String, usize>);

impl Taken {
    /// Takes `name`, or else the name with the first number that is free: `toe`, `toe.001`.
    pub fn take(&mut self, name: String, separator: char) -> String {
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

/// Names of which each owner has one: attributes of nodes, fields of slots.
#[derive(Debug)]
pub(super) struct OfOwners {
    /// Names with a meaning of their own, which no owner may use.
    reserved: &'static [&'static str],
    separator: char,
    taken: HashMap<String, Taken>,
    /// How many were changed, and the first of them as it was and as it is.
    changed: usize,
    first: Option<[String; 2]>,
}

impl OfOwners {
    pub(super) fn new(reserved: &'static [&'static str], separator: char) -> Self {
        Self { reserved, separator, taken: HashMap::new(), changed: 0, first: None }
    }

    /// Takes `name`, or else the name with the first number that is free for this owner.
    pub(super) fn take(&mut self, owner: &str, name: &str) -> String {
        let reserved = self.reserved;
        let taken = self.taken.entry(owner.to_owned()).or_insert_with(|| {
            let mut taken = Taken::default();
            reserved.iter().for_each(|name| drop(taken.take((*name).to_owned(), '.')));
            taken
        });
        let made = taken.take(name.to_owned(), self.separator);
        if made != name {
            self.changed += 1;
            self.first.get_or_insert_with(|| [name, &made].map(|name| format!("{owner}.{name}")));
        }
        made
    }

    /// Reports which were changed.
    pub(super) fn report(&self, report: &mut Report) {
        if let Some([name, unique]) = &self.first {
            let names = counted(self.changed, "signal");
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
        let made = unique(["a b", "a_b", "c", "c", "c.001"].into_iter(), '.', clean, &mut report);
        assert_eq!(made, ["a_b", "a_b.001", "c", "c.001", "c.001.001"]);
        assert_eq!(report.remarks().len(), 1);
        assert!(report.remarks()[0].message.starts_with("4 names changed"));
    }
}
