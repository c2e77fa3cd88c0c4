//! Version 0.

use super::{MOST_CHANNELS, Reading, check_tail, duration, events, interval};
use crate::{
    diagnostics::{Error, SourceLocation},
    formats::prime::{ArrayChannel, Arrays, Body, Document, Game, KeyArray},
    io::bytes::Cursor,
};

/// The index that means no channel, or no track.
const NONE: u8 = 0xff;

/// The most slots for bones: ids are bytes.
const MOST_SLOTS: u32 = 256;

/// Reads everything after the version.
pub(super) fn read<'a>(
    mut cursor: Cursor<'a>,
    game: Game,
    reading: &mut Reading,
) -> Result<Document<'a>, Error> {
    let cursor = &mut cursor;
    let duration = duration(cursor)?;
    time_state(cursor, "the duration", reading)?;
    let interval = interval(cursor)?;
    time_state(cursor, "the time between frames", reading)?;
    let key_count = key_count(cursor)?;
    let root_bone = cursor.u32_be("the id of the root bone")?;
    let slots = slots(cursor, reading)?;
    let channel_count = numbered(slots, "bones", SourceLocation::span(0x20, slots.len()))?;
    if channel_count == 0 || channel_count > MOST_CHANNELS as usize {
        let expected = format!("from 1 to {MOST_CHANNELS} animated bones");
        return Err(Error::malformed(
            SourceLocation::span(0x20, slots.len()),
            expected,
            channel_count,
        ));
    }
    let has_echoes = game == Game::Echoes;
    let index = |cursor: &mut Cursor<'a>, what| tracks(cursor, channel_count, what);
    let rotation = has_echoes.then(|| index(cursor, "rotation")).transpose()?;
    let translation = Some(index(cursor, "translation")?);
    let scale = has_echoes.then(|| index(cursor, "scale")).transpose()?;

    let count = |index: &Option<Tracks>| index.as_ref().map_or(0, |index| index.count);
    let rotation_count = rotation.as_ref().map_or(channel_count, |index| index.count);
    let scales = if has_echoes {
        keys(cursor, count(&scale), key_count, "scale")?
    } else {
        KeyArray::none(cursor.offset())
    };
    let rotations = keys(cursor, rotation_count, key_count, "rotation")?;
    let translations = keys(cursor, count(&translation), key_count, "translation")?;
    let events = if has_echoes { None } else { events(cursor)? };
    check_tail(cursor, reading);

    let track = |index: &Option<Tracks>, channel: u8| {
        index.as_ref().map(|index| index.of_channel[usize::from(channel)]).filter(is_some)
    };
    let channel = |(bone, &channel): (usize, &u8)| ArrayChannel {
        bone: bone as u8,
        // The first game turns every bone: its tracks are numbered as its channels.
        rotation: if has_echoes { track(&rotation, channel) } else { Some(channel) },
        translation: track(&translation, channel),
        scale: track(&scale, channel),
    };
    let channels = slots.iter().enumerate().filter(|slot| is_some(slot.1)).map(channel).collect();
    let body = Body::Arrays(Arrays { key_count, channels, scales, rotations, translations });
    Ok(Document { game, duration, interval, root_bone, events, body })
}

/// Reads the state of a time, which follows each time; playback ignores it.
fn time_state(cursor: &mut Cursor, what: &str, reading: &mut Reading) -> Result<(), Error> {
    const INFINITY: u32 = 4;
    let place = SourceLocation::span(cursor.offset(), 4);
    let state = cursor.u32_be(&format!("the state of {what}"))?;
    if state > INFINITY {
        reading.doubt(place, format!("the state of {what} is {state}, not 0 to {INFINITY}"));
    }
    Ok(())
}

fn key_count(cursor: &mut Cursor) -> Result<u32, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    match cursor.u32_be("the count of keys")? {
        0 => Err(Error::malformed(place, "a count of keys above 0", 0)),
        count => Ok(count),
    }
}

/// For each bone id, its channel.
fn slots<'a>(cursor: &mut Cursor<'a>, reading: &mut Reading) -> Result<&'a [u8], Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let count = cursor.u32_be("the count of slots for bones")?;
    if !(1..=MOST_SLOTS).contains(&count) {
        let expected = format!("a count of slots for bones from 1 to {MOST_SLOTS}");
        return Err(Error::malformed(place, expected, count));
    }
    reading.is_past_header = true;
    cursor.take(count as usize, "the slots for bones")
}

/// For each channel, its track of one kind.
struct Tracks<'a> {
    of_channel: &'a [u8],
    count: usize,
}

fn tracks<'a>(
    cursor: &mut Cursor<'a>,
    channel_count: usize,
    what: &str,
) -> Result<Tracks<'a>, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let found = cursor.u32_be(&format!("the count of {what} indices"))?;
    if found as usize != channel_count {
        let expected = format!("{what} indices for {channel_count} bones");
        return Err(Error::malformed(place, expected, found));
    }
    let place = SourceLocation::span(cursor.offset(), channel_count);
    let of_channel = cursor.take(channel_count, &format!("the {what} indices"))?;
    Ok(Tracks { of_channel, count: numbered(of_channel, what, place)? })
}

/// How many of `indices` are there: they have to be 0, 1, 2 and so on, each once, in any order.
fn numbered(indices: &[u8], what: &str, place: SourceLocation) -> Result<usize, Error> {
    let count = indices.iter().filter(|index| is_some(index)).count();
    let mut seen = [false; 256];
    for &index in indices.iter().filter(|index| is_some(index)) {
        let is_beyond = usize::from(index) >= count;
        if is_beyond || std::mem::replace(&mut seen[usize::from(index)], true) {
            let expected = format!("indices of {what} from 0 to {}, each once", count - 1);
            return Err(Error::malformed(place, expected, index));
        }
    }
    Ok(count)
}

fn is_some(index: &u8) -> bool {
    *index != NONE
}

fn keys<'a, const N: usize>(
    cursor: &mut Cursor<'a>,
    tracks: usize,
    keys_per_track: u32,
    what: &str,
) -> Result<KeyArray<'a, N>, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let found = cursor.u32_be(&format!("the count of {what} keys"))?;
    let expected = tracks as u64 * u64::from(keys_per_track);
    if u64::from(found) != expected {
        let expected = format!("{expected} {what} keys ({tracks} times {keys_per_track})");
        return Err(Error::malformed(place, expected, found));
    }
    let offset = cursor.offset();
    let bytes = expected * KeyArray::<N>::BYTES_PER_KEY as u64;
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let bytes = cursor.take(bytes, &format!("the {what} keys"))?;
    Ok(KeyArray { offset, bytes, keys_per_track: keys_per_track as usize })
}
