//! The 3D view of recordings.
//!
//! [`StagePlugin`] spawns parts for every [`Recording`] in the world and lets them follow the pose.
//! A table of appearances determines which parts a recording gets. The plugin can also add a camera
//! and a grid.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_mutoscope::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, RecordingPlugin, StagePlugin::viewer()))
//!     .add_systems(Startup, |mut commands: Commands, assets: Res<AssetServer>| {
//!         commands.spawn(RecordingPlayer(assets.load("take.bin")));
//!     })
//!     .run();
//! ```
//!
//! | file | purpose |
//! |---|---|
//! | `view` | the settings and messages that control the stage |
//! | `subject` | the state of a recording on the stage, shared by everything that draws it |
//! | `staging` | spawns the parts of recordings and moves them |
//! | `appearance` | the table of appearances |
//! | `nodes`: `skeleton`, `hands`, `palm`, `hand_skin`, `head`, `head_shape`, `gaze` | clips drawn node by node |
//! | `mannequin` | human bodies as mannequins |
//! | `model`, `morph`, `texture` | the meshes of a model, their morph targets and textures |
//! | `minecraft`, `player_skin` | Minecraft players and their surroundings |
//! | `ghost`, `trails`, `trail_width` | the rest pose, poses at other times; motion trails |
//! | `overlaying` | moves recordings to lay them over others |
//! | `areas` | areas of interest |
//! | `matches` | a line between matched joints of two recordings |
//! | `grid`, `overlay` | the grid; the halo of the selection and axes |
//! | `shadow`, `shadow_casters` | the soft shadow on the ground |
//! | `look`, `theme`, `material` | colours, meshes and shading |
//! | `motion_bounds`, `measure`, `root_path`, `framing` | the bounds of a recording, and the orbit that frames it |
//! | `camera`, `camera_pose` | orbiting, flying, gliding, looking through the head; the pose as numbers |
//! | `screen`, `tag` | window positions of nodes and labels; labels other than node names |
//! | `quality` | reduces quality without a graphics card |
//! | `shaders` | waits until shaders are compiled |

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
mod mannequin;
mod matches;
mod material;
mod measure;
#[cfg(feature = "minecraft")]
mod minecraft;
mod model;
mod morph;
mod motion_bounds;
mod nodes;
mod overlay;
mod overlaying;
mod palm;
mod placement;
#[cfg(feature = "minecraft")]
mod player_skin;
mod quality;
mod root_path;
mod screen;
mod shaders;
mod shadow;
mod shadow_casters;
mod skeleton;
mod snapshot;
mod staging;
mod subject;
mod tag;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod texture;
mod theme;
mod tint;
mod trail_width;
mod trails;
mod view;

pub use camera::StageCamera;
pub use camera_pose::CameraPose;
pub use framing::Orbit;
pub use look::side_color;
pub use matches::MatchedSelection;
pub use placement::Overlay;
#[cfg(feature = "minecraft")]
pub use player_skin::PlayerSkin;
pub use shaders::ShaderWait;
pub use snapshot::RecordingSnapshot;
pub use tag::Tag;
pub use theme::StageTheme;
pub use tint::{Displacement, HiddenNodes, Tint};
pub use trails::speed_color;
pub use view::{
    AxisView, CameraMode, CameraRequest, Follow, Ghosts, HoveredTime, MotionTrailSettings,
    ScreenPoint, StageScreen, StageViewport, TagPoint, View,
};

use bevy::{
    camera::CameraUpdateSystems, camera_controller::free_camera::FreeCameraPlugin,
    input::InputSystems, prelude::*, window::RequestRedraw,
};
use bevy_panorbit_camera::{PanOrbitCameraPlugin, PanOrbitCameraSystemSet};

use crate::{Recording, RecordingSystems};
use look::Look;
use overlay::{StageLines, StageMarks};
use quality::SoftwareRendering;
use subject::Staged;

/// Draws the recordings of an app. Needs [`DefaultPlugins`] and
/// [`RecordingPlugin`](crate::RecordingPlugin).
///
/// By default, the plugin only draws: the app keeps its own camera and its settings of rendering.
/// [`StagePlugin::viewer`] adds everything that a viewer needs.
#[derive(Resource, Clone, Copy, Debug)]
pub struct StagePlugin {
    /// `true` to spawn a camera that orbits, flies, frames recordings and looks through the recorded
    /// head: the [`StageCamera`]. The motion trails and the halo of the selected node need it.
    pub camera: bool,
    /// `true` to draw a grid on the floor below the first recording.
    pub grid: bool,
    /// `true` to draw a soft shadow of each recording on the floor.
    pub shadow: bool,
    /// `true` to change settings of rendering for the whole app: no clustering of lights, because
    /// the stage has no lights, and no anti-aliasing during motion if there is no graphics card.
    pub render_settings: bool,
    /// `true` to draw Minecraft players as figures with their surroundings. Otherwise their nodes
    /// are drawn. Needs the feature `minecraft`.
    pub figures: bool,
    /// `true` to draw a recording that plays more than 500 m from the origin at the origin, where
    /// `f32` is precise enough for fingertips. The [joints](crate::SpawnJoints) stay where they are.
    pub recenters: bool,
    /// `true` to give joints a placeholder offset from their parents if the file has none, because
    /// they would be drawn at one point otherwise. It applies to the clips of
    /// [recordings](crate::Recording), and so to their joints.
    pub placeholder_offsets: bool,
}

