//! Tests of the stage in an app without rendering.

use bevy::{
    app::TaskPoolPlugin, asset::AssetPlugin, gizmos::GizmoPlugin, input::InputPlugin,
    mesh::skinning::SkinnedMeshInverseBindposes, prelude::*, time::TimePlugin,
    transform::TransformPlugin,
};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{
    AxisView, CameraMode, CameraRequest, Follow, StageCamera, StagePlugin, StageScreen, View,
    hand_skin::SkinPart,
    palm::PalmPart,
    skeleton::Bone,
    subject::{FollowsNode, Painted, Staged},
    testing::sample_clip,
};
use crate::{
    ClipAsset, FollowsClock, PlaybackClock, Recording, RecordingNode, RecordingPlugin,
    stage::Displacement, stage::HiddenNodes, stage::Tint,
};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, NodeId, NodeKind},
    decode,
    measure::compare::Timing,
    playback::{Clock, TimeCommand},
};

/// Creates an app with the sample recording on its stage, paused at `time`.
fn app(time: f64) -> App {
    app_with(sample_clip(), time)
}

/// Creates an app with `clip` on its stage, paused at `time`.
pub(super) fn app_with(clip: Clip, time: f64) -> App {
    let mut app = App::new();
    app.add_plugins((
        (TaskPoolPlugin::default(), TimePlugin, TransformPlugin, InputPlugin),
        (AssetPlugin::default(), GizmoPlugin, RecordingPlugin, StagePlugin::viewer()),
    ));
    app.init_asset::<Mesh>().init_asset::<Image>();
    app.init_asset::<SkinnedMeshInverseBindposes>();
    app.finish();
    app.cleanup();
    let mut clock = Clock::new(clip.span);
    clock.apply(TimeCommand::Seek(time), &[]);
    app.world_mut().spawn((Recording::new(ClipAsset::new(clip)), PlaybackClock(clock)));
    app.update();
    app
}

/// Returns the entity of the only recording with its own clock.
pub(super) fn recording(app: &mut App) -> Entity {
    let world = app.world_mut();
    let mut recordings = world.query_filtered::<Entity, (With<Recording>, With<PlaybackClock>)>();
    recordings.single(world).unwrap()
}

fn node(app: &mut App, name: &str) -> RecordingNode {
    let recording = recording(app);
    let clip = app.world().get::<Recording>(recording).unwrap().clip();
    let index = clip.nodes.iter().position(|node| node.name == name).unwrap();
    RecordingNode::new(recording, NodeId::new(index))
}

/// Returns the transform of the entity that follows `node`, and its visibility.
fn entity(app: &mut App, node: RecordingNode) -> (Transform, bool) {
    let world = app.world_mut();
    let mut entities = world.query::<(&FollowsNode, &Transform, &Visibility)>();
    let found = entities.iter(world).find(|(follows, ..)| follows.node == node).unwrap();
    (*found.1, *found.2 != Visibility::Hidden)
}

fn bone_is_visible(app: &mut App, node: RecordingNode) -> bool {
    let world = app.world_mut();
    let mut bones = world.query::<(&Bone, &Visibility)>();
    *bones.iter(world).find(|(bone, _)| bone.to == node).unwrap().1 != Visibility::Hidden
}

fn view(app: &mut App) -> Mut<'_, View> {
    app.world_mut().resource_mut::<View>()
}

/// Returns a sample time at which the left hand is not tracked.
fn time_without_left_hand() -> f64 {
    let clip = sample_clip();
    let signal = clip.signals.iter().position(|signal| signal.name == "left/tracked").unwrap();
    let mut pose = mutoscope_core::clip::Pose::default();
    let untracked = clip.sample_times().into_iter().find(|&time| {
        clip.sample(time, &mut pose);
        !pose.signals[signal].is_true()
    });
    untracked.unwrap()
}

#[test]
fn every_node_and_bone_has_an_entity() {
    let mut app = app(1.0);
    let clip = sample_clip();
    let world = app.world_mut();
    assert_eq!(world.query::<&FollowsNode>().iter(world).count(), clip.nodes.len());
    let bones = clip.nodes.iter().filter(|node| node.bone_from.is_some()).count();
    assert_eq!(world.query::<&Bone>().iter(world).count(), bones);
}

