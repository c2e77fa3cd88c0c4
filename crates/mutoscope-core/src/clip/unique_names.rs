//! Names that may repeat in a file, made unique.

use std::collections::HashMap;

/// Gives each name once: one that repeats gets a number, from 2 on.
#[derive(Clone, Debug, Default)]
pub struct UniqueNames {
    /// For each name that was given, the number to try next: of many equal names, none tries all numbers again.
    next: HashMap<String, usize>,
}

impl UniqueNames {
    /// `own`, with a number behind it if it was given before.
    pub fn take(&mut self, own: String) -> String {
        let mut name = own.clone();
        while self.next.contains_key(&name) {
            let number = self.next.entry(own.clone()).or_insert(2);
            name = format!("{own} ({number})");
            *number += 1;
        }
        self.next.insert(name.clone(), 2);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_repeat_get_free_numbers() {
        let mut names = UniqueNames::default();
        let given = ["a", "a (2)", "a", "a", "b"].map(|own| names.take(own.to_owned()));
        assert_eq!(given, ["a", "a (2)", "a (3)", "a (4)", "b"]);
    }

    #[test]
    fn many_equal_names_take_no_longer_each() {
        let mut names = UniqueNames::default();
        let last = (0..200_000).map(|_| names.take(String::new())).last();
        assert_eq!(last.as_deref(), Some(" (200000)"));
    }
}
