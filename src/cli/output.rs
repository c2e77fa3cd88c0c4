//! Files that are read are never written over: neither by name nor by redirection.

use std::path::Path;

use super::{Reading, Source, skin};
use crate::export::InputFiles;

impl Reading {
    /// The files that are read with every recording.
    pub(super) fn files(&self) -> InputFiles {
        let mut files = InputFiles::default();
        self.rig.iter().for_each(|rig| rig.note_as(&mut files, "the skeleton"));
        let skins = self.skin.iter().filter_map(|path| skin::files(path).ok()).flatten();
        skins.for_each(|skin| files.add(&skin, "the skin"));
        files
    }
}

impl Source {
    /// Notes that it is read as `what`.
    pub(super) fn note_as(&self, files: &mut InputFiles, what: &'static str) {
        // The file behind a redirected stream is known where the system has a name for it.
        files.add(self.path().unwrap_or(Path::new("/dev/stdin")), what);
    }

    /// Whether it may be written, standard output in the place of standard input.
    ///
    /// # Errors
    /// If it is one of the `files` that are read: the message.
    pub(super) fn allow_as_output(&self, files: &InputFiles) -> Result<(), String> {
        files.allow(self.path().unwrap_or(Path::new("/dev/stdout")))
    }
}
