//! Visits the recordings in a file: a single one, or each animation.

use std::io;

use super::{
    Input, ReadOptions, Source, library,
    recording_hint::{self, OpenedFile, RecordingHint},
};
use mutoscope_core::{
    clip::Variants, formats::prime::characters::FileKind, io::bytes::FileContent,
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
    read_options: &ReadOptions,
    source: &Source,
    is_named: bool,
    file: io::Result<FileContent>,
    visit: &mut dyn FnMut(&Input, Option<String>),
) -> FileContents {
    let path_in_folder = source.path().filter(|_| !is_named);
    let hint = path_in_folder.map_or(RecordingHint::Recording, |path| {
        recording_hint::hint_for_path(path, read_options.format)
    });
    let visitor = RecordingVisitor { read_options, source };
    match library::library_content(source, &file, read_options) {
        // Skip a file that was extracted from an archive, because it is only a part of a recording.
        // Keep the file if the user named it.
        Some((_, FileKind::Part(_))) if !is_named => return FileContents::Unrecognised,
        Some((bytes, kind)) => visitor.visit_library(bytes, kind, visit),
        None if is_named => {
            visitor.visit_input(&Input::open_content(source, file, read_options), visit)
        }
        None => match hint.open(read_options, source, file) {
            OpenedFile::Recording(input) => visitor.visit_input(&input, visit),
            OpenedFile::WithoutAnimations => return FileContents::WithoutAnimations,
            OpenedFile::Unrecognised => return FileContents::Unrecognised,
        },
    }
    FileContents::Recordings
}

struct RecordingVisitor<'a> {
    read_options: &'a ReadOptions,
    source: &'a Source,
}

impl RecordingVisitor<'_> {
    fn visit_input(&self, input: &Input, visit: &mut dyn FnMut(&Input, Option<String>)) {
        let animations = input.clip().and_then(|clip| clip.animations()).cloned();
        let Some(animations) = animations else { return visit(input, self.chosen_animation()) };
        if let Some(choice) = self.chosen_animation() {
            return visit(input, Some(choice));
        }
        for (index, name) in animations.names.iter().enumerate() {
            let animation = Some(name.clone());
            match index == animations.current {
                true => visit(input, animation),
                false => {
                    visit(&Input::open(self.source, &self.options_for_animation(name)), animation)
                }
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
                &self.open_in_library(bytes, kind, self.read_options),
                self.chosen_animation(),
            );
        }
        for name in names {
            let input = self.open_in_library(bytes, kind, &self.options_for_animation(&name));
            visit(&input, Some(name));
        }
    }

    fn chosen_animation(&self) -> Option<String> {
        self.read_options.variant(Variants::ANIMATION).map(str::to_owned)
    }

    fn options_for_animation(&self, name: &str) -> ReadOptions {
        self.read_options.clone().with_variant(Variants::ANIMATION, name)
    }

    fn open_in_library(&self, bytes: &[u8], kind: FileKind, options: &ReadOptions) -> Input {
        let result = library::open_recording(self.source, bytes, kind, options);
        Input { name: self.source.to_string(), result }
    }
}
