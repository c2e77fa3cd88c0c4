//! Version 2.

use bitvec::prelude::{BitSlice, BitVec, Lsb0};
use byteorder::{BigEndian, ByteOrder as _};

use super::{MOST_CHANNELS, Reading, check_tail, duration, events, interval};
use crate::{
    diagnostics::{Error, SourceLocation},
    formats::prime::{Attribute, Bitstream, Body, Channel, Document, Game, Stream},
    io::bytes::Cursor,
};

/// The widest difference that is believed, in bits.
const WIDEST: u8 = 32;

/// Reads everything after the version.
pub(super) fn read<'a>(
    mut cursor: Cursor<'a>,
    game: Game,
    reading: &mut Reading,
) -> Result<Document<'a>, Error> {
    let cursor = &mut cursor;
    let scratch_offset = cursor.offset();
    let scratch_size = cursor.u32_be("the scratch size")?;
    let events = if game == Game::Prime { events(cursor)? } else { None };
    marker(cursor, game, reading)?;
    let duration = duration(cursor)?;
    let interval = interval(cursor)?;
    let root_bone = cursor.u32_be("the id of the root bone")?;
    let is_looping = looping(cursor, reading)?;
    let rotation_divisor = rotation_divisor(cursor)?;
    let translation_multiplier = multiplier(cursor, "the translation multiplier")?;
    let scale_multiplier =
        (game == Game::Echoes).then(|| multiplier(cursor, "the scale multiplier")).transpose()?;
    let channel_count = channel_count(cursor)?;
    let place = SourceLocation::span(cursor.offset(), 4);
    reading.expect(place, "the number after the count of bones", 1, cursor.u32_be("a 1")?);
    let keyed = keyed_frames(cursor, (duration, interval), reading)?;
    if game != Game::Echoes {
        same_count(cursor, channel_count, "the count of bones, again")?;
    }
    same_count(cursor, channel_count, "the count of descriptors")?;
    let channels = channels(cursor, game, channel_count, reading)?;
    let stream = stream(cursor, &channels, &keyed, reading)?;
    // The size counts from itself on.
    let size = (cursor.offset() - scratch_offset) as u32;
    reading.expect(SourceLocation::span(scratch_offset, 4), "the scratch size", size, scratch_size);
    check_tail(cursor, reading);
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

/// Reads the marker: a 32-bit 1 in the first game, two bytes 1 in the second.
fn marker(cursor: &mut Cursor, game: Game, reading: &mut Reading) -> Result<(), Error> {
    let offset = cursor.offset();
    if game == Game::Echoes {
        let found = cursor.u16_be("the marker 0x101")?;
        if found != 0x101 {
            let message = format!("the marker is {found:#x}, not 0x101");
            reading.doubt(SourceLocation::span(offset, 2), message);
        }
    } else {
        reading.expect(
            SourceLocation::span(offset, 4),
            "the marker",
            1,
            cursor.u32_be("the marker 1")?,
        );
    }
    Ok(())
}

fn looping(cursor: &mut Cursor, reading: &mut Reading) -> Result<bool, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let flag = cursor.u32_be("whether it loops")?;
    if flag > 1 {
        reading.doubt(place, format!("whether it loops is {flag}, not 0 or 1; using 1"));
    }
    Ok(flag != 0)
}

fn rotation_divisor(cursor: &mut Cursor) -> Result<u32, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    match cursor.u32_be("the rotation divisor")? {
        0 => Err(Error::malformed(place, "a rotation divisor above 0", 0)),
        divisor => Ok(divisor),
    }
}

fn multiplier(cursor: &mut Cursor, what: &str) -> Result<f32, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let multiplier = cursor.f32_be(what)?;
    if multiplier.is_finite() {
        Ok(multiplier)
    } else {
        Err(Error::malformed(place, format!("{what}, a finite number"), multiplier))
    }
}

fn channel_count(cursor: &mut Cursor) -> Result<u32, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let count = cursor.u32_be("the count of bones")?;
    if (1..=MOST_CHANNELS).contains(&count) {
        Ok(count)
    } else {
        Err(Error::malformed(place, format!("a count of bones from 1 to {MOST_CHANNELS}"), count))
    }
}

fn same_count(cursor: &mut Cursor, expected: u32, what: &str) -> Result<(), Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let found = cursor.u32_be(what)?;
    if found == expected {
        Ok(())
    } else {
        Err(Error::malformed(place, format!("{what}, {expected}"), found))
    }
}

