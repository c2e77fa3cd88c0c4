//! The settings: assumptions on formats, the layout of the window, and recent files.
//!
//! The settings are stored as JSON in the configuration folder of the desktop, such as
//! `~/.config/mutoscope/settings.json`, or in the browser's storage for the site. If there is no
//! such folder or the file cannot be read, all settings have their defaults.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::Layout;
use bevy_mutoscope::stage::CameraPose;
use mutoscope_core::clip::{Assumption, Assumptions, FormatAssumptions, FormatId, RotationRule};

/// The settings of the user, which are kept between runs.
#[derive(Resource, Clone, Debug, Default)]
pub struct Settings {
    /// The settings file. `None` if the settings are not stored.
    path: Option<PathBuf>,
    content: SettingsContent,
    rotation: Option<RotationRule>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct SettingsContent {
    assumptions: BTreeMap<String, Assumptions>,
    layout: Layout,
    /// The size of the window, in logical pixels.
    window: Option<(f32, f32)>,
    recent: Vec<RecentRecording>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RecentRecording {
    path: PathBuf,
    /// `None` if the user has not moved the camera.
    #[serde(default)]
    camera: Option<CameraPose>,
}

const MAX_RECENT: usize = 12;

impl Settings {
    pub(in crate::session) fn for_user() -> Self {
        store::settings_path().map_or_else(Self::default, Self::from_file)
    }

    fn from_file(path: PathBuf) -> Self {
        let kept = store::read(&path).and_then(|text| serde_json::from_str(&text).ok());
        Self { path: Some(path), content: kept.unwrap_or_default(), rotation: None }
    }

    pub(in crate::session) fn with_rotation(self, rotation: Option<RotationRule>) -> Self {
        Self { rotation, ..self }
    }

    pub(in crate::session) fn format_assumptions(&self) -> FormatAssumptions {
        let of_all = Assumptions { rotation: self.rotation, ..Assumptions::default() };
        FormatAssumptions { all_formats: of_all, by_format: self.content.assumptions.clone() }
    }

    #[cfg(test)]
    pub(in crate::session) fn assumptions(&self, format: FormatId) -> Assumptions {
        self.format_assumptions().for_format(format)
    }

    /// Sets an assumption for all recordings of `format`, in this run and later ones.
    ///
    /// # Errors
    /// If the settings cannot be written. The assumption applies to this run nevertheless.
    pub(in crate::session) fn assume(
        &mut self,
        format: FormatId,
        assumption: Assumption,
    ) -> io::Result<()> {
        if let Assumption::Rotation(_) = assumption {
            self.rotation = None;
        }
        let word = format.as_str().to_owned();
        self.content.assumptions.entry(word).or_default().assume(assumption);
        self.save()
    }

    /// Returns the assumptions on `format` that were set, and the rotation rule of this run.
    pub(in crate::session) fn chosen_assumptions(
        &self,
        format: FormatId,
    ) -> (Assumptions, Option<RotationRule>) {
        let chosen = self.content.assumptions.get(format.as_str());
        (chosen.copied().unwrap_or_default(), self.rotation)
    }

    /// Replaces the assumptions on `format` and the rotation rule of this run.
    ///
    /// # Errors
    /// If the settings cannot be written. The assumptions apply to this run nevertheless.
    pub(in crate::session) fn set_assumptions(
        &mut self,
        format: FormatId,
        assumptions: Assumptions,
        rotation: Option<RotationRule>,
    ) -> io::Result<()> {
        self.rotation = rotation;
        let word = format.as_str().to_owned();
        match assumptions == Assumptions::default() {
            true => drop(self.content.assumptions.remove(&word)),
            false => drop(self.content.assumptions.insert(word, assumptions)),
        }
        self.save()
    }

    pub(in crate::session) fn layout(&self) -> &Layout {
        &self.content.layout
    }

    pub(in crate::session) fn window(&self) -> Option<(f32, f32)> {
        self.content.window
    }

    /// Returns the recordings that were opened in this run and earlier ones, the latest first.
    pub fn recent(&self) -> impl Iterator<Item = &PathBuf> {
        self.content.recent.iter().map(|recent| &recent.path)
    }

    pub(in crate::session) fn camera(&self, path: &Path) -> Option<CameraPose> {
        self.content.recent.iter().find(|recent| recent.path == path)?.camera
    }

    pub(in crate::session) fn set_layout(
        &mut self,
        layout: Layout,
        window: Option<(f32, f32)>,
    ) -> bool {
        let is_news = self.content.layout != layout || self.content.window != window;
        (self.content.layout, self.content.window) = (layout, window);
        is_news
    }

    pub(crate) fn add_recent(&mut self, path: PathBuf) {
        let camera = self.camera(&path);
        self.content.recent.retain(|recent| recent.path != path);
        self.content.recent.insert(0, RecentRecording { path, camera });
        self.content.recent.truncate(MAX_RECENT);
    }

    pub(in crate::session) fn set_camera(&mut self, path: &Path, camera: Option<CameraPose>) {
        if let Some(recent) = self.content.recent.iter_mut().find(|recent| recent.path == path) {
            recent.camera = camera;
        }
    }

    pub(in crate::session) fn save(&self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        store::write(path, &serde_json::to_string_pretty(&self.content)?)
    }
}

pub(in crate::session) fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(not(target_family = "wasm"))]
mod store {
    use std::{
        fs,
        io::{self, Write as _},
        path::{Path, PathBuf},
    };

