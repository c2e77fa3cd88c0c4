//! `labels`: label files of one program as those of another.

use std::fs;

use super::{LabelsArgs, Message, Source, Status, path_text, tell};
use mutoscope_core::{
    diagnostics::{Error, Notice},
    export::InputFiles,
    io::atomic_file,
};
use mutoscope_study::labels::{self, LabelFormat, Labels};

/// Reads labels and writes them in the format of the output.
pub(super) fn run(args: &LabelsArgs) -> Status {
    let (input, output) = (path_text(&args.input), path_text(&args.output));
    let formats = [&args.input, &args.output].map(|path| LabelFormat::of_path(path));
    let [Some(from), Some(to)] = formats else {
        let name = if formats[0].is_none() { &input } else { &output };
        tell(format_args!("error: {name}: its extension is none of csv, eaf, TextGrid"));
        return Status::WrongUsage;
    };
    let mut inputs = InputFiles::default();
    Source::File(args.input.clone()).note_as(&mut inputs, "the labels");
    if let Err(message) = inputs.allow(&args.output) {
        tell(Message::about_file(&output, message));
        return Status::WrongUsage;
    }
    let Labels { labels, notices } = match read(&args.input, from) {
        Ok(labels) => labels,
        Err(message) => {
            tell(message);
            return Status::Failed;
        }
    };
    notices.iter().for_each(|notice| tell(of_notice(&input, from, notice)));
    let written = atomic_file::begin(&args.output, ".part").and_then(|mut file| {
        let told = labels::write(&labels, to, file.as_file_mut())?;
        atomic_file::finish(file, &args.output)?;
        Ok(told)
    });
    match written {
        Ok(told) => {
            told.into_iter().for_each(|message| tell(format_args!("warning: {output}: {message}")));
            Status::Done
        }
        Err(error) => {
            tell(Message::about_file(&output, format!("cannot be written: {error}")));
            Status::Failed
        }
    }
}

/// The labels in a file, or the message why there are none.
pub(super) fn read(path: &std::path::Path, format: LabelFormat) -> Result<Labels, String> {
    let name = path_text(path);
    let bytes = fs::read(path).map_err(|error| {
        Message::about_file(&name, format!("cannot be read: {error}")).to_string()
    })?;
    labels::read(&bytes, format).map_err(|error| of_error(&name, format, &error).to_string())
}

/// The message of an issue in a label file.
pub(super) fn of_notice<'a>(path: &'a str, format: LabelFormat, notice: &Notice) -> Message<'a> {
    Message {
        path,
        format: Some(format.extension()),
        severity: notice.severity,
        place: Some(notice.place.to_string()),
        message: notice.message.clone(),
        time: notice.time,
    }
}

fn of_error<'a>(path: &'a str, format: LabelFormat, error: &Error) -> Message<'a> {
    Message {
        format: Some(format.extension()),
        place: Some(error.place().to_string()),
        ..Message::about_file(path, error.message().to_owned())
    }
}
