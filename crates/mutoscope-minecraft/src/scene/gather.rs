//! From scene files and the recordings they name to the takes that are played.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
    sync::Arc,
};

use glam::DVec3;

use super::{
    Cue, ElementIssue, Level, Placement, Scene, Take,
    casting::Casting,
    file::{Chosen, Element, SceneFile},
    roll::Roll,
    skins::Skins,
    timing::{Timing, Waits, ticks},
};
use crate::{Recording, recording::DYING};
use mutoscope_core::{
    clip::Event,
    diagnostics::{Notice, Notices, Severity, SourceLocation},
    io::bytes::Sidecars,
};

/// Scenes are no deeper in scenes than this.
pub(super) const DEEPEST: usize = 16;

/// More elements than this are skipped, those of scenes in scenes counted as often as they are
/// played.
const MOST_ELEMENTS: usize = 512;

/// The same for the nodes of all that is played.
const MOST_NODES: usize = 50_000;

/// The same for keys and events.
const MOST_TOLD: usize = 1 << 25;

/// Reads the files that a scene names and combines them. Missing ones are skipped with a notice.
pub(in super::super) fn gather(
    file: &SceneFile,
    sidecars: &dyn Sidecars,
    notices: &mut Notices,
) -> (Scene, Vec<Event>) {
    let mut gatherer = Gatherer {
        sidecars,
        notices,
        root: file,
        recordings: HashMap::new(),
        starts: HashMap::new(),
        scenes: HashMap::new(),
        centres: HashMap::new(),
        skins: Skins::default(),
        open: Vec::new(),
        elements: 0,
        nodes: 0,
        told: 0,
        missing: 0,
        issues: Vec::new(),
        is_full: false,
        warned: HashSet::new(),
    };
    let Played { parts, ticks, .. } = gatherer.scene(file, &Casting::default(), Waits::default());
    let missing = gatherer.missing;
    let issues = std::mem::take(&mut gatherer.issues).into();
    let mut roll = Roll::new(ticks, gatherer.notices);
    let takes = parts.into_iter().map(|part| Arc::new(roll.enter(part))).collect();
    let events = roll.finish();
    (Scene { takes, ticks, is_scene: true, missing, issues }, events)
}

/// Reads what a scene names.
pub(super) struct Gatherer<'a> {
    pub(super) sidecars: &'a dyn Sidecars,
    pub(super) notices: &'a mut Notices,
    /// The scene that all others are in.
    root: &'a SceneFile,
    /// By name and filter; nothing if they could not be read, which is reported once.
    pub(super) recordings: HashMap<(String, Option<String>), Option<Rc<Recorded>>>,
    /// Where those start that could be read.
    pub(super) starts: HashMap<String, DVec3>,
    pub(super) scenes: HashMap<String, Option<Rc<SceneFile>>>,
    /// The centres of scenes, by the scene and its choice of an element.
    pub(super) centres: HashMap<(String, Chosen), Option<DVec3>>,
    skins: Skins,
    /// The scenes that the one being gathered is in.
    open: Vec<Rc<SceneFile>>,
    elements: usize,
    nodes: usize,
    /// How many keys and events all that is played has.
    told: usize,
    missing: usize,
    issues: Vec<ElementIssue>,
    is_full: bool,
    /// Warnings that were given already: scenes may be played more than once.
    warned: HashSet<String>,
}

/// A recording that was read.
pub(super) struct Recorded {
    pub(super) recording: Arc<Recording>,
    pub(super) events: Vec<Event>,
    /// How many keys and events it has.
    pub(super) told: usize,
}

/// A recording that an element of a scene plays.
pub(super) struct Part {
    pub(super) take: Take,
    pub(super) recorded: Rc<Recorded>,
    /// The centre of the innermost scene that turns it.
    centre: DVec3,
}

/// The recordings that a scene plays.
struct Played {
    parts: Vec<Part>,
    /// When it has ended, in ticks: all that is waited for before it included.
    ticks: f64,
    /// Whether something of it is still there then.
    is_left: bool,
}

