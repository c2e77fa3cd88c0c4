//! Creates the hands of a mannequin: with fingers if the body has their bones, or else as a mitten.

use glam::Vec3;

use mutoscope_core::clip::{HumanBone, NodeId, Side};

use super::{
    mannequin::{Attachment, PartDirection},
    mannequin_parts::PartBuilder,
    solid::{ConeEnd, Solid},
};

/// The length of a hand from the wrist to the tips of the fingers, in metres for a person who is
/// 1.75 m tall.
const HAND_M: f32 = 0.165;

const FINGER_RADII_M: [f32; 2] = [0.0098, 0.0078];
const THUMB_RADII_M: [f32; 2] = [0.0135, 0.0095];

/// The bones of a hand: the hand, the elbow, and the first bones of the thumb and the fingers.
struct HandBones {
    hand: NodeId,
    elbow: NodeId,
    /// The bones of the thumb and of each finger, from the palm outwards.
    fingers: [Vec<NodeId>; 5],
}

pub(super) fn add_hand(builder: &mut PartBuilder<'_>, side: Side) {
    let Some(bones) = HandBones::find(builder, side) else { return };
    if bones.fingers[1..].iter().filter(|finger| !finger.is_empty()).count() >= 2 {
        bones.add_palm(builder, side);
        bones.add_fingers(builder, side);
    } else {
        bones.add_mitten(builder, side);
    }
}

impl HandBones {
    fn find(builder: &PartBuilder<'_>, side: Side) -> Option<Self> {
        use HumanBone as B;
        let body = builder.body;
        let (hand, elbow, first) = match side {
            Side::Left => (B::LeftHand, B::LeftLowerArm, B::LeftThumbMetacarpal),
            Side::Right => (B::RightHand, B::RightLowerArm, B::RightThumbMetacarpal),
        };
        let fingers = [0, 1, 2, 3, 4].map(|finger| {
            let bones = &B::ALL[first as usize + 3 * finger..][..3];
            bones.iter().filter_map(|bone| body.node(*bone)).collect()
        });
        Some(Self { hand: body.node(hand)?, elbow: body.node(elbow)?, fingers })
    }

    fn add_palm(&self, builder: &mut PartBuilder<'_>, side: Side) -> Option<()> {
        let (body, unit) = (builder.body, builder.body.unit);
        let wrist = body.position(self.hand)?;
        let knuckles: Vec<NodeId> =
            self.fingers[1..].iter().filter_map(|finger| finger.first().copied()).collect();
        let (first, last) = (*knuckles.first()?, *knuckles.last()?);
        let middle = knuckles[(knuckles.len() - 1) / 2];
        let across = (body.position(last)? - body.position(first)?).normalize_or_zero();
        let mut groups = Vec::new();
        for (index, knuckle) in knuckles.iter().enumerate() {
            let offset = index as f32 / (knuckles.len() - 1) as f32 - 0.5;
            let start = wrist + across * (0.03 * offset * unit);
            groups.push(vec![[
                ConeEnd { centre: start, radius: 0.019 * unit },
                ConeEnd { centre: body.position(*knuckle)?, radius: 0.0125 * unit },
            ]]);
        }
        if let [first, second, ..] = self.fingers[0][..] {
            groups.push(vec![[
                ConeEnd { centre: wrist.lerp(body.position(first)?, 0.7), radius: 0.019 * unit },
                ConeEnd { centre: body.position(second)?, radius: 0.013 * unit },
            ]]);
        }
        let attachment = Attachment {
            node: self.hand,
            along: PartDirection::Between([self.hand, middle]),
            hint: PartDirection::Between([first, last]),
            end: None,
        };
        let capsule =
            [wrist, body.position(middle)?].map(|centre| ConeEnd { centre, radius: 0.03 * unit });
        let solid = Solid { groups, blend: 0.012 * unit, cut: None };
        builder.add(attachment, Some(side), &solid, 0.006 * unit, capsule);
        Some(())
    }

    fn add_fingers(&self, builder: &mut PartBuilder<'_>, side: Side) {
        let unit = builder.body.unit;
        for (index, bones) in self.fingers.iter().enumerate() {
            // The first bone of the thumb is in the palm.
            let (skipped, [thick, thin]) =
                if index == 0 { (1, THUMB_RADII_M) } else { (0, FINGER_RADII_M) };
            let tip = bones.last().and_then(|last| builder.tip_of(*last));
            let joints: Vec<NodeId> = bones.iter().copied().chain(tip).skip(skipped).collect();
            let count = joints.len().saturating_sub(1) as f32;
            for (index, ends) in joints.windows(2).enumerate() {
                let radius = |share: f32| thick + (thin - thick) * (index as f32 + share) / count;
                builder.add_limb([ends[0], ends[1]], Some(side), |share| radius(share) * unit);
            }
        }
    }

    /// Adds a hand with closed fingers. The thumb points to the front.
    fn add_mitten(&self, builder: &mut PartBuilder<'_>, side: Side) -> Option<()> {
        let (body, unit) = (builder.body, builder.body.unit);
        let [wrist, elbow] = [body.position(self.hand)?, body.position(self.elbow)?];
        let tip = builder.tip_of(self.hand).and_then(|tip| body.position(tip));
        let forearm = (wrist - elbow).try_normalize()?;
        let to_tip = tip.and_then(|tip| (tip - wrist).try_normalize());
        let along = to_tip.filter(|along| along.dot(forearm) > 0.5).unwrap_or(forearm);
        let thumb_side = |hint: Vec3| hint.reject_from_normalized(along).try_normalize();
        let across = thumb_side(body.front).or_else(|| thumb_side(body.up))?;
        // Positions are relative to the length of the hand: to the thumb and along the hand.
        let sphere = |[across_by, along_by, radius]: [f32; 3]| ConeEnd {
            centre: wrist + (across * across_by + along * along_by) * (HAND_M * unit),
            radius: radius * HAND_M * unit,
        };
        let mut cones = Vec::new();
        for (offset, tip) in [(0.15, 0.86), (0.05, 0.92), (-0.05, 0.9), (-0.15, 0.8)] {
            let knuckle = [offset, 0.48, 0.09];
            cones.push([[0.7 * offset, 0.04, 0.125], knuckle]);
            cones.push([knuckle, [0.8 * offset, tip, 0.062]]);
        }
        cones.push([[0.1, 0.12, 0.11], [0.27, 0.36, 0.085]]);
        cones.push([[0.27, 0.36, 0.085], [0.31, 0.55, 0.062]]);
        let groups = cones.iter().map(|cone| vec![cone.map(sphere)]).collect();
        let attachment = Attachment {
            node: self.hand,
            along: builder.direction(self.hand, along, [self.elbow, self.hand]),
            hint: builder.direction(self.hand, across, builder.across_arms()?),
            end: None,
        };
        let solid = Solid { groups, blend: 0.07 * HAND_M * unit, cut: None };
        let capsule = [[0.0, 0.0, 0.16], [0.0, 0.7, 0.12]].map(sphere);
        builder.add(attachment, Some(side), &solid, 0.036 * HAND_M * unit, capsule);
        Some(())
    }
}
