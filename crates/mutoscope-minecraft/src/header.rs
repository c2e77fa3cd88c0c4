//! Reading the header, before the actions.

use std::borrow::Cow;

use super::{
    BlockState, Dialect, Extension, Header, IdMaps, Layout, Profile, Strings, reader::Reader,
};
use mutoscope_core::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Cursor,
};

const STRINGS: u8 = 0x02;
const ID_MAPS: u8 = 0x04;
const DIMENSION: u8 = 0x08;
const PROFILE: u8 = 0x10;
const EXTENSIONS: u8 = 0x20;
const SUBVERSION: u8 = 0x40;
/// Set aside by the mod for another byte of flags, which no known program writes.
pub(super) const MORE_FLAGS: u8 = 0x80;

/// Where the flags stand.
pub(super) const FLAGS_OFFSET: usize = 33;

/// The layouts that `bytes` may have, the likeliest first.
///
/// # Errors
/// If the version is none that is known.
pub(super) fn layouts(bytes: &[u8]) -> Result<Vec<Layout>, Error> {
    let Some(&byte) = bytes.first() else {
        return Err(Error::truncated(SourceLocation::byte(0), "the version", 1, 0));
    };
    let version = byte as i8;
    // Not written before version 3, but then nothing looks at them either.
    let flags = bytes.get(FLAGS_OFFSET).copied().unwrap_or_default();
    let dialect = match version {
        1 | -1 => Dialect::V1,
        2 | -2 => Dialect::V2,
        3 | -3 => Dialect::V3,
        4 | -4 => Dialect::V4,
        0 | 5 => Dialect::V5,
        -5 if flags & SUBVERSION == 0 => Dialect::Alpha5,
        -5 => Dialect::Exp5,
        _ => {
            let found = format!("version {version}");
            let message = format!(
                "expected a version from 1 to 5 (or −1 to −5 for unreleased versions), found \
                 {found}"
            );
            return Err(Error::unsupported(SourceLocation::span(0, 1), message));
        }
    };
    let strings = match dialect {
        Dialect::V1 | Dialect::V2 => Strings::Counted,
        _ if flags & STRINGS == 0 => Strings::Counted,
        Dialect::Alpha5 => Strings::ZeroEnded,
        _ => Strings::Packed,
    };
    let is_alpha = dialect == Dialect::Alpha5;
    let usual = Layout { dialect, strings, plain_profile: is_alpha, extension_flags: true };
    let mut layouts = vec![usual];
    match dialect {
        Dialect::V2 | Dialect::V3 => {
            layouts.push(Layout { strings: Strings::CountedInUtf16, ..usual });
        }
        Dialect::Exp5 | Dialect::Alpha5 if flags & (PROFILE | EXTENSIONS) != 0 => {
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

/// Reads the header, from the version on.
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Header<'a>, Error> {
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
    if reader.layout.dialect.is_headerless() {
        return Ok(header);
    }
    let flags = reader.cursor.u8("the flags")?;
    header.flags = Some(flags);
    if flags & ID_MAPS != 0 {
        header.ids = Some(id_maps(reader)?);
    }
    if flags & DIMENSION != 0 {
        header.dimension = Some(reader.string("the dimension")?);
    }
    if flags & PROFILE != 0 {
        header.profile = profile(reader)?;
    }
    if flags & EXTENSIONS != 0 {
        header.extensions = extensions(reader)?;
    }
    if flags & SUBVERSION != 0 {
        header.subversion = Some(reader.cursor.u8("the experimental subversion")? as i8);
    }
    Ok(header)
}

/// The fewest bytes a string takes.
const STRING: usize = 1;

fn id_maps<'a>(reader: &mut Reader<'a>) -> Result<IdMaps<'a>, Error> {
    let count = reader.count(STRING, "items")?;
    let items = (0..count).map(|_| reader.string("an item")).collect::<Result<_, _>>()?;
    let count = reader.count(STRING + 2, "blocks")?;
    let blocks = (0..count).map(|_| block_state(reader)).collect::<Result<_, _>>()?;
    Ok(IdMaps { items, blocks })
}

