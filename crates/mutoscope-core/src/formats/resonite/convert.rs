//! From document to clip.

use std::{collections::HashMap, sync::Arc};

use super::{
    annotations::ResoniteAnnotations,
    checks, curves,
    document::{Animation, Track as FileTrack},
    fields::Field,
    oddities::Oddities,
};
use crate::{
    clip::{
        Clip, Convention, FormatId, Handedness, KeyTimesPool, Motion, Node, NodeId, NodeKind,
        Nodes, Owner, Shown, Signal, SignalKind, Span, Stated, Track, TrackId, Transform, Unit, Up,
    },
    diagnostics::Notices,
};

/// Makes the clip. Issues in the file go to `notices`.
pub(super) fn convert(
    animation: Animation,
    format: FormatId,
    version: &str,
    notices: &mut Notices,
) -> Clip {
    let mut oddities = Oddities::new(notices);
    let span = span(&animation);
    checks::animation(&animation, span.duration, &mut oddities);
    let mut builder = Builder {
        pool: KeyTimesPool::default(),
        tracks: Vec::with_capacity(animation.tracks.len()),
        signals: Vec::new(),
        slots: Vec::new(),
        slot_by_name: HashMap::new(),
        oddities: &mut oddities,
    };
    animation.tracks.into_iter().for_each(|track| builder.track(track));
    let Builder { tracks, signals, slots, .. } = builder;
    oddities.finish();
    Clip {
        name: animation.name,
        version: version.to_owned(),
        subject: subject(&slots, signals.len()),
        span,
        nodes: Nodes::new(slots.into_iter().map(Slot::node).collect(), notices),
        tracks,
        signals,
        annotations: Some(Arc::new(ResoniteAnnotations)),
        ..Clip::new(format, convention())
    }
}

/// Resonite's slots: left-handed, Y up, metres. The file says nothing of it.
fn convention() -> Convention {
    Convention {
        seconds_per_unit: Some(Stated::assumed(1.0)),
        ..Convention::assumed(Handedness::Left, Up::Y)
    }
}

/// From 0 to the end that the file states or the last key, whichever is later.
fn span(animation: &Animation) -> Span {
    let stated = animation.global_duration.filter(|duration| duration.is_finite());
    let duration =
        animation.tracks.iter().map(FileTrack::end).fold(stated.unwrap_or(0.0), f64::max);
    Span { start: 0.0, duration: if duration.is_finite() { duration.max(0.0) } else { 0.0 } }
}

/// A summary of the animated fields: `3 slots, 2 moving; 4 other values`.
fn subject(slots: &[Slot], signals: usize) -> String {
    let counted =
        |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let moving = slots.iter().filter(|slot| slot.is_moved()).count();
    let mut text = counted(slots.len(), "slot");
    if moving < slots.len() {
        text += &format!(", {moving} moving");
    }
    if signals > 0 {
        text += &format!("; {}", counted(signals, "other value"));
    }
    text
}

/// A name that tracks are meant for, and which of them move what bears it.
#[derive(Default)]
struct Slot {
    name: String,
    position: Option<TrackId>,
    rotation: Option<TrackId>,
    scale: Option<TrackId>,
}

impl Slot {
    fn of_field(&mut self, field: Field) -> &mut Option<TrackId> {
        match field {
            Field::Position => &mut self.position,
            Field::Rotation => &mut self.rotation,
            Field::Scale => &mut self.scale,
        }
    }

    fn is_moved(&self) -> bool {
        self.position.or(self.rotation).or(self.scale).is_some()
    }

    fn node(self) -> Node {
        let shown = if self.is_moved() { Shown::Always } else { Shown::Never };
        let motion = Motion::of_tracks(self.position, self.rotation, self.scale, shown);
        Node {
            name: self.name,
            group: None,
            parent: None,
            bone_from: None,
            kind: NodeKind::Joint,
            side: None,
            rest: Transform::IDENTITY,
            motion,
        }
    }
}

struct Builder<'a, 'n> {
    pool: KeyTimesPool,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
    slots: Vec<Slot>,
    slot_by_name: HashMap<String, usize>,
    oddities: &'a mut Oddities<'n>,
}

impl Builder<'_, '_> {
    fn track(&mut self, mut track: FileTrack) {
        checks::keys(&track, self.oddities);
        let (curve, source) = curves::make(&mut track, &mut self.pool, self.oddities);
        checks::rotations(&track, &curve, &source, self.oddities);
        let id = TrackId::new(self.tracks.len());
        let slot = self.slot(&track.node);
        let field = Field::named(&track.property);
        let unit = if field == Some(Field::Position) { Unit::Metres } else { Unit::None };
        match field {
            Some(field) => self.attach(field, slot, id, &track),
            None => {
                let name = format!("{}.{}", track.node, track.property);
                self.signals.push(Signal { name, track: id, kind: SignalKind::Attribute });
            }
        }
        let owner = Owner::Node(NodeId::new(slot));
        self.tracks.push(Track { owner, property: track.property, curve, unit, source });
    }

    /// The index of the slot of this name.
    fn slot(&mut self, name: &str) -> usize {
        if let Some(&known) = self.slot_by_name.get(name) {
            return known;
        }
        self.slot_by_name.insert(name.to_owned(), self.slots.len());
        self.slots.push(Slot { name: name.to_owned(), ..Slot::default() });
        self.slots.len() - 1
    }

    /// Lets a track move a slot, if its values can and no other does: names lead to the first.
    fn attach(&mut self, field: Field, slot: usize, id: TrackId, track: &FileTrack) {
        if track.value_type.name != field.type_name() {
            let message = || {
                format!(
                    "{}: {field:?} is a {} in Resonite, which sets it to zero when driven by a {}",
                    track.name(),
                    field.type_name(),
                    track.value_type.name
                )
            };
            self.oddities.warning(
                "tracks of another type than their field",
                track.source.place.clone(),
                message,
            );
        }
        let moved_by = self.slots[slot].of_field(field);
        if moved_by.is_none() && field.can_take(track.value_type) {
            *moved_by = Some(id);
        }
    }
}
