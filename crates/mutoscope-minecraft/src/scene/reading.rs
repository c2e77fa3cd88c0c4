//! Reads the recordings and scenes that a scene names, each once.

use std::{rc::Rc, sync::Arc};

use super::{
    EntityFilter, codes,
    file::{self, SceneFile},
    loader::{LoadedRecording, SceneLoader},
    sidecar::{RECORDING_FOLDERS, SCENE_FOLDERS, SidecarError, read_from_folders},
};
use crate::{
    convert, decode,
    replay::{ReplayOptions, replay_with},
};
use mutoscope_core::diagnostics::{Diagnostic, Diagnostics, Error, Severity, SourceLocation};

impl SceneLoader<'_> {
    pub(super) fn scene_file(&mut self, name: &str) -> Option<Rc<SceneFile>> {
        if let Some(known) = self.scenes.get(name) {
            return known.clone();
        }
        let bytes = self.read_required("scene", name, SCENE_FOLDERS, "mcmocap_scene");
        let file = bytes.and_then(|bytes| {
            let mut diagnostics = Diagnostics::new();
            let file = file::decode(&bytes, &mut diagnostics);
            self.adopt_diagnostics("scene", name, diagnostics);
            file.map_err(|error| self.report_unreadable("scene", name, &error)).ok()
        });
        let file = file.map(Rc::new);
        self.scenes.insert(name.to_owned(), file.clone());
        file
    }

    pub(super) fn recording(
        &mut self,
        name: &str,
        filter: Option<&str>,
    ) -> Option<Rc<LoadedRecording>> {
        let key = (name.to_owned(), filter.map(str::to_owned));
        if let Some(known) = self.recordings.get(&key) {
            return known.clone();
        }
        let filter = filter.map(|text| self.parse_filter(name, text));
        let bytes = self.read_required("recording", name, RECORDING_FOLDERS, "mcmocap_rec");
        let recorded = bytes.and_then(|bytes| {
            let mut diagnostics = Diagnostics::new();
            let recorded = decode(&bytes, &mut diagnostics).map(|document| {
                let options = ReplayOptions { filter: filter.as_ref(), in_scene: true };
                let (recording, events) = replay_with(&document, options, &mut diagnostics);
                convert::report_incomplete_ticks(&document, &recording, &mut diagnostics);
                let key_and_event_count = recording.change_count() + events.len();
                LoadedRecording { recording: Arc::new(recording), events, key_and_event_count }
            });
            self.adopt_diagnostics("recording", name, diagnostics);
            recorded.map_err(|error| self.report_unreadable("recording", name, &error)).ok()
        });
        let recorded = recorded.map(Rc::new);
        let start = recorded.as_ref().map(|recorded| recorded.recording.start.position);
        self.starts.extend(start.map(|start| (name.to_owned(), start)));
        self.recordings.insert(key, recorded.clone());
        recorded
    }

    /// Parses a filter. If the filter is invalid, adds a warning and returns a filter that plays no
    /// entities, as the mod does.
    fn parse_filter(&mut self, name: &str, text: &str) -> EntityFilter {
        EntityFilter::parse(text).unwrap_or_else(|| {
            let message = format!(
                "{name:?}: expected an entity filter such as @mobs;-minecraft:cow, found {text:?}; \
                 playing no entities"
            );
            self.diagnostics.warning(codes::INVALID_OPTION, SourceLocation::File, message);
            EntityFilter::default()
        })
    }

    fn read_required(
        &mut self,
        what: &'static str,
        name: &str,
        folders: [&str; 3],
        extension: &str,
    ) -> Option<Vec<u8>> {
        read_from_folders(self.sidecars, what, name, folders, extension)
            .map_err(|error| {
                let code = match error {
                    SidecarError::InvalidName { .. } => codes::INVALID_NAME,
                    SidecarError::Missing { .. } => codes::FILE_MISSING,
                    _ => codes::FILE_UNREADABLE,
                };
                self.diagnostics
                    .error(code, SourceLocation::File, error.to_string())
                    .with("name", name);
            })
            .ok()
    }

    fn report_unreadable(&mut self, what: &str, name: &str, error: &Error) {
        let message = format!("the {what} {name:?} cannot be read: {error}");
        self.diagnostics
            .error(codes::FILE_UNREADABLE, SourceLocation::File, message)
            .with("name", name);
    }

    fn adopt_diagnostics(&mut self, what: &str, name: &str, diagnostics: Diagnostics) {
        self.diagnostics.extend(
            diagnostics.into_iter().filter(|diagnostic| diagnostic.severity > Severity::Info).map(
                |diagnostic| Diagnostic {
                    message: format!(
                        "the {what} {name:?} at {}: {}",
                        diagnostic.location, diagnostic.message
                    ),
                    location: SourceLocation::File,
                    ..diagnostic
                },
            ),
        );
    }
}
