//! From document to clip.

use std::sync::Arc;

use super::{
    ArrayChannel, Arrays, Attribute, Bitstream, Body, Channel, Document, Game, KeyArray, RawKey,
    Step, bone_name,
    coded::{SharedStream, StreamKeys},
};
use crate::{
    clip::{
        AnyCurve, Blend, Clip, Convention, Element, Form, FormatId, Handedness, KeyTimes, Motion,
        Node, NodeId, NodeKind, Nodes, Owner, Provenance, RotationRule, ScalarCurve, Shapes, Shown,
        Span, Stated, Track, TrackId, Transform, TypedCurve, Unit, Up, ValueType, Values, Variants,
    },
    diagnostics::{Notices, SourceLocation, Topic},
};

/// The animated properties of a bone.
#[derive(Clone, Copy)]
pub(super) struct Property {
    pub(super) name: &'static str,
    value_type: ValueType,
    unit: Unit,
}

/// The games interpolate rotations as keyed, also the long way round.
pub(super) const ROTATION: Property = Property {
    name: "rotation",
    value_type: ValueType {
        name: "quaternion",
        element: Element::Number,
        form: Form::Quaternion { faithful: Blend::Slerp },
    },
    unit: Unit::None,
};

pub(super) const TRANSLATION: Property =
    Property { name: "translation", value_type: VECTOR, unit: Unit::Metres };

pub(super) const SCALE: Property = Property { name: "scale", value_type: VECTOR, unit: Unit::None };

const VECTOR: ValueType = ValueType { name: "vector", element: Element::Number, form: Form::Plain };

/// Makes the clip: without a skeleton, its bones are known by their ids and have no offsets.
/// Issues in the file go to `notices`.
pub(super) fn convert(document: &Document, notices: &mut Notices) -> Clip {
    if let Some(events) = document.events {
        let message = format!("its events are in the asset {events:08X}, which is not read");
        notices.info(SourceLocation::File, message);
    }
    let mut builder =
        Builder { times: key_times(document), bones: Vec::new(), tracks: Vec::new(), notices };
    match &document.body {
        Body::Arrays(arrays) => builder.arrays(arrays),
        Body::Bitstream(stream) => builder.bitstream(stream),
    }
    let Builder { bones, tracks, notices, .. } = builder;
    let nodes: Vec<_> = bones.iter().map(Bone::node).collect();
    Clip {
        version: document.version_text(),
        variants: vec![Variants::found(super::GAME, Game::SHORT_NAMES, document.game.index())],
        subject: subject(nodes.len()),
        span: Span { start: 0.0, duration: document.duration.into() },
        is_looping: match &document.body {
            Body::Arrays(_) => None,
            Body::Bitstream(stream) => Some(stream.is_looping),
        },
        rate_hz: Some(f64::from(document.interval).recip()),
        nodes: Nodes::new(nodes, notices),
        tracks,
        ..Clip::new(FormatId::PRIME, convention())
    }
}

/// The games' space: right-handed, Z up, metres. The file says nothing of it.
fn convention() -> Convention {
    Convention {
        rotation: Stated::assumed(RotationRule::AsAuthored),
        ..Convention::assumed(Handedness::Right, Up::Z)
    }
}

/// The subject in a few words: `20 bones`.
fn subject(bones: usize) -> String {
    format!("{bones} bone{}", if bones == 1 { "" } else { "s" })
}

/// The times of the frames that have keys: all bones share them.
fn key_times(document: &Document) -> KeyTimes {
    let interval = f64::from(document.interval);
    let times: Vec<_> =
        document.keyed_frames().into_iter().map(|frame| f64::from(frame) * interval).collect();
    KeyTimes::new(times).expect("frames are ascending, and their distance is finite")
}

struct Builder<'a> {
    times: KeyTimes,
    bones: Vec<Bone>,
    tracks: Vec<Track>,
    notices: &'a mut Notices,
}

/// A bone, and what moves it.
#[derive(Default)]
struct Bone {
    id: u32,
    rotation: Option<TrackId>,
    translation: Option<TrackId>,
    scale: Option<TrackId>,
}

impl Bone {
    fn node(&self) -> Node {
        Node {
            name: bone_name(self.id),
            group: None,
            parent: None,
            bone_from: None,
            kind: NodeKind::Joint,
            side: None,
            rest: Transform::IDENTITY,
            // Relative to a parent that is not known, it is nowhere.
            motion: Motion::of_tracks(self.translation, self.rotation, self.scale, Shown::Never),
        }
    }
}

