//! The state of the timeline.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use bevy::prelude::Entity;
use bevy_egui::egui::Rect;

use super::{
    cache::Cache, elements::ElementHold, gestures::Drag, label_lane::LabelHold,
    label_rows::LabelRows, layout::LABELS_WIDTH, overview::Pull, shift::Hold,
};
use crate::{
    recording::Revision,
    session::{CameraCommand, Command, OpenRecording, Source, TimelineCommand, TimelineOptions},
    ui::{CommandSender, PreparedTimeline, curves::CurvesState},
};
use mutoscope_core::{
    clip::{Clip, Span},
    diagnostics::SourceLocation,
    measure::timeline::{Folds, ItemId, Snapped, TimeAxis, Tree, Window},
    playback::{Clock, TimeCommand},
};

/// The state of the timeline.
#[derive(Clone, Debug)]
pub(in crate::ui) struct TimelineState {
    /// The reference that the state belongs to.
    pub(super) revision: Option<Revision>,
    /// The visible window; `None` for everything.
    pub(super) window: Option<Window>,
    /// Where that was read from, if from anywhere.
    pub(super) source: Option<Source>,
    /// The rows of each recording.
    pub(super) rows: HashMap<Entity, RowsState>,
    /// The recordings whose rows are collapsed.
    pub(super) collapsed: HashSet<Entity>,
    /// How wide the column of labels is, in points.
    pub(super) labels_width: f32,
    /// The current drag.
    pub(super) drag: Option<Drag>,
    /// The bar of a recording that is dragged.
    pub(super) hold: Option<Hold>,
    /// The bar of an element of a scene that is dragged, or was dropped and is not played so yet.
    pub(super) element: Option<ElementHold>,
    /// The label that is dragged.
    pub(super) label: Option<LabelHold>,
    /// The rows of the labels of each recording.
    pub(super) label_rows: HashMap<Entity, LabelRows>,
    /// Where the label is that is being named, if it was drawn in this frame.
    pub(super) named: Option<Rect>,
    /// Its snap target in this frame.
    pub(super) snapped: Option<Snapped>,
    /// The drag in the overview.
    pub(super) overview: Option<Pull>,
    /// The requested window, if any.
    pub(super) asked_for: Option<Show>,
    /// The session's options of the timeline.
    pub(super) options: TimelineOptions,
    /// Where the playhead was in the last frame, and whether it could be seen.
    pub(super) playhead: Option<(f64, bool)>,
    /// All keys of the reference, on the axis of the overview.
    pub(super) overview_cache: Cache,
    pub(in crate::ui) curves: CurvesState,
    /// The owner of the curves.
    pub(super) curves_of: Option<CurvesOf>,
    /// The source location of the issue that was clicked last, if no key has it.
    pub(super) place: Option<SourceLocation>,
    /// Since when the rows of this recording are waited for, in seconds of the window's time.
    pub(super) waits_since: Option<f64>,
}

/// The recording that curves are of.
#[derive(Clone, Debug)]
pub(super) struct CurvesOf {
    revision: Revision,
    source: Source,
    clip: Arc<Clip>,
}

/// The state of the rows of one recording.
#[derive(Clone, Debug)]
pub(super) struct RowsState {
    revision: Revision,
    source: Source,
    /// The rows whose children are shown.
    pub(super) open: HashSet<ItemId>,
    /// The tree of rows that this is about.
    tree: Arc<Tree>,
    /// How rows are to be folded next: as is best at first, when a recording is new.
    pub(super) folds_next: Option<FoldRows>,
    pub(super) cache: Cache,
}

impl RowsState {
    fn new(open: &OpenRecording<'_>) -> Self {
        Self {
            revision: open.recording.revision(),
            source: open.source.clone(),
            open: HashSet::new(),
            tree: Arc::default(),
            folds_next: Some(FoldRows::AtFirst),
            cache: Cache::default(),
        }
    }

    /// Notes the revision of the clip. One that was read from the same place is the same, reloaded
    /// or understood in another way: then its rows stay as they are.
    fn look_at(&mut self, open: &OpenRecording<'_>) {
        if self.revision == open.recording.revision() {
            return;
        }
        if self.source != *open.source {
            *self = Self::new(open);
            return;
        }
        self.revision = open.recording.revision();
        self.cache = Cache::default();
        self.folds_next = self.folds_next.or(Some(FoldRows::AsBefore));
    }

    /// Folds rows as was asked for.
    pub(super) fn fold_rows(&mut self, prepared: &PreparedTimeline) {
        let tree = prepared.keys.tree();
        match self.folds_next.take() {
            None => {}
            Some(FoldRows::AtFirst) => self.open = tree.open_at_first(),
            Some(FoldRows::AsBefore) => self.open = tree.again(&self.tree, &self.open),
            Some(FoldRows::All) => self.open.clear(),
            Some(FoldRows::None) => self.open = tree.ids().collect(),
        }
        if !Arc::ptr_eq(&self.tree, tree) {
            self.tree = tree.clone();
        }
    }
}

/// How rows may be folded at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoldRows {
    /// The default for a new recording.
    AtFirst,
    /// As they were before the recording was reloaded.
    AsBefore,
    /// All of them.
    All,
    /// None of them.
    None,
}

/// A request to show a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// The range, or everything without one.
    Range,
    /// Everything.
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
            hold: None,
            element: None,
            label: None,
            label_rows: HashMap::new(),
            named: None,
            snapped: None,
            overview: None,
            asked_for: None,
            options: TimelineOptions::default(),
            playhead: None,
            overview_cache: Cache::default(),
            curves: CurvesState::default(),
            curves_of: None,
            place: None,
            waits_since: None,
        }
    }
}

