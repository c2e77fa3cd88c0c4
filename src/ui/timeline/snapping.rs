//! Finds the times that drags snap to, and paints the mark of the target.

use bevy_egui::egui::{Align2, Modifiers, Painter, Shape, Stroke, pos2, vec2};

use super::{layout::Areas, ruler};
use crate::ui::{
    Model,
    display_text::{self, Frames},
    style::{Palette, small_font, snap_to_pixel},
};
use mutoscope_core::{clip::Owner, playback::TimeRange};
use mutoscope_view::timeline::{
    SnapTarget, SnapTargets, Snapped, TimeAxis, nearest_isolated, snap,
};

pub(super) struct SnapContext<'a> {
    pub(super) axis: &'a TimeAxis,
    pub(super) model: &'a Model<'a>,
    frames: Option<Frames>,
    is_off: bool,
}

impl<'a> SnapContext<'a> {
    pub(super) fn new(
        axis: &'a TimeAxis,
        model: &'a Model<'a>,
        frames: Option<Frames>,
        on: bool,
        modifiers: Modifiers,
    ) -> Self {
        Self { axis, model, frames, is_off: !on || modifiers.command || modifiers.alt }
    }

    pub(super) fn snap(&self, time: f64, edges: &[f64], playhead: bool) -> Option<Snapped> {
        if self.is_off {
            return None;
        }
        let clock = self.model.clock;
        let span = clock.span();
        let event_times = self.model.timeline().map_or(&[][..], |prepared| &prepared.event_times);
        let now = playhead.then(|| clock.time());
        let (issue, key) = (self.nearest_issue_time(time), self.nearest_key_time(time));
        let round = ruler::labelled_times_around(self.axis, self.frames, time);
        let lists = [
            (SnapTarget::Event, event_times),
            (SnapTarget::Diagnostic, issue.as_slice()),
            (SnapTarget::RangeEdge, edges),
            (SnapTarget::End, &[span.start, span.end()]),
            (SnapTarget::Playhead, now.as_slice()),
            (SnapTarget::Key, key.as_slice()),
            (SnapTarget::RulerTick, &round),
        ];
        let snapped = snap(self.axis, time, SnapTargets { lists: &lists })?;
        (span.clamp(snapped.time) == snapped.time).then_some(snapped)
    }

    fn nearest_issue_time(&self, time: f64) -> Option<f64> {
        // Issues are sorted by time, and those without a time come first.
        let all = self.model.all_issues();
        let next = all.partition_point(|issue| issue.time.is_none_or(|other| other < time));
        let neighbours = [next.checked_sub(1), Some(next)].into_iter().flatten();
        let times = neighbours.filter_map(|index| all.get(index)?.time);
        times.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
    }

    fn nearest_key_time(&self, time: f64) -> Option<f64> {
        let clip = self.model.clip()?;
        let Some(node) = self.model.selected() else {
            return nearest_isolated(self.axis, self.model.sample_times(), time);
        };
        let tracks = clip.tracks_of(Owner::Node(node));
        let keys = tracks
            .filter_map(|(_, track)| nearest_isolated(self.axis, track.curve.key_times(), time));
        keys.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
    }
}

pub(super) fn range_edges(range: Option<TimeRange>) -> Vec<f64> {
    range.map_or_else(Vec::new, |range| vec![range.start(), range.end()])
}

pub(super) fn paint_snap_mark(
    painter: &Painter,
    areas: &Areas,
    axis: &TimeAxis,
    snapped: Snapped,
    palette: &Palette,
) {
    let x = snap_to_pixel(painter, axis.x_at(snapped.time));
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
    let text = format!(
        "{} · {}",
        target_name(snapped.target),
        display_text::format_exact_time(snapped.time)
    );
    let galley = painter.layout_no_wrap(text, small_font(), palette.text);
    let is_left = x + 10.0 + galley.size().x > areas.x.max;
    let (x, align) =
        if is_left { (x - 9.0, Align2::RIGHT_TOP) } else { (x + 9.0, Align2::LEFT_TOP) };
    let rect = align.anchor_size(pos2(x, top + 3.0), galley.size() + vec2(8.0, 2.0));
    painter.rect_filled(rect, 3.0, palette.raised);
    painter.galley(rect.min + vec2(4.0, 1.0), galley, palette.text);
}

fn target_name(target: SnapTarget) -> &'static str {
    match target {
        SnapTarget::Event => "event",
        SnapTarget::Diagnostic => "issue",
        SnapTarget::RangeEdge => "range",
        SnapTarget::End => "end of the recording",
        SnapTarget::Playhead => "playhead",
        SnapTarget::Key => "key",
        SnapTarget::RulerTick => "round time",
    }
}
