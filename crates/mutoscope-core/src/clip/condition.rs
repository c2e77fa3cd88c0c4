//! Conditions of nodes over time.

use std::{borrow::Cow, sync::Arc};

use super::NodeId;

/// A condition that a node has at some times: it is present, it sneaks.
///
/// A [`ProceduralAnimation`](super::ProceduralAnimation) computes them for a view of the recording
/// as a whole. They repeat what tracks and nodes have at each time, and are no tracks of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The node.
    pub node: NodeId,
    /// The condition.
    pub kind: ConditionKind,
    /// When it holds, in seconds: ascending, without gaps of length 0.
    pub spans: Arc<[(f64, f64)]>,
}

/// A kind of condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionKind {
    /// It is visible.
    Presence,
    /// A value of a track, or a bit of its number.
    Flag {
        /// In words: `sneaking`.
        name: Cow<'static, str>,
        /// The property of the node's track that has the number; `None` if no track has it.
        property: Option<&'static str>,
    },
}

/// Spans in the order of time, those that touch made one.
pub fn joined(spans: impl IntoIterator<Item = (f64, f64)>) -> Arc<[(f64, f64)]> {
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