#[test]
fn entities_follow_the_pose() {
    let mut app = app(0.0);
    for time in [0.0, 0.5, 2.0, 1.0] {
        seek(&mut app, time);
        for name in ["left/Wrist", "right/IndexTip", "camera"] {
            let id = node(&mut app, name);
            let recording = app.world().get::<Recording>(id.recording).unwrap();
            let pose = recording.pose()[id.node].world;
            let (transform, _) = entity(&mut app, id);
            let distance = transform.translation.distance(pose.translation.as_vec3());
            assert!(distance < 1e-6, "{name} at {time}");
        }
    }
}

#[test]
fn left_hand_is_left_in_head_space() {
    let mut app = app(1.0);
    let [head, left, right] =
        ["camera", "left/Wrist", "right/Wrist"].map(|name| node(&mut app, name));
    let (head, _) = entity(&mut app, head);
    let in_head_space =
        |hand: Transform| head.rotation.inverse() * (hand.translation - head.translation);
    let [left, right] = [left, right].map(|hand| in_head_space(entity(&mut app, hand).0));
    assert!(left.x < 0.0 && right.x > 0.0, "{left} {right}");
    assert!(left.z < -0.2 && right.z < -0.2, "the hands are in front of the head: {left} {right}");
}

#[test]
fn in_place_keeps_rotation_and_height() {
    let mut app = app(0.0);
    let [head, hand] = ["camera", "right/Wrist"].map(|name| node(&mut app, name));
    let (start, _) = entity(&mut app, head);
    seek(&mut app, 2.5);
    let [(there, _), (hand_there, _)] = [head, hand].map(|id| entity(&mut app, id));
    view(&mut app).in_place = true;
    app.update();
    let [(here, _), (hand_here, _)] = [head, hand].map(|id| entity(&mut app, id));
    let motion = there.translation - start.translation;
    assert!(motion.length() > 1e-3, "the sample's head moves: {motion}");
    let expected = start.translation.with_y(there.translation.y);
    assert!(here.translation.distance(expected) < 1e-6, "{}", here.translation);
    let moved =
        [there.translation - here.translation, hand_there.translation - hand_here.translation];
    assert!(moved[0].distance(moved[1]) < 1e-6, "the distance is unchanged: {moved:?}");
}

#[test]
fn in_place_recordings_are_framed() {
    let bytes = include_bytes!("../../../../assets/maya/walk-with-hat.anim");
    let clip = decode(SourceFile::new("x.anim", bytes), &ReadOptions::default()).unwrap();
    let mut app = app_with(clip, 0.2);
    // The test reads the position of a joint, which a mannequin would hide.
    view(&mut app).model = false;
    view(&mut app).follow = Some(Follow::Off);
    app.world_mut().write_message(CameraRequest::FrameAll { at_once: true });
    app.update();
    // Returns the distance of the body from the camera, and its angle from the centre of the view.
    let distance_and_angle = |app: &mut App| {
        let hips = node(app, "hips");
        let (camera, hips) = (camera(app), entity(app, hips).0);
        let offset = hips.translation - camera.translation;
        (offset.length(), offset.angle_between(*camera.forward()))
    };
    let (whole_path, angle_on_path) = distance_and_angle(&mut app);
    view(&mut app).in_place = true;
    app.update();
    app.world_mut().write_message(CameraRequest::FrameAll { at_once: true });
    app.update();
    app.update();
    let (here, angle_in_place) = distance_and_angle(&mut app);
    assert!(here < 0.9 * whole_path, "{here} {whole_path}");
    assert!(
        angle_in_place < 0.06 && angle_in_place < angle_on_path,
        "{angle_in_place} {angle_on_path}"
    );
}

