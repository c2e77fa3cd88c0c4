//! Writes FBX files, and evaluates them with ufbx.

use std::{fs, iter, sync::Arc};

use glam::{DAffine3, DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{
        AnyCurve, Blend, Clip, Convention, Element, Form, FormatId, Handedness, KeyTimes,
        MorphWeights, Motion, Node, NodeId, NodeKind, NodeVisibility, Nodes, Owner, Pose,
        ScalarCurve, Shapes, Span, Stated, Track, TrackId, TrackLocation, Transform, TypedCurve,
        Unit, UpAxis, ValueType,
    },
    decode,
    diagnostics::{Diagnostics, Severity, SourceLocation},
    export::{ExportError, ExportOptions, OptionValue, Progress, Report, TargetSettings, Targets},
    formats::Fit,
    io::bytes::NoSidecars,
    read::{Source, open, open_other_animations},
};
use mutoscope_testing::{
    fixtures::path,
    property::{RandomInput, check_property},
};
use ufbx::{CoordinateAxes, EvaluateOpts, LoadOpts, SceneRoot, SpaceConversion};

const MAX_DISTANCE_M: f64 = 2e-5;
const MAX_ANGLE_RAD: f64 = 0.01 / 180.0 * std::f64::consts::PI;

/// The largest time between the keys beside a jump, in seconds.
const JUMP_S: f64 = 2e-5;

fn try_export(
    clip: &Clip,
    options: &ExportOptions,
    is_ascii: bool,
) -> Result<(Vec<u8>, Report), ExportError> {
    let target = Targets::default().target("fbx").unwrap();
    let mut settings = TargetSettings::default();
    settings.set(target.option("ascii").unwrap(), is_ascii.then_some(OptionValue::Flag));
    let options = ExportOptions { settings, ..options.clone() };
    let mut bytes = Vec::new();
    let report = target.write(clip, &options, &mut bytes, &mut Progress::default())?;
    Ok((bytes, report))
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.remarks().iter().filter_map(|remark| Some(remark.code?.as_str())).collect()
}

/// Loads a file in metres and with the viewer's axes.
fn load(bytes: &[u8]) -> SceneRoot {
    let options = LoadOpts {
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::AdjustTransforms,
        ..LoadOpts::default()
    };
    let scene = ufbx::load_memory(bytes, options).unwrap_or_else(|error| {
        panic!("{}: {}", error.description, error.info());
    });
    let warnings = scene.metadata.warnings.iter().map(|warning| warning.description.to_string());
    assert_eq!(warnings.collect::<Vec<_>>(), [""; 0]);
    assert_eq!(scene.metadata.version, 7500);
    scene
}

/// Evaluates the take with index `take` at `time`.
fn scene_at(scene: &SceneRoot, take: usize, time: f64) -> SceneRoot {
    let options = EvaluateOpts { evaluate_skinning: true, ..EvaluateOpts::default() };
    ufbx::evaluate_scene(scene, &scene.anim_stacks[take].anim, time, options).unwrap()
}

fn vector(vector: ufbx::Vec3) -> DVec3 {
    DVec3::new(vector.x, vector.y, vector.z)
}

fn world_rotation(node: &ufbx::Node) -> DQuat {
    let ufbx::Quat { x, y, z, w } = node.local_transform.rotation;
    let local = DQuat::from_xyzw(x, y, z, w).normalize();
    node.parent.as_ref().map_or(local, |parent| world_rotation(parent) * local)
}

fn is_visible(node: &ufbx::Node) -> bool {
    node.visible && node.parent.as_ref().is_none_or(|parent| is_visible(parent))
}

/// The nodes and tracks of a random clip.
struct RandomClip<'a> {
    input: &'a mut RandomInput,
    tracks: Vec<Track>,
    span: Span,
}

