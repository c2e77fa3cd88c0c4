//! Writes the header.

use glam::DVec3;

use super::byte_writer::ByteWriter;
use crate::{BlockState, Extension, Header, IdMaps, Profile};

const VERSION: u8 = 5;

/// Marks strings as having packed lengths. Always set in version 5.
const PACKED_STRINGS: u8 = 0x02;
const ID_MAPS: u8 = 0x04;
const DIMENSION: u8 = 0x08;
const PROFILE: u8 = 0x10;
const EXTENSIONS: u8 = 0x20;

pub(super) fn write_header(
    out: &mut ByteWriter,
    header: &Header<'_>,
    start: DVec3,
    [yaw, pitch]: [f32; 2],
) {
    out.u8(VERSION);
    out.position(start);
    out.f32(yaw);
    out.f32(pitch);
    let ids = header.ids.as_ref().filter(|ids| !(ids.items.is_empty() && ids.blocks.is_empty()));
    let has_profile = header.profile != Profile::default();
    let bits = [
        (PACKED_STRINGS, true),
        (ID_MAPS, ids.is_some()),
        (DIMENSION, header.dimension.is_some()),
        (PROFILE, has_profile),
        (EXTENSIONS, !header.extensions.is_empty()),
    ];
    out.u8(bits.iter().filter(|(_, is_set)| *is_set).map(|(bit, _)| bit).sum());
    if let Some(ids) = ids {
        write_id_maps(out, ids);
    }
    if let Some(dimension) = &header.dimension {
        out.string(dimension);
    }
    if has_profile {
        write_profile(out, &header.profile);
    }
    if !header.extensions.is_empty() {
        // The cast cannot overflow, because the reader read this count from one byte.
        out.u8(header.extensions.len() as u8);
        header.extensions.iter().for_each(|extension| write_extension(out, extension));
    }
}

fn write_id_maps(out: &mut ByteWriter, ids: &IdMaps<'_>) {
    out.i32(ids.items.len() as i32);
    ids.items.iter().for_each(|item| out.string(item));
    out.i32(ids.blocks.len() as i32);
    for BlockState { id, properties } in &ids.blocks {
        out.string(id);
        out.i16(properties.len() as i16);
        for (name, value) in properties {
            out.string(name);
            out.string(value);
        }
    }
}

fn write_profile(out: &mut ByteWriter, profile: &Profile<'_>) {
    let Profile { name, uuid, skin_value, skin_signature } = profile;
    let bits = [
        (0x01, name.is_some()),
        (0x02, uuid.is_some()),
        (0x04, skin_value.is_some()),
        (0x08, skin_signature.is_some()),
    ];
    out.u8(bits.iter().filter(|(_, is_set)| *is_set).map(|(bit, _)| bit).sum());
    name.iter().for_each(|name| out.string(name));
    uuid.iter().for_each(|uuid| out.0.extend(uuid));
    skin_value.iter().chain(skin_signature).for_each(|text| out.string(text));
}

fn write_extension(out: &mut ByteWriter, extension: &Extension<'_>) {
    out.string(&extension.id);
    out.i16(extension.version);
    out.u8(extension.flags);
    out.count(extension.header.len());
    out.0.extend(extension.header);
}
