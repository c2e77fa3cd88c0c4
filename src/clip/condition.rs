//! What holds of a node at times.

use std::{borrow::Cow, sync::Arc};

use super::NodeId;

/// What holds of a node at times and at others does not: it is there, it sneaks.
///
/// A [`ProceduralAnimation`](super::ProceduralAnimation) works them out for those who look at a
/// recording as a whole. They say nothing that tracks and nodes do not say moment by moment, and are
/// no tracks of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Of which node.
    pub node: NodeId,
    /// What.
    pub kind: ConditionKind,
    /// From when to when it does, in seconds: ascending, and none touches the next.
    pub spans: Arc<[(f64, f64)]>,
}

/// What holds of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionKind {
    /// There is something to see of it.
    Presence,
    /// What one of the values of a track says, or a bit of its number.
    Flag {
        /// In words: `sneaking`.
        name: Cow<'static, str>,
        /// Which of the node's tracks has the number, by its property, if any has.
        property: Option<&'static str>,
    },
}

/// Spans in the order of time, those that touch made one.
pub(crate) fn joined(spans: impl IntoIterator<Item = (f64, f64)>) -> Arc<[(f64, f64)]> {
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for (start, end) in spans {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = end.max(last.1),
            _ => joined.push((start, end)),
        }
    }
    joined.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_touch_are_one() {
        let spans = joined([(0.0, 1.0), (1.0, 2.0), (3.0, 4.0), (3.5, 3.6)]);
        assert_eq!(*spans, [(0.0, 2.0), (3.0, 4.0)]);
    }
}
