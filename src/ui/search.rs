//! Finds names from some of their letters.

mod choice;
mod results;

use std::{borrow::Cow, cell::RefCell, cmp::Reverse};

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};

pub(super) use self::{
    choice::{RowChoice, RowKeys, read_row_keys, step_choice},
    results::{SearchResult, find_moments_and_animations, node_results},
};

thread_local! {
    /// The matcher owns large buffers, so all searches of a thread share one.
    static MATCHER: RefCell<Matcher> = RefCell::new(Matcher::new(Config::DEFAULT));
}

/// The minimum mean score per letter of a fuzzy match. nucleo scores a single letter with 16. It
/// adds a bonus at the start of a word or after another matched letter, and subtracts a penalty
/// after a gap. So a mean below 17 means that the letters are scattered over the name and match by
/// chance.
const MIN_SCORE_PER_LETTER: usize = 17;

pub(super) struct Search {
    words: Pattern,
    fuzzy: Pattern,
    letter_count: usize,
}

/// The rank of a match. Better matches are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    in_name: bool,
    score: u32,
    brevity: Reverse<usize>,
}

impl Search {
    pub(super) fn new(query: &str) -> Self {
        let pattern = |kind| Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, kind);
        let letter_count = query.chars().filter(|letter| !letter.is_whitespace()).count();
        Self { words: pattern(AtomKind::Substring), fuzzy: pattern(AtomKind::Fuzzy), letter_count }
    }

    /// Returns `true` if `text` contains every word: `le ind tip` matches `left/IndexTip`. An empty
    /// search matches every text.
    pub(super) fn matches(&self, text: &str) -> bool {
        score(&self.words, text).is_some()
    }

    /// Ranks a fuzzy match in `name` before a match of all words in `more`. Returns `None` if
    /// neither matches.
    pub(super) fn rank(&self, name: &str, more: &str) -> Option<Rank> {
        let brevity = Reverse(name.chars().count());
        let in_name = score(&self.fuzzy, name)
            .filter(|&score| score as usize >= MIN_SCORE_PER_LETTER * self.letter_count);
        match in_name {
            Some(score) => Some(Rank { in_name: true, score, brevity }),
            None => score(&self.words, more).map(|score| Rank { in_name: false, score, brevity }),
        }
    }
}

fn score(pattern: &Pattern, text: &str) -> Option<u32> {
    // nucleo 0.3.1 does not find a substring at the end of a text that is not ASCII. A space after
    // the text avoids this (helix-editor/nucleo, pull request 104).
    let text = &*if text.is_ascii() { Cow::from(text) } else { format!("{text} ").into() };
    MATCHER.with_borrow_mut(|matcher| pattern.score(Utf32Str::new(text, &mut Vec::new()), matcher))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ACTIONS;

    #[test]
    fn filter_requires_every_word() {
        let cases = [
            ("", "camera", true),
            ("  ", "camera", true),
            ("le ind tip", "left/IndexTip", true),
            ("tip le", "left/IndexTip", true),
            ("RIGHT", "right/Wrist", true),
            ("uckl", "right/IndexKnuckle", true),
            ("s 12", "Spine12", true),
            ("é", "x/Édith", true),
            ("zombie", "entity/1 · zombie", true),
            ("A zombie", "spieler: A zombie! für", true),
            ("le thumb", "left/IndexTip", false),
            ("wristx", "left/Wrist", false),
            ("^$!'", "left/Wrist", false),
        ];
        for (query, name, found) in cases {
            assert_eq!(Search::new(query).matches(name), found, "{query:?} in {name:?}");
        }
    }

    fn found_actions(query: &str) -> Vec<&'static str> {
        let search = Search::new(query);
        let ranked = ACTIONS.iter().filter_map(|action| {
            let words = [action.section.name(), action.name, action.help];
            let more = format!("{} {}", words.join(" "), action.synonyms);
            Some((Reverse(search.rank(action.name, &more)?), action.name))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn name_matches_rank_before_mentions() {
        let cases = [
            ("screen", "Full screen"),
            ("fra sel", "Frame selected"),
            ("fs", "Full screen"),
            ("att skel", "Attach skeleton…"),
            ("exp", "Export…"),
            ("loop", "Cycle loop mode"),
            ("onion", "Ghosts"),
            ("cmp", "Compare with…"),
            ("screenshot", "Save screenshot"),
            ("graph editor", "Curves"),
            ("motion path", "Motion trails"),
            ("fps", "Time in frames"),
            ("first person", "Head camera"),
            ("render", "Export…"),
            ("bind pose", "Rest pose"),
            ("diff", "Compare with…"),
        ];
        for (query, best) in cases {
            assert_eq!(
                found_actions(query).first(),
                Some(&best),
                "{query}: {:?}",
                found_actions(query)
            );
        }
        assert_eq!(found_actions("zzz"), [""; 0]);
    }

    #[test]
    fn scattered_letters_do_not_match() {
        let search = Search::new("chest");
        assert!(search.rank("chest", "").is_some() && search.rank("CheSt_01", "").is_some());
        assert_eq!(search.rank("Copy the view: each as a command line, selected time", ""), None);
    }
}
