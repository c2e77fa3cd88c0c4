//! Reads the header, which precedes the actions.

use std::borrow::Cow;

use super::{
    BlockState, Dialect, Extension, Header, IdMaps, Layout, Profile, StringFormat, reader::Reader,
};
use mutoscope_core::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Cursor,
};

const STRINGS_FLAG: u8 = 0x02;
const ID_MAPS_FLAG: u8 = 0x04;
const DIMENSION_FLAG: u8 = 0x08;
const PROFILE_FLAG: u8 = 0x10;
const EXTENSIONS_FLAG: u8 = 0x20;
const SUBVERSION_FLAG: u8 = 0x40;
/// Reserved by the mod for a second byte of flags, which no known program writes.
pub(super) const RESERVED_FLAG: u8 = 0x80;

pub(super) const FLAGS_OFFSET: usize = 33;

pub(super) fn candidate_layouts(bytes: &[u8]) -> Result<Vec<Layout>, Error> {
    let Some(&byte) = bytes.first() else {
        return Err(Error::truncated(SourceLocation::byte(0), "the version", 1, 0));
    };
    let version = byte as i8;
    // In versions before 3, this byte is not the flags. The branches for these versions do not use
    // `flags`.
    let flags = bytes.get(FLAGS_OFFSET).copied().unwrap_or_default();
    let dialect = match version {
        1 | -1 => Dialect::V1,
        2 | -2 => Dialect::V2,
        3 | -3 => Dialect::V3,
        4 | -4 => Dialect::V4,
        0 | 5 => Dialect::V5,
        -5 if flags & SUBVERSION_FLAG == 0 => Dialect::Alpha5,
        -5 => Dialect::Exp5,
        _ => {
            let message = format!(
                "expected a version from 1 to 5 (or −1 to −5 for unreleased versions), found \
                 version {version}"
            );
            return Err(Error::unsupported(SourceLocation::span(0, 1), message));
        }
    };
    let strings = match dialect {
        Dialect::V1 | Dialect::V2 => StringFormat::I32Length,
        _ if flags & STRINGS_FLAG == 0 => StringFormat::I32Length,
        Dialect::Alpha5 => StringFormat::ZeroTerminated,
        _ => StringFormat::PackedLength,
    };
    let is_alpha = dialect == Dialect::Alpha5;
    let usual = Layout { dialect, strings, plain_profile: is_alpha, extension_flags: true };
    let mut layouts = vec![usual];
    match dialect {
        Dialect::V2 | Dialect::V3 => {
            layouts.push(Layout { strings: StringFormat::Utf16Length, ..usual });
        }
        Dialect::Exp5 | Dialect::Alpha5 if flags & (PROFILE_FLAG | EXTENSIONS_FLAG) != 0 => {
            let choices = [(true, true), (false, true), (true, false), (false, false)];
            let others = choices.map(|(plain_profile, extension_flags)| Layout {
                plain_profile,
                extension_flags,
                ..usual
            });
            layouts.extend(others.into_iter().filter(|other| *other != usual));
        }
        _ => {}
    }
    Ok(layouts)
}

pub(super) fn read_header<'a>(reader: &mut Reader<'a>) -> Result<Header<'a>, Error> {
    reader.cursor.u8("the version")?;
    let start = reader.position("the position at the start")?;
    let start_yaw = reader.cursor.f32_be("the yaw at the start")?;
    let start_pitch = reader.cursor.f32_be("the pitch at the start")?;
    if !(start.is_finite() && start_yaw.is_finite() && start_pitch.is_finite()) {
        let found = format!("{start}, {start_yaw}, {start_pitch}");
        let expected = "a position and angles that are finite numbers";
        return Err(Error::malformed(SourceLocation::span(1, FLAGS_OFFSET - 1), expected, found));
    }
    let mut header = Header { start, start_yaw, start_pitch, ..Header::default() };
    if reader.layout.dialect.has_short_header() {
        return Ok(header);
    }
    let flags = reader.cursor.u8("the flags")?;
    header.flags = Some(flags);
    if flags & ID_MAPS_FLAG != 0 {
        header.ids = Some(read_id_maps(reader)?);
    }
    if flags & DIMENSION_FLAG != 0 {
        header.dimension = Some(reader.string("the dimension")?);
    }
    if flags & PROFILE_FLAG != 0 {
        header.profile = read_profile(reader)?;
    }
    if flags & EXTENSIONS_FLAG != 0 {
        header.extensions = read_extensions(reader)?;
    }
    if flags & SUBVERSION_FLAG != 0 {
        header.subversion = Some(reader.cursor.u8("the experimental subversion")? as i8);
    }
    Ok(header)
}

/// The minimum number of bytes of a string in any encoding. The reader uses it to reject a count of
/// strings that the remaining bytes cannot contain.
const MIN_STRING_BYTES: usize = 1;

fn read_id_maps<'a>(reader: &mut Reader<'a>) -> Result<IdMaps<'a>, Error> {
    let count = reader.count(MIN_STRING_BYTES, "items")?;
    let items = (0..count).map(|_| reader.string("an item")).collect::<Result<_, _>>()?;
    let count = reader.count(MIN_STRING_BYTES + 2, "blocks")?;
    let blocks = (0..count).map(|_| read_block_state(reader)).collect::<Result<_, _>>()?;
    Ok(IdMaps { items, blocks })
}

