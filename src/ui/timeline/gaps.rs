//! Finds the gaps without keys that playback skips.

use bevy::prelude::*;

use super::prepared::TimelinePreparation;
use crate::session::{Panels, SessionClock};
use bevy_mutoscope::{Recording, SkippedGaps};

/// The start and end in seconds.
type Interval = (f64, f64);

pub(in crate::ui) fn skip_gaps(
    mut commands: Commands,
    clock: Res<SessionClock>,
    panels: Res<Panels>,
    skipped: Query<&SkippedGaps>,
    recordings: Query<(&Recording, &TimelinePreparation)>,
) {
    let gaps = if panels.timeline.skip_gaps { shared_gaps(&recordings) } else { Vec::new() };
    if skipped.get(clock.0).map_or(&[][..], |gaps| &gaps.0) != gaps {
        commands.entity(clock.0).insert(SkippedGaps(gaps));
    }
}

fn shared_gaps(recordings: &Query<(&Recording, &TimelinePreparation)>) -> Vec<Interval> {
    let mut shared = vec![(f64::NEG_INFINITY, f64::INFINITY)];
    for (recording, preparing) in recordings {
        let Some(prepared) = preparing.timeline_for(recording) else { return Vec::new() };
        let (timing, span) = (recording.timing(), recording.clip().span);
        let gaps = prepared.keys.folds().gaps().iter().map(|gap| (gap.start, gap.end));
        let (before, after) = ((f64::NEG_INFINITY, span.start), (span.end(), f64::INFINITY));
        let own = [before].into_iter().chain(gaps).chain([after]);
        let own: Vec<_> = own
            .map(|(start, end)| (timing.to_clock_time(start), timing.to_clock_time(end)))
            .collect();
        shared = intersect(&shared, &own);
    }
    shared.retain(|(start, end)| start.is_finite() && end.is_finite());
    shared
}

/// Both lists must be ascending and without overlaps, and so is the result.
fn intersect(one: &[Interval], other: &[Interval]) -> Vec<Interval> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    let both = pairs.map(|(one, other)| (one.0.max(other.0), one.1.min(other.1)));
    both.filter(|(start, end)| start < end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_gaps_are_the_intersection() {
        let one = [(f64::NEG_INFINITY, 0.0), (2.0, 5.0), (7.0, 9.0)];
        let other = [(1.0, 3.0), (4.0, 8.0), (9.0, f64::INFINITY)];
        assert_eq!(intersect(&one, &other), [(2.0, 3.0), (4.0, 5.0), (7.0, 8.0)]);
        assert_eq!(intersect(&one, &[]), []);
    }
}
