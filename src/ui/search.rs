//! Searching for names by parts of words.

/// Whether `name` has every word of `query` in it, in any order and case: `le ind tip` finds
/// `left/IndexTip`. An empty query finds everything.
pub(super) fn matches(query: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    query.to_lowercase().split_whitespace().all(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_words_find_a_name() {
        let cases = [
            ("", "camera", true),
            ("  ", "camera", true),
            ("le ind tip", "left/IndexTip", true),
            ("tip le", "left/IndexTip", true),
            ("RIGHT", "right/Wrist", true),
            ("le thumb", "left/IndexTip", false),
            ("wristx", "left/Wrist", false),
        ];
        for (query, name, found) in cases {
            assert_eq!(matches(query, name), found, "{query:?} in {name:?}");
        }
    }
}
