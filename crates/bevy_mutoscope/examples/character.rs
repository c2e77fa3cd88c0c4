//! Plays recordings on two characters from glTF files with Bevy's own animation: `cargo run
//! --example character`.
//!
//! The bones of the first character have the names of the recording. The second recording has
//! another skeleton, so it is retargeted to the bones of its character when it is loaded.

use bevy::{core_pipeline::tonemapping::Tonemapping, gltf::GltfAssetLabel, prelude::*};
use bevy_mutoscope::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, RecordingPlugin))
        .add_systems(Startup, (spawn_characters, spawn_view))
        .run()
}

fn spawn_characters(mut commands: Commands, assets: Res<AssetServer>) {
    let scene =
        |path: &'static str| WorldAssetRoot(assets.load(GltfAssetLabel::Scene(0).from_asset(path)));
    commands.spawn((
        scene("animj/arm-swing.glb"),
        RecordingAnimation(assets.load("animj/arm-swing.animj")),
        Transform::from_xyz(-1.0, 0.0, 0.0),
    ));
    let retargeted = assets
        .load_builder()
        .with_settings(|settings: &mut ClipLoaderSettings| {
            settings.skeleton = Some("gltf/walker.glb".to_owned());
            settings.fit = FitSetting::ByBones;
        })
        .load("bvh/walk.bvh");
    commands.spawn((
        scene("gltf/walker.glb"),
        RecordingAnimation(retargeted),
        Transform::from_xyz(1.0, 0.0, 0.0),
    ));
}

fn spawn_view(mut commands: Commands) {
    let view = Transform::from_xyz(0.0, 1.5, 5.0).looking_at(Vec3::Y * 0.8, Vec3::Y);
    commands.spawn((Camera3d::default(), Tonemapping::AcesFitted, view));
    commands.spawn((DirectionalLight::default(), view));
}
