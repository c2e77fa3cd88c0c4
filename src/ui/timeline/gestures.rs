//! Handles drags on the timeline.

use bevy_egui::egui::{CursorIcon, PointerButton, Rect, Response, Ui};

use super::snapping::{self, SnapContext};
use crate::{session::Command, ui::Model};
use mutoscope_core::{
    clip::Span,
    playback::{Clock, TimeCommand, TimeRange},
};
use mutoscope_view::timeline::{Snapped, TimeAxis};

const GRAB_RADIUS: f32 = 6.0;
/// The distance that the pointer must move to make a new range, in points. Otherwise each click
/// would set a tiny range.
const MIN_RANGE_DRAG: f32 = 3.0;

pub(super) struct DragZones {
    pub(super) range: Rect,
    pub(super) scrub: Rect,
}

pub(super) struct DragSurfaces {
    pub(super) scrub: Response,
    pub(super) range: Response,
}

impl DragSurfaces {
    pub(super) fn is_reset_requested(&self) -> bool {
        self.scrub.double_clicked_by(PointerButton::Primary)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drag {
    /// Moves the playhead. `time` is the time to which the playhead was last moved.
    Scrub { time: f64 },
    /// Makes a new range from the time `anchor`. Begins when the pointer has moved away from `x`.
    NewRange { anchor: f64, x: f32 },
    /// Moves one end of the range. The other end stays at `other`.
    RangeEnd { other: f64 },
    /// Moves the whole range. `from` is the time at which the drag began.
    MoveRange { from: f64, range: TimeRange },
}

pub(super) fn drag(
    ui: &Ui,
    surfaces: &DragSurfaces,
    snap_context: &SnapContext<'_>,
    drag: &mut Option<Drag>,
) -> Option<Snapped> {
    let (axis, model) = (snap_context.axis, snap_context.model);
    let clock = model.clock;
    let (pressed, down, snaps_to_samples) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.primary_pressed(), pointer.primary_down(), input.modifiers.shift)
    });
    let mut context = DragContext { axis, model, snap_context, snaps_to_samples, snapped: None };
    if surfaces.range.double_clicked_by(PointerButton::Primary) {
        *drag = None;
        context.send(TimeCommand::SetRange(None));
        return None;
    }
    if drag.is_none() && pressed && down {
        *drag = context.begin_drag(surfaces, clock);
    } else if drag.is_none() && surfaces.scrub.clicked_by(PointerButton::Primary) {
        // The user pressed and released the button within one frame, so no drag began.
        if let Some(pointer) = surfaces.scrub.interact_pointer_pos() {
            let time = context.scrub_time(pointer.x);
            context.send(TimeCommand::Seek(time));
        }
    }
    if let Some(grip) = drag {
        if let Some(pointer) = ui.input(|input| input.pointer.latest_pos()) {
            context.update_drag(grip, pointer.x, clock);
        }
        if !down {
            if matches!(grip, Drag::Scrub { .. }) {
                context.send(TimeCommand::Release);
            }
            *drag = None;
        }
    }
    let snapped = context.snapped.filter(|_| drag.is_some());
    set_cursor(ui, surfaces, axis, clock, *drag);
    snapped
}

enum Grip {
    Outside,
    Start(TimeRange),
    End(TimeRange),
    Middle(TimeRange),
}

fn grip_at(x: f32, axis: &TimeAxis, clock: &Clock) -> Grip {
    let Some(range) = clock.range() else { return Grip::Outside };
    let (start, end) = (axis.x_at(range.start()), axis.x_at(range.end()));
    if (x - end).abs() <= GRAB_RADIUS && (x - end).abs() <= (x - start).abs() {
        Grip::End(range)
    } else if (x - start).abs() <= GRAB_RADIUS {
        Grip::Start(range)
    } else if start < x && x < end {
        Grip::Middle(range)
    } else {
        Grip::Outside
    }
}

struct DragContext<'a> {
    axis: &'a TimeAxis,
    model: &'a Model<'a>,
    snap_context: &'a SnapContext<'a>,
    snaps_to_samples: bool,
    snapped: Option<Snapped>,
}

