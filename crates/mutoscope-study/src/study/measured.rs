//! The events and samples of each subject over the whole recording.

use mutoscope_core::{
    clip::{Clip, TrackId},
    measure::analysis::{Area, Episode, episodes},
};

use super::Events;
use crate::{
    Measures, StudyOptions,
    body::BodySamples,
    gaze::{self, AreaMeasures, areas, measure::MeasuredGaze},
    hands::{both, kinematics::Hand, measure::MeasuredHand, movements, pinches::Grasps},
    range::MeasuredRange,
    sampling::{HeadSamples, Samples},
    signal::{Grid, LowPass},
    subjects::{HANDS, HandNodes, Subjects},
};

/// The events and samples of each subject over the whole recording.
pub(crate) struct Measured<'a> {
    pub(crate) grid: Grid,
    /// The frames of a body.
    pub(crate) frames: Grid,
    /// In the order of [`HANDS`].
    pub(crate) hands: [Option<MeasuredHand>; 2],
    pub(crate) gaze: Option<MeasuredGaze>,
    pub(crate) head: Option<HeadSamples>,
    pub(crate) body: Option<BodySamples<'a>>,
    pub(crate) is_filtered: bool,
}

impl<'a> Measured<'a> {
    /// The measures of the subjects; none as soon as `is_cancelled`.
    pub(super) fn of(
        clip: &'a Clip,
        subjects: &Subjects,
        areas: &[Area],
        [grid, frames]: [Grid; 2],
        options: &StudyOptions,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let samples = Samples::of(clip, subjects, areas, &grid, is_cancelled)?;
        let filter = LowPass::new(options.cutoff_hz, grid.rate);
        let rays = subjects.gaze.zip(samples.gaze.map(|rays| (rays, samples.hits)));
        let head = samples.head;
        let gaze = rays.map(|(node, rays)| {
            MeasuredGaze::of((clip, node), rays, head.as_ref(), areas, &grid, options)
        });
        let mut hands = samples.hands.into_iter();
        let mut index = 0;
        let hands = subjects.hands.map(|nodes| {
            let (samples, name) = (hands.next().flatten(), HANDS[index].1);
            index += 1;
            let (nodes, samples) = nodes.zip(samples)?;
            let hand = Hand::of(samples, filter.as_ref(), grid.rate);
            Some(measured_hand(clip, &nodes, (hand, name), gaze.as_ref(), &grid, options))
        });
        if is_cancelled() {
            return None;
        }
        let body = subjects.root.map(|root| BodySamples::of(clip, root, frames, options));
        Some(Self { grid, frames, hands, gaze, head, body, is_filtered: filter.is_some() })
    }

    pub(super) fn measures(
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
            both::measure([right, left], range, rate, &mut measures);
        }
        if let Some(head) = &self.head {
            gaze::head::measure(head, range, &mut measures);
        }
        if let Some(gaze) = &self.gaze {
            gaze.measure(range, rate, &mut measures);
        }
        if let Some(body) = &self.body {
            body.measure(frames, options, &mut measures);
        }
        measures
    }

    pub(super) fn areas(&self, range: &MeasuredRange, areas: &[Area]) -> Vec<AreaMeasures> {
        let names = areas.iter().map(|area| &*area.name);
        let gaze = self.gaze.as_ref();
        gaze.map_or_else(Vec::new, |gaze| areas::measure(names, gaze, range, self.grid.rate))
    }

    /// The events of all subjects, in the order of time; of equal time, the right hand's first.
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

fn measured_hand(
    clip: &Clip,
    nodes: &HandNodes,
    (hand, name): (Hand, &'static str),
    gaze: Option<&MeasuredGaze>,
    grid: &Grid,
    options: &StudyOptions,
) -> MeasuredHand {
    let of_signal = |track: Option<TrackId>| -> Option<Vec<Episode>> {
        let track = track.filter(|track| !clip.track(*track).curve.key_times().is_empty());
        track.map(|track| episodes(clip, track))
    };
    let movements = movements::of_kinematics(&hand.wrist, grid, name, options);
    let pinches = of_signal(nodes.pinch).map(|episodes| {
        let gaze = gaze.map(|gaze| &*gaze.rays);
        let grasps =
            Grasps { hand: &hand, name, movements: &movements, gaze, grid: *grid, options };
        grasps.pinches(&episodes)
    });
    MeasuredHand { hand, tracked: of_signal(nodes.tracked), movements, pinches }
}
