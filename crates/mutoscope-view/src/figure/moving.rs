//! Finds the moving parts of a recording, so that a camera frames them instead of parts that stand
//! still or are parked.

use glam::DVec3;

use super::inlier_filter;

use mutoscope_core::clip::{Clip, GroupId, Node, NodeId, NodeKind};

/// The parts of a clip, by node. The nodes of a part are connected by bones, by parents or because
/// they are in one hand. If any node of a part moves, the whole part is treated as moving.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    part_of_node: Box<[usize]>,
}

impl Parts {
    /// Finds the parts of `clip`.
    pub fn from_clip(clip: &Clip) -> Self {
        let mut part_of_node: Vec<usize> = (0..clip.nodes.len()).collect();
        let mut first_of_group: Vec<Option<usize>> = vec![None; clip.groups.len()];
        for (id, node) in clip.nodes.with_ids() {
            let hand_root = joint_group(node).and_then(|group| {
                let first = first_of_group.get_mut(group.index())?;
                Some(*first.get_or_insert(id.index()))
            });
            let linked = [node.parent, node.bone_from].map(|other| other.map(NodeId::index));
            for other in linked.into_iter().chain([hand_root]).flatten() {
                let [a, b] =
                    [find_root(&mut part_of_node, id.index()), find_root(&mut part_of_node, other)];
                part_of_node[a.max(b)] = a.min(b);
            }
        }
        let part_of_node =
            (0..part_of_node.len()).map(|node| find_root(&mut part_of_node, node)).collect();
        Self { part_of_node }
    }

    /// Returns the part that a node belongs to.
    pub fn part(&self, node: NodeId) -> usize {
        self.part_of_node.get(node.index()).copied().unwrap_or_default()
    }
}

fn joint_group(node: &Node) -> Option<GroupId> {
    node.group.filter(|_| matches!(node.kind, NodeKind::Joint | NodeKind::Tip))
}

fn find_root(part_of_node: &mut [usize], mut node: usize) -> usize {
    while part_of_node[node] != node {
        part_of_node[node] = part_of_node[part_of_node[node]];
        node = part_of_node[node];
    }
    node
}

/// The positions of all parts at consecutive sample times.
#[derive(Clone, Debug, Default)]
pub struct PartPositions {
    /// The positions of each part at each time, in metres in the viewer's space. If a part is
    /// hidden at a time, its list is empty.
    times: Vec<Vec<Vec<DVec3>>>,
}

impl PartPositions {
    /// Adds the next time. `positions` are the visible positions at this time, each with its part.
    pub fn push(&mut self, positions: impl Iterator<Item = (usize, DVec3)>) {
        let mut parts: Vec<Vec<DVec3>> = Vec::new();
        for (part, position) in positions {
            if parts.len() <= part {
                parts.resize_with(part + 1, Vec::new);
            }
            parts[part].push(position);
        }
        self.times.push(parts);
    }

    /// Finds the parts that move and the region in which they move.
    ///
    /// A part that never moves is scenery. A position far outside the region is a parking position.
    /// Recorders park a hand there while they do not track it.
    pub fn find_moving_parts(&self) -> MovingParts {
        let all: Vec<DVec3> = self.times.iter().flatten().flatten().copied().collect();
        let is_inlier = inlier_filter(&all);
        let whole = BoundingBox::from_points(all.iter().filter(|position| is_inlier(position)));
        let min_step = 1e-4 * whole.size();
        let part_count = self.times.iter().map(Vec::len).max().unwrap_or_default();
        let mut moves = vec![false; part_count];
        let mut region = BoundingBox::EMPTY;
        for (part, moves) in moves.iter_mut().enumerate() {
            for time in 0..self.times.len() {
                let before = time.checked_sub(1).and_then(|before| self.max_step(part, before));
                let after = self.max_step(part, time);
                let steps = [before, after].map(|step| step.map(|step| step > min_step));
                *moves |= steps.contains(&Some(true));
                if steps.contains(&Some(true)) && !steps.contains(&Some(false)) {
                    let positions = self.positions(part, time).iter();
                    positions
                        .filter(|position| is_inlier(position))
                        .for_each(|position| region.include(*position));
                }
            }
        }
        if !moves.contains(&true) {
            return MovingParts::default();
        }
        let size = region.size();
        let padded_region = (!region.is_empty()).then(|| region.grown(size));
        MovingParts { moves: Some(moves.into()), region: padded_region }
    }

    fn positions(&self, part: usize, time: usize) -> &[DVec3] {
        self.times.get(time).and_then(|parts| parts.get(part)).map_or(&[], Vec::as_slice)
    }

    fn max_step(&self, part: usize, time: usize) -> Option<f64> {
        let [here, there] = [time, time + 1].map(|time| self.positions(part, time));
        if here.is_empty() || here.len() != there.len() {
            return None;
        }
        here.iter().zip(there).map(|(here, there)| here.distance(*there)).reduce(f64::max)
    }
}

