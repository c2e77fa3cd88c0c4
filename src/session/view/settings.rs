//! The settings: the user's assumptions on formats, the layout of the window, and recent files.
//!
//! A small file of JSON in the folder for configuration of the desktop, such as
//! `~/.config/mutoscope/settings.json`; in a browser, its storage for the site. Without such a
//! folder, or if the file cannot be read, everything has its default.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::session::Layout;
use crate::stage::CameraPose;
use mutoscope_core::clip::{Assumption, Assumptions, FormatAssumptions, FormatId, RotationRule};

/// The settings and their file.
#[derive(Resource, Clone, Debug, Default)]
pub(in crate::session) struct Settings {
    /// The file; nothing if nothing is to be kept.
    path: Option<PathBuf>,
    kept: Kept,
    /// How rotations run in this run, whatever the format.
    rotation: Option<RotationRule>,
}

/// The content of the settings file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// By the words of formats.
    assumptions: BTreeMap<String, Assumptions>,
    layout: Layout,
    /// The size of the window, in logical pixels.
    window: Option<(f32, f32)>,
    /// The latest first.
    recent: Vec<Recent>,
}

/// A recording that was open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Recent {
    path: PathBuf,
    /// The camera, if the user moved it.
    #[serde(default)]
    camera: Option<CameraPose>,
}

/// How many recent recordings are remembered.
const MOST_RECENT: usize = 12;

impl Settings {
    /// The settings of the user.
    pub(in crate::session) fn of_user() -> Self {
        place::of_user().map_or_else(Self::default, Self::in_file)
    }

    fn in_file(path: PathBuf) -> Self {
        let kept = place::read(&path).and_then(|text| serde_json::from_str(&text).ok());
        Self { path: Some(path), kept: kept.unwrap_or_default(), rotation: None }
    }

    /// The same, but rotations of every format run by this rule until another is chosen.
    pub(in crate::session) fn with_rotation(self, rotation: Option<RotationRule>) -> Self {
        Self { rotation, ..self }
    }

    /// The assumptions for each format.
    pub(in crate::session) fn format_assumptions(&self) -> FormatAssumptions {
        let of_all = Assumptions { rotation: self.rotation, ..Assumptions::default() };
        FormatAssumptions { of_all, by_format: self.kept.assumptions.clone() }
    }

    /// The assumptions for recordings of `format`.
    #[cfg(test)]
    pub(in crate::session) fn assumptions(&self, format: FormatId) -> Assumptions {
        self.format_assumptions().of(format)
    }

    /// Assumes it of all recordings of `format`, also in later runs.
    ///
    /// # Errors
    /// If it cannot be saved; it holds for this run all the same.
    pub(in crate::session) fn assume(
        &mut self,
        format: FormatId,
        assumption: Assumption,
    ) -> io::Result<()> {
        if let Assumption::Rotation(_) = assumption {
            self.rotation = None;
        }
        let word = format.word().to_owned();
        self.kept.assumptions.entry(word).or_default().assume(assumption);
        self.save()
    }

    /// Resets the assumptions for `format`.
    ///
    /// # Errors
    /// As [`assume`](Self::assume).
    pub(in crate::session) fn forget(&mut self, format: FormatId) -> io::Result<()> {
        self.rotation = None;
        self.kept.assumptions.remove(format.word());
        self.save()
    }

    /// How the window is laid out.
    pub(in crate::session) fn layout(&self) -> &Layout {
        &self.kept.layout
    }

    /// The size of the window, in logical pixels, if it was ever another than at first.
    pub(in crate::session) fn window(&self) -> Option<(f32, f32)> {
        self.kept.window
    }

    /// The recordings that were open, the latest first.
    pub(in crate::session) fn recent(&self) -> impl Iterator<Item = &Path> {
        self.kept.recent.iter().map(|recent| &*recent.path)
    }

    /// Where the recording at `path` was looked at from, if from anywhere special.
    pub(in crate::session) fn camera(&self, path: &Path) -> Option<CameraPose> {
        self.kept.recent.iter().find(|recent| recent.path == path)?.camera
    }

    /// Remembers how the window is laid out and how large it is; returns whether it has changed.
    pub(in crate::session) fn lay_out(
        &mut self,
        layout: Layout,
        window: Option<(f32, f32)>,
    ) -> bool {
        let is_news = self.kept.layout != layout || self.kept.window != window;
        (self.kept.layout, self.kept.window) = (layout, window);
        is_news
    }

    /// Remembers that the recording at `path` is open.
    pub(in crate::session) fn opened(&mut self, path: PathBuf) {
        let camera = self.camera(&path);
        self.kept.recent.retain(|recent| recent.path != path);
        self.kept.recent.insert(0, Recent { path, camera });
        self.kept.recent.truncate(MOST_RECENT);
    }

    /// Remembers where the recording at `path`, if it is among the recent ones, is looked at from.
    pub(in crate::session) fn seen_from(&mut self, path: &Path, camera: Option<CameraPose>) {
        if let Some(recent) = self.kept.recent.iter_mut().find(|recent| recent.path == path) {
            recent.camera = camera;
        }
    }

