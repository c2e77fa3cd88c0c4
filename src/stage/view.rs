//! The view settings: what is shown, and from where.

use std::{collections::HashMap, ops::RangeInclusive, sync::Arc};

use bevy::prelude::*;

use super::CameraPose;
use crate::recording::{RecordingKey, RecordingNode};
use mutoscope_core::{clip::NodeId, measure::analysis::NamedArea};

/// The view settings: what is shown, and from where. Plain settings: change them, the stage
/// follows.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct View {
    /// The node that is selected, if any.
    pub selected: Option<RecordingNode>,
    /// The key that is selected, if any: of what is selected, or of its group.
    pub selected_key: Option<RecordingKey>,
    /// Whether every node's name is shown, not only the selected one's.
    pub labels: bool,
    /// Whether every node's axes are shown, not only the selected one's.
    pub axes: bool,
    /// Whether bones are drawn between joints.
    pub bones: bool,
    /// Whether hands are drawn with a smooth skin around their joints.
    pub smooth_hands: bool,
    /// Whether the model that the skeleton belongs to is drawn in place of it, if there is one.
    pub model: bool,
    /// Whether the grid is drawn.
    pub grid: bool,
    /// Whether the skeleton is also drawn as it rests.
    pub rest_pose: bool,
    /// Whether root motion is removed: in place.
    pub in_place: bool,
    /// How the camera follows the selected node, else the root; if it was never set, it follows the
    /// position of recordings that travel far.
    pub follow: Option<Follow>,
    /// Whether untracked nodes are drawn faded, rather than hidden.
    pub fade_untracked: bool,
    /// The settings of motion trails and ghosts.
    pub motion_trail: MotionTrailSettings,
    /// The node that the distance to the selected one is measured from.
    pub measured_from: Option<RecordingNode>,
    /// The areas of interest, for every recording that has their joint.
    pub areas: Vec<NamedArea>,
    /// The viewpoint.
    pub camera: CameraMode,
}

impl View {
    /// The same for other entities: what `entity_of` knows no entity for is not selected, measured
    /// or pinned.
    #[must_use]
    pub fn mapped(&self, entity_of: impl Fn(Entity) -> Option<Entity>) -> Self {
        let node = |of: RecordingNode| {
            Some(RecordingNode { recording: entity_of(of.recording)?, node: of.node })
        };
        let mut view = self.clone();
        view.selected = view.selected.and_then(node);
        view.selected_key = view.selected_key.and_then(|key| {
            Some(RecordingKey { recording: entity_of(key.recording)?, key: key.key })
        });
        view.measured_from = view.measured_from.and_then(node);
        view.motion_trail.pinned = view.motion_trail.pinned.into_iter().filter_map(node).collect();
        view
    }
}

/// How the camera follows a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// It stays where it is.
    #[default]
    Off,
    /// It goes where that goes, and keeps looking the same way.
    Position,
    /// It goes and turns with that, as if it were fastened to it: yaw, pitch and roll.
    PositionAndRotation,
}

impl Follow {
    /// The next of them, round and round.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Off => Self::Position,
            Self::Position => Self::PositionAndRotation,
            Self::PositionAndRotation => Self::Off,
        }
    }
}

/// The settings of motion trails and ghosts.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionTrailSettings {
    /// Whether trails are drawn.
    pub trails: bool,
    /// The joints that have trails; without any it is what is selected, else the ends of limbs.
    pub pinned: Vec<RecordingNode>,
    /// How far back is looked, in seconds.
    pub before: f64,
    /// How far ahead is looked, in seconds.
    pub after: f64,
    /// The ghosts: poses of other times.
    pub ghosts: Ghosts,
}

impl MotionTrailSettings {
    /// The times that are looked at `now`, in seconds.
    pub fn window(&self, now: f64) -> RangeInclusive<f64> {
        now - self.before..=now + self.after
    }
}

impl Default for MotionTrailSettings {
    fn default() -> Self {
        Self {
            trails: false,
            pinned: Vec::new(),
            before: 1.0,
            after: 0.5,
            ghosts: Ghosts::default(),
        }
    }
}

