//! An animation on the model that it is meant to move, compared with the model's own animation.

use glam::{DMat4, DQuat, DVec3};
use gltf_json::{Index, animation::Property};
use mutoscope_core::{
    clip::{Pose, Skeleton},
    formats::{self, DecodeRequest},
    io::bytes::NoSidecars,
};

use mutoscope_testing::fixtures;

/// The farthest that a node may be from where the model's own animation has it, in metres.
const TOLERANCE: f64 = 1e-4;

/// The model's animations begin at their first frame, which is the animation's time 0, in seconds.
const FIRST_FRAME: f64 = 1.0 / 24.0;

/// A binary glTF and its animation, read by the letter of its specification.
struct Model {
    root: gltf_json::Root,
    bytes: Vec<u8>,
}

impl Model {
    fn read(glb: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        let json = 20..20 + word(12);
        let start = json.end + 8;
        let bytes = glb[start..start + word(json.end)].to_vec();
        Self { root: serde_json::from_slice(&glb[json]).unwrap(), bytes }
    }

    /// The numbers of an accessor of floats.
    fn floats(&self, accessor: Index<gltf_json::Accessor>, components: usize) -> Vec<f64> {
        let accessor = &self.root.accessors[accessor.value()];
        let view = &self.root.buffer_views[accessor.buffer_view.unwrap().value()];
        assert!(view.byte_stride.is_none());
        let offset = |offset: Option<gltf_json::validation::USize64>| offset.map_or(0, |one| one.0);
        let start = (offset(view.byte_offset) + offset(accessor.byte_offset)) as usize;
        let end = start + accessor.count.0 as usize * components * 4;
        let float = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()));
        self.bytes[start..end].chunks(4).map(float).collect()
    }

    /// The world matrix of every node at `time`, by the model's own animation, interpolated
    /// linearly.
    fn worlds(&self, time: f64) -> Vec<DMat4> {
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
        let channels =
            animations.flat_map(|one| one.channels.iter().map(move |channel| (one, channel)));
        for (animation, channel) in channels {
            let sampler = &animation.samplers[channel.sampler.value()];
            let times = self.floats(sampler.input, 1);
            let next = times.partition_point(|&one| one <= time).clamp(1, times.len() - 1);
            let part = ((time - times[next - 1]) / (times[next] - times[next - 1])).clamp(0.0, 1.0);
            let local = &mut locals[channel.target.node.value()];
            let vector = |values: &[f64], at: usize| DVec3::from_slice(&values[3 * at..]);
            match channel.target.path.unwrap() {
                Property::Translation => {
                    let values = self.floats(sampler.output, 3);
                    local.0 = vector(&values, next - 1).lerp(vector(&values, next), part);
                }
                Property::Rotation => {
                    let values = self.floats(sampler.output, 4);
                    let turn = |at: usize| DQuat::from_slice(&values[4 * at..]);
                    local.1 = turn(next - 1).slerp(turn(next), part);
                }
                Property::Scale => {
                    let values = self.floats(sampler.output, 3);
                    local.2 = vector(&values, next - 1).lerp(vector(&values, next), part);
                }
                Property::MorphTargetWeights => {}
            }
        }
        let matrix =
            |&(t, r, s): &(DVec3, DQuat, DVec3)| DMat4::from_scale_rotation_translation(s, r, t);
        let mut worlds: Vec<_> = locals.iter().map(matrix).collect();
        let mut stack: Vec<_> =
            self.root.scenes[0].nodes.iter().map(|node| (node.value(), DMat4::IDENTITY)).collect();
        while let Some((node, parent)) = stack.pop() {
            worlds[node] = parent * worlds[node];
            let children = self.root.nodes[node].children.iter().flatten();
            stack.extend(children.map(|child| (child.value(), worlds[node])));
        }
        worlds
    }
}

#[test]
fn animation_matches_the_models_own() {
    let glb = fixtures::resonite_file("rig/arm.glb");
    let model = Model::read(&glb);
    let rig = formats::decode_skeleton(&glb, "arm.glb", &NoSidecars).unwrap();
    for name in ["rig/arm_swing.animj", "rig/arm_swing.animx", "rig/arm_swing_lzma.animx"] {
        let bytes = fixtures::resonite_file(name);
        let clip = formats::decode(&bytes, &DecodeRequest::default().rig(&rig)).unwrap();
        let Skeleton::Attached(attached) = &clip.skeleton else { panic!("no skeleton") };
        assert_eq!(
            (attached.matched.len(), attached.missing.len(), attached.resting.len()),
            (6, 0, 0)
        );
        let mut pose = Pose::default();
        let (mut compared, mut moved) = (0, 0.0_f64);
        let start = model.worlds(FIRST_FRAME);
        for frame in 0..=48 {
            let time = f64::from(frame) / 24.0;
            clip.sample(time, &mut pose);
            for (index, (node, expected)) in
                pose.nodes.iter().zip(model.worlds(time + FIRST_FRAME)).enumerate()
            {
                let expected = expected.w_axis.truncate();
                let off = node.world.translation.distance(expected);
                assert!(off < TOLERANCE, "{name}: node {index} at {time}: {off} m off");
                moved = moved.max(expected.distance(start[index].w_axis.truncate()));
                compared += 1;
            }
        }
        assert!(compared >= 49 * 6 && moved > 0.1, "{name}: {compared} compared, {moved} m moved");
    }
}
