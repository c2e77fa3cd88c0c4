//! Keys in a row.

use std::ops::Range;

/// The longest runs of indices below `count` of which `is_in` holds.
pub(super) fn runs(
    count: usize,
    mut is_in: impl FnMut(usize) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = (next..count).find(|&index| is_in(index))?;
        let end = (start + 1..count).find(|&index| !is_in(index)).unwrap_or(count);
        next = end + 1;
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_as_long_as_can_be() {
        let of = |text: &str| -> Vec<(usize, usize)> {
            let found = runs(text.len(), |index| text.as_bytes()[index] == b'x');
            found.map(|run| (run.start, run.end)).collect()
        };
        assert!(of("").is_empty() && of("...").is_empty());
        assert_eq!(of("xxx"), [(0, 3)]);
        assert_eq!(of("x.xx..x"), [(0, 1), (2, 4), (6, 7)]);
    }
}
