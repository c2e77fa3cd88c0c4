//! Names that may repeat in a file, made unique.

use std::collections::HashSet;

/// Gives each name once: one that repeats gets a number, from 2 on.
#[derive(Clone, Debug, Default)]
pub struct UniqueNames {
    taken: HashSet<String>,
}

impl UniqueNames {
    /// `own`, with a number behind it if it was given before.
    pub fn take(&mut self, own: String) -> String {
        let mut name = own.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{own} ({number})");
            number += 1;
        }
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
}
