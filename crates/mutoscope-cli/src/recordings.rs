//! The recordings of one file: one, or each animation of a file that holds several.

use std::io;

use super::{
    Input, Reader, Source, library,
    seems::{self, Opened, Seems},
};
use mutoscope_core::{
    formats::prime::characters::FileKind, io::bytes::FileContent, read::AnimationChoice,
};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It holds recordings, or should.
    Recordings,
    /// A model or a skeleton that brings no animations.
    WithoutAnimations,
    /// No recording.
    Unrecognised,
}

/// Reads the recordings of a file that was read, and passes each to `take` with its animation, where there are
/// several. A file that was named is always taken for a recording.
pub(super) fn each(
    reader: &Reader,
    (source, is_named): (&Source, bool),
    file: io::Result<FileContent>,
    take: &mut dyn FnMut(&Input, Option<String>),
) -> Kind {
    let of_folder = source.path().filter(|_| !is_named);
    let seems = of_folder.map_or(Seems::Recording, |path| seems::of(path, reader.format));
    let recordings = Recordings { reader, source };
    match library::of_read(source, &file, reader) {
        // Resources of a recording, extracted from an archive.
        Some((_, FileKind::Part(_))) if !is_named => return Kind::Unrecognised,
        Some((bytes, kind)) => recordings.of_library(bytes, kind, take),
        None if is_named => recordings.of_recording(&reader.open_read(source, file), take),
        None => match seems.open(reader, source, file) {
            Opened::Recording(input) => recordings.of_recording(&input, take),
            Opened::WithoutAnimations => return Kind::WithoutAnimations,
            Opened::Unrecognised => return Kind::Unrecognised,
        },
    }
    Kind::Recordings
}

struct Recordings<'a> {
    reader: &'a Reader,
    source: &'a Source,
}

impl Recordings<'_> {
    fn of_recording(&self, input: &Input, take: &mut dyn FnMut(&Input, Option<String>)) {
        let animations = input.result.as_ref().ok().and_then(|clip| clip.animations()).cloned();
        let Some(animations) = animations else { return take(input, self.choice()) };
        if let Some(choice) = self.choice() {
            return take(input, Some(choice));
        }
        for (index, name) in animations.names.iter().enumerate() {
            let animation = Some(name.clone());
            match index == animations.current {
                true => take(input, animation),
                false => take(&self.of_animation(name).open(self.source), animation),
            }
        }
    }

    /// The recordings of an archive or of a set of characters, each by its name.
    fn of_library(
        &self,
        bytes: &[u8],
        kind: FileKind,
        take: &mut dyn FnMut(&Input, Option<String>),
    ) {
        let names = library::animation_names(self.source, bytes, kind);
        if names.is_empty() || self.choice().is_some() {
            return take(
                &library::open_input(self.source, bytes, kind, self.reader),
                self.choice(),
            );
        }
        for name in names {
            let input = library::open_input(self.source, bytes, kind, &self.of_animation(&name));
            take(&input, Some(name));
        }
    }

    /// The animation that was chosen for all files.
    fn choice(&self) -> Option<String> {
        self.reader.animation.animation.clone()
    }

    fn of_animation(&self, name: &str) -> Reader {
        let animation = Some(name.to_owned());
        let animation = AnimationChoice { animation, ..self.reader.animation.clone() };
        Reader { animation, ..self.reader.clone() }
    }
}
