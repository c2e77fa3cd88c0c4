//! Arranges the bars of a timeline lane in rows.

/// A bar of a lane. Times are in seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bar {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) text: String,
    pub(super) title: String,
}

/// A lane with its bars sorted by time. Overlapping bars are in different rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    pub(super) name: String,
    pub(super) class: &'static str,
    pub(super) node: Option<&'static str>,
    pub(super) rows: Vec<Vec<Bar>>,
}

/// In lanes with more bars than this, bars that nearly touch are merged, because they would be
/// drawn as one anyway.
const MAX_SEPARATE_BARS: usize = 400;
const MAX_ROWS: usize = 8;

impl Lane {
    /// Arranges bars in rows. `merge_gap` is the largest gap, in seconds, between bars that nearly
    /// touch.
    pub(super) fn new(
        name: impl Into<String>,
        class: &'static str,
        node: Option<&'static str>,
        mut bars: Vec<Bar>,
        nearly: f64,
    ) -> Self {
        bars.sort_by(|one, other| one.start.total_cmp(&other.start));
        let mut rows: Vec<Vec<Bar>> = Vec::new();
        let is_full = bars.len() > MAX_SEPARATE_BARS;
        for bar in bars {
            let is_free =
                |row: &&mut Vec<Bar>| row.last().is_none_or(|last| last.end <= bar.start + 1e-9);
            let free = rows.iter_mut().position(|row| is_free(&row));
            let index = match free {
                Some(index) => index,
                None if rows.len() < MAX_ROWS => {
                    rows.push(Vec::new());
                    rows.len() - 1
                }
                None => MAX_ROWS - 1,
            };
            let row = &mut rows[index];
            match row.last_mut().filter(|last| is_full && bar.start - last.end < nearly) {
                Some(last) => {
                    last.end = last.end.max(bar.end);
                    last.text.clear();
                    "several; the tables list them".clone_into(&mut last.title);
                }
                None => row.push(bar),
            }
        }
        Self { name: name.into(), class, node, rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(start: f64, end: f64) -> Bar {
        Bar { start, end, text: String::new(), title: String::new() }
    }

    #[test]
    fn overlapping_bars_stack_and_many_are_merged() {
        let lane = Lane::new("a", "", None, vec![bar(2.0, 3.0), bar(0.0, 2.5), bar(3.0, 4.0)], 1.0);
        assert_eq!(lane.rows.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let many =
            (0..5000).map(|index| bar(f64::from(index) * 0.1, f64::from(index) * 0.1 + 0.05));
        let lane = Lane::new("a", "", None, many.collect(), 0.2);
        assert_eq!((lane.rows.len(), lane.rows[0].len()), (1, 1));
        let all_at_once = (0..100).map(|_| bar(0.0, 1.0));
        assert_eq!(Lane::new("a", "", None, all_at_once.collect(), 0.0).rows.len(), MAX_ROWS);
    }
}
