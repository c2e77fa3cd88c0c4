//! Tests of recordings that Bevy's own `AnimationPlayer` plays.

use std::sync::Arc;

use bevy::{
    animation::{AnimatedBy, AnimationPlugin, AnimationTargetId},
    asset::AssetPlugin,
    ecs::system::RunSystemOnce,
    prelude::*,
    time::TimePlugin,
    transform::TransformPlugin,
};
use bevy_mutoscope::{
    RecordingFormats, prelude::*, targets_by_name, targets_by_path, to_animation_clip,
};
use mutoscope_core::{
    clip::{Clip, NodeId, Pose},
    formats::{ReadOptions, Registry, SourceFile, decode},
    io::bytes::NoSidecars,
};

fn asset(path: &str) -> Vec<u8> {
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    std::fs::read(assets.join(path)).unwrap()
}

fn registry() -> Registry {
    RecordingFormats::default().registry()
}

fn clip(path: &str) -> Clip {
    decode(SourceFile::new(path, &asset(path)), &ReadOptions::from(&registry())).unwrap()
}

fn clip_on_skeleton(path: &str, rig: &str) -> Clip {
    let rig = registry().decode_skeleton(&asset(rig), rig, &NoSidecars).unwrap();
    decode(SourceFile::new(path, &asset(path)), &ReadOptions::from(&registry()).with_skeleton(rig))
        .unwrap()
}

fn clips_of_every_format() -> Vec<(&'static str, Clip)> {
    vec![
        ("mrtk", clip("mrtk/two-hands.bin")),
        ("maya", clip("maya/walk-with-hat.anim")),
        ("animj", clip("animj/lantern-show.animj")),
        ("animj on a skeleton", clip_on_skeleton("animj/arm-swing.animj", "animj/arm-swing.glb")),
        ("prime on a skeleton", clip_on_skeleton("prime/walk.ANIM", "prime/walk.CINF")),
        ("mcmocap", clip("mcmocap/a-day.mcmocap_rec")),
    ]
}

/// An app whose `AnimationPlayer` plays `clip` on one entity for each node.
struct AnimatedNodes {
    app: App,
    player: Entity,
    joints: Vec<Entity>,
    animation: AnimationNodeIndex,
}

impl AnimatedNodes {
    fn new(clip: &Arc<Clip>) -> Self {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin))
            .add_plugins((AssetPlugin::default(), AnimationPlugin));
        let targets = targets_by_path(clip);
        let animation = to_animation_clip(clip, targets.iter().copied());
        let animation = app.world_mut().resource_mut::<Assets<AnimationClip>>().add(animation);
        let (graph, animation) = AnimationGraph::from_clip(animation);
        let graph = app.world_mut().resource_mut::<Assets<AnimationGraph>>().add(graph);
        let mut player = AnimationPlayer::default();
        player.play(animation).pause();
        let player = app.world_mut().spawn((player, AnimationGraphHandle(graph))).id();
        let mut rest = Pose::default();
        clip.sample_rest_pose(&mut rest);
        let joint = |(id, target): &(NodeId, AnimationTargetId)| {
            // Spawn the nodes in the rest pose, because Bevy does not change a node without a
            // curve.
            let local = rest[*id].local;
            let transform = Transform {
                translation: local.translation.as_vec3(),
                rotation: local.rotation.as_quat(),
                scale: local.scale.as_vec3(),
            };
            app.world_mut().spawn((transform, *target, AnimatedBy(player))).id()
        };
        let joints: Vec<_> = targets.iter().map(joint).collect();
        for (id, node) in clip.nodes.with_ids() {
            if let Some(parent) = node.parent {
                let parent = joints[parent.index()];
                app.world_mut().entity_mut(joints[id.index()]).insert(ChildOf(parent));
            }
        }
        app.finish();
        app.cleanup();
        // Bevy needs a frame to prepare a new graph.
        for _ in 0..3 {
            app.update();
        }
        Self { app, player, joints, animation }
    }

    /// Returns the transforms of all nodes, `t` seconds after the start.
    fn transforms_at(&mut self, t: f32) -> Vec<GlobalTransform> {
        let mut player = self.app.world_mut().get_mut::<AnimationPlayer>(self.player).unwrap();
        player.animation_mut(self.animation).unwrap().seek_to(t);
        self.app.update();
        let world = self.app.world();
        self.joints.iter().map(|joint| *world.get::<GlobalTransform>(*joint).unwrap()).collect()
    }
}

