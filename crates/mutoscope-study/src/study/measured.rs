//! Detects the events of each subject in the whole recording, and keeps the samples for measures
//! over ranges.

use mutoscope_core::{
    clip::{Clip, TrackId},
    io::progress::{Cancelled, Progress},
    measure::analysis::{Area, Episode, find_episodes},
};

use super::Events;
use crate::{
    Measures, StudyOptions,
    body::BodySamples,
    gaze::{
        self, AreaMeasures, areas,
        measure::{GazeSamples, MeasuredGaze},
    },
    hands::{both, kinematics::Hand, measure::MeasuredHand, movements, pinches::PinchMeasurer},
    range::MeasuredRange,
    sampling::{HeadSamples, Samples},
    signal::{Grid, LowPass},
    subjects::{HANDS, HandNodes, Subjects},
};

pub(crate) struct MeasuredSubjects<'a> {
    pub(crate) grid: Grid,
    pub(crate) frames: Grid,
    /// The hands in the order of [`HANDS`].
    pub(crate) hands: [Option<MeasuredHand>; 2],
    pub(crate) gaze: Option<MeasuredGaze>,
    pub(crate) head: Option<HeadSamples>,
    pub(crate) body: Option<BodySamples<'a>>,
    pub(crate) is_filtered: bool,
}

impl<'a> MeasuredSubjects<'a> {
    pub(super) fn from_clip(
        clip: &'a Clip,
        subjects: &Subjects,
        areas: &[Area],
        [grid, frames]: [Grid; 2],
        options: &StudyOptions,
        progress: &mut Progress<'_>,
    ) -> Result<Self, Cancelled> {
        let samples = Samples::from_clip(clip, subjects, areas, &grid, progress)?;
        let filter = LowPass::new(options.cutoff_hz, grid.rate);
        let gaze = subjects.gaze.zip(samples.gaze);
        let hits = samples.hits;
        let head = samples.head;
        let gaze = gaze.map(|(node, rays)| {
            let samples = GazeSamples { node, rays, hits };
            MeasuredGaze::from_samples(clip, samples, head.as_ref(), areas, &grid, options)
        });
        let mut hands = samples.hands.into_iter();
        let mut index = 0;
        let hands = subjects.hands.map(|nodes| {
            let (samples, name) = (hands.next().flatten(), HANDS[index].1);
            index += 1;
            let (nodes, samples) = nodes.zip(samples)?;
            let hand = Hand::from_samples(samples, filter.as_ref(), grid.rate);
            Some(measure_hand(clip, &nodes, hand, name, gaze.as_ref(), &grid, options))
        });
        progress.check_cancelled()?;
        let body = subjects.root.map(|root| BodySamples::from_clip(clip, root, frames, options));
        Ok(Self { grid, frames, hands, gaze, head, body, is_filtered: filter.is_some() })
    }

    pub(super) fn measure_range(
        &self,
        [range, frames]: [&MeasuredRange; 2],
        options: &StudyOptions,
    ) -> Measures {
        let (mut measures, rate) = (Measures::default(), self.grid.rate);
        for (hand, (_, name)) in self.hands.iter().zip(HANDS) {
            if let Some(hand) = hand {
                hand.measure(name, range, rate, self.grid.start, &mut measures);
            }
        }
        if let [Some(right), Some(left)] = &self.hands {
            both::measure_both_hands([right, left], range, rate, &mut measures);
        }
        if let Some(head) = &self.head {
            gaze::head::measure_head(head, range, &mut measures);
        }
        if let Some(gaze) = &self.gaze {
            gaze.measure(range, rate, &mut measures);
        }
        if let Some(body) = &self.body {
            body.measure(frames, options, &mut measures);
        }
        measures
    }

    pub(super) fn measure_areas(&self, range: &MeasuredRange, areas: &[Area]) -> Vec<AreaMeasures> {
        let Some(gaze) = &self.gaze else { return Vec::new() };
        areas::measure_areas(areas, gaze, self.head.as_ref(), range, self.grid.rate)
    }

    pub(super) fn into_events(self) -> Events {
        let mut events = Events::default();
        for hand in self.hands.into_iter().flatten() {
            events.movements.extend(hand.movements);
            events.pinches.extend(hand.pinches.into_iter().flatten());
        }
        events.movements.sort_by(|one, other| one.start_s.total_cmp(&other.start_s));
        events.pinches.sort_by(|one, other| one.start_s.total_cmp(&other.start_s));
        if let Some(gaze) = self.gaze {
            events.saccades = gaze.saccades;
            events.fixations = gaze.fixations;
            events.dwells = gaze.dwells;
        }
        events
    }
}

fn measure_hand(
    clip: &Clip,
    nodes: &HandNodes,
    hand: Hand,
    name: &'static str,
    gaze: Option<&MeasuredGaze>,
    grid: &Grid,
    options: &StudyOptions,
) -> MeasuredHand {
    let signal_episodes = |track: Option<TrackId>| -> Option<Vec<Episode>> {
        let track = track.filter(|track| !clip.track(*track).curve.key_times().is_empty());
        track.map(|track| find_episodes(clip, track))
    };
    let movements = movements::detect_movements(&hand.wrist, grid, name, options);
    let pinches = signal_episodes(nodes.pinch).map(|episodes| {
        let gaze = gaze.map(|gaze| &*gaze.rays);
        let measurer =
            PinchMeasurer { hand: &hand, name, movements: &movements, gaze, grid: *grid, options };
        measurer.measure_pinches(&episodes)
    });
    MeasuredHand { hand, tracked: signal_episodes(nodes.tracked), movements, pinches }
}
