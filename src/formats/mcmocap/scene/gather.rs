//! From what scenes say, and the recordings they name, to what is played.

use std::{collections::HashMap, rc::Rc, sync::Arc};

use glam::DVec3;

use super::{
    Cue, EntityFilter, Placement, Scene, Take, Timing,
    casting::Casting,
    file::{self, Chosen, Element, SceneFile, Skin},
    roll::Roll,
    sidecar::{find, skin_file},
};
use crate::{
    bytes::Sidecars,
    clip::Event,
    diagnostics::{Error, Notice, Notices, Place, Severity},
    formats::mcmocap::{Recording, convert, decode, fold::fold_filtered},
};

/// Scenes are no deeper in scenes than this.
const DEEPEST: usize = 16;

/// More elements than this are left out, those of scenes in scenes counted as often as they are
/// played: nobody directs so many.
const MOST_ELEMENTS: usize = 512;

/// The same for the nodes of all that is played.
const MOST_NODES: usize = 50_000;

/// The same for keys and events.
const MOST_TOLD: usize = 1 << 25;

/// Reads what a scene names and puts it together. What is missing is left out and said.
pub(in super::super) fn gather(
    file: &SceneFile,
    sidecars: &dyn Sidecars,
    notices: &mut Notices,
) -> (Scene, Vec<Event>) {
    let mut gatherer = Gatherer {
        sidecars,
        notices,
        recordings: HashMap::new(),
        scenes: HashMap::new(),
        skins: HashMap::new(),
        open: Vec::new(),
        elements: 0,
        nodes: 0,
        told: 0,
        missing: 0,
        is_full: false,
    };
    let Played { parts, ticks } = gatherer.scene(file, &Casting::default());
    let missing = gatherer.missing;
    let mut roll = Roll::new(ticks, gatherer.notices);
    let takes = parts.into_iter().map(|part| Arc::new(roll.enter(part))).collect();
    let events = roll.finish();
    (Scene { takes, ticks, is_scene: true, missing }, events)
}

struct Gatherer<'a> {
    sidecars: &'a dyn Sidecars,
    notices: &'a mut Notices,
    /// By name and filter; nothing if they could not be read, which is said once.
    recordings: HashMap<(String, Option<String>), Option<Rc<Recorded>>>,
    scenes: HashMap<String, Option<Rc<SceneFile>>>,
    skins: HashMap<String, Option<Arc<[u8]>>>,
    /// The scenes that the one being gathered is in.
    open: Vec<String>,
    elements: usize,
    nodes: usize,
    /// How many keys and events all that is played has.
    told: usize,
    missing: usize,
    is_full: bool,
}

/// A recording that was read.
pub(super) struct Recorded {
    recording: Arc<Recording>,
    pub(super) events: Vec<Event>,
    /// How many keys and events it has.
    pub(super) told: usize,
}

/// What an element of a scene becomes.
pub(super) struct Part {
    pub(super) take: Take,
    pub(super) recorded: Rc<Recorded>,
    /// What the element is called that it is, or is in.
    element: String,
}

/// What a scene becomes.
struct Played {
    parts: Vec<Part>,
    /// How long it plays, in ticks.
    ticks: f64,
}

