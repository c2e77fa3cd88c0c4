//! How moves ease in and out.

/// How long a move takes, in seconds.
pub(super) const GLIDE_SECS: f32 = 0.15;

/// Which part of the way is behind a move that began some seconds ago, and whether it is all of it.
pub(super) fn eased(seconds: f32) -> (f32, bool) {
    let t = (seconds / GLIDE_SECS).min(1.0);
    (t * t * (3.0 - 2.0 * t), t == 1.0)
}
