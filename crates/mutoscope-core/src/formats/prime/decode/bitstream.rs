//! Decodes version 2.

use bitvec::prelude::{BitSlice, BitVec, Lsb0};
use byteorder::{BigEndian, ByteOrder as _};

use super::{LayoutFit, MAX_CHANNELS, check_tail, read_duration, read_events_id, read_interval};
use crate::{
    diagnostics::{Error, SourceLocation},
    formats::prime::{Attribute, Bitstream, Body, Channel, Document, Game, Stream, codes},
    io::bytes::Cursor,
};

const MAX_DIFFERENCE_BITS: u8 = 32;

pub(super) fn read<'a>(
    mut cursor: Cursor<'a>,
    game: Game,
    fit: &mut LayoutFit,
) -> Result<Document<'a>, Error> {
    let cursor = &mut cursor;
    let scratch_offset = cursor.offset();
    let scratch_size = cursor.u32_be("the scratch size")?;
    let events = if game == Game::Prime { read_events_id(cursor)? } else { None };
    check_marker(cursor, game, fit)?;
    let duration = read_duration(cursor)?;
    let interval = read_interval(cursor)?;
    let root_bone = cursor.u32_be("the id of the root bone")?;
    let is_looping = read_looping(cursor, fit)?;
    let rotation_divisor = read_rotation_divisor(cursor)?;
    let translation_multiplier = read_multiplier(cursor, "the translation multiplier")?;
    let scale_multiplier = (game == Game::Echoes)
        .then(|| read_multiplier(cursor, "the scale multiplier"))
        .transpose()?;
    let channel_count = read_channel_count(cursor)?;
    let location = SourceLocation::span(cursor.offset(), 4);
    fit.doubt_unless_equal(
        location,
        "the number after the count of bones",
        1,
        cursor.u32_be("a 1")?,
    );
    let keyed = read_keyed_frames(cursor, duration, interval, fit)?;
    if game != Game::Echoes {
        expect_count(cursor, channel_count, "the repeated count of bones")?;
    }
    expect_count(cursor, channel_count, "the count of descriptors")?;
    let channels = read_channels(cursor, game, channel_count, fit)?;
    let stream = read_stream(cursor, &channels, &keyed, fit)?;
    // The scratch size includes its own four bytes.
    let size = (cursor.offset() - scratch_offset) as u32;
    fit.doubt_unless_equal(
        SourceLocation::span(scratch_offset, 4),
        "the scratch size",
        size,
        scratch_size,
    );
    check_tail(cursor, fit);
    let body = Body::Bitstream(Bitstream {
        is_looping,
        rotation_divisor,
        translation_multiplier,
        scale_multiplier,
        keyed,
        channels,
        stream,
    });
    Ok(Document { game, duration, interval, root_bone, events, body })
}

/// Reads the marker: a 32-bit 1, or in Echoes two bytes that are both 1.
fn check_marker(cursor: &mut Cursor, game: Game, fit: &mut LayoutFit) -> Result<(), Error> {
    let offset = cursor.offset();
    if game == Game::Echoes {
        let found = cursor.u16_be("the marker 0x101")?;
        if found != 0x101 {
            let message = format!("the marker is {found:#x}, not 0x101");
            fit.add_doubt(codes::UNUSUAL_VALUE, SourceLocation::span(offset, 2), message)
                .with("expected", 0x101)
                .with("found", found);
        }
    } else {
        fit.doubt_unless_equal(
            SourceLocation::span(offset, 4),
            "the marker",
            1,
            cursor.u32_be("the marker 1")?,
        );
    }
    Ok(())
}

fn read_looping(cursor: &mut Cursor, fit: &mut LayoutFit) -> Result<bool, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let flag = cursor.u32_be("the looping flag")?;
    if flag > 1 {
        let message = format!("the looping flag is {flag}, not 0 or 1; using 1");
        fit.add_doubt(codes::UNUSUAL_VALUE, location, message).with("found", flag);
    }
    Ok(flag != 0)
}

fn read_rotation_divisor(cursor: &mut Cursor) -> Result<u32, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    match cursor.u32_be("the rotation divisor")? {
        0 => Err(Error::malformed(location, "a rotation divisor above 0", 0)),
        divisor => Ok(divisor),
    }
}

fn read_multiplier(cursor: &mut Cursor, what: &str) -> Result<f32, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let multiplier = cursor.f32_be(what)?;
    if multiplier.is_finite() {
        Ok(multiplier)
    } else {
        Err(Error::malformed(location, format!("a finite number for {what}"), multiplier))
    }
}

fn read_channel_count(cursor: &mut Cursor) -> Result<u32, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let count = cursor.u32_be("the count of bones")?;
    if (1..=MAX_CHANNELS).contains(&count) {
        Ok(count)
    } else {
        Err(Error::malformed(location, format!("a count of bones from 1 to {MAX_CHANNELS}"), count))
    }
}

fn expect_count(cursor: &mut Cursor, expected: u32, what: &str) -> Result<(), Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let found = cursor.u32_be(what)?;
    if found == expected {
        Ok(())
    } else {
        Err(Error::malformed(location, format!("{expected} for {what}"), found))
    }
}

