//! The limit of the work for keys that are inserted between a recording's own.
//!
//! A curve may bend so often that it needs any number of keys. The number that it gets grows with the
//! number of its own keys, so that a small file cannot take days.

use std::cell::Cell;

/// How many evaluations an inserted key takes, about.
const PER_KEY: usize = 8;

/// The maximum number of keys that are inserted in one gap.
const MOST_IN_A_GAP: usize = 4096;

/// How many keys may be inserted in any gap, even if nothing is left.
const LEAST_IN_A_GAP: usize = 16;

/// The evaluations that are left. Each evaluation spends some.
#[derive(Debug)]
pub(super) struct Effort {
    left: Cell<usize>,
    /// The cost of one evaluation: that of a pose costs one for each node.
    cost: usize,
}

impl Effort {
    /// How often nodes or signals may be evaluated between their keys, for a whole export.
    pub(super) const MOST: usize = 1 << 22;

    /// How many evaluations are added for each gap between two keys of a node.
    pub(super) const PER_GAP: usize = 1024;

    /// For a node or a signal that is evaluated by itself.
    pub(super) fn single() -> Self {
        Self::of_poses(1)
    }

    /// For poses of `node_count` nodes.
    pub(super) fn of_poses(node_count: usize) -> Self {
        Self { left: Cell::new(Self::MOST), cost: node_count.max(1) }
    }

    /// Adds the evaluations of the next gap between two keys.
    pub(super) fn enter_gap(&self) {
        self.left.set(self.left.get().saturating_add(self.cost.saturating_mul(Self::PER_GAP)));
    }

    /// Subtracts one evaluation.
    pub(super) fn spend(&self) {
        self.left.set(self.left.get().saturating_sub(self.cost));
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get() < self.cost
    }

    /// Whether gaps get fewer keys than they could have.
    pub(super) fn is_low(&self) -> bool {
        self.keys_in_gap() < MOST_IN_A_GAP
    }

    /// How many keys may be inserted in the current gap.
    pub(super) fn keys_in_gap(&self) -> usize {
        (self.left.get() / self.cost / PER_KEY).clamp(LEAST_IN_A_GAP, MOST_IN_A_GAP)
    }
}
