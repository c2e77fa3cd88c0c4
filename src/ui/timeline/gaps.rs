//! Long times without keys that playback skips, if it is to.

use bevy::prelude::*;

use super::prepared::Preparing;
use crate::{
    recording::{Recording, SkippedGaps},
    session::{Panels, SessionClock},
};

/// From when to when, in seconds of the clock.
type Stretch = (f64, f64);

/// Lets the clock of the session skip the times at which no open recording has keys, if that is on.
pub(in crate::ui) fn skip_gaps(
    mut commands: Commands,
    (clock, panels): (Res<SessionClock>, Res<Panels>),
    skipped: Query<&SkippedGaps>,
    recordings: Query<(&Recording, &Preparing)>,
) {
    let wanted = if panels.timeline.skip_gaps { shared(&recordings) } else { Vec::new() };
    if skipped.get(clock.0).map_or(&[][..], |gaps| &gaps.0) != wanted {
        commands.entity(clock.0).insert(SkippedGaps(wanted));
    }
}

/// The gaps that all recordings share; none while keys of one are not known.
fn shared(recordings: &Query<(&Recording, &Preparing)>) -> Vec<Stretch> {
    let mut shared = vec![(f64::NEG_INFINITY, f64::INFINITY)];
    for (recording, preparing) in recordings {
        let Some(prepared) = preparing.of(recording) else { return Vec::new() };
        let (timing, span) = (recording.timing(), recording.clip().span);
        let gaps = prepared.keys.folds().gaps().iter().map(|gap| (gap.start, gap.end));
        let (before, after) = ((f64::NEG_INFINITY, span.start), (span.end(), f64::INFINITY));
        let own = [before].into_iter().chain(gaps).chain([after]);
        let own: Vec<_> =
            own.map(|(start, end)| (timing.first(start), timing.first(end))).collect();
        shared = intersection(&shared, &own);
    }
    shared.retain(|(start, end)| start.is_finite() && end.is_finite());
    shared
}

/// The intersection of both: each ascends and does not overlap itself, and so does the result.
fn intersection(one: &[Stretch], other: &[Stretch]) -> Vec<Stretch> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    let both = pairs.map(|(one, other)| (one.0.max(other.0), one.1.min(other.1)));
    both.filter(|(start, end)| start < end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_all_are_those_in_each() {
        let one = [(f64::NEG_INFINITY, 0.0), (2.0, 5.0), (7.0, 9.0)];
        let other = [(1.0, 3.0), (4.0, 8.0), (9.0, f64::INFINITY)];
        assert_eq!(intersection(&one, &other), [(2.0, 3.0), (4.0, 5.0), (7.0, 8.0)]);
        assert_eq!(intersection(&one, &[]), []);
    }
}