fn block_state<'a>(reader: &mut Reader<'a>) -> Result<BlockState<'a>, Error> {
    let id = reader.string("a block")?;
    let count = reader.short_count(2 * STRING, "properties of a block")?;
    let property = |_| {
        Ok((
            reader.string("a block's property")?,
            reader.string("the value of a block's property")?,
        ))
    };
    let properties = (0..count).map(property).collect::<Result<_, Error>>()?;
    Ok(BlockState { id, properties })
}

fn profile<'a>(reader: &mut Reader<'a>) -> Result<Profile<'a>, Error> {
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
        profile.uuid = reader.cursor.take(16, "the player's UUID")?.try_into().ok();
    }
    if flags & 0x04 != 0 {
        profile.skin_value = Some(reader.string("the player's skin")?);
    }
    if flags & 0x08 != 0 {
        profile.skin_signature = Some(reader.string("the signature of the skin")?);
    }
    Ok(profile)
}

fn extensions<'a>(reader: &mut Reader<'a>) -> Result<Vec<Extension<'a>>, Error> {
    let count = reader.cursor.u8("the count of extensions")?;
    (0..count).map(|_| extension(reader)).collect()
}

fn extension<'a>(reader: &mut Reader<'a>) -> Result<Extension<'a>, Error> {
    let id = reader.string("the name of an extension")?;
    let version = reader.cursor.i16_be("the version of an extension")?;
    if !reader.layout.extension_flags {
        return Ok(Extension { id, version, flags: 0, header: &[] });
    }
    let flags = reader.cursor.u8("the flags of an extension")?;
    let length = reader.packed_count(1, "bytes in the header of an extension")?;
    let header = reader.cursor.take(length, "the header of an extension")?;
    Ok(Extension { id, version, flags, header })
}

/// Whether, after a byte, there is a position that lies within a world, and a look.
pub(super) fn starts_somewhere(bytes: &[u8]) -> bool {
    /// Positions farther than this are invalid, in blocks.
    const FARTHEST: f64 = 3.2e7;
    /// Numbers smaller than this are no coordinates but something else that begins with zeros.
    const NEAREST: f64 = 1e-12;
    let mut cursor = Cursor::new(bytes);
    let mut read = || {
        cursor.u8("")?;
        let position = [cursor.f64_be("")?, cursor.f64_be("")?, cursor.f64_be("")?];
        Ok::<_, Error>((position, [cursor.f32_be("")?, cursor.f32_be("")?]))
    };
    let Ok((position, [yaw, pitch])) = read() else { return false };
    let within =
        |coordinate: f64| coordinate == 0.0 || (NEAREST..FARTHEST).contains(&coordinate.abs());
    // Of a file of zeros every number would do.
    let is_somewhere = position.iter().any(|&coordinate| coordinate != 0.0);
    is_somewhere && position.into_iter().all(within) && yaw.abs() < 1e6 && pitch.abs() <= 90.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(version: i8, position: [f64; 3], look: [f32; 2]) -> Vec<u8> {
        let mut bytes = vec![version as u8];
        position.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        look.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        bytes
    }

    #[test]
    fn header_with_a_valid_start_is_recognised() {
        let cases = [
            (bytes(5, [0.5, 64.0, -0.5], [720.5, -90.0]), true),
            (bytes(-5, [-2.9e7, 0.0, 1e-9], [0.0, 0.0]), true),
            (bytes(6, [0.5, 64.0, 0.5], [0.0, 0.0]), true),
            (bytes(5, [0.5, 64.0, 4e7], [0.0, 0.0]), false),
            (bytes(5, [0.5, f64::NAN, 0.0], [0.0, 0.0]), false),
            (bytes(5, [0.5, 64.0, 0.0], [0.0, 91.0]), false),
            (vec![0; 64], false),
            (b"\0\0\0\x02\0\0\0\x40\0\0\0\x01\0\0\0\x01\0\0\0\x01\x3f\x80\0\0\x3d\x08\x88\x89\0\0\0\0".to_vec(), false),
            (b"animVersion 1.1; mayaVersion 2025; timeUnit ntsc;".to_vec(), false),
            (vec![5; 20], false),
        ];
        for (bytes, expected) in cases {
            assert_eq!(starts_somewhere(&bytes), expected, "{bytes:?}");
        }
    }
}
