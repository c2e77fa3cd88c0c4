//! Drags on the timeline.

use bevy_egui::egui::{CursorIcon, PointerButton, Rect, Response, Ui};

use super::snapping::{self, Magnets};
use crate::{session::Command, ui::Model};
use mutoscope_core::{
    clip::Span,
    measure::timeline::{Snapped, TimeAxis},
    playback::{Clock, TimeCommand, TimeRange},
};

/// How near the pointer must be to an edge of the range to take hold of it, in points.
const REACH: f32 = 6.0;
/// How far the pointer must go to make a new range, in points.
const THRESHOLD: f32 = 3.0;

/// The zones for dragging.
pub(super) struct Zones {
    /// Sets and moves the range.
    pub(super) range: Rect,
    /// Moves the playhead.
    pub(super) scrub: Rect,
}

/// The widgets for the zones.
pub(super) struct Surfaces {
    pub(super) scrub: Response,
    pub(super) range: Response,
}

impl Surfaces {
    /// Whether all of the recording is to be shown: after a double click.
    pub(super) fn shows_all(&self) -> bool {
        self.scrub.double_clicked_by(PointerButton::Primary)
    }
}

/// The current drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drag {
    /// The playhead, last brought to this time.
    Scrub { time: f64 },
    /// A new range from this time on, once the pointer has moved from this place.
    NewRange { anchor: f64, x: f32 },
    /// One end of the range; the other stays at this time.
    RangeEnd { other: f64 },
    /// The whole range, taken hold of at this time.
    MoveRange { from: f64, range: TimeRange },
}

/// Moves the playhead and the range; returns the snap target.
pub(super) fn drag(
    ui: &Ui,
    surfaces: &Surfaces,
    magnets: &Magnets<'_>,
    drag: &mut Option<Drag>,
) -> Option<Snapped> {
    let (axis, model) = (magnets.axis, magnets.model);
    let clock = model.clock;
    let (pressed, down, to_samples) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.primary_pressed(), pointer.primary_down(), input.modifiers.shift)
    });
    let mut hand = Hand { axis, model, magnets, to_samples, snapped: None };
    if surfaces.range.double_clicked_by(PointerButton::Primary) {
        *drag = None;
        hand.give(TimeCommand::SetRange(None));
        return None;
    }
    if drag.is_none() && pressed && down {
        *drag = hand.take_hold(surfaces, clock);
    } else if drag.is_none() && surfaces.scrub.clicked_by(PointerButton::Primary) {
        // Pressed and let go within one frame.
        if let Some(pointer) = surfaces.scrub.interact_pointer_pos() {
            let time = hand.scrubbed_to(pointer.x);
            hand.give(TimeCommand::Seek(time));
        }
    }
    if let Some(grip) = drag {
        if let Some(pointer) = ui.input(|input| input.pointer.latest_pos()) {
            hand.pull(grip, pointer.x, clock);
        }
        if !down {
            if matches!(grip, Drag::Scrub { .. }) {
                hand.give(TimeCommand::Release);
            }
            *drag = None;
        }
    }
    let snapped = hand.snapped.filter(|_| drag.is_some());
    set_cursor(ui, surfaces, axis, clock, *drag);
    snapped
}

/// The handle at a place in the range's strip.
enum Grip {
    Nothing,
    Start(TimeRange),
    End(TimeRange),
    Middle(TimeRange),
}

fn grip_at(x: f32, axis: &TimeAxis, clock: &Clock) -> Grip {
    let Some(range) = clock.range() else { return Grip::Nothing };
    let (start, end) = (axis.x_at(range.start()), axis.x_at(range.end()));
    if (x - end).abs() <= REACH && (x - end).abs() <= (x - start).abs() {
        Grip::End(range)
    } else if (x - start).abs() <= REACH {
        Grip::Start(range)
    } else if start < x && x < end {
        Grip::Middle(range)
    } else {
        Grip::Nothing
    }
}

/// The state of a drag that acts on the clock.
struct Hand<'a> {
    axis: &'a TimeAxis,
    model: &'a Model<'a>,
    magnets: &'a Magnets<'a>,
    /// Whether times go to the nearest sample, however far.
    to_samples: bool,
    /// The snap target of the last time.
    snapped: Option<Snapped>,
}

