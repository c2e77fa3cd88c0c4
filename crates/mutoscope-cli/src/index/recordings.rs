//! The recordings of one file, each as a row.

use super::{row::Row, stamp::Stamp};
use crate::{
    Input, Reader, Source, library,
    seems::{self, Opened, Seems},
};
use mutoscope_core::read::{AnimationChoice, MemoryFile};
use mutoscope_core::{
    formats::prime::characters::FileKind,
    io::bytes::{FileContent, MemorySidecars},
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
        let of_folder = source.path().filter(|_| !is_named);
        let seems = of_folder.map_or(Seems::Recording, |path| seems::of(path, self.reader.format));
        let file = self.reader.read_if_recognised(source);
        let stamp = match &file {
            // Of a large file that is no recording, only the start is read.
            Ok(file) if file.content().size() as u64 == stamp.size => stamp.of_read(file.content()),
            _ => stamp,
        };
        match library::of_read(source, &file, self.reader) {
            // Resources of a recording, extracted from an archive.
            Some((_, FileKind::Part(_))) if !is_named => Rows::Unrecognised,
            Some((bytes, kind)) => Rows::Of(self.of_library(source, bytes, kind, &stamp)),
            None if is_named => {
                Rows::Of(self.of_recording(&self.reader.open_read(source, file), source, &stamp))
            }
            None => match seems.open(self.reader, source, file) {
                Opened::Recording(input) => Rows::Of(self.of_recording(&input, source, &stamp)),
                Opened::WithoutAnimations => Rows::WithoutAnimations,
                Opened::Unrecognised => Rows::Unrecognised,
            },
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

    fn of_recording(&self, input: &Input, source: &Source, stamp: &Stamp) -> Vec<Row> {
        let animations = input.result.as_ref().ok().and_then(|clip| clip.animations()).cloned();
        let Some(animations) = animations else { return vec![self.row(input, None, stamp)] };
        let rows = animations.names.iter().enumerate().map(|(index, name)| {
            let animation = Some(name.clone());
            if index == animations.current {
                return self.row(input, animation, stamp);
            }
            let reader = self.of_animation(name);
            self.row(&reader.open(source), animation, stamp)
        });
        rows.collect()
    }

    /// The recordings of an archive or of a set of characters, each by its name.
    fn of_library(&self, source: &Source, bytes: &[u8], kind: FileKind, stamp: &Stamp) -> Vec<Row> {
        let names = library::animation_names(source, bytes, kind);
        if names.is_empty() {
            let input = library::open_input(source, bytes, kind, self.reader);
            return vec![self.row(&input, None, stamp)];
        }
        let rows = names.into_iter().map(|name| {
            let input = library::open_input(source, bytes, kind, &self.of_animation(&name));
            self.row(&input, Some(name), stamp)
        });
        rows.collect()
    }

    fn of_animation(&self, name: &str) -> Reader {
        let animation =
            AnimationChoice { animation: Some(name.to_owned()), ..AnimationChoice::default() };
        Reader { animation, ..self.reader.clone() }
    }

    fn row(&self, input: &Input, animation: Option<String>, stamp: &Stamp) -> Row {
        let stamp = stamp.clone();
        let stamp = if input.sidecars.is_empty() { stamp } else { stamp.of_several() };
        Row::new(input, animation, stamp, self.how, self.checks)
    }
}