impl RandomClip<'_> {
    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.input.in_range(-size, size)))
    }

    fn rotation(&mut self) -> DQuat {
        let axis = self.vector(1.0).normalize_or(DVec3::Y);
        DQuat::from_axis_angle(axis, self.input.in_range(-3.0, 3.0))
    }

    fn times(&mut self) -> Vec<f64> {
        let count = 1 + self.input.below(12);
        let (start, end) = (self.span.start, self.span.end());
        let mut times: Vec<f64> =
            (0..count).map(|_| self.input.in_range(start - 0.1, end + 0.1)).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    fn add_track<const N: usize>(
        &mut self,
        node: NodeId,
        unit: Unit,
        mut value: impl FnMut(&mut Self) -> [f64; N],
    ) -> TrackId {
        let times = self.times();
        let values: Vec<[f64; N]> = times.iter().map(|_| value(self)).collect();
        let times = KeyTimes::new(times).unwrap();
        let shapes = if self.input.below(3) == 0 { Shapes::Step } else { Shapes::Linear };
        let curve = |axis: usize| {
            let values = values.iter().map(|value| value[axis]).collect::<Vec<_>>();
            ScalarCurve::new(times.clone(), values, shapes.clone())
        };
        let form = match N {
            4 => Form::Quaternion { authored_blend: Blend::ShortSlerp },
            _ => Form::Plain,
        };
        let value_type = ValueType { name: "random", element: Element::Number, form };
        let curves: Vec<_> = (0..N).map(curve).collect();
        let curve = AnyCurve::Typed(Box::new(TypedCurve::new(value_type, curves)));
        self.push_track(node, unit, curve)
    }

    fn push_track(&mut self, node: NodeId, unit: Unit, curve: AnyCurve) -> TrackId {
        self.tracks.push(Track {
            owner: Owner::Node(node),
            property: "random".to_owned(),
            curve,
            unit,
            source: TrackLocation::for_track(SourceLocation::File),
        });
        TrackId::new(self.tracks.len() - 1)
    }

    fn add_visibility(&mut self, node: NodeId) -> NodeVisibility {
        let times = self.times();
        let values = times.iter().map(|_| self.input.below(2) as f64).collect::<Vec<_>>();
        let times = KeyTimes::new(times).unwrap();
        let curve = AnyCurve::Switch(ScalarCurve::new(times, values, Shapes::Step));
        NodeVisibility::While(self.push_track(node, Unit::None, curve))
    }

    fn node(&mut self, index: usize, depth: &mut Vec<usize>) -> Node {
        const SUFFIXES: [&str; 8] =
            ["", " b", "é☃", "\"quoted\"", "\t\r\n", "\0\u{1}Model", "::x", "/Palm"];
        let id = NodeId::new(index);
        let parent = (index > 0).then(|| self.input.below(index + 1)).filter(|it| *it < index);
        let parent = parent.filter(|parent| depth[*parent] < 3);
        depth.push(parent.map_or(0, |parent| depth[parent] + 1));
        let is_some = |random: &mut Self| random.input.below(2) == 0;
        let translation = is_some(self)
            .then(|| self.add_track(id, Unit::Metres, |random| random.vector(0.4).to_array()));
        let rotation = is_some(self)
            .then(|| self.add_track(id, Unit::None, |random| random.rotation().to_array()));
        let size = |random: &mut Self| random.input.in_range(0.8, 1.25);
        let scale = (self.input.below(4) == 0)
            .then(|| self.add_track(id, Unit::None, |random| [size(random); 3]));
        let visibility = match self.input.below(4) {
            0 => self.add_visibility(id),
            _ => NodeVisibility::Always,
        };
        let kinds = [NodeKind::Joint, NodeKind::Head, NodeKind::Ray, NodeKind::Helper];
        Node {
            name: format!("{index}{}", SUFFIXES[self.input.below(SUFFIXES.len())]),
            group: None,
            parent: parent.map(NodeId::new),
            bone_from: None,
            kind: kinds[self.input.below(kinds.len())],
            side: None,
            rest: Transform {
                translation: self.vector(0.4),
                rotation: self.rotation(),
                scale: DVec3::splat(size(self)),
            },
            motion: Motion::from_tracks(translation, rotation, scale, visibility),
        }
    }
}

