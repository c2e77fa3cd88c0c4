//! How moves ease in and out.

/// How long a move takes, in seconds.
pub(super) const GLIDE_SECS: f32 = 0.15;

/// The eased progress from 0 to 1 of a move that began `seconds` ago, and whether it is complete.
pub(super) fn eased(seconds: f32) -> (f32, bool) {
    let t = (seconds / GLIDE_SECS).min(1.0);
    (t * t * (3.0 - 2.0 * t), t == 1.0)
}
