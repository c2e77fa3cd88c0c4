//! The export targets that a program knows.

use std::path::Path;

use super::{BUILT_IN, ExportTarget, OptionKind};

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

    /// Returns the target for a file at `path`, if the skeleton in a file with the extension
    /// `skeleton` is given. Targets may share an extension. If the extension of `path` is in
    /// capitals, as games write it, a target that needs such a skeleton comes first.
    pub fn target_for_output(
        &self,
        path: &Path,
        skeleton: Option<&str>,
    ) -> Option<&'static ExportTarget> {
        let written = path.extension()?.to_str()?;
        let is_in_capitals = !written.contains(|char: char| char.is_ascii_lowercase());
        let needs_skeleton = |target: &&ExportTarget| match target.skeleton_option()?.kind {
            OptionKind::Skeleton { extension } => Some(skeleton?.eq_ignore_ascii_case(extension)),
            _ => None,
        };
        let same = self.iter().filter(|target| target.extension.eq_ignore_ascii_case(written));
        let mut with_skeleton =
            same.filter(|target| is_in_capitals && needs_skeleton(target) == Some(true));
        with_skeleton.next().or_else(|| self.target_for_path(path))
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
        let with_skeleton = |path: &str, skeleton| {
            targets.target_for_output(Path::new(path), skeleton).map(|target| target.id)
        };
        assert_eq!(with_skeleton("walk.ANIM", Some("CINF")), Some("prime"));
        assert_eq!(with_skeleton("walk.ANIM", Some("glb")), Some("anim"));
        assert_eq!(with_skeleton("walk.ANIM", None), Some("anim"));
        assert_eq!(with_skeleton("walk.anim", Some("cinf")), Some("anim"));
    }
}
