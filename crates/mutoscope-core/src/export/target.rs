//! The rows of the registry of targets: the formats that a recording can be exported to.

use std::{
    borrow::Cow,
    ffi::OsString,
    io::{self, Write},
    iter,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    ExportError, Job, MotionOptions, OptionKind, Progress, Report, TargetOption, TargetSettings,
    TimeSteps, VideoFormat, adjust::adjust_clip, codes, tracer,
};
use crate::{
    clip::{Clip, Content, FormatId},
    measure::Measurement,
};

/// A format that a recording can be exported to: a row of the registry.
#[derive(Debug)]
pub struct ExportTarget {
    /// The unique identifier of the target, as `convert --to` accepts it.
    pub id: &'static str,
    /// The display name.
    pub name: &'static str,
    /// The extension of the target's files, or of its folder, in lower case and without the dot.
    /// Several targets may share an extension.
    pub extension: &'static str,
    /// The kind of output.
    pub output: ExportOutput,
    /// The kinds of content that the target keeps of recordings of any format.
    pub contents: &'static [Content],
    /// The kinds of content of which the target keeps a part.
    pub partial_contents: &'static [Content],
    /// The formats whose curves the target writes unchanged, and what it keeps of them in addition.
    pub unchanged: (&'static [FormatId], &'static [Content]),
    /// Formats, and contents that the target loses although it keeps them of other formats.
    pub lost: (&'static [FormatId], &'static [Content]),
    /// What a recording must have. Empty if the target writes every recording.
    pub requirement: &'static str,
    /// The options that only some targets have.
    pub options: &'static [TargetOption],
    /// `true` if files may have any up axis, because the format does not fix it.
    pub has_free_axes: bool,
    /// `true` if files have a rest pose.
    pub has_rest_pose: bool,
}

/// The kind of output of a target.
#[derive(Debug)]
pub enum ExportOutput {
    /// The motion of a clip. [`ExportTarget::write`] writes this output.
    Motion(MotionWriter),
    /// A video of the viewport. Only a program with the viewer can render it.
    Video(VideoFormat),
}

/// The functions that write the motion of a clip.
#[derive(Debug)]
pub struct MotionWriter {
    write: WriteMotion,
    side_tables: &'static [SideTable],
}

/// A table in a file of its own, next to the target's main file.
#[derive(Debug)]
pub struct SideTable {
    /// The content as one word, such as `signals`. The word becomes part of the file name.
    pub name: &'static str,
    /// The function that writes the table.
    pub write: WriteMotion,
    /// The function that warns that this table is lost, if only the main file can be written.
    pub report_skipped: fn(&Job<'_>, &mut Report),
}

/// A function that writes the requested range and returns the report.
pub type WriteMotion =
    fn(&Job<'_>, &mut dyn Write, &mut Progress<'_>) -> Result<Report, ExportError>;

/// The options of an export.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// The title to use if the clip has no name: the name of its file.
    pub title: String,
    /// The range of the clip to export, in seconds, both ends included. `None` exports the whole
    /// clip.
    pub range: Option<RangeInclusive<f64>>,
    /// The sampling rate in Hz. `None` keeps the recording's own keys.
    pub rate: Option<f64>,
    /// The options that change the motion.
    pub motion: MotionOptions,
    /// The quantities that the target writes as further signals. They are measured after the motion
    /// is changed.
    pub measurements: Vec<Measurement>,
    /// The options that only some targets have.
    pub settings: TargetSettings,
    /// Further animations of the same nodes, for targets that write several into one file. Other
    /// targets write only the clip.
    pub takes: Vec<Arc<Clip>>,
}

impl ExportOptions {
    /// Returns the range to export, in seconds of the clip whose speed was changed. `None` exports the
    /// whole clip.
    pub fn written_range(&self) -> Option<RangeInclusive<f64>> {
        let range = self.range.as_ref()?;
        Some(range.start() / self.motion.speed..=range.end() / self.motion.speed)
    }
}

impl PartialEq for ExportTarget {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for ExportTarget {}

impl ExportTarget {
    /// Creates the row of a target that writes the motion of a clip into one file.
    pub const fn for_motion(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        write: WriteMotion,
    ) -> Self {
        Self::for_motion_with_tables(id, name, extension, write, &[])
    }

    /// Creates the row of a target that writes the motion of a clip, and tables into files of their
    /// own.
    pub const fn for_motion_with_tables(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        write: WriteMotion,
        side_tables: &'static [SideTable],
    ) -> Self {
        let writer = MotionWriter { write, side_tables };
        Self::new(id, name, extension, ExportOutput::Motion(writer))
    }