    /// Saves the settings.
    ///
    /// # Errors
    /// If it cannot be written; it holds for this run all the same.
    pub(in crate::session) fn save(&self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        place::write(path, &serde_json::to_string_pretty(&self.kept)?)
    }
}

/// The file of the settings, in the folder for configuration.
#[cfg(not(target_family = "wasm"))]
mod place {
    use std::{
        fs,
        io::{self, Write as _},
        path::{Path, PathBuf},
    };

    use mutoscope_core::io::atomic_file;

    pub(in crate::session) fn of_user() -> Option<PathBuf> {
        dirs::config_dir().map(|folder| folder.join("mutoscope").join("settings.json"))
    }

    pub(in crate::session) fn read(path: &Path) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    pub(in crate::session) fn write(path: &Path, text: &str) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = atomic_file::begin(path, ".part")?;
        writeln!(file, "{text}")?;
        atomic_file::finish(file, path)
    }
}

/// The settings in the browser's storage for the site, under this name.
#[cfg(target_family = "wasm")]
mod place {
    use std::{
        io,
        path::{Path, PathBuf},
    };

    use crate::browser::{keep_text, kept_text};

    pub(in crate::session) fn of_user() -> Option<PathBuf> {
        Some("mutoscope/settings.json".into())
    }

    pub(in crate::session) fn read(path: &Path) -> Option<String> {
        kept_text(path.to_str()?)
    }

    pub(in crate::session) fn write(path: &Path, text: &str) -> io::Result<()> {
        keep_text(&path.to_string_lossy(), text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use mutoscope_core::clip::Up;

    #[test]
    fn assumptions_persist_per_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/settings.json");
        let mut settings = Settings::in_file(path.clone());
        assert_eq!(settings.assumptions(FormatId::MAYA), Assumptions::default());
        settings.assume(FormatId::MAYA, Assumption::Up(Up::Z)).unwrap();
        settings.assume(FormatId::MAYA, Assumption::MetresPerUnit(0.0254)).unwrap();
        let later = Settings::in_file(path.clone());
        let expected = Assumptions {
            up: Some(Up::Z),
            metres_per_unit: Some(0.0254),
            ..Assumptions::default()
        };
        assert_eq!(later.assumptions(FormatId::MAYA), expected);
        assert_eq!(later.assumptions(FormatId::MRTK), Assumptions::default());
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(r#""up": "Z""#) && !text.contains("rotation"), "{text}");
        settings.forget(FormatId::MAYA).unwrap();
        let later = Settings::in_file(path);
        assert_eq!(later.assumptions(FormatId::MAYA), Assumptions::default());
    }

    #[test]
    fn run_option_applies_until_another_is_chosen() {
        let mut settings = Settings::default().with_rotation(Some(RotationRule::AsAuthored));
        let rule = |settings: &Settings| settings.assumptions(FormatId::MRTK).rotation;
        assert_eq!(rule(&settings), Some(RotationRule::AsAuthored));
        settings.assume(FormatId::MRTK, Assumption::Up(Up::Z)).unwrap();
        assert_eq!(rule(&settings), Some(RotationRule::AsAuthored));
        let chosen = Assumption::Rotation(RotationRule::Continuous);
        settings.assume(FormatId::MRTK, chosen).unwrap();
        assert_eq!(rule(&settings), Some(RotationRule::Continuous));
        settings.forget(FormatId::MRTK).unwrap();
        assert_eq!(rule(&settings), None);
    }

    #[test]
    fn recent_recordings_are_remembered_with_cameras() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let mut settings = Settings::in_file(path.clone());
        for number in 0..MOST_RECENT + 3 {
            settings.opened(format!("take {number}").into());
        }
        let camera = Some(CameraPose { yaw: 30.0, ..CameraPose::default() });
        settings.seen_from(Path::new("take 9"), camera);
        settings.seen_from(Path::new("never"), camera);
        settings.opened("take 9".into());
        settings.save().unwrap();
        let later = Settings::in_file(path);
        let recent: Vec<_> = later.recent().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(recent[..3], ["take 9", "take 14", "take 13"]);
        assert_eq!(recent.len(), MOST_RECENT);
        assert_eq!(later.camera(Path::new("take 9")), camera);
        assert_eq!(later.camera(Path::new("take 14")), None);
    }

    #[test]
    fn broken_settings_file_gives_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        for text in ["", "{", "[]", r#"{"assumptions": {"maya": {"up": "W"}}}"#] {
            fs::write(&path, text).unwrap();
            assert_eq!(Settings::in_file(path.clone()).kept, Kept::default(), "{text}");
        }
        // Unknown members of later versions are ignored.
        fs::write(&path, r#"{"theme": 1, "assumptions": {"maya": {"up": "Z", "x": 0}}}"#).unwrap();
        assert_eq!(Settings::in_file(path).assumptions(FormatId::MAYA).up, Some(Up::Z));
    }
}
