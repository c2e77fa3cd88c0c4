//! Finds runs of keys.

use std::ops::Range;

/// Returns the longest ranges of indices below `count` for which `is_in` is `true`. Calls `is_in`
/// once for each index, in order.
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
    fn runs_have_maximal_length() {
        let runs_of_x = |text: &str| -> Vec<(usize, usize)> {
            let found = runs(text.len(), |index| text.as_bytes()[index] == b'x');
            found.map(|run| (run.start, run.end)).collect()
        };
        assert!(runs_of_x("").is_empty() && runs_of_x("...").is_empty());
        assert_eq!(runs_of_x("xxx"), [(0, 3)]);
        assert_eq!(runs_of_x("x.xx..x"), [(0, 1), (2, 4), (6, 7)]);
    }
}
