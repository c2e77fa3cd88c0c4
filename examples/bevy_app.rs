//! A recording in somebody else's Bevy app: `cargo run --example bevy_app [-- --frames N]`.
//!
//! The app brings a window and a cube; Mutoscope brings the loader, the player and the stage with
//! its camera. Drag to turn, middle button to pan, wheel to zoom, right button to fly with WASD.

use bevy::prelude::*;
use mutoscope::{
    player::{Player, PlayerPlugin},
    stage::StagePlugin,
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, PlayerPlugin, StagePlugin))
        .insert_resource(FramesLeft(frames_from_arguments()))
        .add_systems(Startup, (open_recording, add_cube))
        .add_systems(Update, exit_after_frames)
        .run()
}

/// Any format will do: the loader looks at what is in the file. It plays once it is loaded.
fn open_recording(mut player: ResMut<Player>, assets: Res<AssetServer>) {
    player.open_when_loaded(assets.load("mrtk/two-hands.bin"));
}

/// The app's own things stand in the same space: metres, Y up, −Z forward.
fn add_cube(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    commands.spawn((
        Mesh3d(meshes.add(Cuboid::from_length(0.1))),
        MeshMaterial3d(materials.add(Color::srgb(0.9, 0.7, 0.3))),
        Transform::from_xyz(0.0, -0.45, -0.6),
    ));
}

/// How many frames to show before the app ends by itself, if it does.
#[derive(Resource)]
struct FramesLeft(Option<u32>);

fn frames_from_arguments() -> Option<u32> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--frames").skip(1);
    arguments.next()?.parse().ok()
}

fn exit_after_frames(mut left: ResMut<FramesLeft>, mut exit: MessageWriter<AppExit>) {
    match &mut left.0 {
        Some(0) => {
            exit.write(AppExit::Success);
        }
        Some(frames) => *frames -= 1,
        None => {}
    }
}
