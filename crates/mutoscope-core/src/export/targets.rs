//! The export targets that a program knows.

use std::path::Path;

use super::{BUILT_IN, ExportTarget};

/// The export targets that a program knows: those of this crate, and those of other crates that the
/// program adds.
#[derive(Clone, Debug)]
pub struct Targets(Vec<&'static ExportTarget>);

impl Default for Targets {
    /// Returns the targets of this crate.
    fn default() -> Self {
        Self(BUILT_IN.iter().collect())
    }
}

impl Targets {
    /// Adds the targets of another crate. A target that was already added changes nothing.
    #[must_use]
    pub fn with(mut self, targets: &'static [ExportTarget]) -> Self {
        for target in targets {
            if !self.0.iter().any(|known| known.id == target.id) {
                self.0.push(target);
            }
        }
        self
    }

    /// Returns all targets: those of this crate, then those of other crates.
    pub fn iter(&self) -> impl Iterator<Item = &'static ExportTarget> + Clone {
        self.0.iter().copied()
    }

    /// Returns the targets that write the motion of a clip.
    pub fn motion_targets(&self) -> impl Iterator<Item = &'static ExportTarget> + Clone {
        self.iter().filter(|target| target.video_format().is_none())
    }

    /// Returns the target with this [`ExportTarget::id`], or `None` if there is none.
    pub fn target(&self, id: &str) -> Option<&'static ExportTarget> {
        self.iter().find(|target| target.id == id)
    }

    /// Returns the first target whose files have this extension, ignoring case, or `None` if there
    /// is none.
    pub fn target_for_extension(&self, extension: &str) -> Option<&'static ExportTarget> {
        self.iter().find(|target| target.extension.eq_ignore_ascii_case(extension))
    }

    /// Returns the target for the extension of `path`, or `None` if no target has this extension.
    pub fn target_for_path(&self, path: &Path) -> Option<&'static ExportTarget> {
        self.target_for_extension(path.extension()?.to_str()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::VIDEO_TARGETS;

    #[test]
    fn target_is_chosen_by_extension() {
        let targets = Targets::default().with(VIDEO_TARGETS);
        let id = |path: &str| targets.target_for_path(Path::new(path)).map(|target| target.id);
        assert_eq!(id("a.b/take.GLB"), Some("glb"));
        assert_eq!(id("a.mp4"), Some("mp4"));
        assert_eq!(id("take.frames"), Some("png-sequence"));
        assert_eq!([id("take.obj"), id("glb"), id("")], [None; 3]);
    }
}
