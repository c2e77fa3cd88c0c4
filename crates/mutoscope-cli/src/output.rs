//! Files that are read are never written over: neither by name nor by redirection.

use super::{Reading, skin};
use mutoscope_core::export::InputFiles;

impl Reading {
    /// The files that are read with every recording.
    pub fn files(&self) -> InputFiles {
        let mut files = InputFiles::default();
        self.rig.iter().for_each(|rig| rig.note_as(&mut files, "the skeleton"));
        self.bone_map().iter().for_each(|path| files.add(path, "the map of bones"));
        self.columns.iter().for_each(|path| files.add(path, "the mapping file"));
        let skins = self.skin.iter().filter_map(|path| skin::files(path).ok()).flatten();
        skins.for_each(|skin| files.add(&skin, "the skin"));
        files
    }
}
