//! The bars of a lane.

/// A bar of a lane, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bar {
    pub(super) start: f64,
    pub(super) end: f64,
    /// Its text, if there is room for it.
    pub(super) text: String,
    /// Its description, in a sentence.
    pub(super) title: String,
}

/// A lane with its bars in the order of time; those that overlap are in further rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    pub(super) name: String,
    /// Its class, which colours it.
    pub(super) class: &'static str,
    /// The node that its links select.
    pub(super) node: Option<&'static str>,
    pub(super) rows: Vec<Vec<Bar>>,
}

/// Beyond this many bars, those in one row that nearly touch are drawn as one.
const MOST: usize = 400;
/// The most rows of a lane: what does not fit is in the last one.
const MOST_ROWS: usize = 8;

impl Lane {
    /// A lane with these bars. `nearly` is how close bars touch, in seconds.
    pub(super) fn of(
        name: impl Into<String>,
        class: &'static str,
        node: Option<&'static str>,
        mut bars: Vec<Bar>,
        nearly: f64,
    ) -> Self {
        bars.sort_by(|one, other| one.start.total_cmp(&other.start));
        let mut rows: Vec<Vec<Bar>> = Vec::new();
        let is_full = bars.len() > MOST;
        for bar in bars {
            let is_free =
                |row: &&mut Vec<Bar>| row.last().is_none_or(|last| last.end <= bar.start + 1e-9);
            let free = rows.iter_mut().position(|row| is_free(&row));
            let index = match free {
                Some(index) => index,
                None if rows.len() < MOST_ROWS => {
                    rows.push(Vec::new());
                    rows.len() - 1
                }
                None => MOST_ROWS - 1,
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
        let lane = Lane::of("a", "", None, vec![bar(2.0, 3.0), bar(0.0, 2.5), bar(3.0, 4.0)], 1.0);
        assert_eq!(lane.rows.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let many =
            (0..5000).map(|index| bar(f64::from(index) * 0.1, f64::from(index) * 0.1 + 0.05));
        let lane = Lane::of("a", "", None, many.collect(), 0.2);
        assert_eq!((lane.rows.len(), lane.rows[0].len()), (1, 1));
        let all_at_once = (0..100).map(|_| bar(0.0, 1.0));
        assert_eq!(Lane::of("a", "", None, all_at_once.collect(), 0.0).rows.len(), MOST_ROWS);
    }
}
