//! From document to clip.

use std::sync::Arc;

use super::{
    Document, Entity, Part, Recording, Slot,
    fold::fold,
    nodes,
    time::{TICKS_PER_SECOND, time_of},
    tracks::{Keys, Property, PropertyCurve},
};
use crate::{
    clip::{
        AnyCurve, Clip, Convention, Handedness, Motion, Node, NodeKind, Nodes, Owner, Provenance,
        RotationRule, Side, Signal, SignalKind, Skeleton, Span, Stated, Track, TrackId, Transform,
        Up, ViewerMirror,
    },
    diagnostics::{Notices, Place},
    formats::FormatId,
};

/// Makes the clip. What is odd about the actions goes to `notices`.
pub(super) fn convert(document: &Document<'_>, notices: &mut Notices) -> Clip {
    let (recording, events) = fold(document, notices);
    report(document, &recording, notices);
    let recording = Arc::new(recording);
    let nodes = Nodes::new(all_nodes(&recording.entities), notices);
    let tracks = tracks(&recording);
    Clip {
        name: String::new(),
        format: FormatId::Mcmocap,
        version: recording.dialect.word().to_owned(),
        subject: subject(&recording),
        span: Span { start: 0.0, duration: recording.duration() },
        rate_hz: Some(TICKS_PER_SECOND),
        convention: convention(),
        groups: Vec::new(),
        signals: signals(&nodes, &tracks),
        nodes,
        tracks,
        events,
        driver: Some(recording),
        layout: None,
        is_looping: None,
        skeleton: Skeleton::Own,
        notices: Notices::new(),
    }
}

/// Says how far the file could be read, and what is assumed.
fn report(document: &Document<'_>, recording: &Recording, notices: &mut Notices) {
    if let Some(error) = &document.stopped {
        let message = format!(
            "{}: what follows is lost; what came before, {} s, plays",
            error.message(),
            time_of(document.ticks)
        );
        notices.error_at(error.place().clone(), time_of(document.ticks), message);
    } else if document.has_trailing_actions && !recording.dialect.writes_entities_late() {
        let message = "actions follow the end of the last tick: they make a frame of their own";
        notices.info(Place::byte(document.actions.end), message);
    }
    if document.ticks == 0 {
        notices.warning(Place::byte(document.actions.start), "no tick ends: nothing plays");
    }
    let message = "body yaw, steps, swings, hurt and death times are not in the file: derived as \
                   the game derives them";
    notices.info(Place::File, message);
}

/// The game's own axes are the viewer's.
fn convention() -> Convention {
    Convention {
        handedness: Stated::assumed(Handedness::Right),
        up: Stated::assumed(Up::Y),
        metres_per_unit: Stated::assumed(1.0),
        rotation: Stated::assumed(RotationRule::Continuous),
        mirror: ViewerMirror::Z,
    }
}

fn subject(recording: &Recording) -> String {
    let player = recording.person.name.as_deref().unwrap_or("a player");
    match recording.entities.len() {
        0 => player.to_owned(),
        1 => format!("{player}, 1 entity"),
        entities => format!("{player}, {entities} entities"),
    }
}

fn all_nodes(entities: &[Entity]) -> Vec<Node> {
    let node = |name: String, kind| Node {
        name,
        group: None,
        parent: None,
        bone_from: None,
        kind,
        side: None,
        rest: Transform::IDENTITY,
        motion: Motion::default(),
    };
    let part = |part: Part| Node {
        parent: Some(nodes::PLAYER),
        // Limbs hang on the body.
        bone_from: (part != Part::Body).then(|| nodes::part(Part::Body)),
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
    let others =
        entities.iter().map(|entity| node(format!("entity/{}", entity.id), NodeKind::Joint));
    [player].into_iter().chain(Part::ALL.map(part)).chain(others).collect()
}

fn tracks(recording: &Arc<Recording>) -> Vec<Track> {
    // Most entities have nothing in their hands.
    let actors = 1 + recording.entities.len();
    let count = actors * Property::TOLD.len() + 1 + Property::DERIVED.len();
    let mut maker = TrackMaker { recording, tracks: Vec::with_capacity(count) };
    maker.told(None);
    let vehicle = PropertyCurve::keys(recording, None, Property::Vehicle);
    maker.add(None, Property::Vehicle, "vehicle".to_owned(), vehicle);
    for (property, name) in Property::DERIVED {
        maker.add(None, property, name.to_owned(), Keys::new(&[], &[]));
    }
    for index in 0..recording.entities.len() {
        maker.told(Some(index));
    }
    maker.tracks
}

struct TrackMaker<'a> {
    recording: &'a Arc<Recording>,
    tracks: Vec<Track>,
}

impl TrackMaker<'_> {
    /// What the file tells of the player, or of the entity at this position.
    fn told(&mut self, entity: Option<usize>) {
        let recording = self.recording;
        let actor = entity.map_or(&recording.player, |index| &recording.entities[index].actor);
        let movements = Keys::new(actor.path.frames(), actor.path.offsets());
        for (property, name) in Property::TOLD {
            let moves = property.is_of_movement();
            let keys = if moves {
                movements.clone()
            } else {
                PropertyCurve::keys(recording, entity, property)
            };
            self.add(entity, property, name.to_owned(), keys);
            if property == Property::MainHandRight {
                self.items(entity);
            }
        }
    }

    /// Slots that stay empty are left out.
    fn items(&mut self, entity: Option<usize>) {
        let recording = self.recording;
        let actor = entity.map_or(&recording.player, |index| &recording.entities[index].actor);
        for slot in Slot::ALL {
            let property = Property::Item(slot);
            if actor.items[slot as usize].values().iter().any(Option::is_some) {
                let keys = PropertyCurve::keys(recording, entity, property);
                self.add(entity, property, format!("item.{}", slot.name()), keys);
            }
        }
    }

    fn add(&mut self, entity: Option<usize>, property: Property, name: String, keys: Keys) {
        let Keys { times, offsets } = keys;
        let node = entity.map_or(nodes::PLAYER, nodes::entity);
        let place = match (offsets.first(), offsets.last()) {
            (Some(&first), Some(&last)) => Place::span(first as usize, (last - first) as usize + 1),
            _ => Place::File,
        };
        let curve = PropertyCurve::new(Arc::clone(self.recording), entity, property, times);
        self.tracks.push(Track {
            owner: Owner::Node(node),
            property: name,
            curve: AnyCurve::Folded(Arc::new(curve)),
            unit: property.unit(),
            source: Provenance::points(place, offsets),
        });
    }
}

/// The player's tracks.
fn signals(nodes: &Nodes, tracks: &[Track]) -> Vec<Signal> {
    let of_player = |(_, track): &(usize, &Track)| track.owner == Owner::Node(nodes::PLAYER);
    let signal = |(index, track): (usize, &Track)| Signal {
        name: format!("{}/{}", nodes[nodes::PLAYER].name, track.property),
        track: TrackId::new(index),
        kind: SignalKind::Attribute,
    };
    tracks.iter().enumerate().filter(of_player).map(signal).collect()
}
