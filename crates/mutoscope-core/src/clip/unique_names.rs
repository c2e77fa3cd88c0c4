//! Unique names for items whose names repeat in a file.

use std::collections::HashMap;

/// Makes names unique by appending a number, from 2 on, to names that repeat.
#[derive(Clone, Debug, Default)]
pub struct UniqueNames {
    /// The number to append next, for each name. It is stored because trying all numbers for each
    /// of many equal names would take quadratic time.
    next_number: HashMap<String, usize>,
}

impl UniqueNames {
    /// Returns `base` if it was not returned before. Otherwise appends the first free number.
    pub fn make_unique(&mut self, base: String) -> String {
        let mut name = base.clone();
        while self.next_number.contains_key(&name) {
            let number = self.next_number.entry(base.clone()).or_insert(2);
            name = format!("{base} ({number})");
            *number += 1;
        }
        self.next_number.insert(name.clone(), 2);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_get_unused_numbers() {
        let mut names = UniqueNames::default();
        let given = ["a", "a (2)", "a", "a", "b"].map(|base| names.make_unique(base.to_owned()));
        assert_eq!(given, ["a", "a (2)", "a (3)", "a (4)", "b"]);
    }

    #[test]
    fn many_equal_names_take_linear_time() {
        let mut names = UniqueNames::default();
        let last = (0..200_000).map(|_| names.make_unique(String::new())).last();
        assert_eq!(last.as_deref(), Some(" (200000)"));
    }
}
