//! The moving parts of a recording, and the places where others are parked: a camera frames the
//! former.

use glam::DVec3;

use super::near_most;
use crate::clip::{Clip, GroupId, Node, NodeId, NodeKind};

/// The parts that the nodes of a clip belong to. A part is what hangs together by bones, by parents
/// or as a hand: where any of it moves, all of it is of interest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    of_node: Box<[usize]>,
}

impl Parts {
    /// The parts of `clip`.
    pub fn of(clip: &Clip) -> Self {
        let mut of_node: Vec<usize> = (0..clip.nodes.len()).collect();
        let mut first_of_group: Vec<Option<usize>> = vec![None; clip.groups.len()];
        for (id, node) in clip.nodes.with_ids() {
            let of_hand = joint_group(node).and_then(|group| {
                let first = first_of_group.get_mut(group.index())?;
                Some(*first.get_or_insert(id.index()))
            });
            let linked = [node.parent, node.bone_from].map(|other| other.map(NodeId::index));
            for other in linked.into_iter().chain([of_hand]).flatten() {
                let [a, b] = [root(&mut of_node, id.index()), root(&mut of_node, other)];
                of_node[a.max(b)] = a.min(b);
            }
        }
        let of_node = (0..of_node.len()).map(|node| root(&mut of_node, node)).collect();
        Self { of_node }
    }

    /// The part that a node belongs to.
    pub fn part(&self, node: NodeId) -> usize {
        self.of_node.get(node.index()).copied().unwrap_or_default()
    }
}

fn joint_group(node: &Node) -> Option<GroupId> {
    node.group.filter(|_| matches!(node.kind, NodeKind::Joint | NodeKind::Tip))
}

/// The node that stands for the part that `node` is in.
fn root(of_node: &mut [usize], mut node: usize) -> usize {
    while of_node[node] != node {
        of_node[node] = of_node[of_node[node]];
        node = of_node[node];
    }
    node
}

/// Where parts were at successive times.
#[derive(Clone, Debug, Default)]
pub struct PartPlaces {
    /// For each time the places of each part, in metres and in the viewer's space; none where it is
    /// hidden.
    times: Vec<Vec<Vec<DVec3>>>,
}

impl PartPlaces {
    /// Adds the places that are visible at the next time, each with its part.
    pub fn push(&mut self, places: impl Iterator<Item = (usize, DVec3)>) {
        let mut parts: Vec<Vec<DVec3>> = Vec::new();
        for (part, place) in places {
            if parts.len() <= part {
                parts.resize_with(part + 1, Vec::new);
            }
            parts[part].push(place);
        }
        self.times.push(parts);
    }

    /// The parts that move, and the region that they move in.
    ///
    /// A part that never moves is only scenery. A part that rests far from where it moves is parked
    /// there, as recorders do with a hand that they do not see.
    pub fn moving(&self) -> MovingParts {
        let all: Vec<DVec3> = self.times.iter().flatten().flatten().copied().collect();
        let near = near_most(&all);
        let whole = BoundingBox::of(all.iter().filter(|place| near(place)));
        let still = 1e-4 * whole.size();
        let part_count = self.times.iter().map(Vec::len).max().unwrap_or_default();
        let mut moves = vec![false; part_count];
        let mut around = BoundingBox::EMPTY;
        for (part, moves) in moves.iter_mut().enumerate() {
            for time in 0..self.times.len() {
                let before = time.checked_sub(1).and_then(|before| self.step(part, before));
                let after = self.step(part, time);
                let steps = [before, after].map(|step| step.map(|step| step > still));
                *moves |= steps.contains(&Some(true));
                if steps.contains(&Some(true)) && !steps.contains(&Some(false)) {
                    let places = self.places(part, time).iter();
                    places.filter(|place| near(place)).for_each(|place| around.include(*place));
                }
            }
        }
        if !moves.contains(&true) {
            return MovingParts::default();
        }
        let size = around.size();
        let near = (!around.is_empty()).then(|| around.grown(size));
        MovingParts { moves: Some(moves.into()), near }
    }

    fn places(&self, part: usize, time: usize) -> &[DVec3] {
        self.times.get(time).and_then(|parts| parts.get(part)).map_or(&[], Vec::as_slice)
    }

    /// How far a part moves from a time to the next; nothing if it is not the same then.
    fn step(&self, part: usize, time: usize) -> Option<f64> {
        let [here, there] = [time, time + 1].map(|time| self.places(part, time));
        if here.is_empty() || here.len() != there.len() {
            return None;
        }
        here.iter().zip(there).map(|(here, there)| here.distance(*there)).reduce(f64::max)
    }
}

/// The parts of a recording that move. The default says so of all, wherever they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovingParts {
    moves: Option<Box<[bool]>>,
    /// The region of motion; parts farther away are parked.
    near: Option<BoundingBox>,
}

