//! Converts documents and scenes into clips.

use std::sync::Arc;

use super::{
    Document, Part, Recording, Scene, Slot, Take, codes, missing_content,
    replay::replay,
    time::{TICKS_PER_SECOND, frame_time},
    tracks::{Keys, Property, PropertyCurve},
};
use mutoscope_core::{
    clip::{
        AnyCurve, Clip, Convention, Event, Handedness, Motion, Node, NodeKind, Nodes, Owner, Side,
        Signal, SignalKind, Span, Track, TrackId, TrackLocation, Transform, UpAxis,
    },
    diagnostics::{Diagnostics, SourceLocation},
};

pub(super) fn clip_from_document(document: &Document<'_>, diagnostics: &mut Diagnostics) -> Clip {
    let (recording, events) = replay(document, diagnostics);
    report_incomplete_ticks(document, &recording, diagnostics);
    report_derived_values(diagnostics);
    let version = recording.dialect.name().to_owned();
    clip_from_scene(version, Scene::from_recording(recording), events, diagnostics)
}

pub(super) fn report_derived_values(diagnostics: &mut Diagnostics) {
    let message = "the file does not store body yaw, steps, swings, hurt and death times; using values derived with \
     the game's formulas";
    diagnostics.info(codes::DERIVED_VALUES, SourceLocation::File, message);
}

pub(super) fn clip_from_scene(
    version: String,
    scene: Scene,
    events: Vec<Event>,
    diagnostics: &mut Diagnostics,
) -> Clip {
    missing_content::report(&scene, diagnostics);
    let scene = Arc::new(scene);
    let takes = &scene.takes;
    let nodes = Nodes::new(takes.iter().flat_map(|take| all_nodes(take)).collect(), diagnostics);
    let tracks = tracks(takes);
    let mut clip = Clip::new(crate::FORMAT_ID, convention());
    clip.version = version;
    clip.subject = subject(&scene);
    clip.span = Span { start: 0.0, duration: scene.duration() };
    clip.rate_hz = Some(TICKS_PER_SECOND);
    clip.signals = signals(takes, &nodes, &tracks);
    clip.nodes = nodes;
    clip.tracks = tracks;
    clip.events = events;
    clip.procedural = Some(scene.clone());
    clip.annotations = Some(scene);
    clip
}

pub(super) fn report_incomplete_ticks(
    document: &Document<'_>,
    recording: &Recording,
    diagnostics: &mut Diagnostics,
) {
    if let Some(error) = &document.stopped {
        let message = format!("{}; loaded up to {} s", error.message(), frame_time(document.ticks));
        diagnostics
            .error(codes::STOPPED, error.location().clone(), message)
            .at_time(frame_time(document.ticks));
    } else if document.has_trailing_actions && !recording.dialect.writes_entities_late() {
        let message = "actions follow the end of the last tick; using an extra frame for them";
        diagnostics.info(
            codes::TRAILING_ACTIONS,
            SourceLocation::byte(document.actions.end),
            message,
        );
    }
    if document.ticks == 0 {
        diagnostics.warning(
            codes::NO_TICKS,
            SourceLocation::byte(document.actions.start),
            "the recording has no complete tick, so nothing plays",
        );
    }
}

/// Returns the axes of Minecraft, which are those of the viewer: right-handed, Y up.
fn convention() -> Convention {
    Convention::assumed(Handedness::Right, UpAxis::Y)
}

fn subject(scene: &Scene) -> String {
    let name = |take: &Take| take.profile.name.clone().unwrap_or_else(|| "a player".to_owned());
    let is_named = scene.takes.iter().any(|take| take.profile.name.is_some());
    let players = match &*scene.takes {
        [_, _, ..] if !is_named => format!("{} players", scene.takes.len()),
        [] => "nobody".to_owned(),
        [one] => name(one),
        [one, other] => format!("{} and {}", name(one), name(other)),
        [one, others @ ..] => format!("{} and {} more", name(one), others.len()),
    };
    match scene.takes.iter().map(|take| take.recording.entities.len()).sum() {
        0 => players,
        1 => format!("{players}, 1 entity"),
        entities => format!("{players}, {entities} entities"),
    }
}

