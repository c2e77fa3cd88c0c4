//! Snapping of dragged times, and its mark.

use bevy_egui::egui::{Align2, Modifiers, Painter, Shape, Stroke, pos2, vec2};

use super::{layout::Areas, ruler};
use crate::ui::{
    Model,
    style::{Palette, crisp, small},
    words::{self, Frames},
};
use mutoscope_core::{
    clip::Owner,
    measure::timeline::{Snapped, Target, Targets, TimeAxis, lone, snap},
    playback::TimeRange,
};

/// The snap targets of dragged times.
pub(super) struct Magnets<'a> {
    pub(super) axis: &'a TimeAxis,
    pub(super) model: &'a Model<'a>,
    /// How the ruler counts.
    counted: Option<Frames>,
    /// Snapping is off.
    off: bool,
}

impl<'a> Magnets<'a> {
    /// The targets on `axis`; none if snapping is off, or Ctrl or Alt is held.
    pub(super) fn new(
        axis: &'a TimeAxis,
        model: &'a Model<'a>,
        counted: Option<Frames>,
        on: bool,
        modifiers: Modifiers,
    ) -> Self {
        Self { axis, model, counted, off: !on || modifiers.command || modifiers.alt }
    }

    /// The snap target of `time`; `ends` of the range and the playhead are targets if given.
    pub(super) fn draw(&self, time: f64, edges: &[f64], playhead: bool) -> Option<Snapped> {
        if self.off {
            return None;
        }
        let clock = self.model.clock;
        let span = clock.span();
        let moments = self.model.timeline().map_or(&[][..], |prepared| &prepared.moments);
        let now = playhead.then(|| clock.time());
        let (issue, key) = (self.issue(time), self.key(time));
        let round = ruler::round_times(self.axis, self.counted, time);
        let lists = [
            (Target::Event, moments),
            (Target::Issue, issue.as_slice()),
            (Target::RangeEdge, edges),
            (Target::End, &[span.start, span.end()]),
            (Target::Playhead, now.as_slice()),
            (Target::Key, key.as_slice()),
            (Target::Round, &round),
        ];
        let snapped = snap(self.axis, time, Targets { lists: &lists })?;
        (span.clamp(snapped.time) == snapped.time).then_some(snapped)
    }

    /// When the issue begins that is nearest to `time`.
    fn issue(&self, time: f64) -> Option<f64> {
        // They are in the order of time, those without one first.
        let all = self.model.all_issues();
        let next = all.partition_point(|issue| issue.time.is_none_or(|other| other < time));
        let neighbours = [next.checked_sub(1), Some(next)].into_iter().flatten();
        let times = neighbours.filter_map(|index| all.get(index)?.time);
        times.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
    }

    /// The nearest key: of the selection, else of any track.
    fn key(&self, time: f64) -> Option<f64> {
        let clip = self.model.clip()?;
        let Some(node) = self.model.selected() else {
            return lone(self.axis, self.model.sample_times(), time);
        };
        let tracks = clip.tracks_of(Owner::Node(node));
        let keys = tracks.filter_map(|(_, track)| lone(self.axis, track.curve.key_times(), time));
        keys.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
    }
}

/// The ends of `range`, in order; none without one.
pub(super) fn edges(range: Option<TimeRange>) -> Vec<f64> {
    range.map_or_else(Vec::new, |range| vec![range.start(), range.end()])
}

/// A mark with a label at the snap target.
pub(super) fn paint(
    painter: &Painter,
    areas: &Areas,
    axis: &TimeAxis,
    snapped: Snapped,
    palette: &Palette,
) {
    let x = crisp(painter, axis.x_at(snapped.time));
    let line = Stroke::new(1.0, palette.text);
    let top = areas.body.top();
    painter.extend(Shape::dashed_line(
        &[pos2(x, top), pos2(x, areas.body.bottom())],
        line,
        3.0,
        3.0,
    ));
    let tip = [(0.0, 0.0), (4.5, 6.0), (-4.5, 6.0)].map(|(dx, dy)| pos2(x + dx, top + 1.0 + dy));
    painter.add(Shape::convex_polygon(tip.to_vec(), palette.text, Stroke::NONE));
    let text = format!("{} · {}", word(snapped.target), words::exact_time(snapped.time));
    let galley = painter.layout_no_wrap(text, small(), palette.text);
    let is_left = x + 10.0 + galley.size().x > areas.x.max;
    let (x, align) =
        if is_left { (x - 9.0, Align2::RIGHT_TOP) } else { (x + 9.0, Align2::LEFT_TOP) };
    let rect = align.anchor_size(pos2(x, top + 3.0), galley.size() + vec2(8.0, 2.0));
    painter.rect_filled(rect, 3.0, palette.raised);
    painter.galley(rect.min + vec2(4.0, 1.0), galley, palette.text);
}

fn word(target: Target) -> &'static str {
    match target {
        Target::Event => "event",
        Target::Issue => "issue",
        Target::RangeEdge => "range",
        Target::End => "end of the recording",
        Target::Playhead => "playhead",
        Target::Key => "key",
        Target::Round => "round time",
    }
}
