//! `columns`: prints the column mapping of a table, as a file to edit.

use std::io::{self, Write};

use super::{ColumnsArgs, Message, Reader, Status, failure_status, print_message, report_input};

pub(super) fn run(args: &ColumnsArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let input = reader.open(&args.source);
    let Some(clip) = report_input(&input) else { return Ok(failure_status(&input)) };
    match clip.columns() {
        Some(columns) => {
            out.write_all(columns.mapping.as_bytes())?;
            Ok(Status::Done)
        }
        None => {
            let message = format!("expected a table or log, found a recording of {}", clip.format);
            print_message(Message::for_file(&input.name, message));
            Ok(Status::WrongUsage)
        }
    }
}
