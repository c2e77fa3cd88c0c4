//! Converts an animation to a clip.

use std::{collections::HashMap, sync::Arc};

use super::{
    annotations::ResoniteAnnotations,
    checks, codes, curves,
    document::{Animation, Track as FileTrack},
    fields::Field,
    limiter::DiagnosticLimiter,
};
use crate::{
    clip::{
        Clip, Convention, FormatId, Handedness, KeyTimesPool, Motion, Node, NodeId, NodeKind,
        NodeVisibility, Nodes, Owner, Signal, SignalKind, Span, Stated, Track, TrackId, Transform,
        Unit, UpAxis,
    },
    diagnostics::{Diagnostics, Severity, format_count},
};

pub(super) fn convert(
    animation: Animation,
    format: FormatId,
    version: &str,
    diagnostics: &mut Diagnostics,
) -> Clip {
    let mut limiter = DiagnosticLimiter::new(diagnostics);
    let span = playback_span(&animation);
    checks::check_animation(&animation, span.duration, &mut limiter);
    let mut builder = Builder {
        pool: KeyTimesPool::default(),
        tracks: Vec::with_capacity(animation.tracks.len()),
        signals: Vec::new(),
        slots: Vec::new(),
        slot_by_name: HashMap::new(),
        limiter: &mut limiter,
    };
    animation.tracks.into_iter().for_each(|track| builder.add_track(track));
    let Builder { tracks, signals, slots, .. } = builder;
    limiter.finish();
    Clip {
        name: animation.name,
        version: version.to_owned(),
        subject: format_subject(&slots, signals.len()),
        span,
        nodes: Nodes::new(slots.into_iter().map(Slot::into_node).collect(), diagnostics),
        tracks,
        signals,
        annotations: Some(Arc::new(ResoniteAnnotations)),
        ..Clip::new(format, convention())
    }
}

/// The file does not state these. Resonite's slots are left-handed with Y up, in metres.
fn convention() -> Convention {
    Convention {
        seconds_per_unit: Some(Stated::assumed(1.0)),
        ..Convention::assumed(Handedness::Left, UpAxis::Y)
    }
}

fn playback_span(animation: &Animation) -> Span {
    let stated = animation.global_duration.filter(|duration| duration.is_finite());
    let duration =
        animation.tracks.iter().map(FileTrack::last_key_time).fold(stated.unwrap_or(0.0), f64::max);
    Span { start: 0.0, duration: if duration.is_finite() { duration.max(0.0) } else { 0.0 } }
}

fn format_subject(slots: &[Slot], signals: usize) -> String {
    let moving = slots.iter().filter(|slot| slot.is_moved()).count();
    let mut text = format_count(slots.len(), "slot");
    if moving < slots.len() {
        text += &format!(", {moving} moving");
    }
    if signals > 0 {
        text += &format!("; {}", format_count(signals, "other value"));
    }
    text
}

#[derive(Default)]
struct Slot {
    name: String,
    position: Option<TrackId>,
    rotation: Option<TrackId>,
    scale: Option<TrackId>,
}

impl Slot {
    fn field_track_mut(&mut self, field: Field) -> &mut Option<TrackId> {
        match field {
            Field::Position => &mut self.position,
            Field::Rotation => &mut self.rotation,
            Field::Scale => &mut self.scale,
        }
    }

    fn is_moved(&self) -> bool {
        self.position.or(self.rotation).or(self.scale).is_some()
    }

    fn into_node(self) -> Node {
        let shown = if self.is_moved() { NodeVisibility::Always } else { NodeVisibility::Never };
        let motion = Motion::from_tracks(self.position, self.rotation, self.scale, shown);
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
    limiter: &'a mut DiagnosticLimiter<'n>,
}

impl Builder<'_, '_> {
    fn add_track(&mut self, mut track: FileTrack) {
        checks::check_keys(&track, self.limiter);
        let (curve, source) = curves::make_curve(&mut track, &mut self.pool, self.limiter);
        checks::check_rotations(&track, &curve, &source, self.limiter);
        let id = TrackId::new(self.tracks.len());
        let slot = self.slot_index(&track.node);
        let field = Field::from_name(&track.property);
        let unit = if field == Some(Field::Position) { Unit::Metres } else { Unit::None };
        match field {
            Some(field) => self.drive_field(field, slot, id, &track),
            None => {
                let name = format!("{}.{}", track.node, track.property);
                self.signals.push(Signal { name, track: id, kind: SignalKind::Attribute });
            }
        }
        let owner = Owner::Node(NodeId::new(slot));
        self.tracks.push(Track { owner, property: track.property, curve, unit, source });
    }

    fn slot_index(&mut self, name: &str) -> usize {
        if let Some(&known) = self.slot_by_name.get(name) {
            return known;
        }
        self.slot_by_name.insert(name.to_owned(), self.slots.len());
        self.slots.push(Slot { name: name.to_owned(), ..Slot::default() });
        self.slots.len() - 1
    }

    /// Makes the track drive a field of a slot, if the field accepts the track's values and no
    /// earlier track drives it. The first track wins, because Resonite's lookup by name finds only
    /// that track.
    fn drive_field(&mut self, field: Field, slot: usize, id: TrackId, track: &FileTrack) {
        if track.value_type.name != field.type_name() {
            let (expected, found) = (field.type_name(), track.value_type.name);
            let kind = "tracks whose type differs from that of their field";
            let problem = format_args!(
                "{field:?} is a {expected} in Resonite, which sets it to zero if it is driven by a \
                 {found}"
            );
            self.limiter.add_about_track(
                Severity::Warning,
                codes::FIELD_TYPE,
                kind,
                track,
                problem,
            );
        }
        let moved_by = self.slots[slot].field_track_mut(field);
        if moved_by.is_none() && field.accepts(track.value_type) {
            *moved_by = Some(id);
        }
    }
}
