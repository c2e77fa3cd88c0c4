//! Splits names into words.

use std::ops::Range;

use super::vocabulary::VOCABULARY;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

impl Word {
    /// Returns `true` if no separator is between the words.
    pub(super) fn touches(&self, next: &Self) -> bool {
        self.range.end == next.range.start
    }
}

/// Splits a name at all characters except letters and digits, at changes from lower to upper case,
/// and between letters and digits.
pub(super) fn split_words(name: &str) -> Vec<Word> {
    let characters: Vec<(usize, char)> = name.char_indices().collect();
    let mut words: Vec<Word> = Vec::new();
    let mut start: Option<usize> = None;
    let mut end_word = |from: usize, to: usize| {
        let (from, to) = (characters[from].0, characters.get(to).map_or(name.len(), |next| next.0));
        words.push(Word { text: name[from..to].to_lowercase(), range: from..to });
    };
    for index in 0..characters.len() {
        let character = characters[index].1;
        if !character.is_alphanumeric() {
            if let Some(from) = start.take() {
                end_word(from, index);
            }
            continue;
        }
        let next = characters.get(index + 1).map(|next| next.1);
        let breaks =
            index.checked_sub(1).map(|before| characters[before].1).is_some_and(|before| {
                let is_change = before.is_lowercase() && character.is_uppercase();
                // Begin a new word at the last capital of a run: `HMDPosition` is `HMD` and
                // `Position`.
                let is_last_of_capitals = before.is_uppercase()
                    && character.is_uppercase()
                    && next.is_some_and(char::is_lowercase);
                before.is_alphanumeric()
                    && (is_change
                        || is_last_of_capitals
                        || before.is_numeric() != character.is_numeric())
            });
        match start {
            None => start = Some(index),
            Some(from) if breaks => {
                end_word(from, index);
                start = Some(index);
            }
            Some(_) => {}
        }
    }
    if let Some(from) = start {
        end_word(from, characters.len());
    }
    join_dimensions(words).into_iter().flat_map(split_compound).collect()
}

/// Joins `2` or `3` with a `d` that follows directly.
fn join_dimensions(words: Vec<Word>) -> Vec<Word> {
    let mut joined: Vec<Word> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last)
                if word.text == "d" && matches!(&*last.text, "2" | "3") && last.touches(&word) =>
            {
                last.text.push('d');
                last.range.end = word.range.end;
            }
            _ => joined.push(word),
        }
    }
    joined
}

fn split_compound(word: Word) -> Vec<Word> {
    let text = word.text.as_str();
    if !text.is_ascii() {
        return vec![word];
    }
    let split = (1..text.len()).find(|&at| VOCABULARY.is_compound(&text[..at], &text[at..]));
    let Some(at) = split else { return vec![word] };
    let middle = word.range.start + at;
    let first = Word { text: text[..at].to_owned(), range: word.range.start..middle };
    let second = Word { text: text[at..].to_owned(), range: middle..word.range.end };
    std::iter::once(first).chain(split_compound(second)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_names_into_words() {
        let cases = [
            ("LeftHand_IndexTip_x", "left hand index tip x"),
            ("RIGHT_XR_HAND_JOINT_PALM_EXT_posX", "right xr hand joint palm ext pos x"),
            ("R_Index_Tip.position.x", "r index tip position x"),
            ("lhand_qx", "l hand q x"),
            ("tx_left_wrist_device", "t x left wrist device"),
            ("GameObject_Cup_xPos", "game object cup x pos"),
            ("HMDPosition", "hmd position"),
            ("Index1", "index 1"),
            ("gaze_origin_L.x", "gaze origin l x"),
            ("Héad_x", "héad x"),
            ("lwrist_px", "l wrist p x"),
            ("eyeDataTimestamp", "eye data time stamp"),
            ("p_RS_R_x", "p rs r x"),
            ("gaze_point_3d_x", "gaze point 3d x"),
            ("Joint3D X", "joint 3d x"),
        ];
        for (name, expected) in cases {
            let found: Vec<_> = split_words(name).into_iter().map(|word| word.text).collect();
            assert_eq!(found.join(" "), expected, "{name}");
        }
    }
}
