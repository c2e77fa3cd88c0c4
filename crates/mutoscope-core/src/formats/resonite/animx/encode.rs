//! Encodes AnimX files of version 1.

use super::{MAGIC, unpack::Encoding, values};
use crate::formats::resonite::{
    Columns, Interpolation, Interpolations, TYPES, Tangents, TrackType, TypeInfo,
};

/// A track to encode.
pub(crate) struct EncodableTrack<'a> {
    pub(crate) node: &'a str,
    pub(crate) property: &'a str,
    pub(crate) track_type: TrackType,
    pub(crate) value_type: &'static TypeInfo,
    /// The times in seconds. A Raw track has an interval instead.
    pub(crate) times: &'a [f64],
    pub(crate) interval: f64,
    pub(crate) values: &'a Columns,
    pub(crate) interpolations: &'a Interpolations,
    pub(crate) tangents: Option<&'a Tangents>,
}

/// Returns the bytes before the tracks.
pub(crate) fn encode_header(
    track_count: usize,
    global_duration: f64,
    name: &str,
    encoding: Encoding,
) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(1_i32.to_le_bytes());
    values::write_count(track_count, &mut bytes);
    bytes.extend((global_duration as f32).to_le_bytes());
    values::write_name(name, &mut bytes);
    bytes.push(encoding as u8);
    bytes
}

impl EncodableTrack<'_> {
    /// Appends the track to `bytes`. Of each key, the time comes first, and of its tangents, the
    /// left one.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        let type_number = TYPES.iter().position(|info| std::ptr::eq(info, self.value_type));
        bytes.push(self.track_type as u8);
        bytes.push(type_number.expect("every type is in the table") as u8);
        values::write_name(self.node, bytes);
        values::write_name(self.property, bytes);
        let count = self.values.len();
        values::write_count(count, bytes);
        match self.track_type {
            TrackType::Raw => bytes.extend((self.interval as f32).to_le_bytes()),
            TrackType::Discrete => {}
            TrackType::Curve | TrackType::Bezier => self.encode_interpolations(bytes),
        }
        for key in 0..count {
            if self.track_type != TrackType::Raw {
                bytes.extend((self.times[key] as f32).to_le_bytes());
            }
            values::write_value(self.values, key, self.value_type, bytes);
        }
        if let Some(tangents) = self.tangents {
            for key in 0..count {
                for columns in [&tangents.left, &tangents.right] {
                    values::write_numbers(columns, key, self.value_type, bytes);
                }
            }
        }
    }

    fn encode_interpolations(&self, bytes: &mut Vec<u8>) {
        let tangent_flag = if self.tangents.is_some() { 2 } else { 0 };
        match self.interpolations {
            Interpolations::All(one) => bytes.extend([tangent_flag, *one as u8]),
            Interpolations::Each(each) => {
                bytes.push(tangent_flag | 1);
                bytes.extend(each.iter().map(|&one: &Interpolation| one as u8));
            }
        }
    }
}
