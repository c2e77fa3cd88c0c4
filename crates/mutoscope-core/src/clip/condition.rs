//! Conditions of nodes over time.

use std::{borrow::Cow, sync::Arc};

use super::NodeId;

/// A condition of a node over time, such as being present or sneaking.
///
/// Conditions give an overview of the recording. They are not tracks, because tracks and nodes
/// already contain the same information for each time.
/// [`Annotations::conditions`](super::Annotations::conditions) computes the conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The node.
    pub node: NodeId,
    /// The kind of condition.
    pub kind: ConditionKind,
    /// The time spans in which the condition holds, as start and end in seconds. They are in
    /// ascending order, and do not touch each other.
    pub spans: Arc<[(f64, f64)]>,
}

/// A kind of condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionKind {
    /// The node is visible.
    Presence,
    /// A track of the node has a certain value, or its number has a certain bit set.
    Flag {
        /// The label: `sneaking`.
        name: Cow<'static, str>,
        /// The property of the track that contains the value. `None` if no track contains it.
        property: Option<&'static str>,
    },
}

/// Merges spans that touch or overlap. `spans` have to be in the order of their starts.
pub fn merge_spans(spans: impl IntoIterator<Item = (f64, f64)>) -> Arc<[(f64, f64)]> {
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
    fn touching_spans_are_merged() {
        let spans = merge_spans([(0.0, 1.0), (1.0, 2.0), (3.0, 4.0), (3.5, 3.6)]);
        assert_eq!(*spans, [(0.0, 2.0), (3.0, 4.0)]);
    }
}
