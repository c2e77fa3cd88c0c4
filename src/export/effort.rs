//! How much work goes into the keys that are put in between a recording's own.
//!
//! A curve that bends as often as it likes could ask for any number of keys. What it gets grows with
//! the number of its own keys; a small file cannot be days of work.

use std::cell::Cell;

/// How many evaluations a key that is put in takes, about.
const PER_KEY: usize = 8;

/// How many keys are put in one gap at most.
const MOST_IN_A_GAP: usize = 4096;

/// How many keys may be put in any gap, even if nothing is left.
const LEAST_IN_A_GAP: usize = 16;

/// What is left of it. Whoever evaluates something spends of it.
#[derive(Debug)]
pub(super) struct Effort {
    left: Cell<usize>,
    /// How many evaluations one takes: that of a pose takes one for each node.
    cost: usize,
}

impl Effort {
    /// How often nodes or signals may be evaluated between their keys, for a whole export.
    pub(super) const MOST: usize = 1 << 22;

    /// How often more for each gap between two keys of a node.
    pub(super) const PER_GAP: usize = 1024;

    /// For what is evaluated one by one.
    pub(super) fn single() -> Self {
        Self::of_poses(1)
    }

    /// For what is evaluated together with `node_count` others.
    pub(super) fn of_poses(node_count: usize) -> Self {
        Self { left: Cell::new(Self::MOST), cost: node_count.max(1) }
    }

    /// A gap between two keys is followed now.
    pub(super) fn enter_gap(&self) {
        self.left.set(self.left.get().saturating_add(self.cost.saturating_mul(Self::PER_GAP)));
    }

    /// One was evaluated.
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

    /// How many keys may be put in the gap that is followed.
    pub(super) fn keys_in_gap(&self) -> usize {
        (self.left.get() / self.cost / PER_KEY).clamp(LEAST_IN_A_GAP, MOST_IN_A_GAP)
    }
}