impl StagePlugin {
    /// Returns the plugin for a viewer: with a camera, a grid and everything else.
    pub fn viewer() -> Self {
        Self {
            camera: true,
            grid: true,
            shadow: true,
            render_settings: true,
            figures: true,
            recenters: true,
            placeholder_offsets: true,
        }
    }
}

impl Default for StagePlugin {
    fn default() -> Self {
        Self {
            camera: false,
            grid: false,
            shadow: false,
            render_settings: false,
            figures: false,
            recenters: false,
            placeholder_offsets: true,
        }
    }
}

/// The system sets of the stage, in the order in which they run.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageSystems {
    /// In [`PreUpdate`], after input: camera input is enabled while the pointer is over the
    /// viewport.
    Steer,
    /// In [`Update`], after [`RecordingSystems::ApplyJoints`]: parts of new recordings are spawned.
    Spawn,
    /// In [`Update`], after [`Self::Spawn`]: parts follow the pose.
    Follow,
    /// In [`Update`], after [`Self::Follow`]: the camera handles requests and follows its target.
    Move,
    /// In [`PostUpdate`], before transforms are propagated: the camera gets its final transform,
    /// and lines are drawn.
    Camera,
    /// In [`PostUpdate`], after transforms are propagated: [`StageScreen`] is updated.
    Screen,
}

impl Plugin for StagePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self)
            .add_plugins((material::plugin, shaders::plugin))
            .init_resource::<HoveredTime>()
            .init_resource::<View>()
            .init_resource::<StageViewport>()
            .init_resource::<StageScreen>()
            .init_resource::<StageTheme>()
            .init_resource::<MatchedSelection>()
            .init_resource::<hand_skin::SkinCoveredJoints>()
            .register_type::<Tint>()
            .register_type::<Displacement>()
            .register_type::<HiddenNodes>()
            .register_required_components::<Recording, Staged>()
            .add_observer(staging::despawn_parts)
            .add_message::<CameraRequest>()
            .add_message::<RequestRedraw>()
            .insert_gizmo_config(StageLines, overlay::line_config(1.5, 0.0, self.camera))
            .insert_gizmo_config(StageMarks, overlay::line_config(2.0, -1.0, self.camera))
            .add_systems(Startup, Look::create);
        trail_width::add_line_configs(app, self.camera);
        #[cfg(feature = "minecraft")]
        app.init_resource::<PlayerSkin>().add_plugins(minecraft::plugin);
        if self.camera {
            if !app.is_plugin_added::<PanOrbitCameraPlugin>() {
                app.add_plugins(PanOrbitCameraPlugin);
            }
            if !app.is_plugin_added::<FreeCameraPlugin>() {
                app.add_plugins(FreeCameraPlugin);
            }
            app.add_systems(Startup, camera::spawn);
        }
        if self.grid {
            app.add_plugins(grid::plugin);
        }
        if self.shadow {
            app.add_plugins(shadow::plugin);
        }
        if self.render_settings {
            app.add_systems(PreStartup, quality::disable_light_clustering)
                .add_systems(Startup, quality::detect_software_rendering);
        }
        if self.placeholder_offsets {
            app.add_systems(
                Update,
                staging::add_placeholder_offsets.in_set(RecordingSystems::AdvanceClock),
            );
        }
        add_systems(app);
    }
}

fn add_systems(app: &mut App) {
    use StageSystems::{Camera, Follow, Move, Screen, Spawn, Steer};
    app.configure_sets(PreUpdate, Steer.after(InputSystems))
        .configure_sets(Update, (Spawn, Follow, Move).chain().after(RecordingSystems::ApplyJoints))
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
        .add_systems(PreUpdate, camera::route_input.in_set(Steer))
        .add_systems(
            Update,
            (
                (
                    staging::measure_recordings,
                    staging::share_origins,
                    overlaying::compute_displacements,
                    staging::stage_recordings,
                    staging::update_spaces,
                    theme::apply_theme.run_if(resource_changed::<StageTheme>),
                )
                    .chain()
                    .in_set(Spawn),
                (
                    (
                        hand_skin::bend_skins,
                        (
                            staging::move_parts,
                            skeleton::stretch_bones,
                            palm::shape_palms,
                            mannequin::move_body_parts,
                        ),
                        head::hide_overlapping_head,
                    )
                        .chain(),
                    (model::move_models, morph::apply_morph_targets),
                    hands::update_pinch_links,
                    shadow::update_ground,
                    staging::update_materials,
                    grid::place_grid,
                )
                    .run_if(staging::something_changed)
                    .in_set(Follow),
                (
                    camera::follow_target,
                    camera::handle_requests,
                    camera::advance_glide,
                    quality::choose_anti_aliasing.run_if(resource_exists::<SoftwareRendering>),
                    quality::request_redraw_while_moving,
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
                    camera::publish_pose,
                    camera::update_transform,
                    grid::scale_to_visible_area,
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
        .add_systems(PostUpdate, screen::update_screen.in_set(Screen));
}