fn random_clip(input: &mut RandomInput) -> Clip {
    let duration = input.in_range(0.1, 3.0);
    let up = if input.below(2) == 0 { UpAxis::Y } else { UpAxis::Z };
    let handedness = if input.below(2) == 0 { Handedness::Left } else { Handedness::Right };
    let mut convention = Convention::assumed(handedness, up);
    convention.metres_per_unit = Stated::declared([1.0, 0.5][input.below(2)]);
    let mut clip = Clip::new(FormatId::new("random"), convention);
    clip.span = Span { start: input.in_range(-5.0, 5.0), duration };
    let count = 1 + input.below(6);
    let mut random = RandomClip { input, tracks: Vec::new(), span: clip.span };
    let mut depth = Vec::new();
    let nodes = (0..count).map(|index| random.node(index, &mut depth)).collect::<Vec<_>>();
    clip.tracks = random.tracks;
    clip.nodes = Nodes::new(nodes, &mut Diagnostics::new());
    clip
}

/// Compares the nodes at a time of a take, which begins at `start` seconds of the clip. The result
/// has the largest distance in metres and the largest angle in radians.
fn compare_nodes(clip: &Clip, start: f64, scene: &SceneRoot, take: usize, time: f64) -> (f64, f64) {
    let evaluated = scene_at(scene, take, time);
    // Times beside a jump are compared with both sides of the jump.
    let poses = [-JUMP_S, 0.0, JUMP_S].map(|off| {
        let mut pose = Pose::default();
        clip.sample(start + time + off, &mut pose);
        pose
    });
    let mut worst = (0.0_f64, 0.0_f64);
    for (id, node) in clip.nodes.with_ids() {
        let name = node.name.replace(char::is_control, "_");
        let found =
            ufbx::find_node(&evaluated, &name).unwrap_or_else(|| panic!("{name:?} is missing"));
        let was_visible = poses.each_ref().map(|pose| pose[id].is_visible);
        assert!(was_visible.contains(&is_visible(found)), "{name} at {time}: {was_visible:?}");
        let differences = poses.iter().filter(|pose| pose[id].is_visible).map(|pose| {
            let world = &pose[id].world;
            let matrix = found.node_to_world;
            let position = DVec3::new(matrix.m03, matrix.m13, matrix.m23);
            let angle = world_rotation(found).angle_between(world.rotation);
            (position.distance(world.translation), angle)
        });
        if !is_visible(found) {
            continue;
        }
        let best = differences.min_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1)));
        let best = best.unwrap_or_default();
        assert!(
            best.0 <= MAX_DISTANCE_M && best.1 <= MAX_ANGLE_RAD,
            "{name} at {time}: {} m, {} rad",
            best.0,
            best.1
        );
        worst = (worst.0.max(best.0), worst.1.max(best.1));
    }
    worst
}

#[test]
fn random_motion_reads_back_within_the_bounds() {
    let worst = std::cell::Cell::new((0.0_f64, 0.0_f64));
    check_property(|input| {
        let clip = random_clip(input);
        let (start, end) = (clip.span.start, clip.span.end());
        let range = match input.below(3) {
            0 => start - 0.05..=end + 0.2,
            1 => start + 0.3 * clip.span.duration..=end - 0.2 * clip.span.duration,
            _ => start..=end,
        };
        let (from, to) = (*range.start(), *range.end());
        let options = ExportOptions { range: Some(range), ..ExportOptions::default() };
        let is_ascii = input.below(2) == 1;
        let (bytes, report) = try_export(&clip, &options, is_ascii).unwrap();
        let scene = load(&bytes);
        let stack = &scene.anim_stacks[0];
        assert!(stack.time_begin == 0.0 && (stack.time_end - (to - from)).abs() < 1e-9);
        assert_eq!(scene.settings.frames_per_second, 60.0);
        for _ in 0..24 {
            let time = input.in_range(0.0, to - from);
            let found = compare_nodes(&clip, from, &scene, 0, time);
            let known = worst.get();
            worst.set((known.0.max(found.0), known.1.max(found.1)));
        }
        let is_changed = clip.nodes.iter().any(|node| node.name.contains(char::is_control));
        let expected: &[&str] = if is_changed { &["export/names-changed"] } else { &[] };
        assert_eq!(codes(&report), expected, "{report:?}");
        // Our own reader accepts the file, too.
        let back = read(&bytes);
        assert_eq!(back.nodes.len(), clip.nodes.len() + 1);
        assert_eq!(back.diagnostics.worst_severity().filter(|it| *it > Severity::Info), None);
    });
    println!("at most {:.1e} m, {:.1e} rad", worst.get().0, worst.get().1);
}