fn read_keyed_frames(
    cursor: &mut Cursor,
    duration: f32,
    interval: f32,
    fit: &mut LayoutFit,
) -> Result<BitVec<u32, Lsb0>, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let frame_count = cursor.u32_be("the count of frames")?;
    let start = cursor.offset();
    let bytes = frame_count.div_ceil(32) as usize * 4;
    // The header ends here. Set the flag before reading the bits, so that a truncated file is still
    // recognised as an animation.
    fit.has_plausible_header = true;
    let words = cursor.read_bytes(bytes, "a bit for each frame")?;
    let words = words.chunks_exact(4).map(BigEndian::read_u32).collect();
    // This conversion fails on 32-bit systems for large counts, because a bit vector there cannot
    // address so many bits.
    let mut keyed = BitVec::<_, Lsb0>::try_from_vec(words)
        .map_err(|_| Error::malformed(location.clone(), "fewer frames", frame_count))?;
    keyed.truncate(frame_count as usize);
    if keyed.first().as_deref() != Some(&true) {
        fit.has_plausible_header = false;
        let location = SourceLocation::span(start, bytes);
        return Err(Error::malformed(location, "keys at the first frame", "none"));
    }
    if keyed.last().as_deref() != Some(&true) {
        let message = "there are no keys at the last frame";
        fit.add_doubt(codes::FRAME_COUNT, SourceLocation::span(start, bytes), message);
    }
    // The games round to the nearest frame and round halves up.
    let expected_count = (0.5 + f64::from(duration) / f64::from(interval)).floor() + 1.0;
    if f64::from(frame_count) != expected_count {
        let message = format!(
            "found {frame_count} frames, but {duration} s at {interval} s per frame are \
             {expected_count} frames"
        );
        fit.add_doubt(codes::FRAME_COUNT, location, message)
            .with("expected", expected_count)
            .with("found", frame_count);
    }
    Ok(keyed)
}

fn read_channels(
    cursor: &mut Cursor,
    game: Game,
    count: u32,
    fit: &mut LayoutFit,
) -> Result<Vec<Channel>, Error> {
    let mut channels: Vec<Channel> = Vec::with_capacity(count as usize);
    let mut bit = 0;
    for _ in 0..count {
        let start = cursor.offset();
        let bone = read_bone_id(cursor, game)?;
        let rotation = read_attribute(cursor, "rotation", true, &mut bit)?;
        let translation = read_attribute(cursor, "translation", false, &mut bit)?;
        let scale = if game == Game::Echoes {
            read_attribute(cursor, "scale", false, &mut bit)?
        } else {
            None
        };
        let location = SourceLocation::span(start, cursor.offset() - start);
        if channels.iter().any(|channel| channel.bone == bone) {
            let message = format!("bone {bone} is repeated; using the first");
            fit.add_doubt(codes::BONE_REPEATED, location.clone(), message).with("bone", bone);
        }
        channels.push(Channel { bone, location, rotation, translation, scale });
    }
    if let Some(first) = channels.first()
        && first.rotation.is_none()
    {
        let message = "the first bone has no rotation; the games take the number of keys from it";
        fit.add_doubt(codes::FRAME_COUNT, first.location.clone(), message);
    }
    Ok(channels)
}

fn read_bone_id(cursor: &mut Cursor, game: Game) -> Result<u32, Error> {
    const WHAT: &str = "the id of a bone";
    if game == Game::Echoes {
        return cursor.u8(WHAT).map(u32::from);
    }
    let location = SourceLocation::span(cursor.offset(), 4);
    let bone = cursor.u32_be(WHAT)?;
    if bone <= u8::MAX.into() {
        Ok(bone)
    } else {
        Err(Error::malformed(location, "the id of a bone below 256", bone))
    }
}

/// Reads the layout of an attribute. Returns `None` if the attribute has no keys in the stream. On
/// entry, `bit` is the bit offset of the attribute within each record. On return, it is the offset
/// of the bit after the attribute.
fn read_attribute(
    cursor: &mut Cursor,
    what: &str,
    has_sign: bool,
    bit: &mut u64,
) -> Result<Option<Attribute>, Error> {
    let keys_in_stream = cursor.u16_be(&format!("the count of {what} keys"))?;
    if keys_in_stream == 0 {
        return Ok(None);
    }
    let offset = cursor.offset();
    let (mut initial, mut widths) = ([0; 3], [0; 3]);
    for axis in 0..3 {
        initial[axis] = cursor.i16_be(&format!("the first {what}"))?;
        let location = SourceLocation::span(cursor.offset(), 1);
        widths[axis] = cursor.u8(&format!("the bits of a {what}"))?;
        if widths[axis] > MAX_DIFFERENCE_BITS {
            let expected = format!("at most {MAX_DIFFERENCE_BITS} bits for a {what}");
            return Err(Error::malformed(location, expected, widths[axis]));
        }
    }
    let attribute =
        Attribute { offset, keys_in_stream, initial, widths, has_sign, bit_in_record: *bit };
    *bit += attribute.bit_count();
    Ok(Some(attribute))
}

fn read_stream<'a>(
    cursor: &mut Cursor<'a>,
    channels: &[Channel],
    keyed: &BitSlice<u32, Lsb0>,
    fit: &mut LayoutFit,
) -> Result<Stream<'a>, Error> {
    let record_count = keyed.count_ones() as u64 - 1;
    let attributes = || channels.iter().flat_map(Channel::attributes);
    if let Some(other) = attributes().find(|one| u64::from(one.keys_in_stream) != record_count) {
        let message = format!(
            "a bone has {} keys after the first, but there are {record_count} frames with keys",
            other.keys_in_stream
        );
        fit.add_doubt(codes::FRAME_COUNT, SourceLocation::span(other.offset - 2, 2), message)
            .with("expected", record_count)
            .with("found", other.keys_in_stream);
    }
    let bits_per_record: u64 = attributes().map(Attribute::bit_count).sum();
    let bytes = (bits_per_record * record_count).div_ceil(32) * 4;
    let offset = cursor.offset();
    let what = format!("{record_count} keys of {bits_per_record} bits for each frame");
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let words = cursor.read_bytes(bytes, &what)?;
    Ok(Stream { offset, words, bits_per_record })
}
