//! Searching for names by parts of words.

/// From this length on, a part may also stand within a word.
const LONG: usize = 3;

/// Whether `name` has every part of `query` in it, in any order and case: `le ind tip` finds
/// `left/IndexTip`. Short parts must begin a word. An empty query finds everything.
pub(super) fn matches(query: &str, name: &str) -> bool {
    let words = word_starts(name);
    let name = name.to_lowercase();
    query.to_lowercase().split_whitespace().all(|part| {
        let begins_a_word = words.iter().any(|&start| name[start..].starts_with(part));
        begins_a_word || (part.chars().count() >= LONG && name.contains(part))
    })
}

/// Where words begin in `name` in lower case: after what is no letter or digit, and at capitals.
fn word_starts(name: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    let mut before = ' ';
    for letter in name.chars() {
        let is_start = !before.is_alphanumeric()
            || (letter.is_uppercase() && !before.is_uppercase())
            || (letter.is_numeric() && !before.is_numeric());
        if is_start {
            starts.push(at);
        }
        // Lower case may be longer than upper case.
        at += letter.to_lowercase().map(char::len_utf8).sum::<usize>();
        before = letter;
    }
    starts
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
            ("le ind", "right/IndexKnuckle", false),
            ("uckl", "right/IndexKnuckle", true),
            ("s 12", "Spine12", true),
            ("é", "x/Édith", true),
            ("le thumb", "left/IndexTip", false),
            ("wristx", "left/Wrist", false),
        ];
        for (query, name, found) in cases {
            assert_eq!(matches(query, name), found, "{query:?} in {name:?}");
        }
    }
}