fn all_nodes(take: &Take) -> Vec<Node> {
    let prefix = take.prefix();
    let node = |name: String, kind| Node {
        name: format!("{prefix}{name}"),
        group: None,
        parent: None,
        bone_from: None,
        kind,
        side: None,
        rest: Transform::IDENTITY,
        motion: Motion::default(),
    };
    let part = |part: Part| Node {
        parent: Some(take.player_node()),
        // The nodes of the head and limbs are children of the player node, but their bones start at
        // the body node, because bones from the player node would start at the ground.
        bone_from: (part != Part::Body).then(|| take.part_node(Part::Body)),
        side: match part {
            Part::RightArm | Part::RightLeg => Some(Side::Right),
            Part::LeftArm | Part::LeftLeg => Some(Side::Left),
            Part::Head | Part::Body => None,
        },
        ..node(
            format!("player/{}", part.name()),
            if part == Part::Head { NodeKind::Head } else { NodeKind::Joint },
        )
    };
    let player = node("player".to_owned(), NodeKind::Joint);
    let entities = take.recording.entities.iter();
    let others = entities.map(|entity| node(format!("entity/{}", entity.id), NodeKind::Joint));
    [player].into_iter().chain(Part::ALL.map(part)).chain(others).collect()
}

fn tracks(takes: &[Arc<Take>]) -> Vec<Track> {
    // Do not reserve space for item tracks, because most entities hold no items.
    let actors = takes.iter().map(|take| 1 + take.recording.entities.len()).sum::<usize>();
    let player_tracks = takes.len() * (1 + Property::DERIVED.len());
    let mut tracks = Vec::with_capacity(actors * Property::RECORDED.len() + player_tracks);
    for take in takes {
        let mut builder = TrackBuilder { take, tracks: &mut tracks };
        builder.add_recorded_tracks(None);
        let vehicle = PropertyCurve::property_keys(take, None, Property::Vehicle);
        builder.add_track(None, Property::Vehicle, vehicle);
        for property in Property::DERIVED {
            builder.add_track(None, property, Keys::new(take, &[], &[]));
        }
        for index in 0..take.recording.entities.len() {
            builder.add_recorded_tracks(Some(index));
        }
    }
    tracks
}

struct TrackBuilder<'a> {
    take: &'a Arc<Take>,
    tracks: &'a mut Vec<Track>,
}

impl TrackBuilder<'_> {
    fn add_recorded_tracks(&mut self, entity: Option<usize>) {
        let recording = &self.take.recording;
        let actor = entity.map_or(&recording.player, |index| &recording.entities[index].actor);
        let movements = Keys::new(self.take, actor.path.frames(), actor.path.offsets());
        for property in Property::RECORDED {
            let keys = if property.is_movement() {
                movements.clone()
            } else {
                PropertyCurve::property_keys(self.take, entity, property)
            };
            self.add_track(entity, property, keys);
            if property == Property::MainHandRight {
                self.add_item_tracks(entity);
            }
        }
    }

    fn add_item_tracks(&mut self, entity: Option<usize>) {
        let recording = &self.take.recording;
        let actor = entity.map_or(&recording.player, |index| &recording.entities[index].actor);
        for slot in Slot::ALL {
            let property = Property::Item(slot);
            if actor.items[slot as usize].values().iter().any(Option::is_some) {
                let keys = PropertyCurve::property_keys(self.take, entity, property);
                self.add_track(entity, property, keys);
            }
        }
    }

    fn add_track(&mut self, entity: Option<usize>, property: Property, keys: Keys) {
        let Keys { times, offsets } = keys;
        let node = entity.map_or(self.take.player_node(), |index| self.take.entity_node(index));
        let location = match (offsets.first(), offsets.last()) {
            (Some(&first), Some(&last)) => {
                SourceLocation::span(first as usize, (last - first) as usize + 1)
            }
            _ => SourceLocation::File,
        };
        let curve = PropertyCurve::new(Arc::clone(self.take), entity, property, times);
        self.tracks.push(Track {
            owner: Owner::Node(node),
            property: property.name().to_owned(),
            curve: AnyCurve::Computed(Arc::new(curve)),
            unit: property.unit(),
            source: TrackLocation::points(location, offsets),
        });
    }
}

fn signals(takes: &[Arc<Take>], nodes: &Nodes, tracks: &[Track]) -> Vec<Signal> {
    // The ids are in ascending order. The binary search below depends on this.
    let players: Vec<_> = takes.iter().map(|take| take.player_node()).collect();
    let signal = |(index, track): (usize, &Track)| match track.owner {
        Owner::Node(node) if players.binary_search(&node).is_ok() => Some(Signal {
            name: format!("{}/{}", nodes[node].name, track.property),
            track: TrackId::new(index),
            kind: SignalKind::Attribute,
        }),
        _ => None,
    };
    tracks.iter().enumerate().filter_map(signal).collect()
}
