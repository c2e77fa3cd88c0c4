//! The recordings of one file, each as a row.

use super::{row::Row, stamp::Stamp};
use crate::{
    Input, Reader, Source,
    recordings::{self, Kind},
};
use mutoscope_core::{
    io::bytes::{FileContent, MemorySidecars},
    read::MemoryFile,
};

/// How files are read.
#[derive(Clone, Copy)]
pub(super) struct Recordings<'a> {
    pub(super) reader: &'a Reader,
    /// The same as text.
    pub(super) how: &'a str,
    /// Whether checks run.
    pub(super) checks: bool,
}

/// The rows of a file, or why it has none.
#[derive(Debug)]
pub(super) enum Rows {
    /// Recordings.
    Of(Vec<Row>),
    /// A model or a skeleton that brings no animations.
    WithoutAnimations,
    /// No recording.
    Unrecognised,
}

impl Recordings<'_> {
    /// The rows of a file. One that was named is always taken for a recording.
    pub(super) fn rows(&self, source: &Source, is_named: bool, stamp: Stamp) -> Rows {
        let file = self.reader.read_if_recognised(source);
        let stamp = match &file {
            // Of a large file that is no recording, only the start is read.
            Ok(file) if file.content().size() as u64 == stamp.size => stamp.of_read(file.content()),
            _ => stamp,
        };
        let mut rows = Vec::new();
        let mut take = |input: &Input, animation| rows.push(self.row(input, animation, &stamp));
        match recordings::each(self.reader, (source, is_named), file, &mut take) {
            Kind::Recordings => Rows::Of(rows),
            Kind::WithoutAnimations => Rows::WithoutAnimations,
            Kind::Unrecognised => Rows::Unrecognised,
        }
    }

    /// The rows of what standard input has.
    pub(super) fn of_stdin(&self) -> Vec<Row> {
        let stdin = Source::Stdin;
        let read = self.reader.read(&stdin);
        let bytes = match &read {
            Ok(FileContent::Memory(bytes)) => bytes.clone(),
            Ok(FileContent::File(_)) | Err(_) => {
                let stamp = Stamp::default().of_several();
                return vec![self.row(&self.reader.open_read(&stdin, read), None, &stamp)];
            }
        };
        let stamp = Stamp { size: bytes.len() as u64, ..Stamp::default() };
        // It is read once, and may hold several recordings.
        let file = Source::Memory(MemoryFile {
            name: stdin.to_string(),
            bytes,
            sidecars: MemorySidecars::default(),
        });
        match self.rows(&file, true, stamp) {
            Rows::Of(rows) => rows,
            Rows::WithoutAnimations | Rows::Unrecognised => Vec::new(),
        }
    }

    fn row(&self, input: &Input, animation: Option<String>, stamp: &Stamp) -> Row {
        let stamp = stamp.clone();
        let stamp = if input.sidecars.is_empty() { stamp } else { stamp.of_several() };
        Row::new(input, animation, stamp, self.how, self.checks)
    }
}
