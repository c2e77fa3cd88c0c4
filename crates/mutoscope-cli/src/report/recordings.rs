//! The reports of the recordings of one file.

use crate::{
    Input, InputError, Message, Reader, Source,
    recordings::{self, Kind},
};
use mutoscope_study::report::{BrokenLabels, Measuring, Recording, RecordingReport};

/// How the recordings of files are measured.
pub(super) struct FileMeasuring<'a> {
    pub(super) reader: &'a Reader,
    pub(super) measuring: &'a Measuring<'a>,
}

/// The measures of the recordings of one file.
#[derive(Debug, Default)]
pub struct MeasuredFile {
    /// Its length.
    pub bytes: u64,
    /// Messages, a line each.
    pub lines: Vec<String>,
    /// The reports of its recordings.
    pub reports: Vec<RecordingReport>,
    /// Its recordings without measures.
    pub failures: Vec<FailedRecording>,
    /// Label files that cannot be read.
    pub broken_labels: Vec<BrokenLabels>,
    /// Whether it does not have what is requested, such as an animation.
    pub is_wrong_usage: bool,
    /// Why it has no report.
    pub skipped: Option<Skipped>,
}

/// A recording without measures: the parts of the message about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRecording {
    /// Its path in words.
    pub path: String,
    /// The word for its format, if that is known.
    pub format: Option<&'static str>,
    /// Where in the file.
    pub place: Option<String>,
    /// One sentence.
    pub message: String,
}

/// Why a file has no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// It is no recording.
    Unrecognised,
    /// It is a model without animations.
    WithoutAnimations,
    /// It is a link that leads nowhere, a pipe or a device.
    NoFile,
    /// It does not have the animation that was chosen.
    WithoutChoice,
}

impl MeasuredFile {
    pub(super) fn skipped(why: Skipped) -> Self {
        Self { skipped: Some(why), ..Self::default() }
    }

    /// A file of which the only recording cannot be read.
    pub(super) fn failed(message: &Message<'_>, animation: Option<String>) -> Self {
        let mut file = Self { lines: vec![message.to_string()], ..Self::default() };
        file.fail(message, animation);
        file
    }

    /// Adds the report of a recording, which may say why it has no measures.
    pub fn add(&mut self, report: RecordingReport) {
        if let Some(error) = &report.error {
            self.failures.push(FailedRecording {
                path: report.path.clone(),
                format: None,
                place: None,
                message: error.clone(),
            });
        }
        self.reports.push(report);
    }

    fn fail(&mut self, message: &Message<'_>, animation: Option<String>) {
        let Message { path, format, place, message, .. } = message;
        let error = match place {
            Some(place) => format!("at {place}: {message}"),
            None => message.clone(),
        };
        let mut report =
            RecordingReport::unreadable((*path).to_owned(), format.map(str::to_owned), error);
        report.animation = animation;
        self.reports.push(report);
        self.failures.push(FailedRecording {
            path: (*path).to_owned(),
            format: *format,
            place: place.clone(),
            message: message.clone(),
        });
    }
}

impl FileMeasuring<'_> {
    /// The reports of a file. One that was named is always taken for a recording.
    pub(super) fn file(&self, source: &Source, is_named: bool) -> MeasuredFile {
        let file = match is_named {
            true => self.reader.read(source),
            false => self.reader.read_if_recognised(source),
        };
        let mut measured = MeasuredFile::default();
        let mut take = |input: &Input, animation| {
            self.recording(input, source, is_named, animation, &mut measured)
        };
        match recordings::each(self.reader, (source, is_named), file, &mut take) {
            Kind::Recordings => measured,
            Kind::WithoutAnimations => MeasuredFile::skipped(Skipped::WithoutAnimations),
            Kind::Unrecognised => MeasuredFile::skipped(Skipped::Unrecognised),
        }
    }

    fn recording(
        &self,
        input: &Input,
        source: &Source,
        is_named: bool,
        animation: Option<String>,
        file: &mut MeasuredFile,
    ) {
        if let Err(InputError::WrongUsage(_)) = &input.result {
            if !is_named {
                file.skipped = Some(Skipped::WithoutChoice);
                return;
            }
            file.is_wrong_usage = true;
        }
        let messages = input.messages();
        file.lines.extend(messages.iter().map(ToString::to_string));
        let name = input.name.clone();
        match &input.result {
            Ok(clip) => {
                let recording = Recording { clip, name, file: source.path(), animation };
                match self.measuring.report(recording, &mut file.lines) {
                    Ok(report) => file.add(report),
                    Err(broken) => {
                        file.lines.push(broken.message().to_string());
                        file.broken_labels.push(broken);
                    }
                }
            }
            Err(_) => {
                let unknown = || Message::about_file(&name, "cannot be read".to_owned());
                file.fail(&messages.into_iter().last().unwrap_or_else(unknown), animation);
            }
        }
    }
}