#[test]
fn bevy_plays_the_recording_with_exact_curves() {
    fastrand::seed(20);
    for (name, clip) in clips_of_every_format() {
        let clip = Arc::new(clip);
        let mut animated = AnimatedNodes::new(&clip);
        let mut pose = Pose::default();
        for _ in 0..60 {
            let t = fastrand::f32() * clip.span.duration as f32;
            clip.sample(clip.span.start + f64::from(t), &mut pose);
            for ((id, node), found) in clip.nodes.with_ids().zip(animated.transforms_at(t)) {
                let expected = pose[id].world;
                if !expected.is_finite() {
                    continue;
                }
                // The tolerance is relative, because an `f32` has about seven significant digits.
                let size = expected.translation.length().max(1.0) as f32;
                let distance = found.translation().distance(expected.translation.as_vec3());
                assert!(distance < 1e-5 * size, "{name}, {} at {t}: {distance} m", node.name);
                let angle = found.rotation().angle_between(expected.rotation.as_quat());
                assert!(angle < 2e-3, "{name}, {} at {t}: {angle} radians", node.name);
            }
        }
    }
}

#[test]
fn joints_of_a_character_are_matched_by_name() {
    let clip = clip("animj/arm-swing.animj");
    let names: Vec<Name> =
        clip.nodes.iter().map(|node| Name::new(node.name.to_uppercase())).collect();
    let targets: Vec<_> = names.iter().map(AnimationTargetId::from_name).collect();
    let matched = targets_by_name(&clip, names.iter().zip(&targets));
    assert_eq!(matched.len(), clip.nodes.len());
    assert!(matched.iter().all(|(node, target)| targets[node.index()] == *target));
}

/// Spawns the nodes of a skeleton file as Bevy's glTF loader would, below one entity.
fn spawn_character(world: &mut World, path: &str) -> Entity {
    let skeleton = registry().decode_skeleton(&asset(path), path, &NoSidecars).unwrap();
    let character = world.spawn((Transform::default(), Visibility::default())).id();
    let mut bones = Vec::new();
    for node in &skeleton.nodes {
        let transform = Transform {
            translation: node.rest.translation.as_vec3(),
            rotation: node.rest.rotation.as_quat(),
            scale: node.rest.scale.as_vec3(),
        };
        let bone = (Name::new(node.name.clone()), transform, Visibility::default());
        bones.push(world.spawn(bone).id());
    }
    for (bone, node) in bones.iter().zip(&skeleton.nodes) {
        let parent = node.parent.map_or(character, |parent| bones[parent]);
        world.entity_mut(*bone).insert(ChildOf(parent));
    }
    character
}

/// Resonite mirrors glTF models in x, so a recording is only right on the character if it is
/// mirrored back.
#[test]
fn recordings_move_a_character_in_its_own_space() {
    let mut app = App::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let assets = AssetPlugin { file_path: folder.display().to_string(), ..default() };
    app.add_plugins((MinimalPlugins, TransformPlugin, assets, AnimationPlugin, RecordingPlugin));
    let character = spawn_character(app.world_mut(), "animj/arm-swing.glb");
    let recording = app
        .world()
        .resource::<AssetServer>()
        .load_builder()
        .with_settings(|settings: &mut ClipLoaderSettings| {
            settings.skeleton = Some("animj/arm-swing.glb".to_owned());
        })
        .load("animj/arm-swing.animj");
    app.world_mut().entity_mut(character).insert(RecordingAnimation(recording));
    app.finish();
    app.cleanup();
    let is_ready = |app: &App| app.world().get::<AnimationPlayer>(character).is_some();
    for _ in 0..10_000 {
        app.update();
        if is_ready(&app) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(is_ready(&app));
    // Bevy needs some frames to prepare a new graph.
    for _ in 0..3 {
        app.update();
    }
    let seek = move |mut players: Query<&mut AnimationPlayer>| {
        for (_, animation) in players.single_mut().unwrap().playing_animations_mut() {
            animation.seek_to(0.5).pause();
        }
    };
    app.world_mut().run_system_once(seek).unwrap();
    app.update();
    let mut bones = app.world_mut().query::<(&Name, &GlobalTransform)>();
    let mut position = |name: &str| {
        let bone = bones.iter(app.world()).find(|(found, _)| found.as_str() == name);
        bone.unwrap().1.translation()
    };
    // The position of the box at 0.5 s in the file is (-1.0, 1.257, -0.494).
    assert!(position("Box").distance(Vec3::new(1.0, 1.257, -0.494)) < 1e-3, "{}", position("Box"));
    let lengths = [
        position("Lower").distance(position("Upper")),
        position("Hand").distance(position("Lower")),
    ];
    assert!((lengths[0] - 0.5099).abs() < 1e-3 && (lengths[1] - 0.559).abs() < 1e-3, "{lengths:?}");
}
