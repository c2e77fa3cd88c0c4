//! Labels as tiers that do not overlap themselves, for formats that need such.

use std::collections::HashSet;

use super::Label;

/// The name of the tier of labels without one, as in ELAN. Read back, it is none.
pub(super) const DEFAULT: &str = "default";

/// The tier that a file names so.
pub(super) fn tier_of(name: &str) -> Option<String> {
    (name != DEFAULT).then(|| name.to_owned())
}

/// A tier whose labels are in the order of time and do not overlap.
pub(super) struct Tier<'a> {
    pub(super) name: String,
    /// Whether it holds points and no ranges.
    pub(super) is_of_points: bool,
    pub(super) labels: Vec<&'a Label>,
}

/// The tiers of `labels` in the order in which they first occur. What overlaps goes to a further tier, whose
/// name has a number. With `splits_points`, points and ranges are on different tiers.
pub(super) fn tiers(labels: &[Label], splits_points: bool) -> Vec<Tier<'_>> {
    let name = |label: &'_ Label| label.tier.clone().unwrap_or_else(|| DEFAULT.to_owned());
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
        let mut of_name = by_name.remove(&name).unwrap_or_default();
        of_name.sort_by(|one, other| one.start.total_cmp(&other.start));
        let own = tiers.len();
        // The end of the last label of each of its tiers: the first that is free takes the next label.
        for label in of_name {
            let is_point = splits_points && label.end == label.start;
            let fits = |tier: &&mut Tier<'_>| {
                tier.is_of_points == is_point
                    && tier.labels.last().is_none_or(|last| match is_point {
                        true => last.start < label.start,
                        false => last.end <= label.start,
                    })
            };
            // Few tiers are needed, but for labels that all overlap.
            match tiers[own..].iter_mut().find(fits) {
                Some(tier) => tier.labels.push(label),
                None => {
                    let mut number = tiers.len() - own + 1;
                    let mut free =
                        if number == 1 { name.clone() } else { format!("{name} {number}") };
                    while number > 1 && !known.insert(free.clone()) {
                        number += 1;
                        free = format!("{name} {number}");
                    }
                    tiers.push(Tier { name: free, is_of_points: is_point, labels: vec![label] });
                }
            }
        }
    }
    tiers
}

/// The remark on tiers that were added because labels overlap; nothing if there are none.
pub(super) fn overlap_message(
    labels: &[Label],
    tiers: &[Tier<'_>],
    format: &str,
) -> Option<String> {
    let own: HashSet<&str> =
        labels.iter().map(|it| it.tier.as_deref().unwrap_or(DEFAULT)).collect();
    let added: Vec<_> =
        tiers.iter().filter(|it| !own.contains(&*it.name)).map(|it| &*it.name).collect();
    (!added.is_empty()).then(|| {
        format!(
            "labels of one tier overlap, or points are among ranges, which {format} does not have; using \
             further tiers: {}",
            added.join(", ")
        )
    })
}
