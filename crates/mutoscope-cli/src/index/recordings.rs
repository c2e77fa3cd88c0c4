//! The recordings of one file, each as a row.

use std::{io, path::Path};

use super::{row::Row, stamp::Stamp};
use crate::{
    Input, Reader, Source, library,
    seems::{self, Seems},
};
use mutoscope_core::read::AnimationChoice;
use mutoscope_core::{formats::prime::characters::FileKind, io::bytes::FileContent};

/// How files are read.
#[derive(Clone, Copy)]
pub(super) struct Recordings<'a> {
    pub(super) reader: &'a Reader,
    /// The same as text.
    pub(super) how: &'a str,
    /// Whether checks run.
    pub(super) checks: bool,
}

impl Recordings<'_> {
    /// The rows of the file at `path`; none if it is no recording. A file that was named is always taken
    /// for one.
    pub(super) fn rows(&self, path: &Path, is_named: bool, stamp: Stamp) -> Vec<Row> {
        let seems = if is_named { Seems::Recording } else { seems::of(path, self.reader.format) };
        let source = Source::File(path.to_owned());
        let file = self.reader.read_if_recognised(&source);
        let stamp = match &file {
            // Of a large file that is no recording, only the start is read.
            Ok(file) if file.content().size() as u64 == stamp.size => stamp.of_read(file.content()),
            _ => stamp,
        };
        match library::of_read(&source, &file, self.reader) {
            // Resources of a recording, extracted from an archive.
            Some((_, FileKind::Part(_))) if !is_named => Vec::new(),
            Some((bytes, kind)) => self.of_library(&source, bytes, kind, &stamp),
            None => self.of_recording(&source, file, seems, &stamp),
        }
    }

    fn of_recording(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
        seems: Seems,
        stamp: &Stamp,
    ) -> Vec<Row> {
        let Some(input) = seems.open(self.reader, source, file) else { return Vec::new() };
        let animations = input.result.as_ref().ok().and_then(|clip| clip.animations()).cloned();
        let Some(animations) = animations else { return vec![self.row(&input, None, stamp)] };
        let rows = animations.names.iter().enumerate().map(|(index, name)| {
            let animation = Some(name.clone());
            if index == animations.current {
                return self.row(&input, animation, stamp);
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
