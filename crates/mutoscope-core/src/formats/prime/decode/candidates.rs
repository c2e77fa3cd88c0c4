//! Reading a file in several layouts, and choosing the one that fits best.

use crate::{
    diagnostics::{Error, Notice, Notices, SourceLocation},
    formats::prime::Game,
};

/// The result of reading a file in the layout of one game.
#[derive(Debug)]
pub(in crate::formats::prime) struct Candidate<T> {
    game: Game,
    result: Result<T, Error>,
    pub(super) reading: Reading,
}

/// How well a layout fits.
#[derive(Debug, Default)]
pub(in crate::formats::prime) struct Reading {
    /// The weight of what speaks against it.
    doubts: u32,
    warnings: Notices,
    /// Whether everything that a header holds could be believed.
    pub(in crate::formats::prime) is_past_header: bool,
}

impl Reading {
    /// Something at `place` is not as files of the games have it: a warning, if the layout is
    /// chosen all the same.
    pub(in crate::formats::prime) fn doubt(
        &mut self,
        place: SourceLocation,
        message: impl Into<String>,
    ) {
        self.doubt_strongly(1, place, message);
    }

    /// The same, but as bad as `weight` doubts.
    pub(in crate::formats::prime) fn doubt_strongly(
        &mut self,
        weight: u32,
        place: SourceLocation,
        message: impl Into<String>,
    ) {
        self.doubts = self.doubts.saturating_add(weight);
        self.warnings.warning(place, message);
    }

    /// Doubts if a number is not the one that files of the games have there.
    pub(in crate::formats::prime) fn expect(
        &mut self,
        place: SourceLocation,
        what: &str,
        expected: u32,
        found: u32,
    ) {
        if found != expected {
            self.doubt(place, format!("{what} is {found}, not {expected}"));
        }
    }
}

impl<T> Candidate<T> {
    /// Reads in the layout of `game`.
    pub(in crate::formats::prime) fn read(
        game: Game,
        read: impl FnOnce(&mut Reading) -> Result<T, Error>,
    ) -> Self {
        let mut reading = Reading::default();
        let result = read(&mut reading);
        Self { game, result, reading }
    }
}

/// The candidate that raises the fewest doubts; of equal ones, the first. `notices` hears which it
/// is, unless it `was_asked_for`, and its doubts.
///
/// # Errors
/// If all broke a rule: the error of the one that made sense for longest.
pub(in crate::formats::prime) fn choose<T>(
    candidates: Vec<Candidate<T>>,
    was_asked_for: bool,
    notices: &mut Notices,
) -> Result<T, Error> {
    let mut sound = Vec::new();
    let mut errors = Vec::new();
    for Candidate { game, result, reading } in candidates {
        match result {
            Ok(read) => sound.push((game, read, reading)),
            Err(error) => errors.push((reading.is_past_header, error)),
        }
    }
    // A stable sort: of equal ones the first stays first.
    sound.sort_by_key(|(.., reading)| reading.doubts);
    let mut sound = sound.into_iter();
    let Some((game, chosen, reading)) = sound.next() else {
        // The last of equal ones is found, so the order is turned: the first candidate is the
        // likeliest.
        let furthest = errors
            .into_iter()
            .rev()
            .max_by_key(|(is_past_header, error)| (*is_past_header, error.place().first_byte()));
        return Err(furthest.expect("there was a candidate").1);
    };
    if !was_asked_for {
        let others: Vec<_> = sound.collect();
        report_choice(game, &reading, &others, notices);
    }
    notices.extend(reading.warnings.into_iter().map(|warning: Notice| warning));
    Ok(chosen)
}

fn report_choice<T>(
    game: Game,
    reading: &Reading,
    others: &[(Game, T, Reading)],
    notices: &mut Notices,
) {
    let Some((other, _, of_other)) = others.first() else {
        let message =
            format!("read as of {game}: the file names no game, and no other layout fits");
        return notices.info(SourceLocation::File, message);
    };
    if of_other.doubts > reading.doubts {
        let message = format!(
            "read as of {game}: the file names no game; as of {other} it would make less sense"
        );
        notices.info(SourceLocation::File, message);
    } else {
        let message = format!("read as of {game}, but it could as well be of {other}");
        notices.warning(SourceLocation::File, message);
    }
}
