//! Splits names into words.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
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
    words.into_iter().flat_map(split_compound).collect()
}

fn split_compound(word: Word) -> Vec<Word> {
    let text = word.text.as_str();
    if !text.is_ascii() {
        return vec![word];
    }
    let split = (1..text.len()).find(|&at| is_compound(&text[..at], &text[at..]));
    let Some(at) = split else { return vec![word] };
    let middle = word.range.start + at;
    let first = Word { text: text[..at].to_owned(), range: word.range.start..middle };
    let second = Word { text: text[at..].to_owned(), range: middle..word.range.end };
    std::iter::once(first).chain(split_compound(second)).collect()
}

fn is_compound(first: &str, second: &str) -> bool {
    const QUANTITIES: [&str; 25] = [
        "pos",
        "position",
        "loc",
        "location",
        "translation",
        "trans",
        "rot",
        "rotation",
        "orientation",
        "ori",
        "quat",
        "quaternion",
        "rvec",
        "tvec",
        "rotvec",
        "euler",
        "scale",
        "direction",
        "dir",
        "direct",
        "forward",
        "origin",
        "point",
        "hit",
        "angle",
    ];
    const QUANTITY_LETTERS: [&str; 7] = ["t", "p", "q", "r", "s", "d", "n"];
    const AXES: [&str; 4] = ["x", "y", "z", "w"];
    const SIDES: [&str; 4] = ["l", "r", "left", "right"];
    const SIDED_WORDS: [&str; 12] = [
        "hand",
        "wrist",
        "palm",
        "eye",
        "controller",
        "thumb",
        "index",
        "middle",
        "ring",
        "pinky",
        "little",
        "gaze",
    ];
    const FINGERS: [&str; 6] = ["thumb", "index", "middle", "ring", "pinky", "little"];
    const PARTS: [&str; 16] = [
        "tip",
        "proximal",
        "intermediate",
        "distal",
        "metacarpal",
        "knuckle",
        "middle",
        "mcp",
        "pip",
        "dip",
        "cmc",
        "ip",
        "joint",
        "finger",
        "distaljoint",
        "middlejoint",
    ];
    let is_quantity = |word: &str| QUANTITIES.contains(&word);
    let is_axis = |word: &str| AXES.contains(&word);
    (is_axis(second) && (is_quantity(first) || QUANTITY_LETTERS.contains(&first)))
        || (is_axis(first) && is_quantity(second))
        || (SIDES.contains(&first) && SIDED_WORDS.contains(&second))
        || (FINGERS.contains(&first) && PARTS.contains(&second))
        || (first == "eye" && second == "gaze")
        || (first == "has" && second == "value")
        || (first == "time" && second == "stamp")
        || (matches!(first, "unix" | "utc") && matches!(second, "time"))
        || (matches!(first, "gaze" | "head" | "hand") && is_quantity(second))
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
        ];
        for (name, expected) in cases {
            let found: Vec<_> = split_words(name).into_iter().map(|word| word.text).collect();
            assert_eq!(found.join(" "), expected, "{name}");
        }
    }
}