#[test]
fn following_camera_keeps_its_distance() {
    let mut app = app(0.5);
    let wrist = node(&mut app, "right/Wrist");
    let camera_offset = |app: &mut App| camera(app).translation - entity(app, wrist).0.translation;
    view(&mut app).selected = Some(wrist);
    view(&mut app).follow = Some(Follow::Position);
    app.update();
    let (before, position) = (camera_offset(&mut app), entity(&mut app, wrist).0.translation);
    seek(&mut app, 1.4);
    assert!(
        position.distance(entity(&mut app, wrist).0.translation) > 0.01,
        "the sample's hand moves"
    );
    assert!(
        camera_offset(&mut app).abs_diff_eq(before, 1e-5),
        "{before} {}",
        camera_offset(&mut app)
    );
    view(&mut app).follow = None;
    app.update();
    let camera_before = camera(&mut app).translation;
    seek(&mut app, 0.5);
    assert!(
        camera(&mut app).translation.abs_diff_eq(camera_before, 1e-6),
        "hands have no long path"
    );
}

/// Returns the pose of the camera in the space of `node`.
fn camera_pose_from(app: &mut App, node: RecordingNode) -> (Vec3, Quat) {
    let (node, camera) = (entity(app, node).0, camera(app));
    let inverse = node.rotation.inverse();
    (inverse * (camera.translation - node.translation), inverse * camera.rotation)
}

pub(super) fn seek(app: &mut App, time: f64) {
    let clock = recording(app);
    let mut clock = app.world_mut().get_mut::<PlaybackClock>(clock).unwrap();
    clock.0.apply(TimeCommand::Seek(time), &[]);
    app.update();
}

#[test]
fn rotation_following_camera_is_fixed_to_the_joint() {
    let mut app = app(0.5);
    let wrist = node(&mut app, "right/Wrist");
    let first = camera(&mut app);
    view(&mut app).selected = Some(wrist);
    view(&mut app).follow = Some(Follow::PositionAndRotation);
    app.update();
    assert_eq!(camera(&mut app), first, "the camera moves only with the joint");
    let (position, rotation) = camera_pose_from(&mut app, wrist);
    let start = entity(&mut app, wrist).0.rotation;
    let mut max_turn = 0.0_f32;
    for time in [1.4, 0.6, 3.0, 0.9, 2.2] {
        seek(&mut app, time);
        let (there, turned) = camera_pose_from(&mut app, wrist);
        assert!(there.abs_diff_eq(position, 1e-4), "{time}: {there} instead of {position}");
        assert!(turned.angle_between(rotation) < 2e-3, "{time}");
        max_turn = max_turn.max(entity(&mut app, wrist).0.rotation.angle_between(start));
    }
    assert!(max_turn > 0.1, "the sample's hand turns: {max_turn}");
    seek(&mut app, 0.5);
    let back = camera(&mut app);
    assert!(back.translation.abs_diff_eq(first.translation, 1e-4));
    assert!(back.rotation.angle_between(first.rotation) < 2e-3);
}

#[test]
fn orbiting_works_in_joint_space() {
    let mut app = app(0.5);
    let wrist = node(&mut app, "right/Wrist");
    view(&mut app).selected = Some(wrist);
    view(&mut app).follow = Some(Follow::PositionAndRotation);
    app.update();
    let up = camera_up_in_space(&mut app);
    seek(&mut app, 1.4);
    let before = camera_pose_from(&mut app, wrist).0;
    // Simulates dragging.
    let world = app.world_mut();
    let mut controls = world.query::<&mut PanOrbitCamera>().single_mut(world).unwrap();
    controls.target_yaw += 0.7;
    app.update();
    app.update();
    let (after, turned) = camera_pose_from(&mut app, wrist);
    assert!(!after.abs_diff_eq(before, 0.05), "the camera has orbited");
    seek(&mut app, 2.2);
    let (later, still) = camera_pose_from(&mut app, wrist);
    assert!(later.abs_diff_eq(after, 1e-4) && still.angle_between(turned) < 2e-3);
    let later_up = camera_up_in_space(&mut app);
    assert!((later_up - up).abs() < 1e-3, "the pitch is unchanged: {later_up} {up}");
}

/// Returns the vertical part of the camera's up vector, in the space that the camera orbits in.
fn camera_up_in_space(app: &mut App) -> f32 {
    let up = camera(app).up();
    let world = app.world_mut();
    let controls = world.query::<&PanOrbitCamera>().single(world).unwrap();
    up.dot(controls.axis[1])
}