impl TimelineState {
    /// Does what `command` asks for.
    pub(in crate::ui) fn obey(&mut self, command: &TimelineCommand) {
        match command {
            TimelineCommand::CollapseRows => self.fold_all(FoldRows::All),
            TimelineCommand::ExpandRows => self.fold_all(FoldRows::None),
            TimelineCommand::ZoomToRange => self.asked_for = Some(Show::Range),
            TimelineCommand::ZoomToAll => self.asked_for = Some(Show::All),
            TimelineCommand::FitCurves => self.curves.fit(),
        }
    }

    /// Commands that frame the viewport fit the curves while the pointer is over them; returns
    /// whether `command` was taken for that.
    pub(in crate::ui) fn takes(&mut self, command: &Command) -> bool {
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

    /// Shows what `options` say.
    pub(super) fn set_options(&mut self, options: TimelineOptions) {
        self.options = options;
        self.curves.set_options(options);
    }

    /// Where the file has the issue that was clicked, if it is no key; once.
    pub(in crate::ui) fn take_place(&mut self) -> Option<SourceLocation> {
        self.place.take()
    }

    /// Where the label is that is being named, if it can be seen; once in a frame.
    pub(in crate::ui) fn take_named(&mut self) -> Option<Rect> {
        self.named.take().filter(|bar| bar.is_positive())
    }

    /// Lets the clock go if the timeline was taken away while it was dragged.
    pub(in crate::ui) fn end_drag(&mut self, commands: &CommandSender) {
        if matches!(self.drag.take(), Some(Drag::Scrub { .. })) {
            commands.send(Command::Time(TimeCommand::Release));
        }
    }

    /// The state for another reference, which was read from `source`. If that is where the one
    /// before is from, it is the same, reloaded or understood in another way: then what is shown of
    /// it stays, too.
    pub(super) fn for_another_reference(
        &self,
        revision: Option<Revision>,
        source: Option<&Source>,
    ) -> Self {
        let looks = Self {
            revision,
            source: source.cloned(),
            labels_width: self.labels_width,
            options: self.options,
            rows: self.rows.clone(),
            label_rows: self.label_rows.clone(),
            named: None,
            collapsed: self.collapsed.clone(),
            // They look at the recording themselves.
            curves: self.curves.clone(),
            curves_of: self.curves_of.clone(),
            ..Self::default()
        };
        if self.revision.is_none() || source != self.source.as_ref() {
            return looks;
        }
        Self { window: self.window, playhead: self.playhead, ..looks }
    }

    /// The folded stretches of the axis.
    pub(super) fn folded(&self, prepared: Option<&PreparedTimeline>) -> Folds {
        let folds = prepared.filter(|_| self.options.compress_gaps);
        folds.map_or_else(Folds::default, |prepared| prepared.keys.folds().clone())
    }

    /// The window that was asked for, if one was.
    pub(super) fn asked_window(&mut self, clock: &Clock) -> Option<Window> {
        let range = clock.range();
        Some(match (self.asked_for.take()?, range) {
            (Show::Range, Some(range)) => {
                Window::all_of(Span { start: range.start(), duration: range.duration() })
            }
            _ => Window::all_of(clock.span()),
        })
    }

    /// Notes which recording the curves are of. If it is the one before, reloaded, their state stays.
    pub(super) fn look_at_curves_of(&mut self, open: Option<&OpenRecording<'_>>) {
        let before = self.curves_of.as_ref();
        if before.map(|before| before.revision) == open.map(|open| open.recording.revision()) {
            return;
        }
        let reloaded = before.zip(open).filter(|(before, open)| before.source == *open.source);
        self.curves = match reloaded {
            Some((before, open)) => self.curves.for_reloaded_recording(&before.clip, open.clip()),
            None => self.curves.for_another_recording(),
        };
        self.curves_of = open.map(|open| CurvesOf {
            revision: open.recording.revision(),
            source: open.source.clone(),
            clip: open.recording.clip().clone(),
        });
    }

    /// Notes which recordings are open.
    pub(super) fn look_at(&mut self, recordings: &[OpenRecording<'_>]) {
        self.rows.retain(|entity, _| recordings.iter().any(|one| one.entity == *entity));
        self.label_rows.retain(|entity, _| recordings.iter().any(|one| one.entity == *entity));
        for open in recordings {
            let rows = self.rows.entry(open.entity).or_insert_with(|| RowsState::new(open));
            rows.look_at(open);
        }
    }

    fn fold_all(&mut self, folds: FoldRows) {
        self.rows.values_mut().for_each(|rows| rows.folds_next = Some(folds));
    }

    /// Where time may be looked at: curves go on outside of the recording.
    pub(super) fn roam(&self, span: Span) -> Span {
        if !self.options.curves {
            return span;
        }
        Span { start: span.start - span.duration, duration: 3.0 * span.duration }
    }

    /// The window of `axis`, turned like a page to the playhead: if that left it while it was
    /// visible, or moved other than by playback.
    pub(super) fn following(&self, axis: &TimeAxis, clock: &Clock, roam: Span) -> Window {
        let follows = self.drag.is_none()
            && self.playhead.is_none_or(|(time, was_shown)| {
                was_shown || (time != clock.time() && !clock.is_running())
            });
        if follows { axis.showing(clock.time(), roam) } else { axis.window() }
    }
}
