//! Dwells of a gaze on areas of interest, as a row of the timeline: at the keys of the ray.

use std::sync::Arc;

use bevy::prelude::*;

use super::events::{EventRow, Moment};
use crate::{
    recording::{Recording, Revision},
    session::{Job, Jobs},
    ui::words,
};
use mutoscope_core::{
    clip::{Clip, NodeId, Owner},
    measure::analysis::{Area, Dwell, NamedArea, dwells},
};

/// The dwells of a recording on areas of interest. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::ui) struct Dwells {
    /// A row for each gaze.
    pub(super) rows: Arc<[EventRow]>,
    /// Of each area: how often and how long it is looked at, over all gazes.
    totals: Arc<[Total]>,
}

/// How often and how long an area is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::ui) struct Total {
    /// The number of dwells.
    pub(in crate::ui) count: usize,
    /// The sum of their durations, in seconds.
    pub(in crate::ui) duration: f64,
}

impl Dwells {
    /// The dwells of each ray of `clip` on those of `areas` whose joint it has.
    pub(super) fn of(clip: &Clip, areas: &[NamedArea]) -> Self {
        let here = areas.iter().enumerate().filter_map(|(index, one)| Some((index, one.of(clip)?)));
        let (indices, here): (Vec<usize>, Vec<Area>) = here.unzip();
        let rays: Vec<NodeId> = clip.rays().collect();
        let (mut rows, mut totals) = (Vec::new(), vec![Total::default(); areas.len()]);
        for &ray in rays.iter().filter(|_| !here.is_empty()) {
            let found = dwells(clip, ray, &here, &clip.key_times_of(Owner::Node(ray)));
            for dwell in &found {
                let total = &mut totals[indices[dwell.area]];
                total.count += 1;
                total.duration += dwell.end - dwell.start;
            }
            let name = match rays.len() {
                1 => "dwell".to_owned(),
                _ => format!("dwell of {}", words::full_name(clip, ray)),
            };
            let moments = found.iter().map(|dwell| moment(dwell, &here[dwell.area])).collect();
            rows.push(EventRow::of_moments(name, moments));
        }
        Self { rows: rows.into(), totals: totals.into() }
    }

    /// How often and how long the area with this index is looked at; `None` while that is not known.
    pub(in crate::ui) fn total(&self, area: usize) -> Option<Total> {
        self.totals.get(area).copied()
    }
}

fn moment(dwell: &Dwell, area: &Area) -> Moment {
    let duration = dwell.end - dwell.start;
    let help = format!("Dwell on {} for {}", area.name, words::duration(duration));
    Moment { time: dwell.start, duration, fires: true, text: area.name.clone(), help }
}

/// The dwells of a recording while they are being computed.
#[derive(Debug, Default)]
pub(super) struct PreparingDwells {
    /// The recording's revision and the areas that they are computed for.
    about: Option<(Revision, Vec<NamedArea>)>,
    job: Job<(), Dwells>,
}

impl PreparingDwells {
    /// Computes the dwells of `recording` on `areas` if they are of others, one after the other;
    /// returns those that are done.
    pub(super) fn poll(
        &mut self,
        recording: &Recording,
        areas: &[NamedArea],
        jobs: &Jobs,
    ) -> Option<Dwells> {
        let done = self.job.poll();
        let about = (recording.revision(), areas);
        let is_about =
            self.about.as_ref().is_some_and(|(revision, areas)| (*revision, &**areas) == about);
        if !is_about && !self.job.is_running() {
            let first = self.about.replace((recording.revision(), areas.to_vec())).is_none();
            if !(first && areas.is_empty()) {
                let (clip, areas) = (recording.clip().clone(), areas.to_vec());
                self.job.start(jobs, (), move |_| Dwells::of(&clip, &areas));
            }
        }
        match done? {
            (_, Ok(dwells)) => Some(dwells),
            (_, Err(crashed)) => {
                error!("finding dwells: {crashed}");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dwells_are_those_of_the_analysis() {
        let clip = crate::ui::testing::two_hands();
        let ray = clip.rays().next().unwrap();
        let times = clip.key_times_of(Owner::Node(ray));
        let samples = mutoscope_core::measure::analysis::gaze(&clip, ray, &times);
        // On the gaze at one time, so that it is left before and after.
        let there = samples[samples.len() / 2].ray.unwrap();
        let [x, y, z] = (there.origin + there.direction).to_array();
        let on_gaze: NamedArea = format!("cup=sphere:{x},{y},{z},0.05").parse().unwrap();
        let nowhere: NamedArea = "nowhere=sphere:0,0,0,1@Nobody".parse().unwrap();
        let area = on_gaze.of(&clip).unwrap();
        let expected: f64 = times
            .windows(2)
            .zip(&samples)
            .filter(|(_, sample)| sample.ray.is_some_and(|ray| area.shape.distance(ray).is_some()))
            .map(|(times, _)| times[1] - times[0])
            .sum();
        assert!(expected > 0.0);
        let found = Dwells::of(&clip, &[nowhere, on_gaze]);
        let [row] = &found.rows[..] else { panic!("{found:?}") };
        let total = found.total(1).unwrap();
        assert!((total.duration - expected).abs() < 1e-9, "{total:?}, expected {expected}");
        assert_eq!(row.moments().len(), total.count);
        assert!(row.moments().iter().all(|one| one.text == "cup"));
        assert_eq!((found.total(0), found.total(2)), (Some(Total::default()), None));
        assert!(Dwells::of(&clip, &[]).rows.is_empty());
    }
}