/// The ghosts that are drawn: poses of other times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ghosts {
    /// None.
    #[default]
    Off,
    /// One every this many samples of the recording.
    EverySamples(u32),
    /// One at each key of the selected node, else of the root.
    AtKeys,
}

impl Ghosts {
    /// From how many samples to the next there is one, unless another number is asked for.
    pub const USUAL_SAMPLES: u32 = 10;
}

/// A time in seconds under the pointer, besides the one that plays: the pose at that time is drawn
/// in outline.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct HoveredTime(pub Option<f64>);

/// The viewpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CameraMode {
    /// From wherever the user has orbited or flown to.
    #[default]
    Free,
    /// From the recorded head.
    Head,
}

impl Default for View {
    fn default() -> Self {
        Self {
            selected: None,
            selected_key: None,
            labels: false,
            axes: false,
            bones: true,
            smooth_hands: false,
            model: true,
            grid: true,
            rest_pose: false,
            in_place: false,
            follow: None,
            fade_untracked: false,
            motion_trail: MotionTrailSettings::default(),
            measured_from: None,
            areas: Vec::new(),
            camera: CameraMode::Free,
        }
    }
}

/// A request to the camera.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub enum CameraRequest {
    /// Show all that moves, over the whole recording.
    FrameAll {
        /// At once, rather than gliding there.
        at_once: bool,
    },
    /// Show at once what moves between two times, in seconds of the reference's clock: the same time
    /// twice for one moment.
    FrameTimes {
        /// The first time.
        from: f64,
        /// The last time.
        to: f64,
    },
    /// Show the selected node from nearby, or all if none is selected.
    FrameSelected,
    /// Look along an axis.
    LookAlong(AxisView),
    /// Look from there, at once.
    LookFrom(CameraPose),
}

/// A view along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisView {
    /// From the front of a person who faces −Z: against their look.
    Front,
    /// From the right.
    Right,
    /// From above.
    Top,
}

/// Where in the window the stage is seen, and whether it may listen to the pointer.
///
/// Written by the code that lays out the window; without it the stage fills the window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct StageViewport {
    /// The part of the window, in logical pixels from its top left corner.
    pub rect: Option<Rect>,
    /// Whether the pointer belongs to a panel or a menu.
    pub pointer_taken: bool,
    /// Whether the keyboard belongs to a text field.
    pub keyboard_taken: bool,
}

/// The stage on the screen: for labels over the viewport, and for picking.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct StageScreen {
    /// For each recording and each node in the order of its clip, where it is in the window, in
    /// logical pixels; nothing if it is hidden, behind the camera or outside of the viewport.
    pub points: HashMap<Entity, Vec<Option<ScreenPoint>>>,
    /// Labels other than node names, such as of items that a player holds.
    pub tags: Vec<TagPoint>,
    /// The rotation of the camera.
    pub camera_rotation: Quat,
    /// The size of the smallest squares of the grid, in metres.
    pub metres_per_square: f32,
    /// How the camera follows.
    pub follows: Follow,
    /// Where the camera is, or is on its way to; a roll is lost.
    pub camera_pose: CameraPose,
    /// Whether that is where all that moves is seen from, as at first.
    pub sees_all: bool,
    /// The speed of the brightest colour of trails, in metres a second, while there are
    /// any.
    pub fastest: Option<f32>,
}

impl StageScreen {
    /// Where a node is in the window, if it is in sight.
    pub fn point(&self, recording: Entity, node: NodeId) -> Option<ScreenPoint> {
        *self.points.get(&recording)?.get(node.index())?
    }
}

/// Words at a place on the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct TagPoint {
    /// The words.
    pub text: Arc<str>,
    /// Where.
    pub at: ScreenPoint,
}

/// A place on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenPoint {
    /// Logical pixels from the window's top left corner.
    pub position: Vec2,
    /// Metres from the camera.
    pub distance: f32,
}