    use mutoscope_core::io::atomic_file;

    pub(in crate::session) fn settings_path() -> Option<PathBuf> {
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

/// Stores the settings in the browser's storage for the site. The path is only a key.
#[cfg(target_family = "wasm")]
mod store {
    use std::{
        io,
        path::{Path, PathBuf},
    };

    use crate::browser::{load_text, save_text};

    pub(in crate::session) fn settings_path() -> Option<PathBuf> {
        Some("mutoscope/settings.json".into())
    }

    pub(in crate::session) fn read(path: &Path) -> Option<String> {
        load_text(path.to_str()?)
    }

    pub(in crate::session) fn write(path: &Path, text: &str) -> io::Result<()> {
        save_text(&path.to_string_lossy(), text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use mutoscope_core::clip::UpAxis;

    #[test]
    fn assumptions_persist_per_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/settings.json");
        let mut settings = Settings::from_file(path.clone());
        assert_eq!(settings.assumptions(FormatId::MAYA), Assumptions::default());
        settings.assume(FormatId::MAYA, Assumption::Up(UpAxis::Z)).unwrap();
        settings.assume(FormatId::MAYA, Assumption::MetresPerUnit(0.0254)).unwrap();
        let later = Settings::from_file(path.clone());
        let expected = Assumptions {
            up: Some(UpAxis::Z),
            metres_per_unit: Some(0.0254),
            ..Assumptions::default()
        };
        assert_eq!(later.assumptions(FormatId::MAYA), expected);
        assert_eq!(later.assumptions(FormatId::MRTK), Assumptions::default());
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(r#""up": "Z""#) && !text.contains("rotation"), "{text}");
        settings.set_assumptions(FormatId::MAYA, Assumptions::default(), None).unwrap();
        let later = Settings::from_file(path);
        assert_eq!(later.assumptions(FormatId::MAYA), Assumptions::default());
    }

    #[test]
    fn run_option_applies_until_another_is_chosen() {
        let mut settings = Settings::default().with_rotation(Some(RotationRule::AsAuthored));
        let rule = |settings: &Settings| settings.assumptions(FormatId::MRTK).rotation;
        assert_eq!(rule(&settings), Some(RotationRule::AsAuthored));
        settings.assume(FormatId::MRTK, Assumption::Up(UpAxis::Z)).unwrap();
        assert_eq!(rule(&settings), Some(RotationRule::AsAuthored));
        let chosen = Assumption::Rotation(RotationRule::Continuous);
        settings.assume(FormatId::MRTK, chosen).unwrap();
        assert_eq!(rule(&settings), Some(RotationRule::Continuous));
        settings.set_assumptions(FormatId::MRTK, Assumptions::default(), None).unwrap();
        assert_eq!(rule(&settings), None);
    }

    #[test]
    fn recent_recordings_are_remembered_with_cameras() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let mut settings = Settings::from_file(path.clone());
        for number in 0..MAX_RECENT + 3 {
            settings.add_recent(format!("take {number}").into());
        }
        let camera = Some(CameraPose { yaw: 30.0, ..CameraPose::default() });
        settings.set_camera(Path::new("take 9"), camera);
        settings.set_camera(Path::new("never"), camera);
        settings.add_recent("take 9".into());
        settings.save().unwrap();
        let later = Settings::from_file(path);
        let recent: Vec<_> = later.recent().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(recent[..3], ["take 9", "take 14", "take 13"]);
        assert_eq!(recent.len(), MAX_RECENT);
        assert_eq!(later.camera(Path::new("take 9")), camera);
        assert_eq!(later.camera(Path::new("take 14")), None);
    }

    #[test]
    fn broken_settings_file_gives_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        for text in ["", "{", "[]", r#"{"assumptions": {"maya": {"up": "W"}}}"#] {
            fs::write(&path, text).unwrap();
            assert_eq!(
                Settings::from_file(path.clone()).content,
                SettingsContent::default(),
                "{text}"
            );
        }
        // Later versions may have more members, which must be ignored.
        fs::write(&path, r#"{"theme": 1, "assumptions": {"maya": {"up": "Z", "x": 0}}}"#).unwrap();
        assert_eq!(Settings::from_file(path).assumptions(FormatId::MAYA).up, Some(UpAxis::Z));
    }
}
