//! Converts a decoded animation to a clip.

use std::sync::Arc;

use super::{
    ArrayChannel, Arrays, Attribute, Bitstream, Body, Channel, Document, Game, KeyArray, RawKey,
    Step, bone_name, codes,
    stream_keys::{SharedStream, StreamKeys},
};
use crate::{
    clip::{
        AnyCurve, Blend, Clip, Convention, Element, Form, FormatId, Handedness, KeyTimes, Motion,
        Node, NodeId, NodeKind, NodeVisibility, Nodes, Owner, RotationRule, ScalarCurve, Shapes,
        Span, Stated, Track, TrackId, TrackLocation, Transform, TypedCurve, Unit, UpAxis,
        ValueType, Values, Variants,
    },
    diagnostics::{Diagnostics, SourceLocation, Topic},
};

#[derive(Clone, Copy)]
pub(super) struct Property {
    pub(super) name: &'static str,
    value_type: ValueType,
    unit: Unit,
}

/// The property of rotations. The games interpolate between rotations as stored, even if that is
/// the longer arc.
pub(super) const ROTATION: Property = Property {
    name: "rotation",
    value_type: ValueType {
        name: "quaternion",
        element: Element::Number,
        form: Form::Quaternion { authored_blend: Blend::Slerp },
    },
    unit: Unit::None,
};

pub(super) const TRANSLATION: Property =
    Property { name: "translation", value_type: VECTOR, unit: Unit::Metres };

pub(super) const SCALE: Property = Property { name: "scale", value_type: VECTOR, unit: Unit::None };

const VECTOR: ValueType = ValueType { name: "vector", element: Element::Number, form: Form::Plain };

/// Converts an animation into a clip without a skeleton. The bones have no offsets, and their names
/// are made from their ids. Problems are added to `diagnostics`.
pub(super) fn convert(document: &Document, diagnostics: &mut Diagnostics) -> Clip {
    if let Some(events) = document.events {
        let message = format!("the events are in the asset {events:08X}, which is not loaded");
        diagnostics
            .info(codes::EVENTS_NOT_LOADED, SourceLocation::File, message)
            .with("asset", format!("{events:08X}"));
    }
    let mut builder =
        Builder { times: key_times(document), bones: Vec::new(), tracks: Vec::new(), diagnostics };
    match &document.body {
        Body::Arrays(arrays) => builder.add_arrays(arrays),
        Body::Bitstream(stream) => builder.add_bitstream(stream),
    }
    let Builder { bones, tracks, diagnostics, .. } = builder;
    let nodes: Vec<_> = bones.iter().map(Bone::to_node).collect();
    Clip {
        version: document.version_text(),
        variants: vec![Variants::detected(
            super::GAME_VARIANT,
            Game::SHORT_NAMES,
            document.game.index(),
        )],
        subject: format_bone_count(nodes.len()),
        span: Span { start: 0.0, duration: document.duration.into() },
        is_looping: match &document.body {
            Body::Arrays(_) => None,
            Body::Bitstream(stream) => Some(stream.is_looping),
        },
        rate_hz: Some(f64::from(document.interval).recip()),
        nodes: Nodes::new(nodes, diagnostics),
        tracks,
        ..Clip::new(FormatId::PRIME, convention())
    }
}

/// The file does not state these. The games use a right-handed space with Z up, in metres.
fn convention() -> Convention {
    Convention {
        rotation: Stated::assumed(RotationRule::AsAuthored),
        ..Convention::assumed(Handedness::Right, UpAxis::Z)
    }
}

fn format_bone_count(bones: usize) -> String {
    format!("{bones} bone{}", if bones == 1 { "" } else { "s" })
}

/// All bones share these times, because a frame has keys either for all bones or for none.
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
    diagnostics: &'a mut Diagnostics,
}

#[derive(Default)]
struct Bone {
    id: u32,
    rotation: Option<TrackId>,
    translation: Option<TrackId>,
    scale: Option<TrackId>,
}

impl Bone {
    fn to_node(&self) -> Node {
        Node {
            name: bone_name(self.id),
            group: None,
            parent: None,
            bone_from: None,
            kind: NodeKind::Joint,
            side: None,
            rest: Transform::IDENTITY,
            // Hide the node, because without a skeleton we do not know its parent, so its position
            // would be wrong.
            motion: Motion::from_tracks(
                self.translation,
                self.rotation,
                self.scale,
                NodeVisibility::Never,
            ),
        }
    }
}

