//! Plays a recording on a character with Bevy's own animation: `cargo run --example bevy_character
//! [-- --frames N]`.
//!
//! The recording becomes an `AnimationClip` with its exact curves, which target the joints of the
//! character by name. Bevy's `AnimationPlayer`, graphs, transitions and events work as with any
//! other clip.
//!
//! The character is an arm of three boxes, which the example spawns. A character from a glTF file
//! is animated in the same way if the app enables Bevy's feature `bevy_gltf`: spawn a
//! `WorldAssetRoot`, and continue when its `WorldInstanceReady` arrives.

use bevy::{
    animation::{AnimatedBy, AnimationTargetId},
    core_pipeline::tonemapping::Tonemapping,
    prelude::*,
};
use mutoscope::{
    asset::ClipAsset,
    recording::{RecordingPlugin, targets_by_name, to_animation_clip},
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, RecordingPlugin))
        .insert_resource(FramesLeft(frames_from_arguments()))
        .add_systems(Startup, (spawn_character, spawn_view))
        .add_systems(Update, (play_when_loaded, exit_after_frames))
        .run()
}

#[derive(Component)]
struct Motion(Handle<ClipAsset>);

/// The joints of the arm: the name, the position relative to the previous joint in metres, and the
/// length of the box along Y in metres.
const JOINTS: [(&str, Vec3, f32); 4] = [
    ("Arm", Vec3::ZERO, 0.0),
    ("Upper", Vec3::ZERO, 0.5),
    ("Lower", Vec3::new(0.0, 0.51, 0.0), 0.5),
    ("Hand", Vec3::new(0.0, 0.51, 0.0), 0.2),
];

fn spawn_character(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let skin = materials.add(Color::srgb(0.9, 0.6, 0.4));
    let motion = Motion(assets.load("animj/arm-swing.animj"));
    let mut parent = commands.spawn((motion, Transform::default(), Visibility::default())).id();
    for (name, position, length) in JOINTS {
        let joint = (Name::new(name), Transform::from_translation(position), Visibility::default());
        let joint = commands.spawn((joint, ChildOf(parent))).id();
        if length > 0.0 {
            let shape = meshes.add(Cuboid::new(0.12, length, 0.12));
            let middle = Transform::from_xyz(0.0, length / 2.0, 0.0);
            commands.spawn((Mesh3d(shape), MeshMaterial3d(skin.clone()), middle, ChildOf(joint)));
        }
        parent = joint;
    }
}

fn spawn_view(mut commands: Commands) {
    commands.spawn((
        Camera3d::default(),
        Tonemapping::AcesFitted,
        Transform::from_xyz(1.0, 1.2, 2.5).looking_at(Vec3::Y * 0.4, Vec3::Y),
    ));
    let light = Transform::from_xyz(1.0, 2.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight::default(), light));
}

/// Gives the character its animation as soon as the recording is loaded.
fn play_when_loaded(
    mut commands: Commands,
    characters: Query<(Entity, &Motion)>,
    children: Query<&Children>,
    joints: Query<(&Name, Entity)>,
    recordings: Res<Assets<ClipAsset>>,
    mut clips: ResMut<Assets<AnimationClip>>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
) {
    for (character, motion) in &characters {
        let Some(recording) = recordings.get(&motion.0) else { continue };
        // Every named joint becomes a target with an ID from its name.
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
            .remove::<Motion>();
    }
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
