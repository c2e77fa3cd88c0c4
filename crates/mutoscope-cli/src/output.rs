//! Collects the input files of the options, so that no output overwrites them, by name or by
//! redirection.

use super::{ReadArgs, skin};
use mutoscope_core::export::InputFiles;

impl ReadArgs {
    /// Returns the files that are read with every recording: the skeleton, the bone map, the column
    /// mapping and the skins.
    pub fn input_files(&self) -> InputFiles {
        let mut files = InputFiles::default();
        self.rig.iter().for_each(|rig| rig.add_to_inputs(&mut files, "the skeleton"));
        self.bone_map().iter().for_each(|path| files.add(path, "the bone map"));
        self.columns.iter().for_each(|path| files.add(path, "the column mapping"));
        let skins = self.skin.iter().filter_map(|path| skin::list_skin_files(path).ok()).flatten();
        skins.for_each(|skin| files.add(&skin, "the skin"));
        files
    }
}
