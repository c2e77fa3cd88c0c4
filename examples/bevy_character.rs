//! A recording on a glTF character, played by Bevy's own animation:
//! `cargo run --example bevy_character [-- --frames N]`.
//!
//! The character is a glTF that Bevy loads as it loads any; the recording becomes an
//! `AnimationClip` with its exact curves, whose targets are the character's joints of the same name.
//! Bevy's `AnimationPlayer`, graphs, transitions and events work on it as on any other.

use bevy::{
    animation::{AnimatedBy, AnimationTargetId},
    camera::{
        primitives::Aabb,
        visibility::{DynamicSkinnedMeshBounds, VisibilityClass},
    },
    core_pipeline::tonemapping::Tonemapping,
    gltf::{GltfMaterialName, GltfMeshName, GltfSceneName},
    mesh::skinning::SkinnedMesh,
    prelude::*,
    transform::components::TransformTreeChanged,
    world_serialization::WorldInstanceReady,
};
use mutoscope::{
    asset::ClipAsset,
    recording::{RecordingPlugin, targets_by_name, to_animation_clip},
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, RecordingPlugin, register_types))
        .insert_resource(FramesLeft(frames_from_arguments()))
        .add_systems(Startup, spawn_character)
        .add_systems(Update, (play_when_loaded, exit_after_frames))
        .run()
}

/// Registers what the scenes of glTF files are made of. Your app does not need it: with its default
/// features, of which Mutoscope takes only what it draws with, Bevy does so by itself.
fn register_types(app: &mut App) {
    app.register_type::<Name>()
        .register_type::<ChildOf>()
        .register_type::<Children>()
        .register_type::<Transform>()
        .register_type::<GlobalTransform>()
        .register_type::<TransformTreeChanged>()
        .register_type::<Visibility>()
        .register_type::<InheritedVisibility>()
        .register_type::<ViewVisibility>()
        .register_type::<VisibilityClass>()
        .register_type::<Aabb>()
        .register_type::<Mesh3d>()
        .register_type::<MeshMaterial3d<StandardMaterial>>()
        .register_type::<SkinnedMesh>()
        .register_type::<DynamicSkinnedMeshBounds>()
        .register_type::<GltfSceneName>()
        .register_type::<GltfMeshName>()
        .register_type::<GltfMaterialName>()
        .register_type::<AnimationPlayer>()
        .register_type::<AnimationTargetId>()
        .register_type::<AnimatedBy>();
}

/// The recording for the character.
#[derive(Component)]
struct Motion(Handle<ClipAsset>);

fn spawn_character(mut commands: Commands, assets: Res<AssetServer>) {
    let character = assets.load(GltfAssetLabel::Scene(0).from_asset("animj/arm-swing.glb"));
    let motion = Motion(assets.load("animj/arm-swing.animj"));
    commands.spawn((WorldAssetRoot(character), motion)).observe(note_ready);
    commands.spawn((
        Camera3d::default(),
        Tonemapping::AcesFitted,
        Transform::from_xyz(1.0, 1.2, 2.5).looking_at(Vec3::Y * 0.4, Vec3::Y),
    ));
    let light = Transform::from_xyz(1.0, 2.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight::default(), light));
}

/// Marks a character whose hierarchy is spawned.
#[derive(Component)]
struct Ready;

fn note_ready(ready: On<WorldInstanceReady>, mut commands: Commands) {
    commands.entity(ready.entity).insert(Ready);
}

/// Gives the character its animation as soon as both it and the recording are loaded.
fn play_when_loaded(
    mut commands: Commands,
    characters: Query<(Entity, &Motion), With<Ready>>,
    children: Query<&Children>,
    joints: Query<(&Name, Entity)>,
    recordings: Res<Assets<ClipAsset>>,
    mut clips: ResMut<Assets<AnimationClip>>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
) {
    for (character, motion) in &characters {
        let Some(recording) = recordings.get(&motion.0) else { continue };
        // Every named joint is a target, known by its own name.
        let named: Vec<_> = children
            .iter_descendants(character)
            .filter_map(|entity| joints.get(entity).ok())
            .map(|(name, entity)| (name.clone(), entity, AnimationTargetId::from_name(name)))
            .collect();
        let targets =
            targets_by_name(&recording.clip, named.iter().map(|(name, _, target)| (name, target)));
        let clip = clips.add(to_animation_clip(&recording.clip, targets));
        let (graph, node) = AnimationGraph::from_clip(clip);
        let mut player = AnimationPlayer::default();
        player.play(node).repeat();
        for (_, joint, target) in &named {
            commands.entity(*joint).insert((*target, AnimatedBy(character)));
        }
        commands
            .entity(character)
            .insert((player, AnimationGraphHandle(graphs.add(graph))))
            .remove::<(Motion, Ready)>();
    }
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
