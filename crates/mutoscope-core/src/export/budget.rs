//! Limits the number of evaluations that tracing may spend on inserted keys.
//!
//! A curve may bend so often that it needs any number of keys. The budget grows with the number of
//! the recording's own keys, so that a small file cannot take days.

use std::cell::Cell;

const EVALUATIONS_PER_KEY: usize = 8;

const MAX_KEYS_PER_GAP: usize = 4096;

/// The maximum number of keys in a gap when the evaluation budget is spent.
const MIN_KEYS_PER_GAP: usize = 16;

#[derive(Debug)]
pub(super) struct EvaluationBudget {
    remaining: Cell<usize>,
    /// The cost of one evaluation: 1 for a single value, or the number of nodes for a pose.
    cost: usize,
}

impl EvaluationBudget {
    pub(super) const INITIAL_EVALUATIONS: usize = 1 << 22;

    pub(super) const EVALUATIONS_PER_GAP: usize = 1024;

    pub(super) fn for_single_values() -> Self {
        Self::for_poses(1)
    }

    /// Creates the budget of one of the `node_count` nodes of a clip. A clip of many nodes starts
    /// with as many evaluations as a clip of one node.
    pub(super) fn for_node(node_count: usize) -> Self {
        let remaining = Cell::new(Self::INITIAL_EVALUATIONS / node_count.max(1));
        Self { remaining, ..Self::for_single_values() }
    }

    pub(super) fn for_poses(node_count: usize) -> Self {
        Self { remaining: Cell::new(Self::INITIAL_EVALUATIONS), cost: node_count.max(1) }
    }

    pub(super) fn enter_gap(&self) {
        self.remaining.set(
            self.remaining
                .get()
                .saturating_add(self.cost.saturating_mul(Self::EVALUATIONS_PER_GAP)),
        );
    }

    pub(super) fn spend(&self) {
        self.remaining.set(self.remaining.get().saturating_sub(self.cost));
    }

    pub(super) fn is_spent(&self) -> bool {
        self.remaining.get() < self.cost
    }

    pub(super) fn limits_current_gap(&self) -> bool {
        self.max_keys_in_gap() < MAX_KEYS_PER_GAP
    }

    pub(super) fn max_keys_in_gap(&self) -> usize {
        (self.remaining.get() / self.cost / EVALUATIONS_PER_KEY)
            .clamp(MIN_KEYS_PER_GAP, MAX_KEYS_PER_GAP)
    }
}
