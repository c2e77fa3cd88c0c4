//! The view settings: what the stage shows, and from where.

use std::{collections::HashMap, ops::RangeInclusive, sync::Arc};

use bevy::prelude::*;

use super::CameraPose;
use crate::{RecordingKey, RecordingNode};
use mutoscope_core::{clip::NodeId, measure::analysis::NamedArea};

/// The view settings: what the stage shows, and from where. The stage updates when a field changes.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct View {
    /// The selected node, if any.
    pub selected: Option<RecordingNode>,
    /// The selected key, if any. It belongs to the selected node or its group.
    pub selected_key: Option<RecordingKey>,
    /// `true` if the names of all nodes are shown. Otherwise only the selected node has its name.
    /// Rigid bodies have names by default, so `true` hides theirs.
    pub labels: bool,
    /// `true` if the axes of all nodes are shown. Otherwise only the selected node has axes. Rigid
    /// bodies have axes by default, so `true` hides theirs.
    pub axes: bool,
    /// `true` if bones are drawn between joints.
    pub bones: bool,
    /// `true` if hands are drawn with a smooth skin around their joints.
    pub smooth_hands: bool,
    /// `true` if joints and bones are replaced by the model of the skeleton, if there is one, or by a
    /// mannequin, if the recording has a human body.
    pub model: bool,
    /// `true` if the grid is drawn.
    pub grid: bool,
    /// `true` if the rest pose of the skeleton is drawn too.
    pub rest_pose: bool,
    /// `true` if root motion is removed, so that the recording stays in place.
    pub in_place: bool,
    /// The way in which the camera follows the selected node, or else the root. If it is `None`,
    /// the camera follows the position if the recording has a long path, and otherwise does not
    /// follow.
    pub follow: Option<Follow>,
    /// `true` if untracked nodes are drawn faded instead of hidden.
    pub fade_untracked: bool,
    /// The settings of motion trails and ghosts.
    pub motion_trail: MotionTrailSettings,
    /// The nodes from which the selected node is measured, at most two. The distance starts at the
    /// last one. With two nodes, the angle at the last one is measured too.
    pub measured_from: Vec<RecordingNode>,
    /// The areas of interest. They apply to every recording that has their joint.
    pub areas: Vec<NamedArea>,
    /// The viewpoint.
    pub camera: CameraMode,
}

impl View {
    /// Returns the settings with every entity replaced by `entity_of`. If `entity_of` returns
    /// `None` for a recording, its nodes are no longer selected, measured or pinned.
    #[must_use]
    pub fn map_entities(&self, entity_of: impl Fn(Entity) -> Option<Entity>) -> Self {
        let node = |of: RecordingNode| {
            Some(RecordingNode { recording: entity_of(of.recording)?, node: of.node })
        };
        let mut view = self.clone();
        view.selected = view.selected.and_then(node);
        view.selected_key = view.selected_key.and_then(|key| {
            Some(RecordingKey { recording: entity_of(key.recording)?, key: key.key })
        });
        view.measured_from = view.measured_from.into_iter().filter_map(node).collect();
        view.motion_trail.pinned = view.motion_trail.pinned.into_iter().filter_map(node).collect();
        view
    }
}

/// The way in which the camera follows a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// The camera stays where it is.
    #[default]
    Off,
    /// The camera moves with the node and keeps its direction.
    Position,
    /// The camera moves and rotates with the node, as if it were attached to it.
    PositionAndRotation,
}

impl Follow {
    /// Returns the next value, in a cycle.
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
    /// `true` if trails are drawn.
    pub trails: bool,
    /// The joints that have trails. If it is empty, the selected node has a trail, or else the ends
    /// of limbs.
    pub pinned: Vec<RecordingNode>,
    /// The length of trails before the current time, in seconds.
    pub before: f64,
    /// The length of trails after the current time, in seconds.
    pub after: f64,
    /// The ghosts, which are poses at other times.
    pub ghosts: Ghosts,
}

