//! Helpers for tests of surfaces.

use std::collections::HashMap;

/// Whether each side of these triangles is gone both ways, so that they enclose something.
pub(super) fn is_closed(triangles: &[u32]) -> bool {
    let mut sides: HashMap<(u32, u32), i32> = HashMap::new();
    for corners in triangles.chunks_exact(3) {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (corners[a], corners[b]);
            *sides.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
        }
    }
    sides.values().all(|turns| *turns == 0)
}