#[test]
fn ending_rotation_follow_returns_upright_in_place() {
    let mut app = app(0.5);
    let wrist = node(&mut app, "right/Wrist");
    view(&mut app).selected = Some(wrist);
    view(&mut app).follow = Some(Follow::PositionAndRotation);
    app.update();
    seek(&mut app, 1.4);
    let leaning = camera(&mut app);
    assert!(leaning.right().y.abs() > 0.02, "{}", leaning.right());
    let camera_pose = app.world().resource::<StageScreen>().camera_pose;
    view(&mut app).follow = Some(Follow::Off);
    app.update();
    std::thread::sleep(std::time::Duration::from_millis(200));
    app.update();
    app.update();
    let upright = camera(&mut app);
    assert!(
        upright.translation.abs_diff_eq(leaning.translation, 1e-4),
        "the position is unchanged"
    );
    assert!(upright.forward().abs_diff_eq(*leaning.forward(), 1e-4), "the direction is unchanged");
    assert!(upright.right().y.abs() < 1e-4, "{}", upright.right());
    // The published camera pose leads to the same view.
    app.world_mut().write_message(CameraRequest::LookFrom(camera_pose));
    app.update();
    app.update();
    let restored = camera(&mut app);
    assert!(
        restored.translation.abs_diff_eq(upright.translation, 1e-3),
        "{restored:?} {upright:?}"
    );
    assert!(restored.forward().abs_diff_eq(*upright.forward(), 1e-3));
}

#[test]
fn hidden_nodes_hide_their_bone() {
    let mut app = app(1.0);
    let [knuckle, tip] = ["right/IndexKnuckle", "right/IndexTip"].map(|name| node(&mut app, name));
    let mut hidden = app.world_mut().get_mut::<HiddenNodes>(tip.recording).unwrap();
    hidden.insert(tip.node);
    app.update();
    assert!(!entity(&mut app, tip).1 && !bone_is_visible(&mut app, tip));
    assert!(entity(&mut app, knuckle).1 && bone_is_visible(&mut app, knuckle));
    app.world_mut().get_mut::<HiddenNodes>(tip.recording).unwrap().clear();
    view(&mut app).bones = false;
    app.update();
    assert!(entity(&mut app, tip).1 && !bone_is_visible(&mut app, tip));
}

#[test]
fn untracked_nodes_are_hidden_or_faded() {
    let mut app = app(time_without_left_hand());
    let [left, head] = ["left/Wrist", "camera"].map(|name| node(&mut app, name));
    assert!(!entity(&mut app, left).1 && entity(&mut app, head).1);
    view(&mut app).fade_untracked = true;
    app.update();
    assert!(entity(&mut app, left).1);
}

#[test]
fn new_recording_replaces_the_previous_one() {
    let mut app = app(1.0);
    let count = |app: &mut App| {
        let world = app.world_mut();
        world.query::<&FollowsNode>().iter(world).count()
    };
    let before = count(&mut app);
    let entity = recording(&mut app);
    let mut recording = app.world_mut().get_mut::<Recording>(entity).unwrap();
    recording.replace(ClipAsset::new(sample_clip()));
    app.update();
    assert_eq!(count(&mut app), before);
    app.world_mut().entity_mut(entity).remove::<Recording>();
    app.update();
    assert_eq!(count(&mut app), 0);
}

#[test]
fn camera_moves_to_requested_views() {
    let mut app = app(1.0);
    let request = CameraRequest::LookAlong(AxisView::Top);
    app.world_mut().write_message(request);
    app.update();
    // Wait until the move is complete. It runs in real time.
    std::thread::sleep(std::time::Duration::from_millis(200));
    app.update();
    app.update();
    let camera = camera(&mut app);
    assert!(camera.forward().abs_diff_eq(Vec3::NEG_Y, 1e-3), "{:?}", camera.forward());
}

