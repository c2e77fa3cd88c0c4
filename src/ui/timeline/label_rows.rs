//! Assigns labels to rows. Each tier has rows of its own, and labels that overlap are in different
//! rows.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeSet, BinaryHeap, HashMap},
    sync::Arc,
};

use mutoscope_study::labels::Label;

#[derive(Clone, Debug, Default)]
pub(super) struct LabelRows {
    version: Option<u64>,
    /// All tiers that labels have had so far, in the order of their first appearance. We never
    /// remove a tier, so that each tier keeps its colour when labels are edited. `None` stands for
    /// labels without a tier.
    tiers: Vec<Option<String>>,
    pub(super) rows: Vec<LabelRow>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelRow {
    pub(super) tier: usize,
    pub(super) name: Option<String>,
    /// Indices of labels, sorted by time.
    pub(super) labels: Arc<[usize]>,
}

impl LabelRows {
    pub(super) fn update(&mut self, labels: &[Label], version: u64) {
        if self.version != Some(version) {
            self.version = Some(version);
            self.rows = assign_rows(labels, &mut self.tiers);
        }
    }
}

fn assign_rows(labels: &[Label], tiers: &mut Vec<Option<String>>) -> Vec<LabelRow> {
    let tier_indices = tiers.iter().cloned().enumerate().map(|(tier, name)| (name, tier));
    let mut tier_indices: HashMap<Option<String>, usize> = tier_indices.collect();
    let mut by_tier: Vec<Vec<usize>> = vec![Vec::new(); tiers.len()];
    for (index, label) in labels.iter().enumerate() {
        let tier = tier_indices.get(&label.tier).copied().unwrap_or_else(|| {
            tiers.push(label.tier.clone());
            by_tier.push(Vec::new());
            tier_indices.insert(label.tier.clone(), tiers.len() - 1);
            tiers.len() - 1
        });
        by_tier[tier].push(index);
    }
    let mut rows = Vec::new();
    for (tier, (name, tier_labels)) in tiers.iter().zip(by_tier).enumerate() {
        let stacked = stack_labels(labels, tier_labels).into_iter().enumerate();
        rows.extend(stacked.map(|(row, labels)| LabelRow {
            tier,
            name: name.clone().filter(|_| row == 0),
            labels: labels.into(),
        }));
    }
    rows
}

#[derive(Clone, Copy, PartialEq)]
struct OrderedTime(f64);

impl Eq for OrderedTime {}

impl PartialOrd for OrderedTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedTime {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn stack_labels(labels: &[Label], mut tier_labels: Vec<usize>) -> Vec<Vec<usize>> {
    tier_labels.sort_by(|one, other| labels[*one].start.total_cmp(&labels[*other].start));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut free = BTreeSet::new();
    let mut occupied: BinaryHeap<Reverse<(OrderedTime, usize)>> = BinaryHeap::new();
    for index in tier_labels {
        let Label { start, end, .. } = labels[index];
        while let Some(Reverse((_, row))) = occupied.peek().filter(|one| one.0.0.0 <= start) {
            free.insert(*row);
            occupied.pop();
        }
        let row = free.pop_first().unwrap_or_else(|| {
            rows.push(Vec::new());
            rows.len() - 1
        });
        rows[row].push(index);
        // Otherwise two labels without a duration at the same time would share a row.
        let end = if end > start { end } else { start.next_up() };
        occupied.push(Reverse((OrderedTime(end), row)));
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
        assign_rows(labels, &mut Vec::new()).into_iter().map(|row| row.labels.to_vec()).collect()
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
        let mut label_rows = LabelRows::default();
        label_rows.update(&labels, 1);
        assert_eq!(label_rows.rows, [row(0, Some("b"), &[0, 2]), row(1, None, &[1])]);
        // A new label before all others must not take the row or colour of another tier.
        let labels = [label(-1.0, 0.0, "a"), label(4.0, 5.0, ""), label(2.0, 3.0, "b")];
        label_rows.update(&labels, 2);
        let expected = [row(0, Some("b"), &[2]), row(1, None, &[1]), row(2, Some("a"), &[0])];
        assert_eq!(label_rows.rows, expected);
    }

    #[test]
    fn many_overlapping_labels_are_stacked_quickly() {
        let labels: Vec<_> = (0..50_000).map(|start| label(f64::from(start), 1e6, "")).collect();
        let since = std::time::Instant::now();
        assert_eq!(in_rows(&labels).len(), labels.len());
        assert!(since.elapsed().as_secs() < 5, "{:?}", since.elapsed());
    }
}
