//! From bytes to document.
//!
//! A file names its version but not its game. So it is read in every layout that its version has;
//! a layout that breaks a rule is out, and of those that are left the one counts that raises the
//! fewest doubts.

mod arrays;
mod bitstream;
mod candidates;
mod tail;

pub(super) use candidates::{Candidate, Reading, choose};
pub(super) use tail::check_tail;

use super::{Document, Game};
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    io::bytes::Cursor,
};

/// The least and the most seconds from one frame to the next that are believed.
const INTERVALS: std::ops::Range<f32> = 1e-4..10.0;

/// The most bones that the games animate at once.
const MOST_CHANNELS: u32 = 100;

/// Reads a whole file in the layout of `game`, or in the one that fits best; `notices` hears which
/// and why, and the issues in it.
///
/// # Errors
/// If the bytes are no whole file of version 0 or 2 in any layout that is asked for. Nothing of a
/// file that was cut off is kept: its layout is only known because its end fits.
pub fn decode<'a>(
    bytes: &'a [u8],
    game: Option<Game>,
    notices: &mut Notices,
) -> Result<Document<'a>, Error> {
    let candidates = candidates(bytes, game)?;
    choose(candidates, game.is_some(), notices)
}

/// Whether `bytes` begin as an animation does, whatever comes after.
pub(super) fn begins_well(bytes: &[u8]) -> bool {
    candidates(bytes, None)
        .is_ok_and(|candidates| candidates.iter().any(|one| one.reading.is_past_header))
}

fn candidates<'a>(
    bytes: &'a [u8],
    game: Option<Game>,
) -> Result<Vec<Candidate<Document<'a>>>, Error> {
    let mut cursor = Cursor::new(bytes);
    type Read<'a> = fn(Cursor<'a>, Game, &mut Reading) -> Result<Document<'a>, Error>;
    let (games, read): (&[Game], Read) = match cursor.u32_be("the version")? {
        0 => (&[Game::Echoes, Game::Prime], arrays::read),
        2 => (&[Game::Echoes, Game::Prime, Game::EchoesDemo], bitstream::read),
        version => return Err(not_read(version)),
    };
    let asked: Vec<_> =
        games.iter().copied().filter(|&one| game.is_none_or(|game| one == game)).collect();
    if asked.is_empty() {
        let message = "version 0 is not known of the demo of Metroid Prime 2: Echoes";
        return Err(Error::unsupported(SourceLocation::span(0, 4), message));
    }
    let read = |game| Candidate::read(game, |reading| read(cursor.clone(), game, reading));
    Ok(asked.into_iter().map(read).collect())
}

fn not_read(version: u32) -> Error {
    let place = SourceLocation::span(0, 4);
    let message = match version {
        1 => {
            "version 1 is that of Metroid Prime 3: Corruption, which is not read; versions 0 and 2 \
             of Metroid Prime and Metroid Prime 2: Echoes are"
        }
        3 => {
            "version 3 is written by metaforce for its own use, and by no game; it is not read: \
             versions 0 and 2 of Metroid Prime and Metroid Prime 2: Echoes are"
        }
        _ => return Error::malformed(place, "the version of an animation, 0 or 2", version),
    };
    Error::unsupported(place, message)
}

/// The duration, in seconds.
fn duration(cursor: &mut Cursor) -> Result<f32, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let duration = cursor.f32_be("the duration")?;
    if duration.is_finite() && duration >= 0.0 {
        Ok(duration)
    } else {
        Err(Error::malformed(place, "a duration in seconds", format!("{duration:?}")))
    }
}

/// The time from one frame to the next, in seconds.
fn interval(cursor: &mut Cursor) -> Result<f32, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let interval = cursor.f32_be("the time between frames")?;
    if INTERVALS.contains(&interval) {
        Ok(interval)
    } else {
        let expected =
            format!("a time between frames from {} to {} seconds", INTERVALS.start, INTERVALS.end);
        // A wrong layout finds tiny numbers there, and would print them in dozens of digits.
        Err(Error::malformed(place, expected, format!("{interval:?}")))
    }
}

/// The asset with the events, if one is named.
fn events(cursor: &mut Cursor) -> Result<Option<u32>, Error> {
    let id = cursor.u32_be("the id of the events")?;
    Ok(Some(id).filter(|&id| id != 0 && id != u32::MAX))
}
