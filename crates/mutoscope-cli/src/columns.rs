//! `columns`: the mapping of a table's columns, as a file to edit.

use std::io::{self, Write};

use super::{ColumnsArgs, Message, Reader, Status, failure, report, tell};

pub(super) fn run(args: &ColumnsArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let input = reader.open(&args.source);
    let Some(clip) = report(&input) else { return Ok(failure(&input)) };
    match clip.columns() {
        Some(columns) => {
            out.write_all(columns.mapping.as_bytes())?;
            Ok(Status::Done)
        }
        None => {
            let message = format!("a recording of {}, which has no columns", clip.format);
            tell(Message::about_file(&input.name, message));
            Ok(Status::WrongUsage)
        }
    }
}
