//! The 3D view of recordings.
//!
//! [`StagePlugin`] sets up a camera and a grid, spawns parts for every [`Recording`] in the world,
//! and lets them follow its pose. How a recording looks is a row of a table of appearances.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use mutoscope::{recording::{PlayRecording, RecordingPlugin}, stage::StagePlugin};
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, RecordingPlugin, StagePlugin))
//!     .add_systems(Startup, |mut commands: Commands, assets: Res<AssetServer>| {
//!         commands.spawn(PlayRecording(assets.load("take.bin")));
//!     })
//!     .run();
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `view` | the settings and messages that others steer the stage with |
//! | `subject` | the state of a recording on the stage, shared by all that draws it |
//! | `staging` | parts for recordings, and how they follow them |
//! | `appearance` | the table of appearances |
//! | `nodes`: `skeleton`, `hands`, `palm`, `hand_skin`, `head`, `head_shape`, `gaze` | clips drawn node by node |
//! | `model`, `morph` | the meshes of an attached skeleton, and the shapes that these take on |
//! | `minecraft`, `player_skin` | players of Minecraft and their surroundings |
//! | `ghost`, `trails`, `trail_width` | the rest pose, poses at other times; motion trails |
//! | `overlaying` | how far recordings are moved to be laid over others |
//! | `areas` | areas of interest |
//! | `matches` | a line between matched joints of two recordings |
//! | `grid`, `overlay` | the grid; halo and axes |
//! | `shadow`, `shadow_casters` | the soft shadow on the ground under what is near it |
//! | `look`, `material` | colours, meshes, how they are lit |
//! | `motion_bounds`, `measure`, `root_path`, `framing` | the bounds of a recording, and the camera that frames it |
//! | `camera`, `camera_pose` | orbiting, flying, gliding, looking through the head; its pose as numbers |
//! | `screen`, `tag` | where in the window everything is; labels other than node names |
//! | `quality` | reduced quality without a graphics card |
//! | `shaders` | waiting until they are ready |

mod appearance;
mod areas;
mod camera;
mod camera_pose;
mod framing;
#[cfg(test)]
mod framing_tests;
mod gaze;
mod ghost;
mod grid;
mod hand_skin;
mod hands;
mod head;
mod head_shape;
mod look;
mod matches;
mod material;
mod measure;
mod minecraft;
mod model;
mod morph;
mod motion_bounds;
mod nodes;
mod overlay;
mod overlaying;
mod palm;
mod player_skin;
mod quality;
mod root_path;
mod screen;
mod shaders;
mod shadow;
mod shadow_casters;
mod skeleton;
mod staging;
mod subject;
mod tag;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod texture;
mod trail_width;
mod trails;
mod view;

pub use camera::StageCamera;
pub use camera_pose::CameraPose;
pub use framing::Orbit;
pub use look::side_color;
pub use matches::MatchedSelection;
pub use player_skin::PlayerSkin;
#[cfg(target_family = "wasm")]
pub(crate) use shaders::Patience;
pub use tag::Tag;
pub use trails::color_of as speed_color;
pub use view::{
    AxisView, CameraMode, CameraRequest, Follow, Ghosts, HoveredTime, MotionTrailSettings,
    ScreenPoint, StageScreen, StageViewport, TagPoint, View,
};

use bevy::{
    camera::CameraUpdateSystems, camera_controller::free_camera::FreeCameraPlugin,
    input::InputSystems, prelude::*, window::RequestRedraw,
};
use bevy_panorbit_camera::{PanOrbitCameraPlugin, PanOrbitCameraSystemSet};

use crate::recording::{Recording, RecordingSystems};
use look::Look;
use overlay::{StageLines, StageMarks};
use subject::Staged;

/// Adds the stage. Needs [`DefaultPlugins`] and the
/// [`RecordingPlugin`](crate::recording::RecordingPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct StagePlugin;