impl Builder<'_> {
    /// Tracks in file order: all scales, all rotations, all translations.
    fn arrays(&mut self, arrays: &Arrays) {
        for channel in &arrays.channels {
            self.bones.push(Bone { id: channel.bone.into(), ..Bone::default() });
        }
        type Track = fn(&ArrayChannel) -> Option<u8>;
        let of_bones = |track: Track| {
            let tracks = arrays.channels.iter().enumerate();
            let mut tracks: Vec<_> =
                tracks.filter_map(|(bone, one)| Some((track(one)?, bone))).collect();
            tracks.sort_unstable();
            tracks
        };
        for (track, bone) in of_bones(|channel| channel.scale) {
            let id = self.array(&arrays.scales, track, bone, SCALE, [0, 1, 2]);
            self.bones[bone].scale = Some(id);
        }
        for (track, bone) in of_bones(|channel| channel.rotation) {
            // The file has w first.
            let xyzw = [1, 2, 3, 0];
            let id = self.array(&arrays.rotations, track, bone, ROTATION, xyzw);
            self.bones[bone].rotation = Some(id);
        }
        for (track, bone) in of_bones(|channel| channel.translation) {
            let id = self.array(&arrays.translations, track, bone, TRANSLATION, [0, 1, 2]);
            self.bones[bone].translation = Some(id);
        }
    }

    fn array<const N: usize>(
        &mut self,
        array: &KeyArray<N>,
        track: u8,
        bone: usize,
        property: Property,
        order: [usize; N],
    ) -> TrackId {
        let (track, place) = (usize::from(track), array.place(track.into()));
        let mut columns = [(); N].map(|()| Vec::with_capacity(array.keys_per_track));
        let mut first_odd = None;
        for (index, key) in array.track(track).enumerate() {
            if first_odd.is_none() && key.iter().any(|component| !component.is_finite()) {
                first_odd = Some(index);
            }
            columns.iter_mut().zip(order).for_each(|(column, from)| column.push(key[from]));
        }
        if let Some(index) = first_odd {
            let name = bone_name(self.bones[bone].id);
            let message = format!("{name}.{}: a non-finite value", property.name);
            let time = self.times.as_slice()[index];
            self.notices.warning_about(Topic::NonFinite, place.clone(), Some(time), message);
        }
        let first_key = place.first_byte().unwrap_or_default() as usize;
        let bytes_per_key = KeyArray::<N>::BYTES_PER_KEY;
        let source = Provenance::packed(place, first_key, bytes_per_key, None);
        self.track(bone, property, columns.map(Values::from), source)
    }

    /// Tracks in file order: bone by bone.
    fn bitstream(&mut self, body: &Bitstream) {
        let stream = SharedStream::new(body);
        for channel in &body.channels {
            let known = self.bones.iter().position(|bone| bone.id == channel.bone);
            let bone = known.unwrap_or_else(|| {
                self.bones.push(Bone { id: channel.bone, ..Bone::default() });
                self.bones.len() - 1
            });
            self.channel(body, channel, bone, &stream);
        }
    }

    fn channel(
        &mut self,
        body: &Bitstream,
        channel: &Channel,
        bone: usize,
        stream: &Arc<SharedStream>,
    ) {
        let mut track = |attribute: &Option<Attribute>, step: Step, property: Property| {
            let keys = StreamKeys {
                stream: Arc::clone(stream),
                attribute: attribute.clone()?,
                step,
                key_count: self.times.as_slice().len(),
            };
            let place = channel.place.clone();
            let is_rotation = matches!(step, Step::Rotation { .. });
            let id = if is_rotation {
                let columns = rotations(&keys);
                let source = Provenance::coded(place, Arc::new(keys));
                self.track(bone, property, columns, source)
            } else {
                let columns = vectors(&keys);
                let source = Provenance::coded(place, Arc::new(keys));
                self.track(bone, property, columns, source)
            };
            Some(id)
        };
        let divisor = body.rotation_divisor;
        let rotation = track(&channel.rotation, Step::Rotation { divisor }, ROTATION);
        let multiplier = body.translation_multiplier;
        let translation = track(&channel.translation, Step::Vector { multiplier }, TRANSLATION);
        let multiplier = body.scale_multiplier.unwrap_or(1.0);
        let scale = track(&channel.scale, Step::Vector { multiplier }, SCALE);
        // Of a bone that comes again, the first tracks move it.
        let bone = &mut self.bones[bone];
        bone.rotation = bone.rotation.or(rotation);
        bone.translation = bone.translation.or(translation);
        bone.scale = bone.scale.or(scale);
    }

    fn track<const N: usize>(
        &mut self,
        bone: usize,
        property: Property,
        columns: [Values; N],
        source: Provenance,
    ) -> TrackId {
        let curve = |values: Values| ScalarCurve::new(self.times.clone(), values, Shapes::Linear);
        let curve = TypedCurve::new(property.value_type, columns.map(curve));
        self.tracks.push(Track {
            owner: Owner::Node(NodeId::new(bone)),
            property: property.name.to_owned(),
            curve: AnyCurve::Typed(Box::new(curve)),
            unit: property.unit,
            source,
        });
        TrackId::new(self.tracks.len() - 1)
    }
}

/// The x, y, z and w of all keys.
///
/// Numbers that take no bits are the same in all keys, and take no memory either.
fn rotations(keys: &StreamKeys) -> [Values; 4] {
    let step = keys.step;
    if keys.attribute.widths == [0; 3] {
        let same = |value| Values::Same { value, count: keys.key_count };
        let first = step.value(RawKey { is_negative: false, numbers: keys.attribute.initial });
        let w = |is_negative| if is_negative { -first.w } else { first.w };
        let w: Vec<f64> = keys.keys().map(|key| w(key.is_negative)).collect();
        return [same(first.x), same(first.y), same(first.z), Values::from(w)];
    }
    let mut columns = [(); 4].map(|()| Vec::with_capacity(keys.key_count));
    for key in keys.keys() {
        let value = step.value(key).to_array();
        columns.iter_mut().zip(value).for_each(|(column, component)| column.push(component));
    }
    columns.map(Values::from)
}

/// The x, y and z of all keys.
fn vectors(keys: &StreamKeys) -> [Values; 3] {
    let column = |axis: usize| {
        let component = |key| keys.step.value(key)[axis];
        if keys.attribute.widths[axis] == 0 {
            let numbers = keys.attribute.initial;
            let value = component(RawKey { is_negative: false, numbers });
            Values::Same { value, count: keys.key_count }
        } else {
            Values::from(keys.keys().map(component).collect::<Vec<f64>>())
        }
    };
    [0, 1, 2].map(column)
}
