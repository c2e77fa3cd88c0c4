//! The state of the timeline.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use bevy::prelude::Entity;
use bevy_egui::egui::Rect;

use super::{
    cache::RowCache, elements::ElementDrag, gestures::Drag, label_lane::LabelDrag,
    label_rows::LabelRows, layout::LABELS_WIDTH, overview::OverviewDrag, recording_bar::BarDrag,
};
use crate::{
    session::{CameraCommand, Command, OpenRecording, Source, TimelineCommand, TimelineOptions},
    ui::{CommandSender, PreparedTimeline, curves::CurvesState},
};
use bevy_mutoscope::Revision;
use mutoscope_core::{
    clip::{Clip, Span},
    diagnostics::SourceLocation,
    playback::{Clock, TimeCommand},
};
use mutoscope_view::timeline::{Folds, ItemId, Snapped, TimeAxis, TimeWindow, Tree};

#[derive(Clone, Debug)]
pub(in crate::ui) struct TimelineState {
    pub(super) revision: Option<Revision>,
    /// `None` shows the whole recording.
    pub(super) window: Option<TimeWindow>,
    pub(super) source: Option<Source>,
    pub(super) rows: HashMap<Entity, RowsState>,
    pub(super) collapsed: HashSet<Entity>,
    pub(super) labels_width: f32,
    pub(super) drag: Option<Drag>,
    pub(super) bar_drag: Option<BarDrag>,
    /// The drag of an element's bar. Remains after the drop until the edit is played.
    pub(super) element_drag: Option<ElementDrag>,
    pub(super) label_drag: Option<LabelDrag>,
    pub(super) label_rows: HashMap<Entity, LabelRows>,
    pub(super) naming_rect: Option<Rect>,
    pub(super) snapped: Option<Snapped>,
    pub(super) overview_drag: Option<OverviewDrag>,
    pub(super) requested_view: Option<ViewRequest>,
    pub(super) options: TimelineOptions,
    /// The clock time of the last frame in seconds, and `true` if the playhead was visible.
    pub(super) playhead: Option<(f64, bool)>,
    pub(super) overview_cache: RowCache,
    pub(in crate::ui) curves: CurvesState,
    pub(super) curves_recording: Option<CurvesRecording>,
    pub(super) clicked_location: Option<SourceLocation>,
    /// The time at which the timeline began to wait for its rows, in seconds of egui's time.
    pub(super) waiting_since: Option<f64>,
}

#[derive(Clone, Debug)]
pub(super) struct CurvesRecording {
    revision: Revision,
    source: Source,
    clip: Arc<Clip>,
}

#[derive(Clone, Debug)]
pub(super) struct RowsState {
    revision: Revision,
    source: Source,
    pub(super) expanded: HashSet<ItemId>,
    tree: Arc<Tree>,
    pub(super) next_fold: Option<FoldRows>,
    pub(super) cache: RowCache,
}

impl RowsState {
    fn new(open: &OpenRecording<'_>) -> Self {
        Self {
            revision: open.recording.revision(),
            source: open.source.clone(),
            expanded: HashSet::new(),
            tree: Arc::default(),
            next_fold: Some(FoldRows::Default),
            cache: RowCache::default(),
        }
    }

    fn update_recording(&mut self, open: &OpenRecording<'_>) {
        if self.revision == open.recording.revision() {
            return;
        }
        if self.source != *open.source {
            *self = Self::new(open);
            return;
        }
        self.revision = open.recording.revision();
        self.cache = RowCache::default();
        self.next_fold = self.next_fold.or(Some(FoldRows::Restored));
    }