impl Builder<'_> {
    /// Adds the tracks in file order: all scales, all rotations, all translations.
    fn add_arrays(&mut self, arrays: &Arrays) {
        for channel in &arrays.channels {
            self.bones.push(Bone { id: channel.bone.into(), ..Bone::default() });
        }
        type TrackIndex = fn(&ArrayChannel) -> Option<u8>;
        let sorted_tracks = |track_index: TrackIndex| {
            let tracks = arrays.channels.iter().enumerate();
            let mut tracks: Vec<_> =
                tracks.filter_map(|(bone, channel)| Some((track_index(channel)?, bone))).collect();
            tracks.sort_unstable();
            tracks
        };
        for (track, bone) in sorted_tracks(|channel| channel.scale) {
            let id = self.add_array_track(&arrays.scales, track, bone, SCALE, [0, 1, 2]);
            self.bones[bone].scale = Some(id);
        }
        for (track, bone) in sorted_tracks(|channel| channel.rotation) {
            // Move w from the front to the back, because the file stores w, x, y, z.
            let xyzw = [1, 2, 3, 0];
            let id = self.add_array_track(&arrays.rotations, track, bone, ROTATION, xyzw);
            self.bones[bone].rotation = Some(id);
        }
        for (track, bone) in sorted_tracks(|channel| channel.translation) {
            let id =
                self.add_array_track(&arrays.translations, track, bone, TRANSLATION, [0, 1, 2]);
            self.bones[bone].translation = Some(id);
        }
    }

    fn add_array_track<const N: usize>(
        &mut self,
        array: &KeyArray<N>,
        track: u8,
        bone: usize,
        property: Property,
        order: [usize; N],
    ) -> TrackId {
        let (track, location) = (usize::from(track), array.track_location(track.into()));
        let mut columns = [(); N].map(|()| Vec::with_capacity(array.keys_per_track));
        let mut first_non_finite = None;
        for (index, key) in array.track_keys(track).enumerate() {
            if first_non_finite.is_none() && key.iter().any(|component| !component.is_finite()) {
                first_non_finite = Some(index);
            }
            columns.iter_mut().zip(order).for_each(|(column, from)| column.push(key[from]));
        }
        if let Some(index) = first_non_finite {
            let name = bone_name(self.bones[bone].id);
            let message = format!("{name}.{}: a non-finite value", property.name);
            let time = self.times.as_slice()[index];
            self.diagnostics
                .warning(Topic::NonFinite.code(), location.clone(), message)
                .at_time(time);
        }
        let first_key = location.first_byte().unwrap_or_default() as usize;
        let bytes_per_key = KeyArray::<N>::BYTES_PER_KEY;
        let source = TrackLocation::packed(location, first_key, bytes_per_key, None);
        self.add_track(bone, property, columns.map(Values::from), source)
    }

    /// Adds the tracks in file order: bone by bone.
    fn add_bitstream(&mut self, body: &Bitstream) {
        let stream = SharedStream::new(body);
        for channel in &body.channels {
            let known = self.bones.iter().position(|bone| bone.id == channel.bone);
            let bone = known.unwrap_or_else(|| {
                self.bones.push(Bone { id: channel.bone, ..Bone::default() });
                self.bones.len() - 1
            });
            self.add_channel(body, channel, bone, &stream);
        }
    }

    fn add_channel(
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
            let location = channel.location.clone();
            let is_rotation = matches!(step, Step::Rotation { .. });
            let id = if is_rotation {
                let columns = decode_rotations(&keys);
                let source = TrackLocation::quantized(location, Arc::new(keys));
                self.add_track(bone, property, columns, source)
            } else {
                let columns = decode_vectors(&keys);
                let source = TrackLocation::quantized(location, Arc::new(keys));
                self.add_track(bone, property, columns, source)
            };
            Some(id)
        };
        let divisor = body.rotation_divisor;
        let rotation = track(&channel.rotation, Step::Rotation { divisor }, ROTATION);
        let multiplier = body.translation_multiplier;
        let translation = track(&channel.translation, Step::Vector { multiplier }, TRANSLATION);
        let multiplier = body.scale_multiplier.unwrap_or(1.0);
        let scale = track(&channel.scale, Step::Vector { multiplier }, SCALE);
        // If the file repeats a bone, keep the tracks of its first channel, because a node has one
        // track for each property.
        let bone = &mut self.bones[bone];
        bone.rotation = bone.rotation.or(rotation);
        bone.translation = bone.translation.or(translation);
        bone.scale = bone.scale.or(scale);
    }

    fn add_track<const N: usize>(
        &mut self,
        bone: usize,
        property: Property,
        columns: [Values; N],
        source: TrackLocation,
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

/// Returns the columns x, y, z and w. If the differences have 0 bits, the rotation is constant
/// except for the sign of w, so x, y and z are stored once.
fn decode_rotations(keys: &StreamKeys) -> [Values; 4] {
    let step = keys.step;
    if keys.attribute.widths == [0; 3] {
        let same = |value| Values::Constant { value, count: keys.key_count };
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

fn decode_vectors(keys: &StreamKeys) -> [Values; 3] {
    let column = |axis: usize| {
        let component = |key| keys.step.value(key)[axis];
        if keys.attribute.widths[axis] == 0 {
            let numbers = keys.attribute.initial;
            let value = component(RawKey { is_negative: false, numbers });
            Values::Constant { value, count: keys.key_count }
        } else {
            Values::from(keys.keys().map(component).collect::<Vec<f64>>())
        }
    };
    [0, 1, 2].map(column)
}
