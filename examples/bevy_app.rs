//! Plays recordings in another Bevy app: `cargo run --example bevy_app [-- --frames N]`.
//!
//! The app has a window and a cube. Mutoscope adds the loader, the playback systems, and the stage
//! with its camera. Two recordings play independently. Two more share a clock, which the space bar
//! pauses. Drag to orbit, drag with the middle button to pan, use the wheel to zoom, and hold the
//! right button to fly with WASD.

use bevy::prelude::*;
use mutoscope::{
    recording::{OnClock, PlayRecording, PlaybackClock, RecordingPlugin, Tint},
    stage::StagePlugin,
};
use mutoscope_core::playback::TimeCommand;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, RecordingPlugin, StagePlugin))
        .insert_resource(FramesLeft(frames_from_arguments()))
        .add_systems(Startup, (spawn_recordings, add_cube))
        .add_systems(Update, (pause_shared_clock, exit_after_frames))
        .run()
}

/// The clock that two of the recordings share.
#[derive(Resource)]
struct SharedClock(Entity);

/// Spawns recordings. The loader recognises the format by the content of the file. Each recording
/// plays once it is loaded, in the space of its entity.
fn spawn_recordings(mut commands: Commands, assets: Res<AssetServer>) {
    let shifted_right = |metres: f32| Transform::from_xyz(metres, 0.0, 0.0);
    commands.spawn((PlayRecording(assets.load("mrtk/two-hands.bin")), shifted_right(-1.0)));
    commands.spawn((PlayRecording(assets.load("maya/walk-with-hat.anim")), shifted_right(1.5)));

    let clock = commands.spawn(PlaybackClock::default()).id();
    let hands = assets.load("mrtk/two-hands.bin");
    commands.spawn((PlayRecording(hands.clone()), OnClock(clock), shifted_right(0.0)));
    let green = Tint(Some(Color::srgb(0.7, 0.9, 0.3)));
    commands.spawn((PlayRecording(hands), OnClock(clock), shifted_right(0.5), green));
    commands.insert_resource(SharedClock(clock));
}

fn pause_shared_clock(
    keys: Res<ButtonInput<KeyCode>>,
    shared: Res<SharedClock>,
    mut clocks: Query<&mut PlaybackClock>,
) {
    if keys.just_pressed(KeyCode::Space)
        && let Ok(mut clock) = clocks.get_mut(shared.0)
    {
        clock.apply(TimeCommand::TogglePlay, &[]);
    }
}

/// Adds a cube of the app. Recordings and the app share one space: metres, Y up, −Z forward.
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
    // Light the cube. The stage does not need a light.
    let over_the_shoulder = Transform::from_xyz(1.0, 2.0, -1.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight::default(), over_the_shoulder));
}

/// The number of frames to show before the app exits. `None` means that the app runs until it is
/// closed.
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