impl Hand<'_> {
    fn give(&mut self, command: TimeCommand) {
        self.model.send(Command::Time(command));
    }

    /// The time at `x`, within the recording, drawn to what is near: these ends of the range, and
    /// the playhead if it may.
    fn time_at(&mut self, x: f32, edges: &[f64], playhead: bool) -> f64 {
        let time = self.model.clock.span().clamp(self.axis.time_at(x));
        self.snapped = None;
        if self.to_samples {
            return nearest(self.model.sample_times(), time);
        }
        self.snapped = self.magnets.draw(time, edges, playhead);
        self.snapped.map_or(time, |snapped| snapped.time)
    }

    /// The time that the playhead goes to.
    fn scrubbed_to(&mut self, x: f32) -> f64 {
        let edges = snapping::edges(self.model.clock.range());
        self.time_at(x, &edges, false)
    }

    fn take_hold(&mut self, surfaces: &Surfaces, clock: &Clock) -> Option<Drag> {
        if surfaces.scrub.is_pointer_button_down_on() {
            let pointer = surfaces.scrub.interact_pointer_pos()?;
            let time = self.scrubbed_to(pointer.x);
            self.give(TimeCommand::Hold);
            self.give(TimeCommand::Seek(time));
            return Some(Drag::Scrub { time });
        }
        if !surfaces.range.is_pointer_button_down_on() {
            return None;
        }
        let x = surfaces.range.interact_pointer_pos()?.x;
        Some(match grip_at(x, self.axis, clock) {
            Grip::Nothing => Drag::NewRange { anchor: self.time_at(x, &[], true), x },
            Grip::Start(range) => Drag::RangeEnd { other: range.end() },
            Grip::End(range) => Drag::RangeEnd { other: range.start() },
            Grip::Middle(range) => Drag::MoveRange { from: self.axis.time_at(x), range },
        })
    }

    /// The pointer is at `x` now.
    fn pull(&mut self, grip: &mut Drag, x: f32, clock: &Clock) {
        let range = match *grip {
            Drag::Scrub { time: last } => {
                let time = self.scrubbed_to(x);
                if time != last {
                    *grip = Drag::Scrub { time };
                    self.give(TimeCommand::Seek(time));
                }
                return;
            }
            Drag::NewRange { x: from, .. } if (x - from).abs() < THRESHOLD => return,
            Drag::NewRange { anchor, .. } => {
                *grip = Drag::RangeEnd { other: anchor };
                TimeRange::new(anchor, self.time_at(x, &[], true))
            }
            Drag::RangeEnd { other } => TimeRange::new(other, self.time_at(x, &[], true)),
            Drag::MoveRange { from, range } => {
                let range = moved(range, self.axis.time_at(x) - from, clock.span());
                self.drawn(range, clock.span())
            }
        };
        if clock.range() != Some(range) {
            self.give(TimeCommand::SetRange(Some(range)));
        }
    }

    /// `range`, moved so that one of its ends is at its snap target.
    fn drawn(&mut self, range: TimeRange, span: Span) -> TimeRange {
        let draw = |time| self.magnets.draw(time, &[], true).map(|snapped| (snapped, time));
        let Some((snapped, time)) = draw(range.start()).or_else(|| draw(range.end())) else {
            self.snapped = None;
            return range;
        };
        self.snapped = Some(snapped);
        moved(range, snapped.time - time, span)
    }
}

/// `range` moved by `seconds`, as far as `span` allows.
fn moved(range: TimeRange, seconds: f64, span: Span) -> TimeRange {
    let latest = (span.end() - range.duration()).max(span.start);
    let start = (range.start() + seconds).clamp(span.start, latest);
    TimeRange::new(start, start + range.duration())
}

/// The one of `times`, ascending, that is nearest to `time`.
fn nearest(times: &[f64], time: f64) -> f64 {
    let next = times.partition_point(|&sample| sample < time);
    let neighbours = times[next.saturating_sub(1)..(next + 1).min(times.len())].iter().copied();
    neighbours.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs())).unwrap_or(time)
}

fn set_cursor(ui: &Ui, surfaces: &Surfaces, axis: &TimeAxis, clock: &Clock, drag: Option<Drag>) {
    let icon = match drag {
        Some(Drag::Scrub { .. } | Drag::NewRange { .. } | Drag::RangeEnd { .. }) => {
            CursorIcon::ResizeHorizontal
        }
        Some(Drag::MoveRange { .. }) => CursorIcon::Grabbing,
        None => {
            let Some(pointer) = surfaces.range.hover_pos() else { return };
            match grip_at(pointer.x, axis, clock) {
                Grip::Nothing => CursorIcon::Crosshair,
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
            assert_eq!(nearest(&times, time), sample, "{time}");
        }
        assert_eq!(nearest(&[], 3.0), 3.0);
    }

    #[test]
    fn moved_range_keeps_its_length() {
        let span = Span { start: 0.0, duration: 10.0 };
        let range = TimeRange::new(2.0, 5.0);
        assert_eq!(moved(range, 1.0, span), TimeRange::new(3.0, 6.0));
        assert_eq!(moved(range, 99.0, span), TimeRange::new(7.0, 10.0));
        assert_eq!(moved(range, -99.0, span), TimeRange::new(0.0, 3.0));
    }
}
