//! The rows of the table of targets: what a recording can be exported as.

use std::{
    io::{self, Write},
    ops::RangeInclusive,
    path::Path,
};

use super::{ExportError, Job, Progress, Report, TARGETS, VideoFormat, watch::Watch};
use crate::clip::Clip;

/// Something that a recording can be exported as: a row of [`TARGETS`].
#[derive(Debug)]
pub struct ExportTarget {
    /// Its identity, which no other has: the word that `convert --to` takes.
    pub id: &'static str,
    /// Its name for users.
    pub name: &'static str,
    /// The extension of its files, or of its folder, in lower case and without the dot. Several
    /// targets may have the same.
    pub extension: &'static str,
    /// What kind of file it writes.
    pub output: ExportOutput,
}

/// The kind of output of a target.
#[derive(Debug)]
pub enum ExportOutput {
    /// The motion of a clip, by [`ExportTarget::write`].
    Motion(MotionWriter),
    /// A video of the viewport. Only a build with the feature `viewer` can draw it.
    Video(VideoFormat),
}

/// The function that writes the motion of a clip.
#[derive(Debug)]
pub struct MotionWriter(pub(super) WriteMotion);

/// Writes the requested range, and returns the report.
pub(super) type WriteMotion =
    fn(&Job<'_>, &mut dyn Write, &mut Watch<'_>) -> Result<Report, ExportError>;

/// The options of an export.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportOptions {
    /// Its name where the clip itself has none: that of its file.
    pub title: String,
    /// From when to when, both included, in seconds; nothing for all of it.
    pub range: Option<RangeInclusive<f64>>,
    /// How many times a second it is sampled; nothing for the recording's own keys.
    pub rate: Option<f64>,
}

impl PartialEq for ExportTarget {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for ExportTarget {}

impl ExportTarget {
    /// The row of a target that writes the motion of a clip.
    pub(super) const fn of_motion(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        write: WriteMotion,
    ) -> Self {
        Self { id, name, extension, output: ExportOutput::Motion(MotionWriter(write)) }
    }

    /// The row of a target that writes what the viewport shows.
    pub(super) const fn of_video(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        format: VideoFormat,
    ) -> Self {
        Self { id, name, extension, output: ExportOutput::Video(format) }
    }

    /// The targets that write the motion of a clip.
    pub fn motion() -> impl Iterator<Item = &'static Self> {
        TARGETS.iter().filter(|target| target.video().is_none())
    }

    /// The target with this [`Self::id`].
    pub fn of_id(id: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.id == id)
    }

    /// The first target whose files have this extension, in any case.
    pub fn of_extension(extension: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.extension.eq_ignore_ascii_case(extension))
    }

    /// The target that the extension of `path` stands for.
    pub fn of_path(path: &Path) -> Option<&'static Self> {
        Self::of_extension(path.extension()?.to_str()?)
    }

    /// The format of the video that it writes, if it writes one.
    pub fn video(&self) -> Option<VideoFormat> {
        match self.output {
            ExportOutput::Motion(_) => None,
            ExportOutput::Video(format) => Some(format),
        }
    }

    /// Writes `clip` by `options` to `out`, and reports progress to `progress`.
    ///
    /// What was written before an error is no whole file: [`super::write_file`] leaves none behind.
    ///
    /// # Errors
    /// If `progress` stops it, if there would be too many keys, if `out` cannot be written to, or if
    /// the target is a video, which is drawn and not written.
    pub fn write(
        &self,
        clip: &Clip,
        options: &ExportOptions,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let ExportOutput::Motion(MotionWriter(write)) = self.output else {
            let message = format!("{} is rendered, not written from curves", self.name);
            return Err(io::Error::new(io::ErrorKind::Unsupported, message).into());
        };
        let (from, to) = options
            .range
            .clone()
            .map_or((clip.span.start, clip.span.end()), RangeInclusive::into_inner);
        let title = if clip.name.is_empty() { &options.title } else { &clip.name };
        let job = Job { clip, title, from, to: to.max(from), rate: options.rate };
        let report = write(&job, out, &mut Watch::new(progress))?;
        out.flush()?;
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::clip::{Convention, FormatId, Handedness, Up};

    #[test]
    fn ids_are_unique_and_extensions_are_lower_case() {
        let ids: HashSet<_> = TARGETS.iter().map(|target| target.id).collect();
        assert_eq!(ids.len(), TARGETS.len());
        for target in TARGETS {
            assert_eq!(ExportTarget::of_id(target.id), Some(target));
            assert_eq!(target.extension, target.extension.to_ascii_lowercase());
            assert!(!target.extension.contains('.'), "{}", target.id);
        }
    }

    #[test]
    fn target_is_chosen_by_extension() {
        let id = |path: &str| ExportTarget::of_path(Path::new(path)).map(|target| target.id);
        assert_eq!(id("a.b/take.GLB"), Some("glb"));
        assert_eq!(id("a.mp4"), Some("mp4"));
        assert_eq!(id("take.frames"), Some("png-sequence"));
        assert_eq!([id("take.fbx"), id("glb"), id("")], [None; 3]);
    }

    #[test]
    fn video_targets_cannot_write_clips() {
        let target = ExportTarget::of_id("gif").expect("it is in the table");
        let convention = Convention::assumed(Handedness::Right, Up::Y);
        let clip = Clip::new(FormatId::new("test"), convention);
        let go_on = &mut |_| std::ops::ControlFlow::Continue(());
        let mut out = Vec::new();
        let result = target.write(&clip, &ExportOptions::default(), &mut out, go_on);
        assert!(matches!(result, Err(ExportError::Unwritable(_))), "{result:?}");
        assert!(out.is_empty());
    }
}
