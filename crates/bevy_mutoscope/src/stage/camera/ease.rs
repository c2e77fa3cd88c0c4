//! Easing of camera moves.

pub(super) const GLIDE_DURATION_S: f32 = 0.15;

/// Returns the eased progress from 0 to 1 of a move that began `seconds` ago, and whether the move
/// is complete.
pub(super) fn ease_progress(seconds: f32) -> (f32, bool) {
    let t = (seconds / GLIDE_DURATION_S).min(1.0);
    (t * t * (3.0 - 2.0 * t), t == 1.0)
}