impl Gatherer<'_> {
    fn scene(&mut self, file: &SceneFile, casting: &Casting, waits: Waits) -> Played {
        let mut parts = Vec::new();
        let mut levels = Vec::new();
        for element in &file.elements {
            self.elements += 1;
            if self.elements > MOST_ELEMENTS {
                self.full(&format!("more than {MOST_ELEMENTS} elements"));
                break;
            }
            let said = self.notices.len();
            let casting = casting.of(element);
            let waits = waits.of(&element.timing, self.root.plays_legacy());
            let played = if element.is_scene {
                self.nested(element, &casting, waits)
            } else {
                self.recorded(element, &casting, waits)
            };
            if self.open.is_empty() {
                self.note_problem(file, element, said, played.is_none());
            }
            let Some((mut more, level)) = played else {
                self.missing += 1;
                continue;
            };
            more.iter_mut().for_each(|part| part.take.element = element.index);
            levels.push(level);
            parts.extend(more);
        }
        if levels.iter().any(|level| level.loops && !level.stays) {
            self.warn(
                "an element loops and does not wait for its scene's end: the mod plays the scene \
                 for ever; using one round",
            );
        }
        Played { parts, ticks: end(&levels), is_left: levels.iter().any(|level| level.stays) }
    }

    /// Notes the first error of an element, among the notices from index `said` on. A file is read once, so
    /// its errors are reported for the first element that names it.
    fn note_problem(&mut self, file: &SceneFile, element: &Element, said: usize, is_missing: bool) {
        let is_error = |notice: &&Notice| notice.severity == Severity::Error;
        let error = self.notices.iter().skip(said).find(is_error);
        let is_called_so = |issue: &&ElementIssue| {
            let other = file.elements.iter().find(|other| other.index == issue.element);
            other.is_some_and(|other| {
                (&other.name, other.is_scene) == (&element.name, element.is_scene)
            })
        };
        let message = match error {
            Some(error) => error.message.clone(),
            None if !is_missing => return,
            None => match self.issues.iter().find(is_called_so) {
                Some(issue) => issue.message.clone(),
                None => "not played: see the issues".to_owned(),
            },
        };
        self.issues.push(ElementIssue { element: element.index, message });
    }

    /// A recording.
    fn recorded(
        &mut self,
        element: &Element,
        casting: &Casting,
        waits: Waits,
    ) -> Option<(Vec<Part>, Level)> {
        let recorded = self.recording(&element.name, casting.filter.as_deref())?;
        let recording = recorded.recording.clone();
        let transformation = &element.transformation;
        let centre = element.centre_about(recording.start.position);
        // A dying player falls first. A looping one does not wait for that.
        let falls = recording.ends_with_death && !element.timing.loops;
        let dying = if falls { f64::from(DYING) } else { 0.0 };
        let start = waits.delay_ticks() + waits.wait_ticks();
        let level = level(start + f64::from(recording.ticks) + dying, true, &element.timing);
        let skin = self.skins.drawn(&casting.skin, self.sidecars, self.notices);
        let take = Take {
            name: element.name.clone(),
            person: casting.person(&recording.person, &skin),
            skin: self.skins.picture(&skin, self.sidecars, self.notices),
            kind: casting.entity.as_ref().map(|entity| entity.kind.clone()),
            kind_nbt: casting.entity.as_ref().and_then(|entity| entity.nbt.clone()),
            cue: Cue::new(&waits, level),
            rounds: Box::default(),
            placement: Placement::new(transformation, centre, element.is_still()),
            size: transformation.player_scale * transformation.scale,
            element: element.index,
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
        Some((vec![Part { take, recorded, centre }], level))
    }

    /// A scene within the scene.
    fn nested(
        &mut self,
        element: &Element,
        casting: &Casting,
        waits: Waits,
    ) -> Option<(Vec<Part>, Level)> {
        let name = &element.name;
        if self.open.len() == DEEPEST {
            return self.lose(&format!("the scene {name:?} is more than {DEEPEST} deep; skipped"));
        }
        let file = self.scene_file(name)?;
        // A scene within itself reads the same under any name.
        if *file == *self.root || self.open.contains(&file) {
            return self.lose(&format!("the scene {name:?} is within itself; skipped there"));
        }
        self.open.push(file.clone());
        let Played { mut parts, ticks, is_left } = self.scene(&file, casting, waits);
        self.open.pop();
        let level = level(ticks, is_left, &element.timing);
        let common = self.centre_of_scene(&file, element);
        for part in &mut parts {
            self.take_within(part, element, level, common);
        }
        Some((parts, level))
    }

    /// Applies an element of a scene to a part of the scene that it plays.
    fn take_within(&self, part: &mut Part, element: &Element, level: Level, common: Option<DVec3>) {
        let Part { take, centre, .. } = part;
        take.name = format!("{}/{}", element.name, take.name);
        take.cue = std::mem::take(&mut take.cue).within(level);
        // An element without settings is no level.
        if element.is_plain() {
            return;
        }
        let transformation = &element.transformation;
        take.size *= transformation.player_scale * transformation.scale;
        let inner = std::mem::replace(&mut take.placement, Placement::IDENTITY);
        if self.root.plays_legacy() && !self.root.is_json {
            // Scenes of old do nothing but move.
            take.placement = inner.moved(transformation.offset);
            return;
        }
        *centre = common.unwrap_or(*centre);
        let outer = Placement::new(transformation, *centre, element.is_still());
        take.placement = inner.then(&outer);
    }

    /// Says something once, of a scene that may be played more often.
    pub(super) fn warn(&mut self, message: &str) {
        if self.warned.insert(message.to_owned()) {
            self.notices.warning(SourceLocation::File, message);
        }
    }

    fn lose<T>(&mut self, message: &str) -> Option<T> {
        self.notices.error(SourceLocation::File, message);
        None
    }

    fn full(&mut self, message: &str) {
        if !self.is_full {
            self.notices.error(SourceLocation::File, format!("{message}; the rest is skipped"));
        }
        self.is_full = true;
    }
}

/// When an element ends that plays up to a tick, and what becomes of it then.
fn level(played: f64, is_left: bool, timing: &Timing) -> Level {
    // Vanished actors do not wait.
    let rest = if is_left { ticks(timing.wait_on_end) } else { 0.0 };
    Level { end: played + rest, loops: timing.loops, stays: timing.waits_for_parent_end }
}

/// The tick in which all elements of a scene have ended. Looping ones are not waited for; a scene
/// of nothing else, which the mod would end in its first tick, or never, plays for one round.
fn end(levels: &[Level]) -> f64 {
    let is_endless = |level: &Level| level.loops && !level.stays;
    let last = |counts: &dyn Fn(&Level) -> bool| {
        levels.iter().filter(|level| counts(level)).map(|level| level.end).reduce(f64::max)
    };
    let waited_for = last(&|level| !level.loops || is_endless(level));
    waited_for.or_else(|| last(&|_| true)).unwrap_or(0.0)
}
