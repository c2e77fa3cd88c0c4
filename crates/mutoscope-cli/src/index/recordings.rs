//! Turns the recordings in a file into rows.

use super::{row::Row, stamp::Stamp};
use crate::{
    Input, ReadOptions, Source,
    recordings::{self, FileContents},
};
use mutoscope_core::{
    io::bytes::{FileContent, MemorySidecars},
    read,
    read::MemoryFile,
};

#[derive(Clone, Copy)]
pub(super) struct RecordingIndexer<'a> {
    pub(super) read_options: &'a ReadOptions,
    pub(super) options_text: &'a str,
    pub(super) runs_checks: bool,
}

#[derive(Debug)]
pub(super) enum Rows {
    Recordings(Vec<Row>),
    /// The file is a model or skeleton without animations.
    WithoutAnimations,
    /// The file is not a recording.
    Unrecognised,
}

impl RecordingIndexer<'_> {
    pub(super) fn index_file(&self, source: &Source, is_named: bool, stamp: Stamp) -> Rows {
        let file = read::read_if_recognised(source, self.read_options);
        let stamp = match &file {
            // Hash the content only if all of it was read. A large file that is not a recording is
            // read only in part.
            Ok(file) if file.as_content().size() as u64 == stamp.size => {
                stamp.with_hash(file.as_content())
            }
            _ => stamp,
        };
        let mut rows = Vec::new();
        let mut visit = |input: &Input, animation| rows.push(self.to_row(input, animation, &stamp));
        match recordings::for_each_recording(self.read_options, source, is_named, file, &mut visit)
        {
            FileContents::Recordings => Rows::Recordings(rows),
            FileContents::WithoutAnimations => Rows::WithoutAnimations,
            FileContents::Unrecognised => Rows::Unrecognised,
        }
    }

    pub(super) fn index_stdin(&self) -> Vec<Row> {
        let stdin = Source::Stdin;
        let content = read::read(&stdin, self.read_options);
        let bytes = match &content {
            Ok(FileContent::Memory(bytes)) => bytes.clone(),
            Ok(FileContent::File(_)) | Err(_) => {
                let stamp = Stamp::default().without_modified();
                return vec![self.to_row(
                    &Input::open_content(&stdin, content, self.read_options),
                    None,
                    &stamp,
                )];
            }
        };
        let stamp = Stamp { size: bytes.len() as u64, ..Stamp::default() };
        // Standard input can be read only once, but may hold several recordings. Pass its bytes on
        // as a file in memory.
        let file = Source::Memory(MemoryFile {
            name: stdin.to_string(),
            bytes,
            sidecars: MemorySidecars::default(),
        });
        match self.index_file(&file, true, stamp) {
            Rows::Recordings(rows) => rows,
            Rows::WithoutAnimations | Rows::Unrecognised => Vec::new(),
        }
    }

    fn to_row(self, input: &Input, animation: Option<String>, stamp: &Stamp) -> Row {
        let stamp = stamp.clone();
        let stamp = if input.sidecars().is_empty() { stamp } else { stamp.without_modified() };
        Row::new(input, animation, stamp, self.options_text, self.runs_checks)
    }
}