    /// Creates a row that keeps nothing and has no options.
    const fn new(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        output: ExportOutput,
    ) -> Self {
        Self {
            id,
            name,
            extension,
            output,
            contents: &[],
            partial_contents: &[],
            unchanged: (&[], &[]),
            lost: (&[], &[]),
            requirement: "",
            options: &[],
            has_free_axes: false,
            has_rest_pose: false,
        }
    }

    /// Returns the row with these options.
    #[must_use]
    pub const fn with_options(self, options: &'static [TargetOption]) -> Self {
        Self { options, ..self }
    }

    /// Returns the row of a format that does not fix the up axis.
    #[must_use]
    pub const fn with_free_axes(self) -> Self {
        Self { has_free_axes: true, ..self }
    }

    /// Returns the row of a format with a rest pose.
    #[must_use]
    pub const fn with_rest_pose(self) -> Self {
        Self { has_rest_pose: true, ..self }
    }

    /// Creates the row of a target that renders the viewport to a video.
    pub const fn for_video(
        id: &'static str,
        name: &'static str,
        extension: &'static str,
        format: VideoFormat,
    ) -> Self {
        Self::new(id, name, extension, ExportOutput::Video(format))
    }

    /// Sets the kinds of content that the target keeps of recordings of any format.
    pub const fn keeping(self, contents: &'static [Content]) -> Self {
        Self { contents, ..self }
    }

    /// Sets the kinds of content of which the target keeps a part.
    pub const fn keeping_parts(self, partial_contents: &'static [Content]) -> Self {
        Self { partial_contents, ..self }
    }

    /// Sets the formats whose curves the target writes unchanged, and what it keeps of them in
    /// addition to its other contents.
    pub const fn keeping_unchanged(
        self,
        formats: &'static [FormatId],
        contents: &'static [Content],
    ) -> Self {
        Self { unchanged: (formats, contents), ..self }
    }

    /// Sets the formats and the contents that the target loses although it keeps them of other
    /// formats.
    pub const fn losing(self, formats: &'static [FormatId], contents: &'static [Content]) -> Self {
        Self { lost: (formats, contents), ..self }
    }

    /// Sets what a recording must have.
    pub const fn requiring(self, requirement: &'static str) -> Self {
        Self { requirement, ..self }
    }

    /// Returns `true` if the target keeps `content` of recordings of `format`.
    pub fn keeps(&self, content: Content, format: FormatId) -> bool {
        let is_listed = |(formats, contents): (&[FormatId], &[Content])| {
            formats.contains(&format) && contents.contains(&content)
        };
        let is_kept = self.contents.contains(&content) || is_listed(self.unchanged);
        is_kept && !is_listed(self.lost)
    }

    /// Returns the video format of the target, or `None` if it writes the motion of a clip.
    pub fn video_format(&self) -> Option<VideoFormat> {
        match self.output {
            ExportOutput::Motion(_) => None,
            ExportOutput::Video(format) => Some(format),
        }
    }

    /// Returns the option with this [name](TargetOption::name), or `None` if there is none.
    pub fn option(&self, name: &str) -> Option<&'static TargetOption> {
        self.options.iter().find(|option| option.name == name)
    }

