//! Reads a file in several layouts, and chooses the layout that fits best.

use crate::{
    diagnostics::{Code, Diagnostic, Diagnostics, Error, SourceLocation},
    formats::prime::{Game, codes},
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
        code: Code,
        location: SourceLocation,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add_weighted_doubt(1, code, location, message)
    }

    pub(in crate::formats::prime) fn add_weighted_doubt(
        &mut self,
        weight: u32,
        code: Code,
        location: SourceLocation,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.doubts = self.doubts.saturating_add(weight);
        self.warnings.warning(code, location, message)
    }

    pub(in crate::formats::prime) fn doubt_unless_equal(
        &mut self,
        location: SourceLocation,
        what: &str,
        expected: u32,
        found: u32,
    ) {
        if found != expected {
            let message = format!("{what} is {found}, not {expected}");
            self.add_doubt(codes::UNUSUAL_VALUE, location, message)
                .with("expected", expected)
                .with("found", found);
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
    diagnostics.extend(fit.warnings);
    Ok(chosen)
}

fn report_choice<T>(
    game: Game,
    fit: &LayoutFit,
    others: &[(Game, T, LayoutFit)],
    diagnostics: &mut Diagnostics,
) {
    let other = match others.first() {
        None => "no other layout fits".to_owned(),
        Some((other, _, other_fit)) if other_fit.doubts > fit.doubts => {
            format!("{other} fits less well")
        }
        Some((other, ..)) => {
            let message = format!("read as a file of {game}, but {other} fits equally well");
            diagnostics
                .warning(codes::GAME_AMBIGUOUS, SourceLocation::File, message)
                .with("game", game.to_string())
                .with("other", other.to_string());
            return;
        }
    };
    let message = format!("read as a file of {game}: the file does not name its game, and {other}");
    diagnostics
        .info(codes::GAME_GUESSED, SourceLocation::File, message)
        .with("game", game.to_string());
}
