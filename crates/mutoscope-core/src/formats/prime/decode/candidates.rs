//! Reads a file in several layouts, and chooses the layout that fits best.

use crate::{
    diagnostics::{Diagnostic, Diagnostics, Error, SourceLocation},
    formats::prime::Game,
};

#[derive(Debug)]
pub(in crate::formats::prime) struct Candidate<T> {
    game: Game,
    result: Result<T, Error>,
    pub(super) fit: LayoutFit,
}

#[derive(Debug, Default)]
pub(in crate::formats::prime) struct LayoutFit {
    doubts: u32,
    warnings: Diagnostics,
    pub(in crate::formats::prime) has_plausible_header: bool,
}

impl LayoutFit {
    /// Adds a doubt about this layout, because the bytes would differ from all files of the games.
    /// If the layout is chosen anyway, the doubt becomes a warning.
    pub(in crate::formats::prime) fn add_doubt(
        &mut self,
        location: SourceLocation,
        message: impl Into<String>,
    ) {
        self.add_weighted_doubt(1, location, message);
    }

    pub(in crate::formats::prime) fn add_weighted_doubt(
        &mut self,
        weight: u32,
        location: SourceLocation,
        message: impl Into<String>,
    ) {
        self.doubts = self.doubts.saturating_add(weight);
        self.warnings.warning(crate::diagnostics::Code::PENDING, location, message);
    }

    pub(in crate::formats::prime) fn doubt_unless_equal(
        &mut self,
        location: SourceLocation,
        what: &str,
        expected: u32,
        found: u32,
    ) {
        if found != expected {
            self.add_doubt(location, format!("{what} is {found}, not {expected}"));
        }
    }
}

impl<T> Candidate<T> {
    pub(in crate::formats::prime) fn read(
        game: Game,
        read: impl FnOnce(&mut LayoutFit) -> Result<T, Error>,
    ) -> Self {
        let mut fit = LayoutFit::default();
        let result = read(&mut fit);
        Self { game, result, fit }
    }
}

/// Returns the candidate with the fewest doubts, or the first such candidate. Its doubts are
/// reported. The chosen game is reported too, unless the caller named the game.
///
/// # Errors
/// If all candidates failed. Returns the error of the candidate that read furthest.
pub(in crate::formats::prime) fn choose_candidate<T>(
    candidates: Vec<Candidate<T>>,
    is_game_given: bool,
    diagnostics: &mut Diagnostics,
) -> Result<T, Error> {
    let mut sound = Vec::new();
    let mut errors = Vec::new();
    for Candidate { game, result, fit } in candidates {
        match result {
            Ok(read) => sound.push((game, read, fit)),
            Err(error) => errors.push((fit.has_plausible_header, error)),
        }
    }
    // The sort is stable, so the first of equally good candidates stays first.
    sound.sort_by_key(|(.., fit)| fit.doubts);
    let mut sound = sound.into_iter();
    let Some((game, chosen, fit)) = sound.next() else {
        // `max_by_key` returns the last of several maxima. Reverse the order so that the first
        // candidate wins, because the most likely layout comes first.
        let furthest = errors.into_iter().rev().max_by_key(|(has_plausible_header, error)| {
            (*has_plausible_header, error.location().first_byte())
        });
        return Err(furthest.expect("there was a candidate").1);
    };
    if !is_game_given {
        let others: Vec<_> = sound.collect();
        report_choice(game, &fit, &others, diagnostics);
    }
    diagnostics.extend(fit.warnings.into_iter().map(|warning: Diagnostic| warning));
    Ok(chosen)
}

fn report_choice<T>(
    game: Game,
    fit: &LayoutFit,
    others: &[(Game, T, LayoutFit)],
    diagnostics: &mut Diagnostics,
) {
    let Some((other, _, other_fit)) = others.first() else {
        let message = format!(
            "read as a file of {game}: the file does not name its game, and no other layout fits"
        );
        {
            diagnostics.info(crate::diagnostics::Code::PENDING, SourceLocation::File, message);
            return;
        }
    };
    if other_fit.doubts > fit.doubts {
        let message = format!(
            "read as a file of {game}: the file does not name its game, and {other} fits less well"
        );
        diagnostics.info(crate::diagnostics::Code::PENDING, SourceLocation::File, message);
    } else {
        let message = format!("read as a file of {game}, but {other} fits equally well");
        diagnostics.warning(crate::diagnostics::Code::PENDING, SourceLocation::File, message);
    }
}