    /// Returns the option that takes the file of a skeleton, or `None` if there is none.
    pub fn skeleton_option(&self) -> Option<&'static TargetOption> {
        self.options.iter().find(|option| matches!(option.kind, OptionKind::Skeleton { .. }))
    }

    /// Returns `true` if `settings` ask for all animations of a file: [`ExportOptions::takes`].
    pub fn wants_takes(&self, settings: &TargetSettings) -> bool {
        let option = self.options.iter().find(|option| matches!(option.kind, OptionKind::Takes));
        option.is_some_and(|option| settings.has_flag(option))
    }

    /// Returns the names of the tables in files of their own, in the order of
    /// [`Self::output_paths`].
    pub fn side_table_names(&self) -> impl Iterator<Item = &'static str> {
        self.side_tables().iter().map(|table| table.name)
    }

    /// Returns the paths of all files that the target writes: its main file at `path`, and its
    /// tables in the same folder, such as `take.signals.parquet` for `take.parquet`.
    pub fn output_paths(&self, path: &Path) -> Vec<PathBuf> {
        let side_tables = self.side_table_names().map(|name| match path.extension() {
            None => path.with_extension(name),
            Some(extension) => {
                let mut both = OsString::from(name);
                both.push(".");
                both.push(extension);
                path.with_extension(both)
            }
        });
        iter::once(path.to_owned()).chain(side_tables).collect()
    }

    /// Writes `clip` to `out` and reports progress to `progress`. Tables that need their own files
    /// are skipped, and the report warns about them.
    ///
    /// After an error, `out` holds an incomplete file; [`super::write_file`] removes it.
    ///
    /// # Errors
    /// Fails if `progress` is cancelled, if there would be too many keys, if `out` cannot be
    /// written to, if the target does not have the options or refuses the recording, or if the
    /// target is a video, which is rendered instead of written.
    pub fn write(
        &self,
        clip: &Clip,
        options: &ExportOptions,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let clip = self.prepare_clip(clip, options)?;
        let job = Job::new(&clip, options);
        let mut report = self.write_main_file(&job, out, progress)?;
        self.side_tables().iter().for_each(|table| (table.report_skipped)(&job, &mut report));
        Ok(report)
    }

    /// Checks the options, and returns the clip with the motion that they ask for.
    ///
    /// # Errors
    /// Fails if the target does not have an option, if the options contradict each other, or if the
    /// clip has no root or no humanoid body for them.
    pub fn prepare_clip<'a>(
        &self,
        clip: &'a Clip,
        options: &ExportOptions,
    ) -> Result<Cow<'a, Clip>, ExportError> {
        options.settings.check(self)?;
        options.motion.check(clip, self)?;
        if options.range.is_some() && !options.takes.is_empty() {
            let message = "a range belongs to one animation; not exported with several takes";
            return Err(ExportError::refused(codes::OPTION_INVALID, message));
        }
        let adjusted = adjust_clip(clip, options)?;
        Ok(match options.measurements.is_empty() {
            true => adjusted,
            false => Cow::Owned(adjusted.with_measurements(&options.measurements)),
        })
    }

    pub(super) fn write_main_file(
        &self,
        job: &Job<'_>,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let ExportOutput::Motion(writer) = &self.output else {
            let message = format!("{} is rendered, not written from curves", self.name);
            return Err(io::Error::new(io::ErrorKind::Unsupported, message).into());
        };
        let mut report = (writer.write)(job, out, progress)?;
        out.flush()?;
        job.motion.report(&mut report);
        Ok(report)
    }

    pub(super) fn side_tables(&self) -> &'static [SideTable] {
        match self.output {
            ExportOutput::Motion(MotionWriter { side_tables, .. }) => side_tables,
            ExportOutput::Video(_) => &[],
        }
    }
}

impl SideTable {
    pub(super) fn write(
        &self,
        job: &Job<'_>,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let report = (self.write)(job, out, progress)?;
        out.flush()?;
        Ok(report)
    }
}

impl<'a> Job<'a> {
    pub(super) fn new(clip: &'a Clip, options: &'a ExportOptions) -> Self {
        let (from, to) = options
            .written_range()
            .map_or((clip.span.start, clip.span.end()), RangeInclusive::into_inner);
        let source = options.title.as_str();
        let title = if clip.name.is_empty() { source } else { &clip.name };
        let (to, rate) = (to.max(from), options.rate);
        let min_key_gap = tracer::MIN_INSERTED_GAP_S;
        let time_steps = TimeSteps::single_precision(from);
        let (motion, settings) = (&options.motion, &options.settings);
        let takes = options.takes.as_slice();
        Self {
            clip,
            title,
            source,
            from,
            to,
            rate,
            motion,
            settings,
            takes,
            min_key_gap,
            time_steps,
            path: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{
        clip::{Convention, FormatId, Handedness, UpAxis},
        export::{BUILT_IN, VIDEO_TARGETS},
    };

    #[test]
    fn ids_are_unique_and_extensions_are_lower_case() {
        let targets = || BUILT_IN.iter().chain(VIDEO_TARGETS);
        let ids: HashSet<_> = targets().map(|target| target.id).collect();
        assert_eq!(ids.len(), targets().count());
        for target in targets() {
            assert_eq!(target.extension, target.extension.to_ascii_lowercase());
            assert!(!target.extension.contains('.'), "{}", target.id);
        }
    }

    #[test]
    fn video_targets_cannot_write_clips() {
        let target = VIDEO_TARGETS.iter().find(|target| target.id == "gif").unwrap();
        let convention = Convention::assumed(Handedness::Right, UpAxis::Y);
        let clip = Clip::new(FormatId::new("test"), convention);
        let mut out = Vec::new();
        let result =
            target.write(&clip, &ExportOptions::default(), &mut out, &mut Progress::default());
        assert!(matches!(result, Err(ExportError::Unwritable(_))), "{result:?}");
        assert!(out.is_empty());
    }
}
