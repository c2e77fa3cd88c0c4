//! `columns`: prints the column mapping of a table, as a file to edit, and what is not certain.

use mutoscope_core::read;
use std::io::{self, Write};

use mutoscope_core::read::Input;

use super::{
    ColumnsArgs, Message, ReadOptions, Status, failure_status, print_message, report_input,
};

pub(super) fn run(
    args: &ColumnsArgs,
    read_options: &ReadOptions,
    out: &mut impl Write,
) -> io::Result<Status> {
    let input = match open(args, read_options) {
        Ok(input) => input,
        Err(message) => {
            print_message(Message::for_file(&args.source.to_string(), message));
            return Ok(Status::WrongUsage);
        }
    };
    let Some(clip) = report_input(&input) else { return Ok(failure_status(&input)) };
    match clip.columns() {
        Some(columns) => {
            out.write_all(columns.mapping.as_bytes())?;
            out.write_all(mutoscope_logs::format_questions(columns).as_bytes())?;
            Ok(Status::Done)
        }
        None => {
            let message = format!("expected a table or log, found a recording of {}", clip.format);
            print_message(Message::for_file(&input.name, message));
            Ok(Status::WrongUsage)
        }
    }
}

/// Reads the table with the chosen readings.
///
/// # Errors
/// If the table does not have such a question or reading. The error is the message.
fn open(args: &ColumnsArgs, read_options: &ReadOptions) -> Result<Input, String> {
    if args.read.is_empty() {
        return Ok(Input::open(&args.source, read_options));
    }
    let content = read::read(&args.source, read_options);
    // Standard input can be read only once.
    let copy = content.as_ref().ok().cloned();
    let input = Input::open_content(&args.source, content, read_options);
    let Some(columns) = input.clip().and_then(|clip| clip.columns()) else {
        return Ok(input);
    };
    let chosen = mutoscope_logs::choose_readings(columns, &args.read)
        .map_err(|message| format!("--read: {message}"))?;
    match copy {
        Some(content) => {
            let read_options = ReadOptions { columns: chosen, ..read_options.clone() };
            Ok(Input::open_content(&args.source, Ok(content), &read_options))
        }
        None => Ok(input),
    }
}