/// The parts of a recording that move. By default, all parts move, in an unlimited region.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovingParts {
    moves: Option<Box<[bool]>>,
    region: Option<BoundingBox>,
}

impl MovingParts {
    /// Returns `true` if a camera that frames the motion should include `position`, which belongs
    /// to `part`.
    pub fn includes(&self, part: usize, position: DVec3) -> bool {
        let moves = self.moves.as_ref();
        moves.is_none_or(|moves| moves.get(part).copied().unwrap_or_default())
            && self.region.is_none_or(|region| region.contains(position))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct BoundingBox {
    min: DVec3,
    max: DVec3,
}

impl BoundingBox {
    const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    fn from_points<'a>(positions: impl Iterator<Item = &'a DVec3>) -> Self {
        let mut whole = Self::EMPTY;
        positions.for_each(|position| whole.include(*position));
        whole
    }

    fn include(&mut self, position: DVec3) {
        if position.is_finite() {
            (self.min, self.max) = (self.min.min(position), self.max.max(position));
        }
    }

    fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    fn size(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.min.distance(self.max) }
    }

    fn grown(self, margin: f64) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    fn contains(&self, position: DVec3) -> bool {
        position.cmpge(self.min).all() && position.cmple(self.max).all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, SourceFile, decode};

    const HEAD: usize = 0;
    const HAND: usize = 1;

    fn head_and_waving_hand(park: DVec3) -> PartPositions {
        let mut positions = PartPositions::default();
        for time in 0..64 {
            let wave = DVec3::new((f64::from(time) * 0.3).sin() * 0.5, 1.0, 0.0);
            let hand = if (20..30).contains(&time) { park } else { wave };
            let joints = [DVec3::ZERO, DVec3::Y * 0.1, DVec3::X * 0.1];
            let joints = joints.map(|joint| (HAND, hand + joint));
            positions.push([(HEAD, DVec3::Y * 1.7)].into_iter().chain(joints));
        }
        positions
    }

    #[test]
    fn still_parts_and_parked_positions_are_excluded() {
        let far = DVec3::new(0.0, -4.0, 3.0);
        let moving = head_and_waving_hand(far).find_moving_parts();
        assert!(!moving.includes(HEAD, DVec3::Y * 1.7), "the head stands still");
        assert!(!moving.includes(HAND, far), "parked there");
        assert!(moving.includes(HAND, DVec3::new(0.4, 1.0, 0.0)));
    }

    #[test]
    fn rests_near_the_motion_are_included() {
        let hold = DVec3::new(0.6, 1.3, 0.0);
        assert!(head_and_waving_hand(hold).find_moving_parts().includes(HAND, hold));
    }

    #[test]
    fn everything_is_included_if_nothing_moves() {
        let mut positions = PartPositions::default();
        (0..5).for_each(|_| positions.push([(HEAD, DVec3::Y), (HAND, DVec3::X)].into_iter()));
        let moving = positions.find_moving_parts();
        assert_eq!(moving, MovingParts::default());
        assert!(moving.includes(HEAD, DVec3::Y) && moving.includes(7, DVec3::ZERO));
        assert_eq!(PartPositions::default().find_moving_parts(), MovingParts::default());
    }

    #[test]
    fn teleports_do_not_park_a_part() {
        let mut positions = PartPositions::default();
        for time in 0..40 {
            let position = if time < 20 { DVec3::ZERO } else { DVec3::X * 9.0 };
            positions.push([(HAND, position), (HAND, position + DVec3::Y)].into_iter());
        }
        let moving = positions.find_moving_parts();
        assert!(moving.includes(HAND, DVec3::ZERO) && moving.includes(HAND, DVec3::X * 9.0));
    }

    #[test]
    fn hands_and_head_are_separate_parts_and_a_body_is_one_part() {
        let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
        let hands = decode(bytes, &ReadOptions::default()).unwrap();
        let parts = Parts::from_clip(&hands);
        let part = |name: &str| {
            let found = hands.nodes.with_ids().find(|(_, node)| node.name == name);
            parts.part(found.unwrap().0)
        };
        assert_eq!(part("left/Wrist"), part("left/PinkyTip"));
        assert_ne!(part("left/Wrist"), part("right/Wrist"));
        assert_ne!(part("camera"), part("left/Wrist"));
        let bytes = include_bytes!("../../../../assets/maya/walk-with-hat.anim");
        let body = decode(SourceFile::new("x.anim", bytes), &ReadOptions::default()).unwrap();
        let parts = Parts::from_clip(&body);
        let bones = body.nodes.with_ids().filter(|(_, node)| node.bone_from.is_some());
        let mut all: Vec<usize> = bones.map(|(id, _)| parts.part(id)).collect();
        all.dedup();
        assert_eq!(all.len(), 1);
    }
}