fn read(bytes: &[u8]) -> Clip {
    let options = ReadOptions::default().with_formats(mutoscope_fbx::formats());
    let file = SourceFile::new("file.fbx", bytes).with_sidecars(&NoSidecars);
    decode(file, &options).unwrap()
}

/// Compares the vertices of all meshes with those that ufbx computes.
fn compare_vertices(clip: &Clip, scene: &SceneRoot, take: usize, times: &[f64]) -> (f64, usize) {
    let model = clip.model().unwrap();
    let (mut pose, mut weights) = (Pose::default(), Vec::new());
    let (mut matrices, mut positions): (Vec<DAffine3>, Vec<DVec3>) = (Vec::new(), Vec::new());
    let (mut worst, mut compared) = (0.0_f64, 0);
    for &time in times {
        let evaluated = scene_at(scene, take, time);
        clip.sample(clip.span.start + time, &mut pose);
        clip.nodes.fill_world_matrices(&pose, &mut matrices);
        assert_eq!(evaluated.meshes.len(), model.pieces.len());
        for (piece, mesh) in model.pieces.iter().zip(evaluated.meshes.iter()) {
            MorphWeights::new(clip, piece).fill_from_pose(&pose, &mut weights);
            piece.with_baked_morphs(&weights).fill_posed_positions(&matrices, &mut positions);
            let found = &mesh.skinned_position.values;
            assert_eq!(found.len(), positions.len());
            let to_world = &mesh.element.instances[0].geometry_to_world;
            for (found, expected) in found.iter().zip(&positions) {
                let found = match mesh.skinned_is_local {
                    true => ufbx::transform_position(to_world, *found),
                    false => *found,
                };
                worst = worst.max(vector(found).distance(*expected));
                compared += 1;
            }
        }
    }
    (worst, compared)
}

#[test]
fn skinned_meshes_and_blend_shapes_have_the_same_vertices() {
    // An avatar, and recordings with their own meshes.
    let recordings = [
        ("characters/move.vrma", Some("characters/boxes.vrm")),
        ("characters/no_rest.bvh", Some("characters/blender_character.fbx")),
        ("../../assets/gltf/walker.glb", None),
        ("fbx/shapes_embedded.fbx", None),
    ];
    for (name, character) in recordings {
        let bytes = |name: &str| fs::read(path(name)).unwrap();
        let mut options = ReadOptions::default().with_formats(mutoscope_fbx::formats());
        if let Some(character) = character {
            let skeleton =
                options.registry.decode_skeleton(&bytes(character), character, &NoSidecars);
            options = ReadOptions { fit: Fit::ByBones, ..options.with_skeleton(skeleton.unwrap()) };
        }
        let options = ReadOptions { with_model: true, ..options };
        let clip = decode(SourceFile::new(name, &bytes(name)), &options).unwrap();
        let times: Vec<f64> =
            (0..=12).map(|step| clip.span.duration * f64::from(step) / 12.0).collect();
        for is_ascii in [false, true] {
            let (bytes, _) = try_export(&clip, &ExportOptions::default(), is_ascii).unwrap();
            let scene = load(&bytes);
            let (worst, compared) = compare_vertices(&clip, &scene, 0, &times);
            println!("{name}: {compared} vertices, at most {worst:.1e} m");
            assert!(worst < MAX_DISTANCE_M && compared > 0, "{name}: {worst}");
            // Textures are embedded unchanged.
            let images = clip.model().unwrap().textures.len();
            assert_eq!(scene.videos.iter().filter(|it| !it.content.is_empty()).count(), images);
        }
    }
}

