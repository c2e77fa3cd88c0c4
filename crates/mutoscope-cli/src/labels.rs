//! `labels`: label files of one program as those of another.

use super::{LabelsArgs, Message, Reading, Source, Status, path_text, tell};
use mutoscope_core::export::InputFiles;
use mutoscope_study::labels::{self, LabelFormat, Labels};

/// Reads labels and writes them in the format of the output.
pub(super) fn run(args: &LabelsArgs, reading: &Reading) -> Status {
    if !reading.is_default() {
        tell("error: labels reads no recording, so there are no options for that");
        return Status::WrongUsage;
    }
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
    let Labels { labels, notices } = match labels::read_file(&args.input, from) {
        Ok(labels) => labels,
        Err(error) => {
            tell(error.message(&input, from));
            return Status::Failed;
        }
    };
    notices.iter().for_each(|notice| tell(labels::message_of_notice(&input, from, notice)));
    match labels::write_file(&labels, to, &args.output) {
        Ok(lost) => {
            lost.into_iter().for_each(|message| tell(format_args!("warning: {output}: {message}")));
            Status::Done
        }
        Err(error) => {
            tell(Message::about_file(&output, format!("cannot be written: {error}")));
            Status::Failed
        }
    }
}