    pub(super) fn apply_next_fold(&mut self, prepared: &PreparedTimeline) {
        let tree = prepared.keys.tree();
        match self.next_fold.take() {
            None => {}
            Some(FoldRows::Default) => self.expanded = tree.initially_open(),
            Some(FoldRows::Restored) => {
                self.expanded = tree.matching_items(&self.tree, &self.expanded)
            }
            Some(FoldRows::All) => self.expanded.clear(),
            Some(FoldRows::None) => self.expanded = tree.ids().collect(),
        }
        if !Arc::ptr_eq(&self.tree, tree) {
            self.tree = tree.clone();
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoldRows {
    /// The default for a new recording.
    Default,
    /// The rows that were expanded before the recording was reloaded.
    Restored,
    /// Collapses all rows.
    All,
    /// Collapses no row.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewRequest {
    /// The range, or the whole recording if there is no range.
    Range,
    /// The whole recording.
    All,
}

impl Default for TimelineState {
    fn default() -> Self {
        Self {
            revision: None,
            source: None,
            window: None,
            rows: HashMap::new(),
            collapsed: HashSet::new(),
            labels_width: LABELS_WIDTH,
            drag: None,
            bar_drag: None,
            element_drag: None,
            label_drag: None,
            label_rows: HashMap::new(),
            naming_rect: None,
            snapped: None,
            overview_drag: None,
            requested_view: None,
            options: TimelineOptions::default(),
            playhead: None,
            overview_cache: RowCache::default(),
            curves: CurvesState::default(),
            curves_recording: None,
            clicked_location: None,
            waiting_since: None,
        }
    }
}

impl TimelineState {
    pub(in crate::ui) fn apply_command(&mut self, command: &TimelineCommand) {
        match command {
            TimelineCommand::CollapseRows => self.fold_all(FoldRows::All),
            TimelineCommand::ExpandRows => self.fold_all(FoldRows::None),
            TimelineCommand::ZoomToRange => self.requested_view = Some(ViewRequest::Range),
            TimelineCommand::ZoomToAll => self.requested_view = Some(ViewRequest::All),
            TimelineCommand::FitCurves => self.curves.fit(),
        }
    }

    /// While the pointer is over the curves, commands that frame the viewport fit the curves
    /// instead. Returns `true` if `command` was handled in that way.
    pub(in crate::ui) fn handle_framing(&mut self, command: &Command) -> bool {
        if !self.options.curves || !self.curves.is_under_pointer() {
            return false;
        }
        match command {
            Command::Camera(CameraCommand::FrameSelected) => self.curves.fit(),
            Command::Camera(CameraCommand::FrameAll) => {
                self.window = None;
                self.curves.show_all();
            }
            _ => return false,
        }
        true
    }

    pub(super) fn set_options(&mut self, options: TimelineOptions) {
        self.options = options;
        self.curves.set_options(options);
    }

    pub(in crate::ui) fn take_clicked_location(&mut self) -> Option<SourceLocation> {
        self.clicked_location.take()
    }

    pub(in crate::ui) fn take_naming_rect(&mut self) -> Option<Rect> {
        self.naming_rect.take().filter(|bar| bar.is_positive())
    }

    /// Ends a drag and releases the clock. Must be called if the timeline disappears during a drag,
    /// because otherwise playback would stay on hold.
    pub(in crate::ui) fn end_drag(&mut self, commands: &CommandSender) {
        if matches!(self.drag.take(), Some(Drag::Scrub { .. })) {
            commands.send(Command::Time(TimeCommand::Release));
        }
    }

    pub(super) fn for_another_reference(
        &self,
        revision: Option<Revision>,
        source: Option<&Source>,
    ) -> Self {
        let carried_over = Self {
            revision,
            source: source.cloned(),
            labels_width: self.labels_width,
            options: self.options,
            rows: self.rows.clone(),
            label_rows: self.label_rows.clone(),
            naming_rect: None,
            collapsed: self.collapsed.clone(),
            // Keep the curves and rows, because they detect a change of recording themselves.
            curves: self.curves.clone(),
            curves_recording: self.curves_recording.clone(),
            ..Self::default()
        };
        if self.revision.is_none() || source != self.source.as_ref() {
            return carried_over;
        }
        Self { window: self.window, playhead: self.playhead, ..carried_over }
    }

    pub(super) fn folds(&self, prepared: Option<&PreparedTimeline>) -> Folds {
        let folds = prepared.filter(|_| self.options.compress_gaps);
        folds.map_or_else(Folds::default, |prepared| prepared.keys.folds().clone())
    }

    pub(super) fn take_requested_window(&mut self, clock: &Clock) -> Option<TimeWindow> {
        let range = clock.range();
        Some(match (self.requested_view.take()?, range) {
            (ViewRequest::Range, Some(range)) => {
                TimeWindow::around(Span { start: range.start(), duration: range.duration() })
            }
            _ => TimeWindow::around(clock.span()),
        })
    }

    pub(super) fn set_curves_recording(&mut self, open: Option<&OpenRecording<'_>>) {
        let before = self.curves_recording.as_ref();
        if before.map(|before| before.revision) == open.map(|open| open.recording.revision()) {
            return;
        }
        let reloaded = before.zip(open).filter(|(before, open)| before.source == *open.source);
        self.curves = match reloaded {
            Some((before, open)) => self.curves.for_reloaded_recording(&before.clip, open.clip()),
            None => self.curves.for_another_recording(),
        };
        self.curves_recording = open.map(|open| CurvesRecording {
            revision: open.recording.revision(),
            source: open.source.clone(),
            clip: open.recording.clip().clone(),
        });
    }

    pub(super) fn set_recordings(&mut self, recordings: &[OpenRecording<'_>]) {
        self.rows.retain(|entity, _| recordings.iter().any(|one| one.entity == *entity));
        self.label_rows.retain(|entity, _| recordings.iter().any(|one| one.entity == *entity));
        for open in recordings {
            let rows = self.rows.entry(open.entity).or_insert_with(|| RowsState::new(open));
            rows.update_recording(open);
        }
    }

    fn fold_all(&mut self, folds: FoldRows) {
        self.rows.values_mut().for_each(|rows| rows.next_fold = Some(folds));
    }

    pub(super) fn time_limits(&self, span: Span) -> Span {
        if !self.options.curves {
            return span;
        }
        Span { start: span.start - span.duration, duration: 3.0 * span.duration }
    }

    /// Returns the visible window. If the playhead leaves the window, the window follows by a page.
    ///
    /// If the playhead was already outside, the window follows only if the playhead moves while
    /// playback is stopped. Otherwise the user could not pan away during playback.
    pub(super) fn window_following_playhead(
        &self,
        axis: &TimeAxis,
        clock: &Clock,
        limits: Span,
    ) -> TimeWindow {
        let follows = self.drag.is_none()
            && self.playhead.is_none_or(|(time, was_visible)| {
                was_visible || (time != clock.time() && !clock.is_running())
            });
        if follows { axis.showing(clock.time(), limits) } else { axis.window() }
    }
}
