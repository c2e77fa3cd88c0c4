//! Loads a scene: the scene files and recordings that it names, and a take for each element.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
    sync::Arc,
};

use glam::DVec3;

use super::{
    Cue, ElementDiagnostic, Level, Placement, Scene, Take,
    assembler::SceneAssembler,
    codes,
    file::{ChosenElement, Element, SceneFile},
    player_overrides::PlayerOverrides,
    skins::SkinCache,
    timing::{StartWaits, Timing, round_to_ticks},
};
use crate::{Recording, recording::DEATH_TICKS};
use mutoscope_core::{
    clip::Event,
    diagnostics::{Code, Diagnostic, Diagnostics, Severity, SourceLocation},
    io::bytes::Sidecars,
};

pub(super) const MAX_SCENE_DEPTH: usize = 16;

/// The maximum number of elements. If a scene is nested several times, its elements are counted
/// each time.
const MAX_ELEMENTS: usize = 512;

const MAX_NODES: usize = 50_000;

const MAX_KEYS_AND_EVENTS: usize = 1 << 25;

pub(in super::super) fn load_scene(
    file: &SceneFile,
    sidecars: &dyn Sidecars,
    diagnostics: &mut Diagnostics,
) -> (Scene, Vec<Event>) {
    let mut loader = SceneLoader {
        sidecars,
        diagnostics,
        root: file,
        recordings: HashMap::new(),
        starts: HashMap::new(),
        scenes: HashMap::new(),
        centres: HashMap::new(),
        skins: SkinCache::default(),
        parents: Vec::new(),
        elements: 0,
        nodes: 0,
        key_and_event_count: 0,
        missing: 0,
        element_diagnostics: Vec::new(),
        is_full: false,
        warned: HashSet::new(),
    };
    let LoadedElements { parts, ticks, .. } =
        loader.load_elements(file, &PlayerOverrides::default(), StartWaits::default());
    let missing = loader.missing;
    let element_diagnostics = std::mem::take(&mut loader.element_diagnostics).into();
    let mut assembler = SceneAssembler::new(ticks, loader.diagnostics);
    let takes = parts.into_iter().map(|part| Arc::new(assembler.add_part(part))).collect();
    let events = assembler.finish();
    (Scene { takes, ticks, is_scene: true, missing_elements: missing, element_diagnostics }, events)
}

pub(super) struct SceneLoader<'a> {
    pub(super) sidecars: &'a dyn Sidecars,
    pub(super) diagnostics: &'a mut Diagnostics,
    root: &'a SceneFile,
    /// The recordings by name and filter. `None` marks a recording that could not be read. Its
    /// problem is then reported only once.
    pub(super) recordings: HashMap<(String, Option<String>), Option<Rc<LoadedRecording>>>,
    pub(super) starts: HashMap<String, DVec3>,
    pub(super) scenes: HashMap<String, Option<Rc<SceneFile>>>,
    /// The centres of scenes, by the scene's name and the element that determines the centre.
    pub(super) centres: HashMap<(String, ChosenElement), Option<DVec3>>,
    skins: SkinCache,
    parents: Vec<Rc<SceneFile>>,
    elements: usize,
    nodes: usize,
    key_and_event_count: usize,
    missing: usize,
    element_diagnostics: Vec<ElementDiagnostic>,
    is_full: bool,
    /// The warnings that were already reported. A scene may be loaded several times, but each
    /// warning is reported only once.
    warned: HashSet<String>,
}

pub(super) struct LoadedRecording {
    pub(super) recording: Arc<Recording>,
    pub(super) events: Vec<Event>,
    pub(super) key_and_event_count: usize,
}

pub(super) struct ScenePart {
    pub(super) take: Take,
    pub(super) recorded: Rc<LoadedRecording>,
    centre: DVec3,
}

struct LoadedElements {
    parts: Vec<ScenePart>,
    ticks: f64,
    has_remaining: bool,
}

