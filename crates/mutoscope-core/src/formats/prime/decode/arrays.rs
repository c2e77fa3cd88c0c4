//! Decodes version 0.

use super::{LayoutFit, MAX_CHANNELS, check_tail, read_duration, read_events_id, read_interval};
use crate::{
    diagnostics::{Error, SourceLocation},
    formats::prime::{ArrayChannel, Arrays, Body, Document, Game, KeyArray, codes},
    io::bytes::Cursor,
};

/// The index that means none: a slot without a channel, or a channel without a track.
pub(in crate::formats::prime) const NO_INDEX: u8 = 0xff;

const MAX_BONE_SLOTS: u32 = 256;

pub(super) fn read<'a>(
    mut cursor: Cursor<'a>,
    game: Game,
    fit: &mut LayoutFit,
) -> Result<Document<'a>, Error> {
    let cursor = &mut cursor;
    let duration = read_duration(cursor)?;
    read_time_state(cursor, "the duration", fit)?;
    let interval = read_interval(cursor)?;
    read_time_state(cursor, "the time between frames", fit)?;
    let key_count = read_key_count(cursor)?;
    let root_bone = cursor.u32_be("the id of the root bone")?;
    let slots = read_bone_slots(cursor, fit)?;
    let channel_count = count_indices(slots, "bones", SourceLocation::span(0x20, slots.len()))?;
    if channel_count == 0 || channel_count > MAX_CHANNELS as usize {
        let expected = format!("from 1 to {MAX_CHANNELS} animated bones");
        return Err(Error::malformed(
            SourceLocation::span(0x20, slots.len()),
            expected,
            channel_count,
        ));
    }
    let has_echoes = game == Game::Echoes;
    let index = |cursor: &mut Cursor<'a>, what| read_track_indices(cursor, channel_count, what);
    let rotation = has_echoes.then(|| index(cursor, "rotation")).transpose()?;
    let translation = Some(index(cursor, "translation")?);
    let scale = has_echoes.then(|| index(cursor, "scale")).transpose()?;

    let count = |index: &Option<TrackIndices>| index.as_ref().map_or(0, |index| index.count);
    let rotation_count = rotation.as_ref().map_or(channel_count, |index| index.count);
    let scales = if has_echoes {
        read_keys(cursor, count(&scale), key_count, "scale")?
    } else {
        KeyArray::empty(cursor.offset())
    };
    let rotations = read_keys(cursor, rotation_count, key_count, "rotation")?;
    let translations = read_keys(cursor, count(&translation), key_count, "translation")?;
    let events = if has_echoes { None } else { read_events_id(cursor)? };
    check_tail(cursor, fit);

    let track = |index: &Option<TrackIndices>, channel: u8| {
        index.as_ref().map(|index| index.by_channel[usize::from(channel)]).filter(is_index)
    };
    let channel = |(bone, &channel): (usize, &u8)| ArrayChannel {
        bone: bone as u8,
        // Files of the first game have no rotation indices, because every bone has a rotation
        // track. The track's index is the channel's index.
        rotation: if has_echoes { track(&rotation, channel) } else { Some(channel) },
        translation: track(&translation, channel),
        scale: track(&scale, channel),
    };
    let channels = slots.iter().enumerate().filter(|slot| is_index(slot.1)).map(channel).collect();
    let body = Body::Arrays(Arrays { key_count, channels, scales, rotations, translations });
    Ok(Document { game, duration, interval, root_bone, events, body })
}

/// Reads the state that follows each time. Playback ignores it.
fn read_time_state(cursor: &mut Cursor, what: &str, fit: &mut LayoutFit) -> Result<(), Error> {
    const INFINITY: u32 = 4;
    let location = SourceLocation::span(cursor.offset(), 4);
    let state = cursor.u32_be(&format!("the state of {what}"))?;
    if state > INFINITY {
        let message = format!("the state of {what} is {state}, not 0 to {INFINITY}");
        fit.add_doubt(codes::UNUSUAL_VALUE, location, message).with("found", state);
    }
    Ok(())
}

fn read_key_count(cursor: &mut Cursor) -> Result<u32, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    match cursor.u32_be("the count of keys")? {
        0 => Err(Error::malformed(location, "a count of keys above 0", 0)),
        count => Ok(count),
    }
}

/// Reads the bone slots. Each slot is a byte with the index of a channel. The position of the slot
/// is the bone id.
fn read_bone_slots<'a>(cursor: &mut Cursor<'a>, fit: &mut LayoutFit) -> Result<&'a [u8], Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let count = cursor.u32_be("the count of slots for bones")?;
    if !(1..=MAX_BONE_SLOTS).contains(&count) {
        let expected = format!("a count of slots for bones from 1 to {MAX_BONE_SLOTS}");
        return Err(Error::malformed(location, expected, count));
    }
    fit.has_plausible_header = true;
    cursor.read_bytes(count as usize, "the slots for bones")
}

struct TrackIndices<'a> {
    by_channel: &'a [u8],
    count: usize,
}

fn read_track_indices<'a>(
    cursor: &mut Cursor<'a>,
    channel_count: usize,
    what: &str,
) -> Result<TrackIndices<'a>, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let found = cursor.u32_be(&format!("the count of {what} indices"))?;
    if found as usize != channel_count {
        let expected = format!("{what} indices for {channel_count} bones");
        return Err(Error::malformed(location, expected, found));
    }
    let location = SourceLocation::span(cursor.offset(), channel_count);
    let of_channel = cursor.read_bytes(channel_count, &format!("the {what} indices"))?;
    Ok(TrackIndices { by_channel: of_channel, count: count_indices(of_channel, what, location)? })
}

/// Returns the number of indices in use. Fails unless they are 0, 1, 2 and so on, each exactly
/// once, in any order.
fn count_indices(indices: &[u8], what: &str, location: SourceLocation) -> Result<usize, Error> {
    let count = indices.iter().filter(|index| is_index(index)).count();
    let mut seen = [false; 256];
    for &index in indices.iter().filter(|index| is_index(index)) {
        let is_beyond = usize::from(index) >= count;
        if is_beyond || std::mem::replace(&mut seen[usize::from(index)], true) {
            let expected = format!("indices of {what} from 0 to {}, each once", count - 1);
            return Err(Error::malformed(location, expected, index));
        }
    }
    Ok(count)
}

fn is_index(index: &u8) -> bool {
    *index != NO_INDEX
}

fn read_keys<'a, const N: usize>(
    cursor: &mut Cursor<'a>,
    tracks: usize,
    keys_per_track: u32,
    what: &str,
) -> Result<KeyArray<'a, N>, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let found = cursor.u32_be(&format!("the count of {what} keys"))?;
    let expected = tracks as u64 * u64::from(keys_per_track);
    if u64::from(found) != expected {
        let expected = format!("{expected} {what} keys ({tracks} times {keys_per_track})");
        return Err(Error::malformed(location, expected, found));
    }
    let offset = cursor.offset();
    let bytes = expected * KeyArray::<N>::BYTES_PER_KEY as u64;
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let bytes = cursor.read_bytes(bytes, &format!("the {what} keys"))?;
    Ok(KeyArray { offset, bytes, keys_per_track: keys_per_track as usize })
}
