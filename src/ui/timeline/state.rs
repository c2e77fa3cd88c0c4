//! What the timeline remembers from frame to frame.

use std::collections::HashSet;

use super::{cache::Cache, gestures::Drag, layout::LABELS_WIDTH};
use crate::{
    clip::Span,
    playback::{Clock, TimeCommand},
    timeline::{ItemId, TimeAxis, Window},
    ui::{PreparedTimeline, curves::CurvesState},
    viewer::{Command, Toggle},
};

/// What the timeline remembers from frame to frame.
#[derive(Clone, Debug)]
pub(in crate::ui) struct TimelineState {
    /// Which recording all of this is about.
    pub(super) generation: u32,
    /// What is shown; everything if nothing was chosen.
    pub(super) window: Option<Window>,
    /// What of the tree of rows is unfolded.
    pub(super) open: HashSet<ItemId>,
    /// Whether anything was unfolded yet for this recording, be it by itself.
    pub(super) was_unfolded: bool,
    /// How wide the column of labels is, in points.
    pub(super) labels_width: f32,
    /// What the pointer is dragging.
    pub(super) drag: Option<Drag>,
    /// Where the playhead was in the last frame, and whether it could be seen.
    pub(super) playhead: Option<(f64, bool)>,
    pub(super) cache: Cache,
    /// Whether there are curves below the ruler, in place of rows.
    pub(super) shows_curves: bool,
    /// Whether the ruler counts frames, where the recording has a rate.
    pub(in crate::ui) counts_frames: bool,
    pub(in crate::ui) curves: CurvesState,
    /// Since when the rows of this recording are waited for, in seconds of the window's time.
    pub(super) waits_since: Option<f64>,
}

impl Default for TimelineState {
    fn default() -> Self {
        Self {
            generation: 0,
            window: None,
            open: HashSet::new(),
            was_unfolded: false,
            labels_width: LABELS_WIDTH,
            drag: None,
            playhead: None,
            cache: Cache::default(),
            shows_curves: false,
            counts_frames: false,
            curves: CurvesState::default(),
            waits_since: None,
        }
    }
}

impl TimelineState {
    /// Does what `command` asks for, if it is about the timeline's looks alone; tells whether it
    /// was. What frames the picture fits the curves while the pointer is over them.
    pub(in crate::ui) fn apply(&mut self, command: &Command) -> bool {
        let over_curves = self.shows_curves && self.curves.is_under_pointer();
        match command {
            Command::Toggle(Toggle::Curves) => self.shows_curves ^= true,
            Command::Toggle(Toggle::Frames) => self.counts_frames ^= true,
            Command::Toggle(Toggle::NormalisedCurves) => {
                self.curves.normalised ^= true;
                self.curves.show_all();
            }
            Command::FitCurves => self.curves.fit(),
            Command::FrameSelected if over_curves => self.curves.fit(),
            Command::FrameAll if over_curves => {
                self.window = None;
                self.curves.show_all();
            }
            _ => return false,
        }
        true
    }

    /// Whether there are curves below the ruler.
    pub(in crate::ui) fn shows_curves(&self) -> bool {
        self.shows_curves
    }

    /// Lets the clock go if the timeline was taken away while it was dragged.
    pub(in crate::ui) fn end_drag(&mut self, commands: &mut Vec<Command>) {
        if matches!(self.drag.take(), Some(Drag::Scrub { .. })) {
            commands.push(Command::Time(TimeCommand::Release));
        }
    }

    /// The same looks for another recording.
    pub(super) fn for_another_recording(&self, generation: u32) -> Self {
        Self {
            generation,
            labels_width: self.labels_width,
            shows_curves: self.shows_curves,
            counts_frames: self.counts_frames,
            curves: self.curves.for_another_recording(),
            ..Self::default()
        }
    }

    /// Unfolds of a recording's rows what is open at first.
    pub(super) fn unfold_at_first(&mut self, prepared: &PreparedTimeline) {
        if !self.was_unfolded {
            self.open = prepared.keys.tree().open_at_first();
            self.was_unfolded = true;
        }
    }

    /// Where time may be looked at: curves go on outside of the recording.
    pub(super) fn roam(&self, span: Span) -> Span {
        if !self.shows_curves {
            return span;
        }
        Span { start: span.start - span.duration, duration: 3.0 * span.duration }
    }

    /// What `axis` shows, turned like a page to where the playhead has gone: out of sight while it
    /// was seen, or anywhere by other means than playing on.
    pub(super) fn following(&self, axis: &TimeAxis, clock: &Clock, roam: Span) -> Window {
        let follows = self.drag.is_none()
            && self.playhead.is_none_or(|(time, was_shown)| {
                was_shown || (time != clock.time() && !clock.is_running())
            });
        if follows { axis.showing(clock.time(), roam) } else { axis.window() }
    }
}
