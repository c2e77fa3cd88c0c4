//! Matching nodes of a recording and of a skeleton by name.

use std::collections::HashMap;

/// A node by its name and the index of its parent in the same list.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// Its name.
    pub name: &'a str,
    /// The index of its parent.
    pub parent: Option<usize>,
}

/// For each of the nodes `recorded` the index of its match in `rig`, if there is one; none twice.
///
/// Names are compared as they stand; then in any case; then without namespaces and paths; then by
/// their letters and digits only, because importers replace blanks and points; and last without
/// the numbers that importers append. Of several nodes of one name, the one with matching parents
/// is used, else the first that is left.
pub fn pair(recorded: &[Named], rig: &[Named]) -> Vec<Option<usize>> {
    let mut pairing = Pairing { found: vec![None; recorded.len()], taken: vec![false; rig.len()] };
    let as_it_stands = |name: &str| name.to_owned();
    let in_any_case = |name: &str| name.to_lowercase();
    let steps: [(Key, Several); 5] = [
        (as_it_stands, Several::ByParent),
        (in_any_case, Several::ByParent),
        (bare, Several::ByParent),
        (letters_and_digits, Several::ByParent),
        (without_number, Several::None),
    ];
    for (key, several) in steps {
        pairing.step(recorded, rig, key, several);
    }
    pairing.found
}

/// The names that more than one of `nodes` has, each once, in order.
pub fn repeated<'a>(nodes: &[Named<'a>]) -> Vec<&'a str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let counted = nodes.iter().filter(|node| {
        let count = counts.entry(node.name).or_default();
        *count += 1;
        *count == 2
    });
    counted.map(|node| node.name).collect()
}

/// The part of a name to compare it by.
type Key = fn(&str) -> String;

/// The treatment of a name that several nodes have.
#[derive(Clone, Copy, PartialEq)]
enum Several {
    /// They are distinguished by their parents and their order.
    ByParent,
    /// Nothing: it is too weak a hint.
    None,
}

struct Pairing {
    /// For each recorded node its match.
    found: Vec<Option<usize>>,
    /// For each node of the skeleton whether it is matched.
    taken: Vec<bool>,
}

impl Pairing {
    /// Pairs the remaining nodes by `key`.
    fn step(&mut self, recorded: &[Named], rig: &[Named], key: Key, several: Several) {
        let candidates = by_key(rig, key);
        let claims = by_key(recorded, key);
        // In the order of the recording, in which parents come first.
        for (index, node) in recorded.iter().enumerate() {
            let key = key(node.name);
            let Some(candidates) = candidates.get(&key) else { continue };
            let is_plain = candidates.len() == 1 && claims.get(&key).is_some_and(|c| c.len() == 1);
            if self.found[index].is_some() || (several == Several::None && !is_plain) {
                continue;
            }
            let parent = node.parent.and_then(|parent| self.found[parent]);
            let free = || candidates.iter().copied().filter(|&one| !self.taken[one]);
            let like = free().find(|&one| parent.is_some() && rig[one].parent == parent);
            if let Some(like) = like.or_else(|| free().next()) {
                self.found[index] = Some(like);
                self.taken[like] = true;
            }
        }
    }
}

/// The nodes by key, without those whose key is empty.
fn by_key(nodes: &[Named], key: Key) -> HashMap<String, Vec<usize>> {
    let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        by_key.entry(key(node.name)).or_default().push(index);
    }
    by_key.remove("");
    by_key
}

/// A name without namespaces (`a:b`), paths (`a|b`) and what Resonite's users put there for
/// importers, in lower case.
fn bare(name: &str) -> String {
    let name = name.rsplit([':', '|']).next().unwrap_or(name).to_lowercase();
    let name = name.replace("<noik>", "");
    without_mark(&name).trim().to_owned()
}

/// A name in lower case without the mark that an exporter for Resonite begins slots with:
/// `ra_`, twenty hexadecimal digits and `__`.
fn without_mark(name: &str) -> &str {
    let split = name.strip_prefix("ra_").and_then(|rest| rest.split_once("__"));
    let is_mark = |mark: &str| mark.len() == 20 && mark.bytes().all(|b| b.is_ascii_hexdigit());
    split.filter(|(mark, _)| is_mark(mark)).map_or(name, |(_, name)| name)
}

fn letters_and_digits(name: &str) -> String {
    bare(name).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// A name without the number that an importer appends to tell names apart: `hand.001`, `hand_12`.
fn without_number(name: &str) -> String {
    let name = bare(name);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let separated = stem.strip_suffix(['.', '_', '-', ' ']);
    letters_and_digits(separated.unwrap_or(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes from `name` or `name<parent`, the parent being an index.
    fn nodes(text: &'static str) -> Vec<Named<'static>> {
        let node = |word: &'static str| match word.split_once('<') {
            Some((name, parent)) => Named { name, parent: parent.parse().ok() },
            None => Named { name: word, parent: None },
        };
        text.split_whitespace().map(node).collect()
    }

    #[test]
    fn nodes_are_paired_by_name() {
        let cases: [(&str, &'static str, &'static str, &[Option<usize>]); 11] = [
            ("as they stand", "a b", "b a", &[Some(1), Some(0)]),
            ("in any case, exact ones first", "HIP hip", "hip Hip", &[Some(1), Some(0)]),
            ("namespaces and paths", "ch:rig:Hip |grp|knee", "knee hip", &[Some(1), Some(0)]),
            ("both sides may have them", "a:hip", "b:hip", &[Some(0)]),
            ("points that an importer took", "arm.L arm.R", "armR armL", &[Some(1), Some(0)]),
            (
                "numbers that an importer gave",
                "Hips Spine",
                "Hips_01 Spine_02",
                &[Some(0), Some(1)],
            ),
            (
                "numbers that tell nodes apart",
                "bone bone.001",
                "bone.001 bone.002",
                &[None, Some(0)],
            ),
            (
                "marks of importers and exporters",
                "RA_0123456789abcdef0123__Hip RA_0__Knee",
                "Hip<NoIK> Knee",
                &[Some(0), None],
            ),
            ("numbers without a separator are names", "joint1", "joint2", &[None]),
            (
                "one name, told apart by its parents",
                "l r toe<1 toe<0",
                "l r toe<0 toe<1",
                &[Some(0), Some(1), Some(3), Some(2)],
            ),
            ("none twice", "a a a", "a a", &[Some(0), Some(1), None]),
        ];
        for (case, recorded, rig, expected) in cases {
            assert_eq!(pair(&nodes(recorded), &nodes(rig)), expected, "{case}");
        }
    }

    #[test]
    fn repeated_names_are_listed_once() {
        assert_eq!(repeated(&nodes("a b a c a b")), ["a", "b"]);
    }

    #[test]
    fn nothing_matches_a_node_without_a_name() {
        let nameless = [Named { name: "", parent: None }, Named { name: "...", parent: None }];
        assert_eq!(pair(&nameless, &nameless), [None, Some(1)]);
    }
}
