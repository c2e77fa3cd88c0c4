//! From document to clip.

use std::sync::Arc;

use super::{
    Document, Part, Recording, Scene, Slot, Take, remarks,
    replay::replay,
    time::{TICKS_PER_SECOND, time_of},
    tracks::{Keys, Property, PropertyCurve},
};
use mutoscope_core::{
    clip::{
        AnyCurve, Clip, Convention, Event, Handedness, Motion, Node, NodeKind, Nodes, Owner,
        Provenance, Side, Signal, SignalKind, Span, Track, TrackId, Transform, Up,
    },
    diagnostics::{Notices, SourceLocation},
};

/// Makes the clip of a recording on its own. Issues in the actions go to `notices`.
pub(super) fn convert(document: &Document<'_>, notices: &mut Notices) -> Clip {
    let (recording, events) = replay(document, notices);
    report(document, &recording, notices);
    notices.info(SourceLocation::File, DERIVED);
    let version = recording.dialect.word().to_owned();
    clip(version, Scene::alone(recording), events, notices)
}

/// The place of derived tracks, which are in no file.
pub(super) const DERIVED: &str = "body yaw, steps, swings, hurt and death times are not in the file: derived as the game derives \
     them";

/// Makes the clip of what is played together.
pub(super) fn clip(
    version: String,
    scene: Scene,
    events: Vec<Event>,
    notices: &mut Notices,
) -> Clip {
    remarks::report(&scene, notices);
    let scene = Arc::new(scene);
    let takes = &scene.takes;
    let nodes = Nodes::new(takes.iter().flat_map(|take| all_nodes(take)).collect(), notices);
    let tracks = tracks(takes);
    Clip {
        version,
        subject: subject(&scene),
        span: Span { start: 0.0, duration: scene.duration() },
        rate_hz: Some(TICKS_PER_SECOND),
        signals: signals(takes, &nodes, &tracks),
        nodes,
        tracks,
        events,
        procedural: Some(scene.clone()),
        annotations: Some(scene),
        ..Clip::new(crate::FORMAT_ID, convention())
    }
}

/// Reports how far the file could be read.
pub(super) fn report(document: &Document<'_>, recording: &Recording, notices: &mut Notices) {
    if let Some(error) = &document.stopped {
        let message = format!("{}; loaded up to {} s", error.message(), time_of(document.ticks));
        notices.error_at(error.place().clone(), time_of(document.ticks), message);
    } else if document.has_trailing_actions && !recording.dialect.writes_entities_late() {
        let message =
            "actions follow the end of the last tick; using a frame of their own for them";
        notices.info(SourceLocation::byte(document.actions.end), message);
    }
    if document.ticks == 0 {
        notices
            .warning(SourceLocation::byte(document.actions.start), "no tick ends; nothing plays");
    }
}

/// The game's own axes are the viewer's.
fn convention() -> Convention {
    Convention::assumed(Handedness::Right, Up::Y)
}

fn subject(scene: &Scene) -> String {
    let name = |take: &Take| take.person.name.clone().unwrap_or_else(|| "a player".to_owned());
    let is_named = scene.takes.iter().any(|take| take.person.name.is_some());
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
        parent: Some(take.player()),
        // Limbs are children of the body.
        bone_from: (part != Part::Body).then(|| take.part(Part::Body)),
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
    // Most entities have nothing in their hands.
    let actors = takes.iter().map(|take| 1 + take.recording.entities.len()).sum::<usize>();
    let of_players = takes.len() * (1 + Property::DERIVED.len());
    let mut tracks = Vec::with_capacity(actors * Property::TOLD.len() + of_players);
    for take in takes {
        let mut maker = TrackMaker { take, tracks: &mut tracks };
        maker.told(None);
        let vehicle = PropertyCurve::keys(take, None, Property::Vehicle);
        maker.add(None, Property::Vehicle, vehicle);
        for property in Property::DERIVED {
            maker.add(None, property, Keys::new(take, &[], &[]));
        }
        for index in 0..take.recording.entities.len() {
            maker.told(Some(index));
        }
    }
    tracks
}

struct TrackMaker<'a> {
    take: &'a Arc<Take>,
    tracks: &'a mut Vec<Track>,
}

impl TrackMaker<'_> {
    /// The recorded tracks of the player, or of the entity at this position.
    fn told(&mut self, entity: Option<usize>) {
        let recording = &self.take.recording;
        let actor = entity.map_or(&recording.player, |index| &recording.entities[index].actor);
        let movements = Keys::new(self.take, actor.path.frames(), actor.path.offsets());
        for property in Property::TOLD {
            let moves = property.is_of_movement();
            let keys = if moves {
                movements.clone()
            } else {
                PropertyCurve::keys(self.take, entity, property)
            };
            self.add(entity, property, keys);
            if property == Property::MainHandRight {
                self.items(entity);
            }
        }
    }

    /// Slots that stay empty are skipped.
    fn items(&mut self, entity: Option<usize>) {
        let recording = &self.take.recording;
        let actor = entity.map_or(&recording.player, |index| &recording.entities[index].actor);
        for slot in Slot::ALL {
            let property = Property::Item(slot);
            if actor.items[slot as usize].values().iter().any(Option::is_some) {
                let keys = PropertyCurve::keys(self.take, entity, property);
                self.add(entity, property, keys);
            }
        }
    }

    fn add(&mut self, entity: Option<usize>, property: Property, keys: Keys) {
        let Keys { times, offsets } = keys;
        let node = entity.map_or(self.take.player(), |index| self.take.entity(index));
        let place = match (offsets.first(), offsets.last()) {
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
            source: Provenance::points(place, offsets),
        });
    }
}

/// The players' tracks.
fn signals(takes: &[Arc<Take>], nodes: &Nodes, tracks: &[Track]) -> Vec<Signal> {
    // Ascending.
    let players: Vec<_> = takes.iter().map(|take| take.player()).collect();
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