impl SceneLoader<'_> {
    fn load_elements(
        &mut self,
        file: &SceneFile,
        overrides: &PlayerOverrides,
        waits: StartWaits,
    ) -> LoadedElements {
        let mut parts = Vec::new();
        let mut levels = Vec::new();
        for element in &file.elements {
            self.elements += 1;
            if self.elements > MAX_ELEMENTS {
                self.report_limit(MAX_ELEMENTS, "elements");
                break;
            }
            let first_diagnostic = self.diagnostics.len();
            let overrides = overrides.for_element(element);
            let waits = waits.with_element(&element.timing, self.root.uses_legacy_playback());
            let loaded = if element.is_scene {
                self.load_nested_scene(element, &overrides, waits)
            } else {
                self.load_recording_element(element, &overrides, waits)
            };
            if self.parents.is_empty() {
                self.record_element_diagnostic(file, element, first_diagnostic, loaded.is_none());
            }
            let Some((mut element_parts, level)) = loaded else {
                self.missing += 1;
                continue;
            };
            element_parts.iter_mut().for_each(|part| part.take.element = element.index);
            levels.push(level);
            parts.extend(element_parts);
        }
        if levels.iter().any(|level| level.loops && !level.stays) {
            self.warn(
                codes::ENDLESS_LOOP,
                "an element loops and does not wait for its scene's end: the mod plays the scene \
                 for ever; using one round",
            );
        }
        LoadedElements {
            parts,
            ticks: scene_end(&levels),
            has_remaining: levels.iter().any(|level| level.stays),
        }
    }

    /// Records the error of an element: the first error in the diagnostics from index
    /// `first_diagnostic` on.
    ///
    /// A file is read only once, so only the first element with the name of a file adds errors to
    /// the diagnostics. For a later element with the same name, the message of the earlier element
    /// is copied.
    fn record_element_diagnostic(
        &mut self,
        file: &SceneFile,
        element: &Element,
        first_diagnostic: usize,
        is_missing: bool,
    ) {
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let error = self.diagnostics.iter().skip(first_diagnostic).find(is_error);
        let has_same_name = |element_diagnostic: &&ElementDiagnostic| {
            let other =
                file.elements.iter().find(|other| other.index == element_diagnostic.element);
            other.is_some_and(|other| {
                (&other.name, other.is_scene) == (&element.name, element.is_scene)
            })
        };
        let message = match error {
            Some(error) => error.message.clone(),
            None if !is_missing => return,
            None => match self.element_diagnostics.iter().find(has_same_name) {
                Some(element_diagnostic) => element_diagnostic.message.clone(),
                None => "not played: see the issues".to_owned(),
            },
        };
        self.element_diagnostics.push(ElementDiagnostic { element: element.index, message });
    }

    fn load_recording_element(
        &mut self,
        element: &Element,
        overrides: &PlayerOverrides,
        waits: StartWaits,
    ) -> Option<(Vec<ScenePart>, Level)> {
        let recorded = self.recording(&element.name, overrides.filter.as_deref())?;
        let recording = recorded.recording.clone();
        let transformation = &element.transformation;
        let centre = element.centre_for_start(recording.start.position);
        // Add the ticks in which a dead player falls to the end of the element. A looping element
        // restarts without these ticks.
        let dies_at_end = recording.ends_with_death && !element.timing.loops;
        let death_ticks = if dies_at_end { f64::from(DEATH_TICKS) } else { 0.0 };
        let start = waits.delay_ticks() + waits.wait_ticks();
        let level = level_from_timing(
            start + f64::from(recording.ticks) + death_ticks,
            true,
            &element.timing,
        );
        let skin = self.skins.resolve_list(&overrides.skin, self.sidecars, self.diagnostics);
        let take = Take {
            name: element.name.clone(),
            profile: overrides.apply_to_profile(&recording.profile, &skin),
            skin: self.skins.load_image(&skin, self.sidecars, self.diagnostics),
            entity_kind: overrides.entity.as_ref().map(|entity| entity.kind.clone()),
            entity_nbt: overrides.entity.as_ref().and_then(|entity| entity.nbt.clone()),
            cue: Cue::new(&waits, level),
            rounds: Box::default(),
            placement: Placement::new(transformation, centre, element.keeps_positions()),
            actor_scale: transformation.player_scale * transformation.scale,
            element: element.index,
            first_node: 0,
            recording,
        };
        self.nodes += take.node_count();
        if self.nodes > MAX_NODES {
            self.report_limit(MAX_NODES, "nodes");
            return None;
        }
        self.key_and_event_count =
            self.key_and_event_count.saturating_add(recorded.key_and_event_count);
        if self.key_and_event_count > MAX_KEYS_AND_EVENTS {
            self.report_limit(MAX_KEYS_AND_EVENTS, "keys and events");
            return None;
        }
        Some((vec![ScenePart { take, recorded, centre }], level))
    }

    fn load_nested_scene(
        &mut self,
        element: &Element,
        overrides: &PlayerOverrides,
        waits: StartWaits,
    ) -> Option<(Vec<ScenePart>, Level)> {
        let name = &element.name;
        if self.parents.len() == MAX_SCENE_DEPTH {
            let problem = format!("is nested more than {MAX_SCENE_DEPTH} levels deep; skipped");
            self.report_nested_scene(name, &problem);
            return None;
        }
        let file = self.scene_file(name)?;
        // Compare the contents instead of the names, because the same scene may have two names.
        if *file == *self.root || self.parents.contains(&file) {
            self.report_nested_scene(name, "contains itself; skipped there");
            return None;
        }
        self.parents.push(file.clone());
        let LoadedElements { mut parts, ticks, has_remaining } =
            self.load_elements(&file, overrides, waits);
        self.parents.pop();
        let level = level_from_timing(ticks, has_remaining, &element.timing);
        let common_centre = self.centre_of_scene(&file, element);
        for part in &mut parts {
            self.apply_parent_element(part, element, level, common_centre);
        }
        Some((parts, level))
    }

    fn apply_parent_element(
        &self,
        part: &mut ScenePart,
        element: &Element,
        level: Level,
        common_centre: Option<DVec3>,
    ) {
        let ScenePart { take, centre, .. } = part;
        take.name = format!("{}/{}", element.name, take.name);
        take.cue = std::mem::take(&mut take.cue).nested_in(level);
        // Do not add a level for an element without a transformation, because each level rounds the
        // blocks again.
        if element.has_default_placement() {
            return;
        }
        let transformation = &element.transformation;
        take.actor_scale *= transformation.player_scale * transformation.scale;
        let inner = std::mem::replace(&mut take.placement, Placement::IDENTITY);
        if self.root.uses_legacy_playback() && !self.root.is_json {
            // Apply only the offset, because old mod versions did not rotate, mirror or scale
            // nested scenes.
            take.placement = inner.translated(transformation.offset);
            return;
        }
        *centre = common_centre.unwrap_or(*centre);
        let outer = Placement::new(transformation, *centre, element.keeps_positions());
        take.placement = inner.followed_by(&outer);
    }

    pub(super) fn warn(&mut self, code: Code, message: &str) {
        if self.warned.insert(message.to_owned()) {
            self.diagnostics.warning(code, SourceLocation::File, message);
        }
    }

    fn report_nested_scene(&mut self, name: &str, problem: &str) {
        let message = format!("the scene {name:?} {problem}");
        self.diagnostics
            .error(codes::NESTED_SCENE, SourceLocation::File, message)
            .with("name", name);
    }

    fn report_limit(&mut self, limit: usize, what: &str) {
        if !self.is_full {
            let message = format!("more than {limit} {what}; the rest is skipped");
            self.diagnostics
                .error(codes::SCENE_TOO_LARGE, SourceLocation::File, message)
                .with("limit", limit);
        }
        self.is_full = true;
    }
}

fn level_from_timing(played_until: f64, has_remaining: bool, timing: &Timing) -> Level {
    // The mod waits at the end only if an actor is still present then.
    let rest = if has_remaining { round_to_ticks(timing.wait_on_end) } else { 0.0 };
    Level { end: played_until + rest, loops: timing.loops, stays: timing.waits_for_parent_end }
}

/// Returns the tick in which the last element of a scene ends. Looping elements that stay until the
/// end of the scene are ignored.
///
/// Two cases differ from the mod. An element that loops without end is included with one round,
/// although the mod would never end the scene. If all elements are ignored by the rule above, all
/// of them are included instead, although the mod would end the scene in its first tick.
fn scene_end(levels: &[Level]) -> f64 {
    let is_endless = |level: &Level| level.loops && !level.stays;
    let last = |is_included: &dyn Fn(&Level) -> bool| {
        levels.iter().filter(|level| is_included(level)).map(|level| level.end).reduce(f64::max)
    };
    let waited_for = last(&|level| !level.loops || is_endless(level));
    waited_for.or_else(|| last(&|_| true)).unwrap_or(0.0)
}
