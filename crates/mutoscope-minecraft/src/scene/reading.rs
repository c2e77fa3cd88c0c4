//! Reading the recordings and scenes that a scene names, each once.

use std::{rc::Rc, sync::Arc};

use super::{
    EntityFilter,
    file::{self, SceneFile},
    gather::{Gatherer, Recorded},
    sidecar::{RECORDING_FOLDERS, SCENE_FOLDERS, find},
};
use crate::{
    convert, decode,
    replay::{Replay, replay_as},
};
use mutoscope_core::diagnostics::{Error, Notice, Notices, Severity, SourceLocation};

impl Gatherer<'_> {
    pub(super) fn scene_file(&mut self, name: &str) -> Option<Rc<SceneFile>> {
        if let Some(known) = self.scenes.get(name) {
            return known.clone();
        }
        let bytes = self.read_one("scene", name, SCENE_FOLDERS, "mcmocap_scene");
        let file = bytes.and_then(|bytes| {
            let mut notices = Notices::new();
            let file = file::decode(&bytes, &mut notices);
            self.take_over("scene", name, notices, 0.0);
            file.map_err(|error| self.refuse("scene", name, &error)).ok()
        });
        let file = file.map(Rc::new);
        self.scenes.insert(name.to_owned(), file.clone());
        file
    }

    pub(super) fn recording(&mut self, name: &str, filter: Option<&str>) -> Option<Rc<Recorded>> {
        let key = (name.to_owned(), filter.map(str::to_owned));
        if let Some(known) = self.recordings.get(&key) {
            return known.clone();
        }
        let filter = filter.map(|text| self.filter(name, text));
        let bytes = self.read_one("recording", name, RECORDING_FOLDERS, "mcmocap_rec");
        let recorded = bytes.and_then(|bytes| {
            let mut notices = Notices::new();
            let recorded = decode(&bytes, &mut notices).map(|document| {
                let how = Replay { filter: filter.as_ref(), in_scene: true };
                let (recording, events) = replay_as(&document, how, &mut notices);
                convert::report(&document, &recording, &mut notices);
                let told = recording.change_count() + events.len();
                Recorded { recording: Arc::new(recording), events, told }
            });
            self.take_over("recording", name, notices, 0.0);
            recorded.map_err(|error| self.refuse("recording", name, &error)).ok()
        });
        let recorded = recorded.map(Rc::new);
        let start = recorded.as_ref().map(|recorded| recorded.recording.start.position);
        self.starts.extend(start.map(|start| (name.to_owned(), start)));
        self.recordings.insert(key, recorded.clone());
        recorded
    }

    /// The filter that `text` means; one that plays nothing if it means none.
    fn filter(&mut self, name: &str, text: &str) -> EntityFilter {
        EntityFilter::parse(text).unwrap_or_else(|| {
            let message = format!(
                "{name:?}: {text:?} is not a filter of entities, such as @mobs;-minecraft:cow; using \
                 none of them"
            );
            self.notices.warning(SourceLocation::File, message);
            EntityFilter::default()
        })
    }

    /// The bytes of what the scene cannot do without; if they are missing, that is an error.
    fn read_one(
        &mut self,
        what: &str,
        name: &str,
        folders: [&str; 3],
        extension: &str,
    ) -> Option<Vec<u8>> {
        find(self.sidecars, what, name, folders, extension)
            .map_err(|message| self.notices.error(SourceLocation::File, message))
            .ok()
    }

    fn refuse(&mut self, what: &str, name: &str, error: &Error) {
        let message = format!("the {what} {name:?} cannot be read: {error}");
        self.notices.error(SourceLocation::File, message);
    }

    /// Adopts the issues of a file that the scene names; it is first played from `first` on, in
    /// seconds.
    fn take_over(&mut self, what: &str, name: &str, notices: Notices, first: f64) {
        self.notices.extend(
            notices.into_iter().filter(|notice| notice.severity > Severity::Info).map(|notice| {
                Notice {
                    message: format!("the {what} {name:?} at {}: {}", notice.place, notice.message),
                    place: SourceLocation::File,
                    time: notice.time.map(|time| time + first),
                    ..notice
                }
            }),
        );
    }
}
