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
    let mut spawn = |recording: &'static str, character: &'static str, fit: FitSetting, x: f32| {
        let recording = assets
            .load_builder()
            .with_settings(move |settings: &mut ClipLoaderSettings| {
                settings.skeleton = Some(character.to_owned());
                settings.fit = fit;
            })
            .load(recording);
        commands.spawn((
            WorldAssetRoot(assets.load(GltfAssetLabel::Scene(0).from_asset(character))),
            RecordingAnimation(recording),
            Transform::from_xyz(x, 0.0, 0.0),
        ));
    };
    spawn("animj/arm-swing.animj", "animj/arm-swing.glb", FitSetting::ByName, -1.5);
    spawn("bvh/walk.bvh", "gltf/walker.glb", FitSetting::ByBones, 1.0);
}

fn spawn_view(mut commands: Commands) {
    let view = Transform::from_xyz(0.0, 1.5, 6.5).looking_at(Vec3::Y * 0.9, Vec3::Y);
    commands.spawn((Camera3d::default(), Tonemapping::AcesFitted, view));
    commands.spawn((DirectionalLight::default(), view));
}
