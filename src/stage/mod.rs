//! The 3D picture of what the [`Player`](crate::player::Player) plays.
//!
//! [`StagePlugin`] sets up a camera and a grid, puts entities on the stage for every
//! recording that the player opens, and lets them follow its pose. It draws any clip whose nodes
//! stand somewhere; what is special about hands, heads and rays is in a file each.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use mutoscope::{player::{Player, PlayerPlugin}, stage::StagePlugin};
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, PlayerPlugin, StagePlugin))
//!     .add_systems(Startup, |mut player: ResMut<Player>, assets: Res<AssetServer>| {
//!         player.open_when_loaded(assets.load("take.bin"));
//!     })
//!     .run();
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `view` | the settings and messages that others steer the stage with |
//! | `staged` | entities for a recording, and how they follow it |
//! | `skeleton`, `hands`, `head`, `gaze` | what the entities look like |
//! | `beside` | the recording that is held against the one that plays |
//! | `ghost`, `trails` | the skeleton as it rests, and at other times; where joints were and will be |
//! | `model` | the meshes that the skeleton wears |
//! | `minecraft` | a player of Minecraft and what is around |
//! | `world`, `overlay` | the grid; halo and axes |
//! | `look`, `material` | colours, meshes, how they are lit |
//! | `survey`, `framing` | where a recording moves, and from where all of it is seen |
//! | `camera` | orbiting, flying, gliding, looking through the head |
//! | `screen`, `tag` | where in the window everything is; words beside what is no node |
//! | `quality` | what is left out where there is no graphics card |
//! | `shaders` | waiting until they are ready |

mod beside;
mod camera;
mod framing;
mod gaze;
mod ghost;
mod hands;
mod head;
mod journey;
mod look;
mod material;
mod minecraft;
mod model;
mod overlay;
mod quality;
mod screen;
mod shaders;
mod skeleton;
mod staged;
mod survey;
mod tag;
#[cfg(test)]
mod tests;
mod trails;
mod view;
mod world;

pub use camera::StageCamera;
pub use framing::Orbit;
pub use minecraft::{Skin, SkinError, Wardrobe};
pub use tag::Tag;
pub use trails::color_of as speed_color;
pub use view::{
    AxisView, CameraMode, CameraRequest, Follow, Ghosts, HoveredTime, ScreenPoint, StageScreen,
    StageViewport, Standpoint, TagPoint, Travel, View,
};

use bevy::{
    camera::CameraUpdateSystems, camera_controller::free_camera::FreeCameraPlugin,
    dev_tools::infinite_grid::InfiniteGridPlugin, input::InputSystems, prelude::*,
    window::RequestRedraw,
};
use bevy_panorbit_camera::{PanOrbitCameraPlugin, PanOrbitCameraSystemSet};

use crate::player::PlayerSystems;
use look::Look;
use overlay::{StageLines, StageMarks};
use staged::Staged;
use survey::Survey;

/// Adds the stage. Needs [`DefaultPlugins`] and the
/// [`PlayerPlugin`](crate::player::PlayerPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct StagePlugin;

/// When the stage does its work.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageSystems {
    /// In [`PreUpdate`], after input: the pointer is lent to the camera's controls.
    Steer,
    /// In [`Update`], after [`PlayerSystems::Sample`]: entities for another recording.
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
        if !app.is_plugin_added::<InfiniteGridPlugin>() {
            app.add_plugins(InfiniteGridPlugin);
        }
        app.add_plugins((material::plugin, minecraft::plugin, shaders::plugin))
            .init_resource::<HoveredTime>()
            .init_resource::<View>()
            .init_resource::<StageViewport>()
            .init_resource::<StageScreen>()
            .init_resource::<Staged>()
            .init_resource::<beside::Beside>()
            .init_resource::<model::Worn>()
            .add_message::<CameraRequest>()
            .add_message::<RequestRedraw>()
            .insert_gizmo_config(StageLines, overlay::config(1.5, 0.0))
            .insert_gizmo_config(StageMarks, overlay::config(2.0, -1.0))
            .add_systems(
                Startup,
                (Look::prepare, camera::spawn, world::spawn_grid, quality::look_at_driver),
            );
        add_systems(app);
    }
}

fn add_systems(app: &mut App) {
    use StageSystems::{Camera, Follow, Move, Screen, Spawn, Steer};
    app.configure_sets(PreUpdate, Steer.after(InputSystems))
        .configure_sets(Update, (Spawn, Follow, Move).chain().after(PlayerSystems::Sample))
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
                (staged::stage_clip, model::wear).in_set(Spawn),
                beside::stage_counterpart.after(staged::stage_clip).in_set(Spawn),
                (
                    (staged::stay_in_place, beside::take_place),
                    (
                        beside::follow,
                        (staged::follow, head::step_aside).chain(),
                        skeleton::stretch,
                        model::follow,
                        hands::link,
                        staged::paint,
                        world::lay_grid,
                    ),
                )
                    .chain()
                    .run_if(staged::something_changed)
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
                    head::draw_sight,
                    ghost::draw_rest_pose,
                    ghost::draw_hovered_pose,
                    ghost::draw_ghosts,
                    overlay::draw_marks,
                    beside::draw_link,
                    trails::draw_trails,
                )
                    .chain(),
            )
                .in_set(Camera),
        )
        .add_systems(PostUpdate, screen::note_places.in_set(Screen));
}

#[cfg(test)]
mod testing {
    use crate::{
        clip::Clip,
        formats::{self, DecodeRequest},
    };

    /// The sample recording with both hands.
    pub(super) fn sample_clip() -> Clip {
        let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
        formats::decode(bytes, &DecodeRequest::default()).unwrap()
    }
}
