//! Sorts labels into tiers without overlaps, for formats that require them.

use std::collections::HashSet;

use super::Label;

/// The tier name that is written for labels without a tier, as in ELAN. When a file is read, a tier
/// of this name becomes `None`.
pub(super) const DEFAULT_TIER: &str = "default";

pub(super) fn tier_from_name(name: &str) -> Option<String> {
    (name != DEFAULT_TIER).then(|| name.to_owned())
}

/// A tier whose labels are sorted by time and do not overlap.
pub(super) struct Tier<'a> {
    pub(super) name: String,
    pub(super) is_point_tier: bool,
    pub(super) labels: Vec<&'a Label>,
}

/// Splits `labels` into tiers without overlaps. The tiers are in the order in which their names
/// first occur.
///
/// If a label overlaps another label of its tier, it is put on an additional tier whose name ends
/// in a number. If `splits_points` is `true`, labels without a duration are put on tiers of their
/// own.
pub(super) fn split_into_tiers(labels: &[Label], splits_points: bool) -> Vec<Tier<'_>> {
    let name = |label: &'_ Label| label.tier.clone().unwrap_or_else(|| DEFAULT_TIER.to_owned());
    let mut names: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    for label in labels {
        let name = name(label);
        if known.insert(name.clone()) {
            names.push(name);
        }
    }
    let mut by_name: std::collections::HashMap<String, Vec<&Label>> =
        std::collections::HashMap::new();
    for label in labels {
        by_name.entry(name(label)).or_default().push(label);
    }
    let mut tiers: Vec<Tier<'_>> = Vec::new();
    for name in names {
        let mut labels_of_name = by_name.remove(&name).unwrap_or_default();
        labels_of_name.sort_by(|a, b| a.start.total_cmp(&b.start));
        let first = tiers.len();
        // Put each label on the first tier of this name whose last label ends before it.
        for label in labels_of_name {
            let is_point = splits_points && label.end == label.start;
            let fits = |tier: &&mut Tier<'_>| {
                tier.is_point_tier == is_point
                    && tier.labels.last().is_none_or(|last| match is_point {
                        true => last.start < label.start,
                        false => last.end <= label.start,
                    })
            };
            // A linear search is fast enough, because the number of tiers per name is only the
            // largest number of labels that overlap.
            match tiers[first..].iter_mut().find(fits) {
                Some(tier) => tier.labels.push(label),
                None => {
                    let mut number = tiers.len() - first + 1;
                    let mut free =
                        if number == 1 { name.clone() } else { format!("{name} {number}") };
                    while number > 1 && !known.insert(free.clone()) {
                        number += 1;
                        free = format!("{name} {number}");
                    }
                    tiers.push(Tier { name: free, is_point_tier: is_point, labels: vec![label] });
                }
            }
        }
    }
    tiers
}

pub(super) fn overlap_message(
    labels: &[Label],
    tiers: &[Tier<'_>],
    format: &str,
) -> Option<String> {
    let requested: HashSet<&str> =
        labels.iter().map(|it| it.tier.as_deref().unwrap_or(DEFAULT_TIER)).collect();
    let added: Vec<_> =
        tiers.iter().filter(|it| !requested.contains(&*it.name)).map(|it| &*it.name).collect();
    (!added.is_empty()).then(|| {
        format!(
            "{format} does not support labels that overlap on a tier, or points among ranges; \
             using additional tiers: {}",
            added.join(", ")
        )
    })
}