#[test]
fn everything_is_framed_initially() {
    let mut app = app(1.0);
    let camera = camera(&mut app);
    let clip = sample_clip();
    let joints = clip.nodes.with_ids().filter(|(_, node)| node.kind != NodeKind::Ray);
    let recording = recording(&mut app);
    for (id, node) in joints {
        let (transform, _) = entity(&mut app, RecordingNode::new(recording, id));
        let in_camera_space =
            camera.rotation.inverse() * (transform.translation - camera.translation);
        let [x, y] = [in_camera_space.x, in_camera_space.y]
            .map(|coordinate| (coordinate / in_camera_space.z).abs());
        assert!(in_camera_space.z < 0.0 && x < 0.65 && y < 0.4, "{}: {in_camera_space}", node.name);
    }
}

#[test]
fn head_view_can_be_entered_and_left() {
    let mut app = app(1.0);
    let before = camera(&mut app);
    view(&mut app).camera = CameraMode::Head;
    app.update();
    let head = node(&mut app, "camera");
    let head = entity(&mut app, head).0;
    let through = camera(&mut app);
    assert!(through.translation.abs_diff_eq(head.translation, 1e-6));
    assert!(through.rotation.angle_between(head.rotation) < 1e-3);
    view(&mut app).camera = CameraMode::Free;
    app.update();
    assert!(camera(&mut app).translation.abs_diff_eq(before.translation, 1e-4));
}

#[test]
fn paused_stage_changes_nothing() {
    let mut app = app(1.0);
    app.update();
    app.update();
    let world = app.world_mut();
    let tick = world.read_change_tick();
    world.increment_change_tick();
    app.update();
    let world = app.world_mut();
    let mut moved = world.query::<(Ref<Transform>, Option<&Name>)>();
    let now = world.change_tick();
    for (transform, name) in moved.iter(world) {
        assert!(!transform.last_changed().is_newer_than(tick, now), "{name:?} moved");
    }
    let mut staged = world.query::<Ref<Staged>>();
    assert!(!staged.single(world).unwrap().last_changed().is_newer_than(tick, now));
}

fn camera(app: &mut App) -> Transform {
    let world = app.world_mut();
    let mut cameras =
        world.query_filtered::<&Transform, (With<StageCamera>, With<PanOrbitCamera>)>();
    *cameras.single(world).unwrap()
}

/// Adds another recording on the clock of the first.
fn add_take(app: &mut App, timing: Timing) -> Entity {
    let clock = recording(app);
    let mut take = Recording::new(ClipAsset::new(sample_clip()));
    take.set_timing(timing);
    let take = app.world_mut().spawn((take, FollowsClock(clock))).id();
    app.update();
    take
}

#[test]
fn recordings_on_one_clock_use_their_own_timing() {
    let mut app = app(1.4);
    let take = add_take(&mut app, Timing { offset: 0.9, rate: 1.0 });
    let first = node(&mut app, "right/Wrist");
    let second = RecordingNode::new(take, first.node);
    let mut pose = mutoscope_core::clip::Pose::default();
    for (node, time) in [(first, 1.4), (second, 0.5)] {
        sample_clip().sample(time, &mut pose);
        let expected = pose[node.node].world.translation.as_vec3();
        assert!(entity(&mut app, node).0.translation.distance(expected) < 1e-6, "{time}");
    }
    let world = app.world_mut();
    let parts = world.query::<&FollowsNode>().iter(world).count();
    assert_eq!(parts, 2 * sample_clip().nodes.len());
    app.world_mut().entity_mut(take).despawn();
    app.update();
    let world = app.world_mut();
    assert_eq!(world.query::<&FollowsNode>().iter(world).count(), sample_clip().nodes.len());
}

#[test]
fn recording_follows_its_entity_transform() {
    let mut app = app(1.0);
    let take = add_take(&mut app, Timing::default());
    let turned = Transform::from_xyz(3.0, 0.0, 0.0)
        .with_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2));
    app.world_mut().entity_mut(take).insert((turned, Displacement(bevy::math::DVec3::Y)));
    app.update();
    app.update();
    let first = node(&mut app, "left/Wrist");
    let world = app.world_mut();
    let mut parts = world.query::<(&FollowsNode, &GlobalTransform)>();
    let mut position = |world: &mut World, recording| {
        let node = RecordingNode::new(recording, first.node);
        let mut all = parts.iter(world);
        all.find(|(follows, _)| follows.node == node).unwrap().1.translation()
    };
    let (here, there) = (position(world, first.recording), position(world, take));
    assert!(there.distance(turned * (here + Vec3::Y)) < 1e-5, "{here} {there}");
    let screen = app.world().resource::<StageScreen>();
    assert_eq!(screen.points.len(), 2);
}