#[test]
fn takes_play_the_animations_of_a_file() {
    // In "Greet" and in "Step", nodes stand still that move in the first animation. "Cubic" moves too
    // suddenly to be followed exactly, and the export warns about it.
    for (file, names, max_distance_m) in [
        ("../../assets/gltf/walker.glb", &["Walk", "Greet"][..], MAX_DISTANCE_M),
        ("gltf/samplers.glb", &["Linear", "Step", "Cubic", "Packed", "animation 4"], 4e-4),
    ] {
        let source = Source::File(path(file));
        let options = ReadOptions { with_model: true, ..ReadOptions::default() };
        let first = open(&source, &options).unwrap().clip;
        let takes = open_other_animations(&source, &options, &first).unwrap();
        let (bytes, _) = try_export(
            &first,
            &ExportOptions { takes: takes.clone(), ..ExportOptions::default() },
            false,
        )
        .unwrap();
        let scene = load(&bytes);
        let found: Vec<_> = scene.anim_stacks.iter().map(|stack| &*stack.element.name).collect();
        assert_eq!(found, names);
        for (take, clip) in iter::once(&first).chain(takes.iter().map(|take| &**take)).enumerate() {
            let stack = &scene.anim_stacks[take];
            assert!((stack.time_end - clip.span.duration).abs() < 1e-9, "{}", names[take]);
            let times: Vec<f64> =
                (0..=50).map(|step| clip.span.duration * f64::from(step) / 50.0).collect();
            for &time in times.iter().filter(|_| names[take] != "Cubic") {
                compare_nodes(clip, clip.span.start, &scene, take, time);
            }
            let (worst, compared) = compare_vertices(clip, &scene, take, &times[1..50]);
            assert!(worst < max_distance_m && compared > 0, "{}: {worst}", names[take]);
        }
    }
}

#[test]
fn takes_of_other_nodes_are_skipped() {
    let open = |file: &str| open(&Source::File(path(file)), &ReadOptions::default()).unwrap().clip;
    let (walker, other) = (open("../../assets/gltf/walker.glb"), open("gltf/samplers.glb"));
    let options = ExportOptions { takes: vec![Arc::new(other)], ..ExportOptions::default() };
    let (bytes, report) = try_export(&walker, &options, false).unwrap();
    assert_eq!(codes(&report), ["export/take-skipped"]);
    assert_eq!(load(&bytes).anim_stacks.len(), 1);
    let range = Some(0.0..=1.0);
    let refused = try_export(&walker, &ExportOptions { range, ..options }, false).unwrap_err();
    assert_eq!(refused.code().unwrap().as_str(), "export/option-invalid");
}

#[test]
fn recordings_that_fbx_cannot_hold_are_refused_or_reported() {
    let convention = || Convention::assumed(Handedness::Right, UpAxis::Y);
    let mut clip = Clip::new(FormatId::new("test"), convention());
    clip.span = Span { start: 0.0, duration: 1.0 };
    let export = |clip: &Clip| try_export(clip, &ExportOptions::default(), false);
    let refusal = |clip: &Clip| export(clip).unwrap_err().code().unwrap().as_str();
    assert_eq!(refusal(&clip), "export/nothing-to-write");
    let still = |name: &str, x: f64| Node {
        name: name.to_owned(),
        group: None,
        parent: None,
        bone_from: None,
        kind: NodeKind::Joint,
        side: None,
        rest: Transform { translation: DVec3::X * x, ..Transform::IDENTITY },
        motion: Motion::default(),
    };
    clip.nodes = Nodes::new(vec![still("a", f64::NAN), still("", 1.0)], &mut Diagnostics::new());
    let (bytes, report) = export(&clip).unwrap();
    assert_eq!(codes(&report), [""; 0]);
    let scene = load(&bytes);
    assert!(scene.nodes.iter().all(|node| vector(node.local_transform.translation).is_finite()));
    clip.span.duration = 0.0;
    assert_eq!(codes(&export(&clip).unwrap().1), ["export/no-duration"]);
    clip.span.duration = 1e9;
    assert_eq!(refusal(&clip), "export/too-many-frames");
}
