//! The words of column names, from `vocabulary.toml`.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use serde::Deserialize;

use super::{column::Quantity, words::Word};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vocabulary {
    quantities: Quantities,
    letters: Letters,
    pub(super) other: Other,
    pub(super) noise: List,
    pub(super) frames: Frames,
    pub(super) flags: Flags,
    pub(super) angles: Angles,
    pub(super) nodes: Nodes,
    pub(super) body: Body,
    pub(super) long: Long,
    pub(super) time: Time,
    pub(super) compounds: Compounds,
    pub(super) units: Units,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Other {
    words: List,
    parts: Vec<String>,
    pub(super) letters: List,
}

impl Other {
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.has(word) || self.parts.iter().any(|part| word.contains(part))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Units {
    /// Units that a name may state without brackets.
    pub(super) words: List,
    /// Metres per unit.
    pub(super) length: HashMap<String, f64>,
    /// Degrees per unit.
    pub(super) degrees: HashMap<String, f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quantities {
    position: List,
    rotation: List,
    quaternion: List,
    euler: List,
    rotation_vector: List,
    scale: List,
    direction: List,
    origin: List,
    hit: List,
    vector: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Letters {
    position: List,
    quaternion: List,
    scale: List,
    direction: List,
    euler: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Frames {
    pub(super) any: List,
    pub(super) known: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Flags {
    pub(super) tracked: List,
    pub(super) confidence: List,
    pub(super) radius: List,
    pub(super) state: List,
    pub(super) unclear: List,
    pub(super) beside: List,
    pub(super) yes: List,
    pub(super) no: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Angles {
    pub(super) yaw: List,
    pub(super) pitch: List,
    pub(super) roll: List,
    pub(super) of_gaze: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nodes {
    pub(super) left: List,
    pub(super) right: List,
    pub(super) head: List,
    pub(super) beside_head: List,
    pub(super) gaze: List,
    pub(super) beside_gaze: List,
    pub(super) point: List,
    pub(super) beside_joint: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    pub(super) upper: List,
    pub(super) lower: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Long {
    pub(super) node: List,
    pub(super) suffixes: List,
    pub(super) side: List,
    pub(super) side_suffixes: List,
    pub(super) group: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Time {
    pub(super) words: List,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Compounds {
    letters: List,
    axis_after: List,
    sided: List,
    fingers: List,
    parts: List,
    before_quantity: List,
    others: List,
}

/// Words, and phrases of several words.
#[derive(Debug, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct List {
    words: HashSet<String>,
    phrases: Vec<Vec<String>>,
}

impl From<Vec<String>> for List {
    fn from(entries: Vec<String>) -> Self {
        let (phrases, words): (Vec<String>, Vec<String>) =
            entries.into_iter().partition(|entry| entry.contains(' '));
        let split = |phrase: String| phrase.split(' ').map(ToOwned::to_owned).collect();
        Self {
            words: words.into_iter().collect(),
            phrases: phrases.into_iter().map(split).collect(),
        }
    }
}

impl List {
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    fn has_pair(&self, first: &str, second: &str) -> bool {
        self.phrases.iter().any(|phrase| phrase[..] == [first, second])
    }

    /// Returns how many words from `start` on form an entry. The longest entry applies.
    fn match_length(&self, words: &[Word], start: usize) -> Option<usize> {
        let is_match = |phrase: &&Vec<String>| {
            phrase.len() <= words.len() - start
                && phrase.iter().zip(&words[start..]).all(|(part, word)| *part == word.text)
        };
        let longest = self.phrases.iter().filter(is_match).map(Vec::len).max();
        longest.or_else(|| words.get(start).filter(|word| self.has(&word.text)).map(|_| 1))
    }

    /// Returns the first and the last word of the last match.
    pub(super) fn find_last(&self, words: &[Word]) -> Option<[usize; 2]> {
        (0..words.len()).rev().find_map(|start| {
            let length = self.match_length(words, start)?;
            Some([start, start + length - 1])
        })
    }
}

pub(super) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    toml::from_str(include_str!("vocabulary.toml")).unwrap_or_else(|error| panic!("{error}"))
});

impl Vocabulary {
    fn quantity_lists(&self) -> [(Quantity, &List); 10] {
        [
            (Quantity::Position, &self.quantities.position),
            (Quantity::Rotation, &self.quantities.rotation),
            (Quantity::Quaternion, &self.quantities.quaternion),
            (Quantity::Euler, &self.quantities.euler),
            (Quantity::RotationVector, &self.quantities.rotation_vector),
            (Quantity::Scale, &self.quantities.scale),
            (Quantity::Direction, &self.quantities.direction),
            (Quantity::Origin, &self.quantities.origin),
            (Quantity::Hit, &self.quantities.hit),
            (Quantity::Vector, &self.quantities.vector),
        ]
    }

    /// Returns the quantity that the words from `start` on name, with the number of words.
    pub(super) fn quantity_at(&self, words: &[Word], start: usize) -> Option<(Quantity, usize)> {
        let found = self
            .quantity_lists()
            .into_iter()
            .filter_map(|(quantity, list)| Some((quantity, list.match_length(words, start)?)));
        found.max_by_key(|(_, length)| *length)
    }

    pub(super) fn quantity_of_letter(&self, letter: &str, is_fused: bool) -> Option<Quantity> {
        let lists = [
            (Quantity::Position, &self.letters.position),
            (Quantity::Quaternion, &self.letters.quaternion),
            (Quantity::Scale, &self.letters.scale),
            (Quantity::Direction, &self.letters.direction),
        ];
        let found = lists.into_iter().find(|(_, list)| list.has(letter));
        let found = found.map(|(quantity, _)| quantity);
        found.or_else(|| (is_fused && self.letters.euler.has(letter)).then_some(Quantity::Euler))
    }

    fn is_quantity(&self, word: &str) -> bool {
        self.quantity_lists()
            .iter()
            .any(|(quantity, list)| *quantity != Quantity::Vector && list.has(word))
    }

    /// Returns `true` if a word that joins `first` and `second` means both, as `lhand` and `posx` do.
    pub(super) fn is_compound(&self, first: &str, second: &str) -> bool {
        let compounds = &self.compounds;
        let is_axis = |word: &str| matches!(word, "x" | "y" | "z" | "w");
        let is_letter = |word: &str| {
            self.quantity_of_letter(word, true).is_some() || compounds.letters.has(word)
        };
        let has_axis_after = |word: &str| {
            is_letter(word) || self.is_quantity(word) || compounds.axis_after.has(word)
        };
        let is_side = |word: &str| self.nodes.left.has(word) || self.nodes.right.has(word);
        (is_axis(second) && has_axis_after(first))
            || (is_axis(first) && self.is_quantity(second))
            || (is_side(first) && compounds.sided.has(second))
            || (compounds.fingers.has(first) && compounds.parts.has(second))
            || (compounds.before_quantity.has(first) && self.is_quantity(second))
            || compounds.others.has_pair(first, second)
    }
}
