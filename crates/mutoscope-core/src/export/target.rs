//! The rows of the table of targets: what a recording can be exported as.

use std::{
    ffi::OsString,
    io::{self, Write},
    iter,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use super::{ExportError, Job, Progress, Report, VideoFormat, targets, tracer, watch::Watch};
use crate::clip::Clip;

/// Something that a recording can be exported as: a row of the registry, [`targets`].
#[derive(Debug)]
pub struct ExportTarget {
    /// Its identity, which no other has: the word that `convert --to` takes.
    pub id: &'static str,
    /// Its name for users.
    pub name: &'static str,
    /// The extension of its files, or of its folder, in lower case and without the dot. Several
    /// targets may have the same.
    pub extension: &'static str,
    /// The kind of file that it writes.
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
pub struct MotionWriter {
    write: WriteMotion,
    beside: &'static [TableBeside],
}

/// A table in a file of its own, next to that of the target.
#[derive(Debug)]
pub struct TableBeside {
    /// Its content in one word: `signals`.
    pub name: &'static str,
    /// Writes it.
    pub write: WriteMotion,
    /// Says what is lost where only the target's own file can be written.
    pub report_skipped: fn(&Job<'_>, &mut Report),
}

/// Writes the requested range, and returns the report.
pub type WriteMotion = fn(&Job<'_>, &mut dyn Write, &mut Watch<'_>) -> Result<Report, ExportError>;

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
    pub const fn of_motion(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        write: WriteMotion,
    ) -> Self {
        Self::of_tables(id, name, extension, write, &[])
    }

    /// The same if there are tables in files of their own.
    pub const fn of_tables(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        write: WriteMotion,
        beside: &'static [TableBeside],
    ) -> Self {
        Self { id, name, extension, output: ExportOutput::Motion(MotionWriter { write, beside }) }
    }

    /// The row of a target that writes what the viewport shows.
    pub const fn of_video(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        format: VideoFormat,
    ) -> Self {
        Self { id, name, extension, output: ExportOutput::Video(format) }
    }

    /// The targets that write the motion of a clip.
    pub fn motion() -> impl Iterator<Item = &'static Self> {
        targets().filter(|target| target.video().is_none())
    }

    /// The target with this [`Self::id`].
    pub fn of_id(id: &str) -> Option<&'static Self> {
        targets().find(|target| target.id == id)
    }

    /// The first target whose files have this extension, in any case.
    pub fn of_extension(extension: &str) -> Option<&'static Self> {
        targets().find(|target| target.extension.eq_ignore_ascii_case(extension))
    }

    /// The target for the extension of `path`.
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

    /// The names of the tables in files of their own, in the order of [`Self::files`].
    pub fn beside(&self) -> impl Iterator<Item = &'static str> {
        self.tables_beside().iter().map(|table| table.name)
    }

    /// The files that it writes: its own at `path`, and those of its tables in the same folder,
    /// such as `take.signals.parquet` for `take.parquet`.
    pub fn files(&self, path: &Path) -> Vec<PathBuf> {
        let beside = self.beside().map(|name| match path.extension() {
            None => path.with_extension(name),
            Some(extension) => {
                let mut both = OsString::from(name);
                both.push(".");
                both.push(extension);
                path.with_extension(both)
            }
        });
        iter::once(path.to_owned()).chain(beside).collect()
    }

    /// Writes `clip` by `options` to `out`, and reports progress to `progress`. Tables that would go
    /// to files of their own are skipped, which is reported.
    ///
    /// After an error the bytes already written are incomplete; [`super::write_file`] removes them.
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
        let job = Job::new(clip, options);
        let mut report = self.write_own(&job, out, progress)?;
        self.tables_beside().iter().for_each(|table| (table.report_skipped)(&job, &mut report));
        Ok(report)
    }

    /// Writes the file of its own.
    pub(super) fn write_own(
        &self,
        job: &Job<'_>,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let ExportOutput::Motion(writer) = &self.output else {
            let message = format!("{} is rendered, not written from curves", self.name);
            return Err(io::Error::new(io::ErrorKind::Unsupported, message).into());
        };
        let report = (writer.write)(job, out, &mut Watch::new(progress))?;
        out.flush()?;
        Ok(report)
    }

    /// The tables that go to files of their own.
    pub(super) fn tables_beside(&self) -> &'static [TableBeside] {
        match self.output {
            ExportOutput::Motion(MotionWriter { beside, .. }) => beside,
            ExportOutput::Video(_) => &[],
        }
    }
}

impl TableBeside {
    /// Writes it.
    ///
    /// # Errors
    /// As [`ExportTarget::write`].
    pub(super) fn write(
        &self,
        job: &Job<'_>,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let report = (self.write)(job, out, &mut Watch::new(progress))?;
        out.flush()?;
        Ok(report)
    }
}

impl<'a> Job<'a> {
    /// The job of exporting `clip` by `options`.
    pub(super) fn new(clip: &'a Clip, options: &'a ExportOptions) -> Self {
        let (from, to) = options
            .range
            .clone()
            .map_or((clip.span.start, clip.span.end()), RangeInclusive::into_inner);
        let source = options.title.as_str();
        let title = if clip.name.is_empty() { source } else { &clip.name };
        let (to, rate) = (to.max(from), options.rate);
        Self { clip, title, source, from, to, rate, shortest: tracer::SHORTEST }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{
        clip::{Convention, FormatId, Handedness, Up},
        export::{VIDEOS, register},
    };

    #[test]
    fn ids_are_unique_and_extensions_are_lower_case() {
        let ids: HashSet<_> = targets().map(|target| target.id).collect();
        assert_eq!(ids.len(), targets().count());
        for target in targets() {
            assert_eq!(ExportTarget::of_id(target.id), Some(target));
            assert_eq!(target.extension, target.extension.to_ascii_lowercase());
            assert!(!target.extension.contains('.'), "{}", target.id);
        }
    }

    #[test]
    fn target_is_chosen_by_extension() {
        register(VIDEOS);
        let id = |path: &str| ExportTarget::of_path(Path::new(path)).map(|target| target.id);
        assert_eq!(id("a.b/take.GLB"), Some("glb"));
        assert_eq!(id("a.mp4"), Some("mp4"));
        assert_eq!(id("take.frames"), Some("png-sequence"));
        assert_eq!([id("take.fbx"), id("glb"), id("")], [None; 3]);
    }

    #[test]
    fn video_targets_cannot_write_clips() {
        register(VIDEOS);
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