impl DragContext<'_> {
    fn send(&mut self, command: TimeCommand) {
        self.model.send(Command::Time(command));
    }

    fn time_at(&mut self, x: f32, edges: &[f64], playhead: bool) -> f64 {
        let time = self.model.clock.span().clamp(self.axis.time_at(x));
        self.snapped = None;
        if self.snaps_to_samples {
            return nearest_time(self.model.sample_times(), time);
        }
        self.snapped = self.snap_context.snap(time, edges, playhead);
        self.snapped.map_or(time, |snapped| snapped.time)
    }

    fn scrub_time(&mut self, x: f32) -> f64 {
        let edges = snapping::range_edges(self.model.clock.range());
        self.time_at(x, &edges, false)
    }

    fn begin_drag(&mut self, surfaces: &DragSurfaces, clock: &Clock) -> Option<Drag> {
        if surfaces.scrub.is_pointer_button_down_on() {
            let pointer = surfaces.scrub.interact_pointer_pos()?;
            let time = self.scrub_time(pointer.x);
            self.send(TimeCommand::Hold);
            self.send(TimeCommand::Seek(time));
            return Some(Drag::Scrub { time });
        }
        if !surfaces.range.is_pointer_button_down_on() {
            return None;
        }
        let x = surfaces.range.interact_pointer_pos()?.x;
        Some(match grip_at(x, self.axis, clock) {
            Grip::Outside => Drag::NewRange { anchor: self.time_at(x, &[], true), x },
            Grip::Start(range) => Drag::RangeEnd { other: range.end() },
            Grip::End(range) => Drag::RangeEnd { other: range.start() },
            Grip::Middle(range) => Drag::MoveRange { from: self.axis.time_at(x), range },
        })
    }

    fn update_drag(&mut self, grip: &mut Drag, x: f32, clock: &Clock) {
        let range = match *grip {
            Drag::Scrub { time: last } => {
                let time = self.scrub_time(x);
                if time != last {
                    *grip = Drag::Scrub { time };
                    self.send(TimeCommand::Seek(time));
                }
                return;
            }
            Drag::NewRange { x: from, .. } if (x - from).abs() < MIN_RANGE_DRAG => return,
            Drag::NewRange { anchor, .. } => {
                *grip = Drag::RangeEnd { other: anchor };
                TimeRange::new(anchor, self.time_at(x, &[], true))
            }
            Drag::RangeEnd { other } => TimeRange::new(other, self.time_at(x, &[], true)),
            Drag::MoveRange { from, range } => {
                let range = moved_range(range, self.axis.time_at(x) - from, clock.span());
                self.snap_range(range, clock.span())
            }
        };
        if clock.range() != Some(range) {
            self.send(TimeCommand::SetRange(Some(range)));
        }
    }

    fn snap_range(&mut self, range: TimeRange, span: Span) -> TimeRange {
        let snap = |time| self.snap_context.snap(time, &[], true).map(|snapped| (snapped, time));
        let Some((snapped, time)) = snap(range.start()).or_else(|| snap(range.end())) else {
            self.snapped = None;
            return range;
        };
        self.snapped = Some(snapped);
        moved_range(range, snapped.time - time, span)
    }
}

fn moved_range(range: TimeRange, seconds: f64, span: Span) -> TimeRange {
    let latest = (span.end() - range.duration()).max(span.start);
    let start = (range.start() + seconds).clamp(span.start, latest);
    TimeRange::new(start, start + range.duration())
}

/// `times` must be ascending. Returns `time` if there are none.
fn nearest_time(times: &[f64], time: f64) -> f64 {
    let next = times.partition_point(|&sample| sample < time);
    let neighbours = times[next.saturating_sub(1)..(next + 1).min(times.len())].iter().copied();
    neighbours.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs())).unwrap_or(time)
}

fn set_cursor(
    ui: &Ui,
    surfaces: &DragSurfaces,
    axis: &TimeAxis,
    clock: &Clock,
    drag: Option<Drag>,
) {
    let icon = match drag {
        Some(Drag::Scrub { .. } | Drag::NewRange { .. } | Drag::RangeEnd { .. }) => {
            CursorIcon::ResizeHorizontal
        }
        Some(Drag::MoveRange { .. }) => CursorIcon::Grabbing,
        None => {
            let Some(pointer) = surfaces.range.hover_pos() else { return };
            match grip_at(pointer.x, axis, clock) {
                Grip::Outside => CursorIcon::Crosshair,
                Grip::Start(_) | Grip::End(_) => CursorIcon::ResizeHorizontal,
                Grip::Middle(_) => CursorIcon::Grab,
            }
        }
    };
    ui.ctx().set_cursor_icon(icon);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_sample_is_found() {
        let times = [0.0, 1.0, 4.0];
        let cases = [(-1.0, 0.0), (0.4, 0.0), (0.6, 1.0), (2.6, 4.0), (9.0, 4.0)];
        for (time, sample) in cases {
            assert_eq!(nearest_time(&times, time), sample, "{time}");
        }
        assert_eq!(nearest_time(&[], 3.0), 3.0);
    }

    #[test]
    fn moved_range_keeps_its_length() {
        let span = Span { start: 0.0, duration: 10.0 };
        let range = TimeRange::new(2.0, 5.0);
        assert_eq!(moved_range(range, 1.0, span), TimeRange::new(3.0, 6.0));
        assert_eq!(moved_range(range, 99.0, span), TimeRange::new(7.0, 10.0));
        assert_eq!(moved_range(range, -99.0, span), TimeRange::new(0.0, 3.0));
    }
}