/// When the stage does its work.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageSystems {
    /// In [`PreUpdate`], after input: the pointer is lent to the camera's controls.
    Steer,
    /// In [`Update`], after [`RecordingSystems::Sample`]: parts for another recording.
    Spawn,
    /// In [`Update`], after that: entities follow the pose.
    Follow,
    /// In [`Update`], after that: the camera does what it is asked.
    Move,
    /// In [`PostUpdate`], before transforms are propagated: the camera takes its final place, and
    /// lines are drawn.
    Camera,
    /// In [`PostUpdate`], after that: [`StageScreen`] is filled.
    Screen,
}

impl Plugin for StagePlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<PanOrbitCameraPlugin>() {
            app.add_plugins(PanOrbitCameraPlugin);
        }
        if !app.is_plugin_added::<FreeCameraPlugin>() {
            app.add_plugins(FreeCameraPlugin);
        }
        app.add_plugins((
            grid::plugin,
            material::plugin,
            minecraft::plugin,
            shaders::plugin,
            shadow::plugin,
            trail_width::plugin,
        ))
        .init_resource::<HoveredTime>()
        .init_resource::<View>()
        .init_resource::<StageViewport>()
        .init_resource::<StageScreen>()
        .init_resource::<PlayerSkin>()
        .init_resource::<MatchedSelection>()
        .init_resource::<hand_skin::WithinSkin>()
        .register_required_components::<Recording, Staged>()
        .add_observer(staging::strike)
        .add_message::<CameraRequest>()
        .add_message::<RequestRedraw>()
        .insert_gizmo_config(StageLines, overlay::config(1.5, 0.0))
        .insert_gizmo_config(StageMarks, overlay::config(2.0, -1.0))
        .add_systems(PreStartup, quality::look_for_no_lights)
        .add_systems(Startup, (Look::prepare, camera::spawn, quality::look_at_driver));
        add_systems(app);
    }
}

fn add_systems(app: &mut App) {
    use StageSystems::{Camera, Follow, Move, Screen, Spawn, Steer};
    app.configure_sets(PreUpdate, Steer.after(InputSystems))
        .configure_sets(Update, (Spawn, Follow, Move).chain().after(RecordingSystems::Sample))
        .configure_sets(
            PostUpdate,
            (
                Camera
                    .after(PanOrbitCameraSystemSet)
                    .before(TransformSystems::Propagate)
                    .before(CameraUpdateSystems),
                Screen.after(TransformSystems::Propagate).after(CameraUpdateSystems),
            ),
        )
        .add_systems(PreUpdate, camera::steer.in_set(Steer))
        .add_systems(
            Update,
            (
                (
                    staging::measure_recordings,
                    staging::share_origins,
                    overlaying::displace,
                    staging::stage_recordings,
                    staging::place_recordings,
                )
                    .chain()
                    .in_set(Spawn),
                (
                    (
                        hand_skin::bend,
                        (staging::follow, skeleton::stretch, palm::shape),
                        head::step_aside,
                    )
                        .chain(),
                    (model::follow, morph::shape),
                    hands::link,
                    shadow::cast,
                    staging::paint,
                    grid::lay,
                )
                    .run_if(staging::something_changed)
                    .in_set(Follow),
                (
                    camera::go_along,
                    camera::obey_requests,
                    camera::glide,
                    quality::choose_smoothness,
                    quality::keep_moving,
                )
                    .chain()
                    .in_set(Move),
            ),
        )
        .add_systems(
            PostUpdate,
            (
                camera::fit_viewport,
                (
                    camera::zoom_to_pointer,
                    camera::note_standpoint,
                    camera::take_place,
                    grid::spread,
                    head::draw_sight,
                    ghost::draw_rest_pose,
                    ghost::draw_hovered_pose,
                    ghost::draw_ghosts,
                    overlay::draw_marks,
                    matches::draw_match,
                    areas::draw_areas,
                    trails::draw_trails,
                )
                    .chain(),
            )
                .in_set(Camera),
        )
        .add_systems(PostUpdate, screen::note_places.in_set(Screen));
}
