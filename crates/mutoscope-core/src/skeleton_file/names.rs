//! Matches nodes of a recording with nodes of a skeleton by name.

use std::collections::HashMap;

/// The name of a node, and the index of its parent in the same list.
#[derive(Clone, Copy, Debug)]
pub struct NamedNode<'a> {
    /// The name.
    pub name: &'a str,
    /// The index of the parent.
    pub parent: Option<usize>,
}

/// Returns for each node in `recorded` the index of the matching node in `skeleton`, or `None` if
/// there is no match. No index is used twice.
///
/// Names are compared in five passes: exactly; ignoring case; without namespaces and paths; by
/// letters and digits only, because importers replace spaces and dots; and without the numbers that
/// importers append. If several nodes have the same name, the node whose parent matches is used, or
/// else the first unused node. In the last pass, such nodes are not matched.
pub fn match_nodes(recorded: &[NamedNode], skeleton: &[NamedNode]) -> Vec<Option<usize>> {
    let mut matcher = NodeMatcher {
        matches: vec![None; recorded.len()],
        is_matched: vec![false; skeleton.len()],
    };
    let unchanged = |name: &str| name.to_owned();
    let lower_case = |name: &str| name.to_lowercase();
    let passes: [(Key, DuplicateRule); 5] = [
        (unchanged, DuplicateRule::ByParent),
        (lower_case, DuplicateRule::ByParent),
        (normalise_name, DuplicateRule::ByParent),
        (keep_alphanumeric, DuplicateRule::ByParent),
        (without_importer_number, DuplicateRule::Skip),
    ];
    for (key, duplicates) in passes {
        matcher.match_by_key(recorded, skeleton, key, duplicates);
    }
    matcher.matches
}

/// Returns the names that more than one of `nodes` has, without duplicates and in order.
pub fn repeated_names<'a>(nodes: &[NamedNode<'a>]) -> Vec<&'a str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let counted = nodes.iter().filter(|node| {
        let count = counts.entry(node.name).or_default();
        *count += 1;
        *count == 2
    });
    counted.map(|node| node.name).collect()
}

type Key = fn(&str) -> String;

#[derive(Clone, Copy, PartialEq)]
enum DuplicateRule {
    /// Nodes with the same key are matched by their parents, or else in their order.
    ByParent,
    /// Nodes with the same key are not matched, because the key is too vague.
    Skip,
}

struct NodeMatcher {
    matches: Vec<Option<usize>>,
    is_matched: Vec<bool>,
}

impl NodeMatcher {
    fn match_by_key(
        &mut self,
        recorded: &[NamedNode],
        skeleton: &[NamedNode],
        key: Key,
        duplicates: DuplicateRule,
    ) {
        let candidates = group_by_key(skeleton, key);
        let recorded_groups = group_by_key(recorded, key);
        // Parents should be matched before their children. Recordings list parents first.
        for (index, node) in recorded.iter().enumerate() {
            let key = key(node.name);
            let Some(candidates) = candidates.get(&key) else { continue };
            let is_unique =
                candidates.len() == 1 && recorded_groups.get(&key).is_some_and(|c| c.len() == 1);
            if self.matches[index].is_some() || (duplicates == DuplicateRule::Skip && !is_unique) {
                continue;
            }
            let parent = node.parent.and_then(|parent| self.matches[parent]);
            let free =
                || candidates.iter().copied().filter(|&candidate| !self.is_matched[candidate]);
            let found =
                free().find(|&candidate| parent.is_some() && skeleton[candidate].parent == parent);
            if let Some(found) = found.or_else(|| free().next()) {
                self.matches[index] = Some(found);
                self.is_matched[found] = true;
            }
        }
    }
}

fn group_by_key(nodes: &[NamedNode], key: Key) -> HashMap<String, Vec<usize>> {
    let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        by_key.entry(key(node.name)).or_default().push(index);
    }
    by_key.remove("");
    by_key
}

/// Removes namespaces (`a:b`), paths (`a|b`) and the mark `<noik>`, which Resonite users add for
/// its importer. Returns lower case.
fn normalise_name(name: &str) -> String {
    let name = name.rsplit([':', '|']).next().unwrap_or(name).to_lowercase();
    let name = name.replace("<noik>", "");
    without_exporter_prefix(&name).trim().to_owned()
}

/// Removes the prefix that an exporter for Resonite adds to the names of slots: `ra_`, twenty
/// hexadecimal digits and `__`. Expects lower case.
fn without_exporter_prefix(name: &str) -> &str {
    let split = name.strip_prefix("ra_").and_then(|rest| rest.split_once("__"));
    let is_mark = |mark: &str| mark.len() == 20 && mark.bytes().all(|b| b.is_ascii_hexdigit());
    split.filter(|(mark, _)| is_mark(mark)).map_or(name, |(_, name)| name)
}

fn keep_alphanumeric(name: &str) -> String {
    normalise_name(name).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Removes the number that an importer appends to make names unique: `hand.001`, `hand_12`.
fn without_importer_number(name: &str) -> String {
    let name = normalise_name(name);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let separated = stem.strip_suffix(['.', '_', '-', ' ']);
    keep_alphanumeric(separated.unwrap_or(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(text: &'static str) -> Vec<NamedNode<'static>> {
        let node = |word: &'static str| match word.split_once('<') {
            Some((name, parent)) => NamedNode { name, parent: parent.parse().ok() },
            None => NamedNode { name: word, parent: None },
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
        for (case, recorded, skeleton, expected) in cases {
            assert_eq!(match_nodes(&nodes(recorded), &nodes(skeleton)), expected, "{case}");
        }
    }

    #[test]
    fn repeated_names_are_listed_once() {
        assert_eq!(repeated_names(&nodes("a b a c a b")), ["a", "b"]);
    }

    #[test]
    fn nameless_nodes_do_not_match() {
        let nameless =
            [NamedNode { name: "", parent: None }, NamedNode { name: "...", parent: None }];
        assert_eq!(match_nodes(&nameless, &nameless), [None, Some(1)]);
    }
}
