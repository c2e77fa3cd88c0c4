//! The words in the name of a node.

/// Splits a node name into words and numbers, in lower case and without the namespace.
///
/// A word ends before a capital letter that follows a small letter, between letters and digits, and
/// at any other character. `mixamorig:LeftUpLeg1` becomes `left`, `up`, `leg`, `1`.
pub fn split_node_name(name: &str) -> Vec<String> {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    for letter in name.chars() {
        let continues_word = match letter {
            _ if letter.is_uppercase() => previous.is_uppercase(),
            _ if letter.is_alphabetic() => previous.is_alphabetic(),
            _ => letter.is_numeric() && previous.is_numeric(),
        };
        if letter.is_alphanumeric() {
            if !continues_word {
                words.push(String::new());
            }
            words.last_mut().expect("a word was begun").extend(letter.to_lowercase());
        }
        previous = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_capitals_and_punctuation() {
        assert_eq!(split_node_name("mixamorig:HeadTop_End"), ["head", "top", "end"]);
        assert_eq!(split_node_name("Character1_LeftFoot"), ["character", "1", "left", "foot"]);
        assert_eq!(split_node_name("Bip01 L Foot"), ["bip", "01", "l", "foot"]);
        assert_eq!(split_node_name("lfoot"), ["lfoot"]);
        assert_eq!(split_node_name("foot.L"), ["foot", "l"]);
        assert!(split_node_name("").is_empty());
    }
}