/// Reads the bitmap of the frames with keys.
fn keyed_frames(
    cursor: &mut Cursor,
    (duration, interval): (f32, f32),
    reading: &mut Reading,
) -> Result<BitVec<u32, Lsb0>, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let frame_count = cursor.u32_be("the count of frames")?;
    let start = cursor.offset();
    let bytes = frame_count.div_ceil(32) as usize * 4;
    // Before the bits are looked at: the header ends here, whether or not they are all there.
    reading.is_past_header = true;
    let words = cursor.take(bytes, "a bit for each frame")?;
    let words = words.chunks_exact(4).map(BigEndian::read_u32).collect();
    // A bit vector has fewer bits than 32-bit systems can address.
    let mut keyed = BitVec::<_, Lsb0>::try_from_vec(words)
        .map_err(|_| Error::malformed(place.clone(), "fewer frames", frame_count))?;
    keyed.truncate(frame_count as usize);
    if keyed.first().as_deref() != Some(&true) {
        reading.is_past_header = false;
        let place = SourceLocation::span(start, bytes);
        return Err(Error::malformed(place, "keys at the first frame", "none"));
    }
    if keyed.last().as_deref() != Some(&true) {
        reading.doubt(SourceLocation::span(start, bytes), "there are no keys at the last frame");
    }
    // Halves are rounded up, as in the games.
    let of_duration = (0.5 + f64::from(duration) / f64::from(interval)).floor() + 1.0;
    if f64::from(frame_count) != of_duration {
        let message = format!(
            "{frame_count} frames, where {duration} s with a frame each {interval} s are \
             {of_duration}"
        );
        reading.doubt(place, message);
    }
    Ok(keyed)
}

fn channels(
    cursor: &mut Cursor,
    game: Game,
    count: u32,
    reading: &mut Reading,
) -> Result<Vec<Channel>, Error> {
    let mut channels: Vec<Channel> = Vec::with_capacity(count as usize);
    let mut bit = 0;
    for _ in 0..count {
        let start = cursor.offset();
        let bone = bone_id(cursor, game)?;
        let rotation = attribute(cursor, "rotation", true, &mut bit)?;
        let translation = attribute(cursor, "translation", false, &mut bit)?;
        let scale =
            if game == Game::Echoes { attribute(cursor, "scale", false, &mut bit)? } else { None };
        let place = SourceLocation::span(start, cursor.offset() - start);
        if channels.iter().any(|channel| channel.bone == bone) {
            let message = format!("bone {bone} is repeated; using the first");
            reading.doubt(place.clone(), message);
        }
        channels.push(Channel { bone, place, rotation, translation, scale });
    }
    if let Some(first) = channels.first()
        && first.rotation.is_none()
    {
        let message = "the first bone has no rotation, from which the games take the count of keys";
        reading.doubt(first.place.clone(), message);
    }
    Ok(channels)
}

fn bone_id(cursor: &mut Cursor, game: Game) -> Result<u32, Error> {
    const WHAT: &str = "the id of a bone";
    if game == Game::Echoes {
        return cursor.u8(WHAT).map(u32::from);
    }
    let place = SourceLocation::span(cursor.offset(), 4);
    let bone = cursor.u32_be(WHAT)?;
    if bone <= u8::MAX.into() {
        Ok(bone)
    } else {
        Err(Error::malformed(place, "the id of a bone below 256", bone))
    }
}

/// How one kind of numbers is packed; `bit` is where they begin in each record, and afterwards
/// where they end.
fn attribute(
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
        let place = SourceLocation::span(cursor.offset(), 1);
        widths[axis] = cursor.u8(&format!("the bits of a {what}"))?;
        if widths[axis] > WIDEST {
            let expected = format!("at most {WIDEST} bits for a {what}");
            return Err(Error::malformed(place, expected, widths[axis]));
        }
    }
    let attribute =
        Attribute { offset, keys_in_stream, initial, widths, has_sign, bit_in_record: *bit };
    *bit += attribute.bits();
    Ok(Some(attribute))
}

fn stream<'a>(
    cursor: &mut Cursor<'a>,
    channels: &[Channel],
    keyed: &BitSlice<u32, Lsb0>,
    reading: &mut Reading,
) -> Result<Stream<'a>, Error> {
    let record_count = keyed.count_ones() as u64 - 1;
    let attributes = || channels.iter().flat_map(Channel::attributes);
    if let Some(other) = attributes().find(|one| u64::from(one.keys_in_stream) != record_count) {
        let message = format!(
            "{} keys for a bone, where the frames with keys, after the first, are {record_count}",
            other.keys_in_stream
        );
        reading.doubt(SourceLocation::span(other.offset - 2, 2), message);
    }
    let bits_per_record: u64 = attributes().map(Attribute::bits).sum();
    let bytes = (bits_per_record * record_count).div_ceil(32) * 4;
    let offset = cursor.offset();
    let what = format!("{record_count} keys of {bits_per_record} bits for each frame");
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let words = cursor.take(bytes, &what)?;
    Ok(Stream { offset, words, bits_per_record })
}
