//! The words of a node's name.

/// The words and numbers of a name in lower case, without its namespace: `mixamorig:LeftUpLeg1` is `left`, `up`, `leg`,
/// `1`. A word ends before a capital that follows a small letter, and at every sign that is no letter.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        let goes_on = match letter {
            _ if letter.is_uppercase() => before.is_uppercase(),
            _ if letter.is_alphabetic() => before.is_alphabetic(),
            _ => letter.is_numeric() && before.is_numeric(),
        };
        if letter.is_alphanumeric() {
            if !goes_on {
                words.push(String::new());
            }
            words.last_mut().expect("one was begun").extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_capitals_and_signs() {
        assert_eq!(name_words("mixamorig:HeadTop_End"), ["head", "top", "end"]);
        assert_eq!(name_words("Character1_LeftFoot"), ["character", "1", "left", "foot"]);
        assert_eq!(name_words("Bip01 L Foot"), ["bip", "01", "l", "foot"]);
        assert_eq!(name_words("lfoot"), ["lfoot"]);
        assert_eq!(name_words("foot.L"), ["foot", "l"]);
        assert!(name_words("").is_empty());
    }
}
