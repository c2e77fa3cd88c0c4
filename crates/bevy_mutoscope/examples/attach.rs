//! Attaches a box to the tip of the right index finger, and looks through the recorded head:
//! `cargo run --example attach --features stage`.

use bevy::{core_pipeline::tonemapping::Tonemapping, prelude::*};
use bevy_mutoscope::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, RecordingPlugin, StagePlugin::default()))
        .add_systems(Startup, spawn_recording)
        .add_observer(attach)
        .run()
}

fn spawn_recording(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn((RecordingPlayer(assets.load("mrtk/two-hands.bin")), SpawnJoints));
    let above = Transform::from_xyz(0.5, 2.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight::default(), above));
}

/// Joints can be found by name as soon as they are spawned.
fn attach(
    joints_spawned: On<Insert, RecordingJoints>,
    mut commands: Commands,
    joints: Query<&RecordingJoints>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let joints = joints.get(joints_spawned.entity)?;
    let tip = joints.named("right/IndexTip").ok_or("the recording has no right hand")?;
    let head = joints.named("camera").ok_or("the recording has no head")?;
    commands.entity(tip).with_child((
        Mesh3d(meshes.add(Cuboid::from_length(0.03))),
        MeshMaterial3d(materials.add(Color::srgb(0.9, 0.5, 0.2))),
    ));
    // Look down at the hands, from in front of the drawn head.
    let eyes = Transform::from_xyz(0.0, 0.0, -0.15).looking_to(Vec3::new(0.0, -0.6, -1.0), Vec3::Y);
    commands.entity(head).with_child((Camera3d::default(), Tonemapping::AcesFitted, eyes));
    Ok(())
}