#[test]
fn tint_applies_to_one_recording() {
    let mut app = app(1.0);
    let take = add_take(&mut app, Timing::default());
    let first = node(&mut app, "left/Wrist");
    let second = RecordingNode::new(take, first.node);
    let paint = |app: &mut App, node: RecordingNode| {
        let world = app.world_mut();
        let mut parts = world.query::<(&FollowsNode, &MeshMaterial3d<super::material::Paint>)>();
        let handle =
            parts.iter(world).find(|(follows, _)| follows.node == node).unwrap().1.0.clone();
        world.resource::<Assets<super::material::Paint>>().get(&handle).unwrap().color
    };
    let before = paint(&mut app, first);
    assert_eq!(paint(&mut app, second), before);
    let green = Color::srgb(0.1, 0.9, 0.2);
    app.world_mut().entity_mut(take).insert(Tint(Some(green)));
    app.update();
    assert_eq!(paint(&mut app, first), before);
    let tinted = paint(&mut app, second);
    assert!(tinted.green > tinted.red && tinted.green > tinted.blue, "{tinted:?}");
}

#[test]
fn smooth_hands_replace_palms_joints_and_bones() {
    let mut app = app(1.0);
    let wrist = node(&mut app, "right/Wrist");
    assert_eq!(skins(&mut app), [false, false]);
    assert_eq!(palms(&mut app), [true, true]);
    view(&mut app).smooth_hands = true;
    app.update();
    assert_eq!(skins(&mut app), [true, true]);
    assert_eq!(palms(&mut app), [false, false]);
    let tip = node(&mut app, "right/IndexTip");
    assert!(
        !entity(&mut app, tip).1 && !bone_is_visible(&mut app, tip),
        "the skin replaces the tip and its bone"
    );
    let points = skin_vertices(&mut app, wrist);
    for joint in ["Wrist", "Palm", "ThumbTip", "IndexKnuckle", "IndexTip", "PinkyTip"] {
        let joint_node = node(&mut app, &format!("right/{joint}"));
        let joint = entity(&mut app, joint_node).0.translation;
        let nearest = points.iter().map(|point| point.distance(joint)).reduce(f32::min).unwrap();
        assert!(nearest < 0.02, "{nearest} m from {joint_node:?}");
    }
    let mut hidden = app.world_mut().get_mut::<HiddenNodes>(wrist.recording).unwrap();
    hidden.insert(wrist.node);
    app.update();
    assert_eq!(skins(&mut app).iter().filter(|is_visible| **is_visible).count(), 1);
    assert!(
        entity(&mut app, tip).1 && bone_is_visible(&mut app, tip),
        "an incomplete hand has no skin"
    );
}

fn skins(app: &mut App) -> Vec<bool> {
    visibilities::<SkinPart>(app)
}

fn palms(app: &mut App) -> Vec<bool> {
    visibilities::<PalmPart>(app)
}

fn visibilities<T: Component>(app: &mut App) -> Vec<bool> {
    let world = app.world_mut();
    let mut parts = world.query_filtered::<&Visibility, With<T>>();
    parts.iter(world).map(|visibility| *visibility != Visibility::Hidden).collect()
}

/// Returns the vertices of the skin of the hand with this wrist.
fn skin_vertices(app: &mut App, wrist: RecordingNode) -> Vec<Vec3> {
    let world = app.world_mut();
    let mut parts = world.query_filtered::<(&Painted, &Mesh3d), With<SkinPart>>();
    let mesh = parts.iter(world).find(|(painted, _)| painted.node == wrist).unwrap().1.0.clone();
    let mesh = world.resource::<Assets<Mesh>>().get(&mesh).unwrap();
    let points = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|points| points.as_float3());
    points.unwrap().iter().map(|point| Vec3::from_array(*point)).collect()
}