impl Gatherer<'_> {
    fn scene(&mut self, file: &SceneFile, casting: &Casting) -> Played {
        let mut parts = Vec::new();
        let mut ends = Vec::new();
        for element in &file.elements {
            self.elements += 1;
            if self.elements > MOST_ELEMENTS {
                self.full(&format!("more than {MOST_ELEMENTS} elements"));
                break;
            }
            let casting = casting.of(element);
            let played = if element.is_scene {
                self.nested(element, &casting)
            } else {
                self.recorded(element, &casting)
            };
            let Some(Played { parts: more, ticks }) = played else {
                self.missing += 1;
                continue;
            };
            ends.push(Timing { length: ticks, ..element.timing });
            parts.extend(more);
        }
        Played { parts, ticks: end(&ends) }
    }

    /// A recording.
    fn recorded(&mut self, element: &Element, casting: &Casting) -> Option<Played> {
        let recorded = self.recording(&element.name, casting.filter.as_deref())?;
        let recording = recorded.recording.clone();
        let ticks = f64::from(recording.ticks);
        let transformation = &element.transformation;
        let start = recording.start.position;
        let centre = element.centre.of(start, transformation.scale);
        let take = Take {
            name: element.name.clone(),
            person: casting.person(&recording.person),
            skin: self.skin(&casting.skin),
            kind: casting.kind.clone(),
            cue: Cue::new(Timing { length: ticks, ..element.timing }),
            rounds: Box::default(),
            placement: Placement::new(transformation, centre),
            size: transformation.player_scale * transformation.scale,
            first_node: 0,
            recording,
        };
        self.nodes += take.node_count();
        if self.nodes > MOST_NODES {
            self.full(&format!("more than {MOST_NODES} nodes"));
            return None;
        }
        self.told = self.told.saturating_add(recorded.told);
        if self.told > MOST_TOLD {
            self.full(&format!("more than {MOST_TOLD} keys and events"));
            return None;
        }
        let element = element.name.clone();
        Some(Played { parts: vec![Part { take, recorded, element }], ticks })
    }

    /// A scene within the scene.
    fn nested(&mut self, element: &Element, casting: &Casting) -> Option<Played> {
        let name = &element.name;
        if self.open.contains(name) {
            return self.lose(&format!("the scene {name:?} is within itself: left out there"));
        }
        if self.open.len() == DEEPEST {
            return self.lose(&format!("the scene {name:?} is more than {DEEPEST} deep: left out"));
        }
        let file = self.scene_file(name)?;
        self.open.push(name.clone());
        let Played { mut parts, ticks } = self.scene(&file, casting);
        self.open.pop();
        let timing = Timing { length: ticks, ..element.timing };
        let common = centre_of_scene(element, &parts);
        for Part { take, element: within, .. } in &mut parts {
            let own = || take.placement.point(take.recording.start.position);
            let start = common.unwrap_or_else(own);
            let transformation = &element.transformation;
            let centre = element.centre.of(start, transformation.scale);
            let outer = Placement::new(transformation, centre);
            take.placement = take.placement.then(&outer);
            take.size *= transformation.player_scale * transformation.scale;
            take.cue = take.cue.within(timing);
            take.name = format!("{name}/{}", take.name);
            within.clone_from(name);
        }
        Some(Played { parts, ticks })
    }

    fn lose<T>(&mut self, message: &str) -> Option<T> {
        self.notices.error(Place::File, message);
        None
    }

    fn full(&mut self, message: &str) {
        if !self.is_full {
            self.notices.error(Place::File, format!("{message}: the rest is left out"));
        }
        self.is_full = true;
    }

    fn scene_file(&mut self, name: &str) -> Option<Rc<SceneFile>> {
        if let Some(known) = self.scenes.get(name) {
            return known.clone();
        }
        let places = ["", "../scenes/", "scenes/"];
        let bytes = self.read_one("scene", name, places, "mcmocap_scene");
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

    fn recording(&mut self, name: &str, filter: Option<&str>) -> Option<Rc<Recorded>> {
        let key = (name.to_owned(), filter.map(str::to_owned));
        if let Some(known) = self.recordings.get(&key) {
            return known.clone();
        }
        let filter = filter.map(|text| self.filter(name, text));
        let places = ["../recordings/", "", "recordings/"];
        let bytes = self.read_one("recording", name, places, "mcmocap_rec");
        let recorded = bytes.and_then(|bytes| {
            let mut notices = Notices::new();
            let recorded = decode(&bytes, &mut notices).map(|document| {
                let (recording, events) = fold_filtered(&document, filter.as_ref(), &mut notices);
                convert::report(&document, &recording, &mut notices);
                let told = recording.change_count() + events.len();
                Recorded { recording: Arc::new(recording), events, told }
            });
            self.take_over("recording", name, notices, 0.0);
            recorded.map_err(|error| self.refuse("recording", name, &error)).ok()
        });
        let recorded = recorded.map(Rc::new);
        self.recordings.insert(key, recorded.clone());
        recorded
    }

    /// The filter that `text` means; one that plays nothing if it means none.
    fn filter(&mut self, name: &str, text: &str) -> EntityFilter {
        EntityFilter::parse(text).unwrap_or_else(|| {
            let message = format!(
                "{name:?}: {text:?} is no filter of entities, such as @mobs;-minecraft:cow: none \
                 are played"
            );
            self.notices.warning(Place::File, message);
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
            .map_err(|message| self.notices.error(Place::File, message))
            .ok()
    }

    /// The picture of a skin, if that is in a file. Without it, who wears it is plain.
    fn skin(&mut self, skin: &Skin) -> Option<Arc<[u8]>> {
        let Skin::File(path) = skin else { return None };
        if let Some(known) = self.skins.get(path) {
            return known.clone();
        }
        let picture = skin_file(self.sidecars, path).map_err(|message| {
            let message = format!("{message}: drawn without");
            self.notices.warning(Place::File, message);
        });
        let picture: Option<Arc<[u8]>> = picture.ok().map(Arc::from);
        self.skins.insert(path.clone(), picture.clone());
        picture
    }

    fn refuse(&mut self, what: &str, name: &str, error: &Error) {
        let message = format!("the {what} {name:?} cannot be read: {error}");
        self.notices.error(Place::File, message);
    }

    /// What was odd about a file that the scene names, from `first` on, in seconds.
    fn take_over(&mut self, what: &str, name: &str, notices: Notices, first: f64) {
        self.notices.extend(
            notices.into_iter().filter(|notice| notice.severity > Severity::Info).map(|notice| {
                Notice {
                    message: format!("the {what} {name:?} at {}: {}", notice.place, notice.message),
                    place: Place::File,
                    time: notice.time.map(|time| time + first),
                    ..notice
                }
            }),
        );
    }
}

/// When a scene ends: when all its elements do. Those that begin anew wait for the others; if there
/// are no others, they play once.
fn end(timings: &[Timing]) -> f64 {
    let last = |loops: bool| {
        timings.iter().filter(|timing| timing.loops == loops).map(Timing::end).reduce(f64::max)
    };
    last(false).or_else(|| last(true)).unwrap_or(0.0)
}

/// Where that of the elements of a scene starts which it is turned about; nothing if each is turned
/// about its own.
fn centre_of_scene(element: &Element, parts: &[Part]) -> Option<DVec3> {
    let chosen = match &element.centre.of_scene {
        Chosen::Individual => return None,
        Chosen::First => parts.first(),
        Chosen::Last => parts.last(),
        Chosen::Named(name) => {
            let name = name.strip_prefix('.').unwrap_or(name);
            parts.iter().find(|part| part.element == name).or(parts.first())
        }
    };
    let take = &chosen?.take;
    Some(take.placement.point(take.recording.start.position))
}
