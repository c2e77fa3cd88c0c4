//! What is remembered from one run to the next: what the user assumes of formats.
//!
//! A small file of JSON in the folder for configuration of the desktop, such as
//! `~/.config/mutoscope/settings.json`. Without such a folder, or if the file cannot be read,
//! everything is as usual.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{
    clip::{Assumption, Assumptions, RotationRule},
    formats::FormatId,
};

/// What is remembered, and where.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct Settings {
    /// The file; nothing if nothing is to be kept.
    path: Option<PathBuf>,
    kept: Kept,
    /// How rotations run in this run, whatever the format.
    rotation: Option<RotationRule>,
}

/// What the file holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// By the words of formats.
    assumptions: BTreeMap<String, Assumptions>,
}

impl Settings {
    /// Those of the user.
    pub(super) fn of_user() -> Self {
        dirs::config_dir().map_or_else(Self::default, |folder| {
            Self::in_file(folder.join("mutoscope").join("settings.json"))
        })
    }

    fn in_file(path: PathBuf) -> Self {
        let kept = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self { path: Some(path), kept: kept.unwrap_or_default(), rotation: None }
    }

    /// The same, but rotations of every format run by this rule until another is chosen.
    pub(super) fn with_rotation(self, rotation: Option<RotationRule>) -> Self {
        Self { rotation, ..self }
    }

    /// What is assumed of recordings of `format`.
    pub(super) fn assumptions(&self, format: FormatId) -> Assumptions {
        let kept = self.kept.assumptions.get(format.word()).copied().unwrap_or_default();
        Assumptions { rotation: self.rotation.or(kept.rotation), ..kept }
    }

    /// Assumes it of all recordings of `format`, also in later runs.
    ///
    /// # Errors
    /// If it cannot be written down; it holds for this run all the same.
    pub(super) fn assume(&mut self, format: FormatId, assumption: Assumption) -> io::Result<()> {
        if let Assumption::Rotation(_) = assumption {
            self.rotation = None;
        }
        let word = format.word().to_owned();
        self.kept.assumptions.entry(word).or_default().assume(assumption);
        self.save()
    }

    /// Assumes of recordings of `format` what is usual for it.
    ///
    /// # Errors
    /// As [`assume`](Self::assume).
    pub(super) fn forget(&mut self, format: FormatId) -> io::Result<()> {
        self.rotation = None;
        self.kept.assumptions.remove(format.word());
        self.save()
    }

    fn save(&self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let text = serde_json::to_string_pretty(&self.kept)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        write_whole(path, &(text + "\n"))
    }
}

/// Writes beside the file first, so that it is never half written.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension("new");
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Up;

    #[test]
    fn what_is_assumed_holds_in_the_next_run_for_its_format_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/settings.json");
        let mut settings = Settings::in_file(path.clone());
        assert_eq!(settings.assumptions(FormatId::Maya), Assumptions::default());
        settings.assume(FormatId::Maya, Assumption::Up(Up::Z)).unwrap();
        settings.assume(FormatId::Maya, Assumption::MetresPerUnit(0.0254)).unwrap();
        let later = Settings::in_file(path.clone());
        let expected = Assumptions {
            up: Some(Up::Z),
            metres_per_unit: Some(0.0254),
            ..Assumptions::default()
        };
        assert_eq!(later.assumptions(FormatId::Maya), expected);
        assert_eq!(later.assumptions(FormatId::Mrtk), Assumptions::default());
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(r#""up": "Z""#) && !text.contains("rotation"), "{text}");
        settings.forget(FormatId::Maya).unwrap();
        let later = Settings::in_file(path);
        assert_eq!(later.assumptions(FormatId::Maya), Assumptions::default());
    }

    #[test]
    fn a_rule_for_this_run_holds_until_another_is_chosen() {
        let mut settings = Settings::default().with_rotation(Some(RotationRule::Faithful));
        let rule = |settings: &Settings| settings.assumptions(FormatId::Mrtk).rotation;
        assert_eq!(rule(&settings), Some(RotationRule::Faithful));
        settings.assume(FormatId::Mrtk, Assumption::Up(Up::Z)).unwrap();
        assert_eq!(rule(&settings), Some(RotationRule::Faithful));
        let chosen = Assumption::Rotation(RotationRule::Continuous);
        settings.assume(FormatId::Mrtk, chosen).unwrap();
        assert_eq!(rule(&settings), Some(RotationRule::Continuous));
        settings.forget(FormatId::Mrtk).unwrap();
        assert_eq!(rule(&settings), None);
    }

    #[test]
    fn a_broken_file_is_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        for text in ["", "{", "[]", r#"{"assumptions": {"maya": {"up": "W"}}}"#] {
            fs::write(&path, text).unwrap();
            assert_eq!(Settings::in_file(path.clone()).kept, Kept::default(), "{text}");
        }
        // What a later version may add is no obstacle.
        fs::write(&path, r#"{"theme": 1, "assumptions": {"maya": {"up": "Z", "x": 0}}}"#).unwrap();
        assert_eq!(Settings::in_file(path).assumptions(FormatId::Maya).up, Some(Up::Z));
    }
}
