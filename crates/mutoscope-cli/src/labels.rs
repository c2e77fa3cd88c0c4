//! `labels`: converts label files between the formats of several programs.

use super::{LabelsArgs, Message, ReadArgs, Source, Status, format_path, print_message};
use mutoscope_core::export::InputFiles;
use mutoscope_study::labels::{self, LabelFormat, Labels};

pub(super) fn run(args: &LabelsArgs, read_args: &ReadArgs) -> Status {
    if !read_args.is_default() {
        print_message("error: labels reads no recording. Leave out the options for reading files");
        return Status::WrongUsage;
    }
    let (input, output) = (format_path(&args.input), format_path(&args.output));
    let formats = [&args.input, &args.output].map(|path| LabelFormat::from_path(path));
    let [Some(from), Some(to)] = formats else {
        let name = if formats[0].is_none() { &input } else { &output };
        print_message(format_args!("error: {name}: expected the extension csv, eaf or TextGrid"));
        return Status::WrongUsage;
    };
    let mut inputs = InputFiles::default();
    Source::File(args.input.clone()).add_to_inputs(&mut inputs, "the labels");
    if let Err(message) = inputs.check_output(&args.output) {
        print_message(Message::for_file(&output, message));
        return Status::WrongUsage;
    }
    let Labels { labels, diagnostics } = match labels::read_file(&args.input, from) {
        Ok(labels) => labels,
        Err(error) => {
            print_message(error.message(&input, from));
            return Status::Failed;
        }
    };
    for diagnostic in &diagnostics {
        print_message(labels::message_for_diagnostic(&input, from, diagnostic));
    }
    match labels::write_file(&labels, to, &args.output) {
        Ok(lost) => {
            lost.into_iter()
                .for_each(|message| print_message(format_args!("warning: {output}: {message}")));
            Status::Done
        }
        Err(error) => {
            print_message(Message::for_file(&output, format!("cannot be written: {error}")));
            Status::Failed
        }
    }
}