impl MotionTrailSettings {
    /// Returns the times that trails cover at the time `now`, in seconds.
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

/// The ghosts to draw, which are poses at other times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ghosts {
    /// No ghosts.
    #[default]
    Off,
    /// A ghost for every n-th sample of the recording.
    EverySamples(u32),
    /// A ghost at each key of the selected node, or else of the root.
    AtKeys,
}

impl Ghosts {
    /// The default interval between ghosts, in samples.
    pub const DEFAULT_SAMPLES: u32 = 10;
}

/// A time under the pointer, in seconds, in addition to the current time. The pose at that time is
/// drawn in outline.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct HoveredTime(pub Option<f64>);

/// The viewpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CameraMode {
    /// The orbit or position to which the user has moved the camera.
    #[default]
    Free,
    /// The recorded head.
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
            measured_from: Vec::new(),
            areas: Vec::new(),
            camera: CameraMode::Free,
        }
    }
}

/// A request to the camera.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub enum CameraRequest {
    /// Frame everything that moves during the whole recording.
    FrameAll {
        /// `true` to move the camera at once, without a transition.
        at_once: bool,
    },
    /// Frame everything that moves between two times, in seconds of the reference's clock. The
    /// camera moves at once. If both times are equal, only the pose at that time is framed.
    FrameTimes {
        /// The first time.
        from: f64,
        /// The last time.
        to: f64,
    },
    /// Frame the selected node, or everything if no node is selected.
    FrameSelected,
    /// Look along an axis.
    LookAlong(AxisView),
    /// Move the camera to a pose at once.
    LookFrom(CameraPose),
}

/// A view along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisView {
    /// From the front of a person who faces −Z.
    Front,
    /// From the right.
    Right,
    /// From above.
    Top,
}

/// The part of the window that shows the stage, and the owner of pointer and keyboard.
///
/// The code that lays out the window writes this resource. Without it, the stage fills the window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct StageViewport {
    /// The part of the window, in logical pixels from its top left corner. `None` is the whole
    /// window.
    pub rect: Option<Rect>,
    /// `true` if the pointer belongs to a panel or a menu.
    pub pointer_taken: bool,
    /// `true` if the keyboard belongs to a text field.
    pub keyboard_taken: bool,
}

/// Window positions of nodes and labels, and the state of the camera. The labels over the viewport
/// and the selection by mouse use this resource.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct StageScreen {
    /// The window position of each node of each recording, in the order of its clip. `None` if the
    /// node is hidden, behind the camera or outside of the viewport.
    pub points: HashMap<Entity, Vec<Option<ScreenPoint>>>,
    /// Labels other than node names, such as those of items that a player holds.
    pub tags: Vec<TagPoint>,
    /// The rotation of the camera.
    pub camera_rotation: Quat,
    /// The size of the smallest squares of the grid, in metres.
    pub metres_per_square: f32,
    /// The way in which the camera follows a node.
    pub follow: Follow,
    /// The current or the target pose of the camera. A roll is lost.
    pub camera_pose: CameraPose,
    /// `true` if the camera frames everything that moves, as in the initial view.
    pub frames_all: bool,
    /// The speed of the brightest colour of trails, in m/s. `None` while there are no trails.
    pub max_speed: Option<f32>,
}

impl StageScreen {
    /// Returns the window position of a node, or `None` if it is not visible.
    pub fn point(&self, recording: Entity, node: NodeId) -> Option<ScreenPoint> {
        *self.points.get(&recording)?.get(node.index())?
    }
}

/// A label at a window position.
#[derive(Clone, Debug, PartialEq)]
pub struct TagPoint {
    /// The text of the label.
    pub text: Arc<str>,
    /// The position of the label.
    pub point: ScreenPoint,
}

/// A point in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenPoint {
    /// The position in logical pixels from the top left corner of the window.
    pub position: Vec2,
    /// The distance from the camera, in metres.
    pub distance: f32,
}