impl MovingParts {
    /// Whether a camera that frames what moves frames `place` of this part.
    pub fn counts(&self, part: usize, place: DVec3) -> bool {
        let moves = self.moves.as_ref();
        moves.is_none_or(|moves| moves.get(part).copied().unwrap_or_default())
            && self.near.is_none_or(|near| near.contains(place))
    }
}

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BoundingBox {
    least: DVec3,
    most: DVec3,
}

impl BoundingBox {
    const EMPTY: Self = Self { least: DVec3::INFINITY, most: DVec3::NEG_INFINITY };

    fn of<'a>(places: impl Iterator<Item = &'a DVec3>) -> Self {
        let mut whole = Self::EMPTY;
        places.for_each(|place| whole.include(*place));
        whole
    }

    fn include(&mut self, place: DVec3) {
        if place.is_finite() {
            (self.least, self.most) = (self.least.min(place), self.most.max(place));
        }
    }

    fn is_empty(&self) -> bool {
        self.least.x > self.most.x
    }

    fn size(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.least.distance(self.most) }
    }

    fn grown(self, margin: f64) -> Self {
        Self { least: self.least - margin, most: self.most + margin }
    }

    fn contains(&self, place: DVec3) -> bool {
        place.cmpge(self.least).all() && place.cmple(self.most).all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, DecodeRequest};

    const HEAD: usize = 0;
    const HAND: usize = 1;

    /// A head that stands still, and a hand that waves within a metre; parked at `park` between the
    /// times 20 and 30.
    fn take(park: DVec3) -> PartPlaces {
        let mut places = PartPlaces::default();
        for time in 0..64 {
            let wave = DVec3::new((f64::from(time) * 0.3).sin() * 0.5, 1.0, 0.0);
            let hand = if (20..30).contains(&time) { park } else { wave };
            let joints = [DVec3::ZERO, DVec3::Y * 0.1, DVec3::X * 0.1];
            let joints = joints.map(|joint| (HAND, hand + joint));
            places.push([(HEAD, DVec3::Y * 1.7)].into_iter().chain(joints));
        }
        places
    }

    #[test]
    fn still_parts_and_parked_places_do_not_count() {
        let far = DVec3::new(0.0, -4.0, 3.0);
        let moving = take(far).moving();
        assert!(!moving.counts(HEAD, DVec3::Y * 1.7), "the head stands still");
        assert!(!moving.counts(HAND, far), "parked there");
        assert!(moving.counts(HAND, DVec3::new(0.4, 1.0, 0.0)));
    }

    #[test]
    fn a_rest_near_the_motion_counts() {
        let hold = DVec3::new(0.6, 1.3, 0.0);
        assert!(take(hold).moving().counts(HAND, hold));
    }

    #[test]
    fn where_nothing_moves_everything_counts() {
        let mut places = PartPlaces::default();
        (0..5).for_each(|_| places.push([(HEAD, DVec3::Y), (HAND, DVec3::X)].into_iter()));
        let moving = places.moving();
        assert_eq!(moving, MovingParts::default());
        assert!(moving.counts(HEAD, DVec3::Y) && moving.counts(7, DVec3::ZERO));
        assert_eq!(PartPlaces::default().moving(), MovingParts::default());
    }

    #[test]
    fn steps_without_motion_between_count_wherever_they_are() {
        let mut places = PartPlaces::default();
        for time in 0..40 {
            let place = if time < 20 { DVec3::ZERO } else { DVec3::X * 9.0 };
            places.push([(HAND, place), (HAND, place + DVec3::Y)].into_iter());
        }
        let moving = places.moving();
        assert!(moving.counts(HAND, DVec3::ZERO) && moving.counts(HAND, DVec3::X * 9.0));
    }

    #[test]
    fn hands_and_the_head_are_parts_of_their_own_and_a_body_is_one() {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let hands = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        let parts = Parts::of(&hands);
        let part = |name: &str| {
            let found = hands.nodes.with_ids().find(|(_, node)| node.name == name);
            parts.part(found.unwrap().0)
        };
        assert_eq!(part("left/Wrist"), part("left/PinkyTip"));
        assert_ne!(part("left/Wrist"), part("right/Wrist"));
        assert_ne!(part("camera"), part("left/Wrist"));
        let bytes = include_bytes!("../../../../../assets/maya/walk-with-hat.anim");
        let body = formats::decode(bytes, &DecodeRequest::default().named("x.anim")).unwrap();
        let parts = Parts::of(&body);
        let bones = body.nodes.with_ids().filter(|(_, node)| node.bone_from.is_some());
        let mut all: Vec<usize> = bones.map(|(id, _)| parts.part(id)).collect();
        all.dedup();
        assert_eq!(all.len(), 1);
    }
}