fn read_block_state<'a>(reader: &mut Reader<'a>) -> Result<BlockState<'a>, Error> {
    let id = reader.string("a block")?;
    let count = reader.short_count(2 * MIN_STRING_BYTES, "properties of a block")?;
    let property = |_| {
        Ok((
            reader.string("a block's property")?,
            reader.string("the value of a block's property")?,
        ))
    };
    let properties = (0..count).map(property).collect::<Result<_, Error>>()?;
    Ok(BlockState { id, properties })
}

fn read_profile<'a>(reader: &mut Reader<'a>) -> Result<Profile<'a>, Error> {
    if reader.layout.plain_profile {
        let name: Cow<'a, str> = reader.string("the player's name")?;
        return Ok(Profile { name: Some(name), ..Profile::default() });
    }
    let flags = reader.cursor.u8("the flags of the profile")?;
    let mut profile = Profile::default();
    if flags & 0x01 != 0 {
        profile.name = Some(reader.string("the player's name")?);
    }
    if flags & 0x02 != 0 {
        profile.uuid = reader.cursor.read_bytes(16, "the player's UUID")?.try_into().ok();
    }
    if flags & 0x04 != 0 {
        profile.skin_value = Some(reader.string("the player's skin")?);
    }
    if flags & 0x08 != 0 {
        profile.skin_signature = Some(reader.string("the signature of the skin")?);
    }
    Ok(profile)
}

fn read_extensions<'a>(reader: &mut Reader<'a>) -> Result<Vec<Extension<'a>>, Error> {
    let count = reader.cursor.u8("the count of extensions")?;
    (0..count).map(|_| read_extension(reader)).collect()
}

fn read_extension<'a>(reader: &mut Reader<'a>) -> Result<Extension<'a>, Error> {
    let id = reader.string("the name of an extension")?;
    let version = reader.cursor.i16_be("the version of an extension")?;
    if !reader.layout.extension_flags {
        return Ok(Extension { id, version, flags: 0, header: &[] });
    }
    let flags = reader.cursor.u8("the flags of an extension")?;
    let length = reader.packed_count(1, "bytes in the header of an extension")?;
    let header = reader.cursor.read_bytes(length, "the header of an extension")?;
    Ok(Extension { id, version, flags, header })
}

pub(super) fn has_plausible_start(bytes: &[u8]) -> bool {
    /// The maximum plausible coordinate, in blocks. Minecraft worlds end at 30 million blocks.
    const MAX_COORDINATE: f64 = 3.2e7;
    /// The minimum plausible non-zero coordinate, in blocks. If other data begins with zero bytes,
    /// its bytes form smaller numbers.
    const MIN_NONZERO_COORDINATE: f64 = 1e-12;
    let mut cursor = Cursor::new(bytes);
    let mut read = || {
        cursor.u8("")?;
        let position = [cursor.f64_be("")?, cursor.f64_be("")?, cursor.f64_be("")?];
        Ok::<_, Error>((position, [cursor.f32_be("")?, cursor.f32_be("")?]))
    };
    let Ok((position, [yaw, pitch])) = read() else { return false };
    let is_coordinate = |coordinate: f64| {
        coordinate == 0.0 || (MIN_NONZERO_COORDINATE..MAX_COORDINATE).contains(&coordinate.abs())
    };
    // Reject the origin, because otherwise a file that contains only zeros would be accepted.
    let is_away_from_origin = position.iter().any(|&coordinate| coordinate != 0.0);
    is_away_from_origin
        && position.into_iter().all(is_coordinate)
        && yaw.abs() < 1e6
        && pitch.abs() <= 90.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_bytes(version: i8, position: [f64; 3], angles: [f32; 2]) -> Vec<u8> {
        let mut bytes = vec![version as u8];
        position.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        angles.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        bytes
    }

    #[test]
    fn header_with_a_valid_start_is_recognised() {
        let cases = [
            (header_bytes(5, [0.5, 64.0, -0.5], [720.5, -90.0]), true),
            (header_bytes(-5, [-2.9e7, 0.0, 1e-9], [0.0, 0.0]), true),
            (header_bytes(6, [0.5, 64.0, 0.5], [0.0, 0.0]), true),
            (header_bytes(5, [0.5, 64.0, 4e7], [0.0, 0.0]), false),
            (header_bytes(5, [0.5, f64::NAN, 0.0], [0.0, 0.0]), false),
            (header_bytes(5, [0.5, 64.0, 0.0], [0.0, 91.0]), false),
            (vec![0; 64], false),
            (b"\0\0\0\x02\0\0\0\x40\0\0\0\x01\0\0\0\x01\0\0\0\x01\x3f\x80\0\0\x3d\x08\x88\x89\0\0\0\0".to_vec(), false),
            (b"animVersion 1.1; mayaVersion 2025; timeUnit ntsc;".to_vec(), false),
            (vec![5; 20], false),
        ];
        for (bytes, expected) in cases {
            assert_eq!(has_plausible_start(&bytes), expected, "{bytes:?}");
        }
    }
}
