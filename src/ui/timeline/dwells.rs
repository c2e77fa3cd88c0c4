//! Finds the dwells of a gaze on areas of interest, at the keys of the ray, and shows them as rows
//! of the timeline.

use std::sync::Arc;

use bevy::prelude::*;

use super::events::{EventRow, TimelineEvent};
use crate::{
    session::{Job, Jobs},
    ui::display_text,
};
use bevy_mutoscope::{Recording, Revision};
use mutoscope_core::{
    clip::{Clip, NodeId, Owner},
    measure::analysis::{Area, Dwell, NamedArea, find_dwells},
};

#[derive(Clone, Debug, Default)]
pub(in crate::ui) struct Dwells {
    pub(super) rows: Arc<[EventRow]>,
    totals: Arc<[DwellTotal]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::ui) struct DwellTotal {
    pub(in crate::ui) count: usize,
    /// In seconds.
    pub(in crate::ui) duration: f64,
}

impl Dwells {
    pub(super) fn from_clip(clip: &Clip, areas: &[NamedArea]) -> Self {
        let resolved =
            areas.iter().enumerate().filter_map(|(index, one)| Some((index, one.resolve(clip)?)));
        let (indices, resolved): (Vec<usize>, Vec<Area>) = resolved.unzip();
        let rays: Vec<NodeId> = clip.ray_nodes().collect();
        let (mut rows, mut totals) = (Vec::new(), vec![DwellTotal::default(); areas.len()]);
        for &ray in rays.iter().filter(|_| !resolved.is_empty()) {
            let found = find_dwells(clip, ray, &resolved, &clip.key_times_of(Owner::Node(ray)));
            for dwell in &found {
                let total = &mut totals[indices[dwell.area]];
                total.count += 1;
                total.duration += dwell.end - dwell.start;
            }
            let name = match rays.len() {
                1 => "dwell".to_owned(),
                _ => format!("dwell of {}", display_text::full_name(clip, ray)),
            };
            let events =
                found.iter().map(|dwell| dwell_event(dwell, &resolved[dwell.area])).collect();
            rows.push(EventRow::new(name, events));
        }
        Self { rows: rows.into(), totals: totals.into() }
    }

    /// Returns `None` until the dwells are known.
    pub(in crate::ui) fn total(&self, area: usize) -> Option<DwellTotal> {
        self.totals.get(area).copied()
    }
}

fn dwell_event(dwell: &Dwell, area: &Area) -> TimelineEvent {
    let duration = dwell.end - dwell.start;
    let help = format!("Dwell on {} for {}", area.name, display_text::format_duration(duration));
    TimelineEvent { time: dwell.start, duration, is_fired: true, text: area.name.clone(), help }
}

#[derive(Debug, Default)]
pub(super) struct DwellJob {
    input: Option<(Revision, Vec<NamedArea>)>,
    job: Job<(), Dwells>,
}

impl DwellJob {
    pub(super) fn poll(
        &mut self,
        recording: &Recording,
        areas: &[NamedArea],
        jobs: &Jobs,
    ) -> Option<Dwells> {
        let done = self.job.poll();
        let input = (recording.revision(), areas);
        let is_current =
            self.input.as_ref().is_some_and(|(revision, areas)| (*revision, &**areas) == input);
        if !is_current && !self.job.is_running() {
            let first = self.input.replace((recording.revision(), areas.to_vec())).is_none();
            if !(first && areas.is_empty()) {
                let (clip, areas) = (recording.clip().clone(), areas.to_vec());
                self.job.start(jobs, (), move |_| Dwells::from_clip(&clip, &areas));
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
    fn dwells_match_the_analysis() {
        let clip = crate::ui::testing::two_hands();
        let ray = clip.ray_nodes().next().unwrap();
        let times = clip.key_times_of(Owner::Node(ray));
        let samples = mutoscope_core::measure::analysis::sample_gaze(&clip, ray, &times);
        // The area is on the gaze at one sample only, so the gaze enters and leaves it.
        let gaze_ray = samples[samples.len() / 2].ray.unwrap();
        let [x, y, z] = (gaze_ray.origin + gaze_ray.direction).to_array();
        let on_gaze: NamedArea = format!("cup=sphere:{x},{y},{z},0.05").parse().unwrap();
        let nowhere: NamedArea = "nowhere=sphere:0,0,0,1@Nobody".parse().unwrap();
        let area = on_gaze.resolve(&clip).unwrap();
        let expected: f64 = times
            .windows(2)
            .zip(&samples)
            .filter(|(_, sample)| {
                sample.ray.is_some_and(|ray| area.shape.hit_distance(ray).is_some())
            })
            .map(|(times, _)| times[1] - times[0])
            .sum();
        assert!(expected > 0.0);
        let found = Dwells::from_clip(&clip, &[nowhere, on_gaze]);
        let [row] = &found.rows[..] else { panic!("{found:?}") };
        let total = found.total(1).unwrap();
        assert!((total.duration - expected).abs() < 1e-9, "{total:?}, expected {expected}");
        assert_eq!(row.events.len(), total.count);
        assert!(row.events.iter().all(|event| event.text == "cup"));
        assert_eq!((found.total(0), found.total(2)), (Some(DwellTotal::default()), None));
        assert!(Dwells::from_clip(&clip, &[]).rows.is_empty());
    }
}
