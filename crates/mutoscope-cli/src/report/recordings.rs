//! Measures the recordings in a file.

use crate::{
    Input, Message, ReadError, ReadOptions, Source,
    recordings::{self, FileContents},
};
use mutoscope_core::{diagnostics::SourceLocation, read};
use mutoscope_study::report::{BrokenLabels, MeasureOptions, Recording, RecordingReport};

pub(super) struct FileMeasurer<'a> {
    pub(super) read_options: &'a ReadOptions,
    pub(super) options: &'a MeasureOptions<'a>,
}

/// The measures of the recordings in one file.
#[derive(Debug, Default)]
pub struct MeasuredFile {
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The messages about the file, one line each.
    pub lines: Vec<String>,
    /// The reports of the recordings.
    pub reports: Vec<RecordingReport>,
    /// The recordings that could not be measured.
    pub failures: Vec<FailedRecording>,
    /// The label files that cannot be read.
    pub broken_labels: Vec<BrokenLabels>,
    /// Is `true` if the arguments choose something that the file does not contain, such as an
    /// animation.
    pub is_wrong_usage: bool,
    /// The reason why the file has no report. `None` if it has one.
    pub skipped: Option<SkipReason>,
}

/// A recording that could not be measured, as the parts of its error message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRecording {
    /// The path of the file, as it is printed.
    pub path: String,
    /// The id of the format, if it is known.
    pub format: Option<&'static str>,
    /// The location of the error in the file, if it is known.
    pub location: Option<SourceLocation>,
    /// The error, in one sentence.
    pub message: String,
}

/// The reason why a file has no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The file is not a recording.
    Unrecognised,
    /// The file is a model or skeleton without animations.
    WithoutAnimations,
    /// The entry is a broken link, a pipe or a device.
    NotAFile,
    /// The file does not have the chosen animation.
    WithoutChosenAnimation,
}

impl MeasuredFile {
    pub(super) fn skipped(why: SkipReason) -> Self {
        Self { skipped: Some(why), ..Self::default() }
    }

    pub(super) fn failed(message: &Message<'_>, animation: Option<String>) -> Self {
        let mut file = Self { lines: vec![message.to_string()], ..Self::default() };
        file.add_failure(message, animation);
        file
    }

    /// Adds the report of a recording. If the report has an error, adds a failure as well.
    pub fn add(&mut self, report: RecordingReport) {
        if let Some(error) = &report.error {
            self.failures.push(FailedRecording {
                path: report.path.clone(),
                format: None,
                location: None,
                message: error.clone(),
            });
        }
        self.reports.push(report);
    }

    fn add_failure(&mut self, message: &Message<'_>, animation: Option<String>) {
        let Message { path, format, location, message, .. } = message;
        let error = match location {
            Some(location) => format!("at {location}: {message}"),
            None => message.clone(),
        };
        let mut report =
            RecordingReport::for_unreadable((*path).to_owned(), format.map(str::to_owned), error);
        report.animation = animation;
        self.reports.push(report);
        self.failures.push(FailedRecording {
            path: (*path).to_owned(),
            format: *format,
            location: location.clone(),
            message: message.clone(),
        });
    }
}

impl FileMeasurer<'_> {
    pub(super) fn measure_file(&self, source: &Source, is_named: bool) -> MeasuredFile {
        let file = match is_named {
            true => read::read(source, self.read_options),
            false => read::read_if_recognised(source, self.read_options),
        };
        let mut measured = MeasuredFile::default();
        let mut visit = |input: &Input, animation| {
            self.measure_recording(input, source, is_named, animation, &mut measured)
        };
        match recordings::for_each_recording(self.read_options, source, is_named, file, &mut visit)
        {
            FileContents::Recordings => measured,
            FileContents::WithoutAnimations => MeasuredFile::skipped(SkipReason::WithoutAnimations),
            FileContents::Unrecognised => MeasuredFile::skipped(SkipReason::Unrecognised),
        }
    }

    fn measure_recording(
        &self,
        input: &Input,
        source: &Source,
        is_named: bool,
        animation: Option<String>,
        file: &mut MeasuredFile,
    ) {
        if let Err(ReadError::WrongUsage(_)) = &input.result {
            if !is_named {
                file.skipped = Some(SkipReason::WithoutChosenAnimation);
                return;
            }
            file.is_wrong_usage = true;
        }
        let messages = input.messages();
        file.lines.extend(messages.iter().map(ToString::to_string));
        let name = input.name.clone();
        match &input.result {
            Ok(opened) => {
                let clip = &opened.clip;
                let recording = Recording { clip, name, file: source.path(), animation };
                match self.options.measure_recording(recording, &mut file.lines) {
                    Ok(report) => file.add(report),
                    Err(broken) => {
                        file.lines.push(broken.message().to_string());
                        file.broken_labels.push(broken);
                    }
                }
            }
            Err(_) => {
                let unknown = || Message::for_file(&name, "cannot be read".to_owned());
                file.add_failure(&messages.into_iter().last().unwrap_or_else(unknown), animation);
            }
        }
    }
}
