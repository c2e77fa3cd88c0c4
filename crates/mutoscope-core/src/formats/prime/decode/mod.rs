//! Decodes the bytes of an animation.
//!
//! A file states its version but not its game. So we read it in every layout of its version. A
//! layout that breaks a rule is dropped, and of the others we choose the one with the fewest
//! doubts.

mod arrays;
mod bitstream;
mod candidates;
mod tail;

pub(super) use arrays::NO_INDEX;
pub(super) use candidates::{Candidate, LayoutFit, choose_candidate};
pub(super) use tail::check_tail;

use super::{Document, Game};
use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    io::bytes::Cursor,
};

pub(crate) const INTERVAL_RANGE_S: std::ops::RangeInclusive<f32> = 1e-4..=10.0;

/// The largest number of bones that the games animate at once.
const MAX_CHANNELS: u32 = 100;

/// Reads a whole file in the layout of `game`. If `game` is `None`, reads the file in the layout
/// that fits best. The choice, its reason and all problems are added to `diagnostics`.
///
/// # Errors
/// If the bytes are not a whole file of version 0 or 2 in one of these layouts. A truncated file is
/// rejected, because only the end of a file shows which layout is right.
pub fn decode<'a>(
    bytes: &'a [u8],
    game: Option<Game>,
    diagnostics: &mut Diagnostics,
) -> Result<Document<'a>, Error> {
    let candidates = read_candidates(bytes, game)?;
    choose_candidate(candidates, game.is_some(), diagnostics)
}

pub(super) fn has_animation_header(bytes: &[u8]) -> bool {
    read_candidates(bytes, None)
        .is_ok_and(|candidates| candidates.iter().any(|one| one.fit.has_plausible_header))
}

fn read_candidates<'a>(
    bytes: &'a [u8],
    game: Option<Game>,
) -> Result<Vec<Candidate<Document<'a>>>, Error> {
    let mut cursor = Cursor::new(bytes);
    type Read<'a> = fn(Cursor<'a>, Game, &mut LayoutFit) -> Result<Document<'a>, Error>;
    let (games, read): (&[Game], Read) = match cursor.u32_be("the version")? {
        0 => (&[Game::Echoes, Game::Prime], arrays::read),
        2 => (&[Game::Echoes, Game::Prime, Game::EchoesDemo], bitstream::read),
        version => return Err(unsupported_version_error(version)),
    };
    let asked: Vec<_> =
        games.iter().copied().filter(|&one| game.is_none_or(|game| one == game)).collect();
    if asked.is_empty() {
        let message = "version 0 is not known to exist in the demo of Metroid Prime 2: Echoes";
        return Err(Error::unsupported(SourceLocation::span(0, 4), message));
    }
    let read = |game| Candidate::read(game, |fit| read(cursor.clone(), game, fit));
    Ok(asked.into_iter().map(read).collect())
}

fn unsupported_version_error(version: u32) -> Error {
    let location = SourceLocation::span(0, 4);
    let message = match version {
        1 => {
            "version 1 is used by Metroid Prime 3: Corruption, which is not supported; use files \
             of Metroid Prime or Metroid Prime 2: Echoes (versions 0 and 2)"
        }
        3 => {
            "version 3 is an internal format of metaforce, which is not supported; use files \
             of Metroid Prime or Metroid Prime 2: Echoes (versions 0 and 2)"
        }
        _ => return Error::malformed(location, "the version of an animation, 0 or 2", version),
    };
    Error::unsupported(location, message)
}

fn read_duration(cursor: &mut Cursor) -> Result<f32, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let duration = cursor.f32_be("the duration")?;
    if duration.is_finite() && duration >= 0.0 {
        Ok(duration)
    } else {
        Err(Error::malformed(location, "a duration in seconds", format!("{duration:?}")))
    }
}

fn read_interval(cursor: &mut Cursor) -> Result<f32, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let interval = cursor.f32_be("the time between frames")?;
    if INTERVAL_RANGE_S.contains(&interval) {
        Ok(interval)
    } else {
        let expected = format!(
            "a time between frames from {} to {} seconds",
            INTERVAL_RANGE_S.start(),
            INTERVAL_RANGE_S.end()
        );
        // Format with `{:?}`, because `{}` would print dozens of digits for the tiny numbers that
        // the wrong layout finds here.
        Err(Error::malformed(location, expected, format!("{interval:?}")))
    }
}

fn read_events_id(cursor: &mut Cursor) -> Result<Option<u32>, Error> {
    let id = cursor.u32_be("the id of the events")?;
    Ok(Some(id).filter(|&id| id != 0 && id != u32::MAX))
}
