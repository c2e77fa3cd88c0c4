//! Helpers for tests of surfaces.

use std::collections::HashMap;

pub(super) fn is_closed(triangles: &[u32]) -> bool {
    let mut edge_balance: HashMap<(u32, u32), i32> = HashMap::new();
    for corners in triangles.chunks_exact(3) {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (corners[a], corners[b]);
            *edge_balance.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
        }
    }
    edge_balance.values().all(|balance| *balance == 0)
}
