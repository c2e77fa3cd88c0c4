//! In which row each label is: those of a tier together, and what overlaps in rows of its own.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeSet, BinaryHeap, HashMap},
    sync::Arc,
};

use mutoscope_study::labels::Label;

/// The rows of the labels of a recording.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelRows {
    /// The version of the labels.
    version: Option<u64>,
    /// The tiers that labels were on, in the order in which they were first seen: each keeps its place and colour.
    tiers: Vec<Option<String>>,
    pub(super) rows: Vec<LabelRow>,
}

/// A row of labels that do not overlap.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelRow {
    /// The index of its tier among those of the labels.
    pub(super) tier: usize,
    /// The name of the tier, in its first row.
    pub(super) name: Option<String>,
    /// The indices of its labels, in the order of time.
    pub(super) labels: Arc<[usize]>,
}

impl LabelRows {
    /// Looks at `labels`, if they are of another version.
    pub(super) fn look_at(&mut self, labels: &[Label], version: u64) {
        if self.version != Some(version) {
            self.version = Some(version);
            self.rows = rows(labels, &mut self.tiers);
        }
    }
}

fn rows(labels: &[Label], tiers: &mut Vec<Option<String>>) -> Vec<LabelRow> {
    let places = tiers.iter().cloned().enumerate().map(|(place, name)| (name, place));
    let mut places: HashMap<Option<String>, usize> = places.collect();
    let mut by_tier: Vec<Vec<usize>> = vec![Vec::new(); tiers.len()];
    for (index, label) in labels.iter().enumerate() {
        let place = places.get(&label.tier).copied().unwrap_or_else(|| {
            tiers.push(label.tier.clone());
            by_tier.push(Vec::new());
            places.insert(label.tier.clone(), tiers.len() - 1);
            tiers.len() - 1
        });
        by_tier[place].push(index);
    }
    let mut rows = Vec::new();
    for (tier, (name, of_tier)) in tiers.iter().zip(by_tier).enumerate() {
        let stacked = stacked(labels, of_tier).into_iter().enumerate();
        rows.extend(stacked.map(|(row, labels)| LabelRow {
            tier,
            name: name.clone().filter(|_| row == 0),
            labels: labels.into(),
        }));
    }
    rows
}

/// A time in an order.
#[derive(Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The labels `of_tier` in as few rows as they take: each in the first that is free when it starts.
fn stacked(labels: &[Label], mut of_tier: Vec<usize>) -> Vec<Vec<usize>> {
    of_tier.sort_by(|one, other| labels[*one].start.total_cmp(&labels[*other].start));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut free = BTreeSet::new();
    let mut taken: BinaryHeap<Reverse<(Ordered, usize)>> = BinaryHeap::new();
    for index in of_tier {
        let Label { start, end, .. } = labels[index];
        while let Some(Reverse((_, row))) = taken.peek().filter(|one| one.0.0.0 <= start) {
            free.insert(*row);
            taken.pop();
        }
        let row = free.pop_first().unwrap_or_else(|| {
            rows.push(Vec::new());
            rows.len() - 1
        });
        rows[row].push(index);
        // A point takes the row from others at the same time.
        let end = if end > start { end } else { start.next_up() };
        taken.push(Reverse((Ordered(end), row)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(start: f64, end: f64, tier: &str) -> Label {
        let tier = Some(tier).filter(|tier| !tier.is_empty()).map(str::to_owned);
        Label { start, end, label: "x".to_owned(), tier }
    }

    fn in_rows(labels: &[Label]) -> Vec<Vec<usize>> {
        rows(labels, &mut Vec::new()).into_iter().map(|row| row.labels.to_vec()).collect()
    }

    #[test]
    fn overlapping_labels_stack() {
        let labels = [
            label(0.0, 2.0, ""),
            label(1.0, 3.0, ""),
            label(2.0, 4.0, ""),
            label(1.5, 1.75, ""),
            label(5.0, 5.0, ""),
            label(5.0, 5.0, ""),
        ];
        assert_eq!(in_rows(&labels), [vec![0, 2, 4], vec![1, 5], vec![3]]);
        assert!(in_rows(&[]).is_empty());
    }

    #[test]
    fn tiers_have_rows_of_their_own() {
        let labels = [label(0.0, 1.0, "b"), label(4.0, 5.0, ""), label(2.0, 3.0, "b")];
        let row = |tier, name: Option<&str>, labels: &[usize]| LabelRow {
            tier,
            name: name.map(str::to_owned),
            labels: labels.into(),
        };
        let mut seen = LabelRows::default();
        seen.look_at(&labels, 1);
        assert_eq!(seen.rows, [row(0, Some("b"), &[0, 2]), row(1, None, &[1])]);
        // A label that comes first takes no other tier's place.
        let labels = [label(-1.0, 0.0, "a"), label(4.0, 5.0, ""), label(2.0, 3.0, "b")];
        seen.look_at(&labels, 2);
        let expected = [row(0, Some("b"), &[2]), row(1, None, &[1]), row(2, Some("a"), &[0])];
        assert_eq!(seen.rows, expected);
    }

    #[test]
    fn many_overlapping_labels_are_stacked_soon() {
        let labels: Vec<_> = (0..50_000).map(|one| label(f64::from(one), 1e6, "")).collect();
        let since = std::time::Instant::now();
        assert_eq!(in_rows(&labels).len(), labels.len());
        assert!(since.elapsed().as_secs() < 5, "{:?}", since.elapsed());
    }
}
