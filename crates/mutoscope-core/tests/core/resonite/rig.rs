//! Compares an animation on its model with the model's own glTF animation.

use glam::{DMat4, DQuat, DVec3};
use gltf_json::{Index, animation::Property};

use mutoscope_core::{
    ReadOptions,
    clip::{Pose, Skeleton},
    decode,
    io::bytes::NoSidecars,
};

use mutoscope_testing::fixtures;

/// In metres.
const TOLERANCE: f64 = 1e-4;

/// The model's own animation begins at its first frame, which is time 0 of the AnimJ. In seconds.
const FIRST_FRAME: f64 = 1.0 / 24.0;

/// A binary glTF with its animation, evaluated independently of the decoder.
struct Model {
    root: gltf_json::Root,
    bytes: Vec<u8>,
}

impl Model {
    fn read(glb: &[u8]) -> Self {
        let word =
            |index: usize| u32::from_le_bytes(glb[index..index + 4].try_into().unwrap()) as usize;
        let json = 20..20 + word(12);
        let start = json.end + 8;
        let bytes = glb[start..start + word(json.end)].to_vec();
        Self { root: serde_json::from_slice(&glb[json]).unwrap(), bytes }
    }

    fn floats(&self, accessor: Index<gltf_json::Accessor>, components: usize) -> Vec<f64> {
        let accessor = &self.root.accessors[accessor.value()];
        let view = &self.root.buffer_views[accessor.buffer_view.unwrap().value()];
        assert!(view.byte_stride.is_none());
        let offset =
            |offset: Option<gltf_json::validation::USize64>| offset.map_or(0, |offset| offset.0);
        let start = (offset(view.byte_offset) + offset(accessor.byte_offset)) as usize;
        let end = start + accessor.count.0 as usize * components * 4;
        let float = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()));
        self.bytes[start..end].chunks(4).map(float).collect()
    }

    /// Returns the world matrix of every node at `time`. The model's own animation is interpolated
    /// linearly.
    fn world_matrices(&self, time: f64) -> Vec<DMat4> {
        let mut locals: Vec<_> = self
            .root
            .nodes
            .iter()
            .map(|node| {
                let [tx, ty, tz] = node.translation.unwrap_or_default().map(f64::from);
                let [x, y, z, w] = node.rotation.unwrap_or_default().0.map(f64::from);
                let [sx, sy, sz] = node.scale.unwrap_or([1.0; 3]).map(f64::from);
                (DVec3::new(tx, ty, tz), DQuat::from_xyzw(x, y, z, w), DVec3::new(sx, sy, sz))
            })
            .collect();
        let animations = self.root.animations.iter();
        let channels = animations.flat_map(|animation| {
            animation.channels.iter().map(move |channel| (animation, channel))
        });
        for (animation, channel) in channels {
            let sampler = &animation.samplers[channel.sampler.value()];
            let times = self.floats(sampler.input, 1);
            let next =
                times.partition_point(|&key_time| key_time <= time).clamp(1, times.len() - 1);
            let fraction =
                ((time - times[next - 1]) / (times[next] - times[next - 1])).clamp(0.0, 1.0);
            let local = &mut locals[channel.target.node.value()];
            let vector = |values: &[f64], index: usize| DVec3::from_slice(&values[3 * index..]);
            match channel.target.path.unwrap() {
                Property::Translation => {
                    let values = self.floats(sampler.output, 3);
                    local.0 = vector(&values, next - 1).lerp(vector(&values, next), fraction);
                }
                Property::Rotation => {
                    let values = self.floats(sampler.output, 4);
                    let rotation = |index: usize| DQuat::from_slice(&values[4 * index..]);
                    local.1 = rotation(next - 1).slerp(rotation(next), fraction);
                }
                Property::Scale => {
                    let values = self.floats(sampler.output, 3);
                    local.2 = vector(&values, next - 1).lerp(vector(&values, next), fraction);
                }
                Property::MorphTargetWeights => {}
            }
        }
        let matrix =
            |&(t, r, s): &(DVec3, DQuat, DVec3)| DMat4::from_scale_rotation_translation(s, r, t);
        let mut world_matrices: Vec<_> = locals.iter().map(matrix).collect();
        let mut stack: Vec<_> =
            self.root.scenes[0].nodes.iter().map(|node| (node.value(), DMat4::IDENTITY)).collect();
        while let Some((node, parent)) = stack.pop() {
            world_matrices[node] = parent * world_matrices[node];
            let children = self.root.nodes[node].children.iter().flatten();
            stack.extend(children.map(|child| (child.value(), world_matrices[node])));
        }
        world_matrices
    }
}

#[test]
fn animation_matches_the_models_own() {
    let glb = fixtures::resonite_file("rig/arm.glb");
    let model = Model::read(&glb);
    let rig =
        mutoscope_core::Registry::default().decode_skeleton(&glb, "arm.glb", &NoSidecars).unwrap();
    for name in ["rig/arm_swing.animj", "rig/arm_swing.animx", "rig/arm_swing_lzma.animx"] {
        let bytes = fixtures::resonite_file(name);
        let clip = decode(&bytes, &ReadOptions::default().with_skeleton(rig.clone())).unwrap();
        let Skeleton::Attached(attached) = &clip.skeleton else { panic!("no skeleton") };
        assert_eq!(
            (attached.matched.len(), attached.missing.len(), attached.resting.len()),
            (6, 0, 0)
        );
        let mut pose = Pose::default();
        let (mut compared, mut moved) = (0, 0.0_f64);
        let start = model.world_matrices(FIRST_FRAME);
        for frame in 0..=48 {
            let time = f64::from(frame) / 24.0;
            clip.sample(time, &mut pose);
            for (index, (node, expected)) in
                pose.nodes.iter().zip(model.world_matrices(time + FIRST_FRAME)).enumerate()
            {
                let expected = expected.w_axis.truncate();
                let error = node.world.translation.distance(expected);
                assert!(error < TOLERANCE, "{name}: node {index} at {time}: {error} m off");
                moved = moved.max(expected.distance(start[index].w_axis.truncate()));
                compared += 1;
            }
        }
        assert!(compared >= 49 * 6 && moved > 0.1, "{name}: {compared} compared, {moved} m moved");
    }
}
