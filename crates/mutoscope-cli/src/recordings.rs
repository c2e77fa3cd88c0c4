//! Visits the recordings in a file: a single one, or each animation.

use std::io;

use super::{
    Input, Reader, Source, library,
    recording_hint::{self, OpenedFile, RecordingHint},
};
use mutoscope_core::{
    formats::prime::characters::FileKind, io::bytes::FileContent, read::AnimationChoice,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileContents {
    /// Recordings, even if they cannot be read.
    Recordings,
    /// A model or skeleton without animations.
    WithoutAnimations,
    /// Neither recordings nor a model.
    Unrecognised,
}

pub(super) fn for_each_recording(
    reader: &Reader,
    source: &Source,
    is_named: bool,
    file: io::Result<FileContent>,
    visit: &mut dyn FnMut(&Input, Option<String>),
) -> FileContents {
    let path_in_folder = source.path().filter(|_| !is_named);
    let hint = path_in_folder.map_or(RecordingHint::Recording, |path| {
        recording_hint::hint_for_path(path, reader.format)
    });
    let visitor = RecordingVisitor { reader, source };
    match library::library_content(source, &file, reader) {
        // Skip a file that was extracted from an archive, because it is only a part of a recording.
        // Keep the file if the user named it.
        Some((_, FileKind::Part(_))) if !is_named => return FileContents::Unrecognised,
        Some((bytes, kind)) => visitor.visit_library(bytes, kind, visit),
        None if is_named => visitor.visit_input(&reader.decode_content(source, file), visit),
        None => match hint.open(reader, source, file) {
            OpenedFile::Recording(input) => visitor.visit_input(&input, visit),
            OpenedFile::WithoutAnimations => return FileContents::WithoutAnimations,
            OpenedFile::Unrecognised => return FileContents::Unrecognised,
        },
    }
    FileContents::Recordings
}

struct RecordingVisitor<'a> {
    reader: &'a Reader,
    source: &'a Source,
}

impl RecordingVisitor<'_> {
    fn visit_input(&self, input: &Input, visit: &mut dyn FnMut(&Input, Option<String>)) {
        let animations = input.result.as_ref().ok().and_then(|clip| clip.animations()).cloned();
        let Some(animations) = animations else { return visit(input, self.chosen_animation()) };
        if let Some(choice) = self.chosen_animation() {
            return visit(input, Some(choice));
        }
        for (index, name) in animations.names.iter().enumerate() {
            let animation = Some(name.clone());
            match index == animations.current {
                true => visit(input, animation),
                false => visit(&self.reader_for_animation(name).open(self.source), animation),
            }
        }
    }

    fn visit_library(
        &self,
        bytes: &[u8],
        kind: FileKind,
        visit: &mut dyn FnMut(&Input, Option<String>),
    ) {
        let names = library::animation_names(self.source, bytes, kind);
        if names.is_empty() || self.chosen_animation().is_some() {
            return visit(
                &library::open_input(self.source, bytes, kind, self.reader),
                self.chosen_animation(),
            );
        }
        for name in names {
            let input =
                library::open_input(self.source, bytes, kind, &self.reader_for_animation(&name));
            visit(&input, Some(name));
        }
    }

    fn chosen_animation(&self) -> Option<String> {
        self.reader.animation.animation.clone()
    }

    fn reader_for_animation(&self, name: &str) -> Reader {
        let animation = Some(name.to_owned());
        let animation = AnimationChoice { animation, ..self.reader.animation.clone() };
        Reader { animation, ..self.reader.clone() }
    }
}
