//! Finds sticks between markers, which have no bones of their own.

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use mutoscope_core::clip::{Clip, NodeId, NodeKind, Pose};

/// The chains of markers of each known set.
const MARKER_SETS: &str = include_str!("marker_sets.txt");

/// The radius of a stick between markers, relative to the radius of a marker.
pub const STICK_RATIO: f32 = 0.3;

/// A set is recognised if at least this number of its sticks have both markers.
const MIN_STICKS: usize = 5;

/// Finds the sticks to draw between markers: joints without bones and without a parent.
///
/// If the names are those of a known marker set, the sticks of the set are returned, for each person
/// that the names distinguish. Otherwise, if no set is known, the markers whose distance is constant
/// are joined.
pub fn find_marker_sticks(clip: &Clip) -> Vec<[NodeId; 2]> {
    let markers = loose_markers(clip);
    let known = known_sticks(clip, &markers);
    if known.is_empty() && !clip.has_only_rigid_bodies() {
        rigid_sticks(clip, &markers)
    } else {
        known
    }
}

fn loose_markers(clip: &Clip) -> Vec<NodeId> {
    let mut has_bone = vec![false; clip.nodes.len()];
    for (id, node) in clip.nodes.with_ids() {
        if let Some(from) = node.bone_from {
            has_bone[from.index()] = true;
            has_bone[id.index()] = true;
        }
    }
    let is_loose = |(id, node): &(NodeId, &mutoscope_core::clip::Node)| {
        node.kind == NodeKind::Joint && node.parent.is_none() && !has_bone[id.index()]
    };
    clip.nodes.with_ids().filter(is_loose).map(|(id, _)| id).collect()
}

/// Returns the letters and digits of a name in lower case, because files write the same marker as
/// `LEFT_HIP`, `left hip` and `LeftHip`.
fn normalize(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the sticks of each set, as pairs of normalised names.
fn marker_sets() -> Vec<Vec<[String; 2]>> {
    let mut sets: Vec<Vec<[String; 2]>> = Vec::new();
    let mut sides = Vec::new();
    for line in MARKER_SETS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(heading) = line.strip_prefix('[') {
            let names =
                heading.trim_end_matches(']').split_once(':').map_or("", |(_, names)| names);
            sides = names.split_whitespace().collect();
            sets.push(Vec::new());
            continue;
        }
        let Some(set) = sets.last_mut() else { continue };
        let chains = match line.contains('@') {
            true => sides.iter().map(|side| line.replace('@', side)).collect(),
            false => vec![line.to_owned()],
        };
        for chain in chains {
            let names: Vec<String> = chain.split_whitespace().map(normalize).collect();
            for pair in names.windows(2) {
                let stick = [pair[0].clone(), pair[1].clone()];
                // The markers of the trunk are the same in the chains of both sides.
                if !set.contains(&stick) {
                    set.push(stick);
                }
            }
        }
    }
    sets
}

fn known_sticks(clip: &Clip, markers: &[NodeId]) -> Vec<[NodeId; 2]> {
    // The markers of each person by name. The name of a person precedes a colon or a slash.
    let mut people: BTreeMap<&str, HashMap<String, NodeId>> = BTreeMap::new();
    for &id in markers {
        let name = clip.nodes[id].name.as_str();
        let start = name.rfind([':', '/']).map_or(0, |at| at + 1);
        let (person, own) = name.split_at(start);
        people.entry(person).or_default().entry(normalize(own)).or_insert(id);
    }
    let sets = marker_sets();
    let mut found = Vec::new();
    for ids in people.values() {
        let sticks_of = |set: &Vec<[String; 2]>| -> Vec<[NodeId; 2]> {
            let stick = |[a, b]: &[String; 2]| Some([*ids.get(a)?, *ids.get(b)?]);
            set.iter().filter_map(stick).collect()
        };
        let best = sets.iter().map(sticks_of).max_by_key(Vec::len).unwrap_or_default();
        if best.len() >= MIN_STICKS {
            found.extend(best);
        }
    }
    found
}

/// Joins each marker with its nearest neighbours at a constant distance.
///
/// A distance is constant if it varies by at most 2 % over the sampled times. At least a third of the
/// samples must show both markers, and one of them must have moved farther than the distance varies.
/// Otherwise the markers of objects at rest would be joined.
fn rigid_sticks(clip: &Clip, markers: &[NodeId]) -> Vec<[NodeId; 2]> {
    const SAMPLES: usize = 24;
    const MAX_MARKERS: usize = 300;
    const MAX_VARIATION: f64 = 0.02;
    const MIN_MOTION: f64 = 0.2;
    const MAX_NEIGHBOURS: usize = 3;
    if !(3..=MAX_MARKERS).contains(&markers.len()) {
        return Vec::new();
    }
    let mut pose = Pose::default();
    let samples: Vec<Vec<Option<DVec3>>> = (0..SAMPLES)
        .map(|index| {
            let share = index as f64 / (SAMPLES - 1) as f64;
            clip.sample(clip.span.start + clip.span.duration * share, &mut pose);
            let visible = |id: &NodeId| Some(&pose[*id]).filter(|node| node.is_visible);
            let positions = markers.iter().map(|id| visible(id).map(|node| node.world.translation));
            positions.map(|position| position.filter(|position| position.is_finite())).collect()
        })
        .collect();
    let extent = |index: usize| {
        let positions = samples.iter().filter_map(|sample| sample[index]);
        let [min, max] = [
            positions.clone().reduce(DVec3::min).unwrap_or_default(),
            positions.reduce(DVec3::max).unwrap_or_default(),
        ];
        (max - min).length()
    };
    let extents: Vec<f64> = (0..markers.len()).map(extent).collect();
    let constant_distance = |a: usize, b: usize| {
        let distances = samples.iter().filter_map(|sample| Some(sample[a]?.distance(sample[b]?)));
        let count = distances.clone().count();
        let mean = distances.clone().sum::<f64>() / count as f64;
        let [min, max] = [distances.clone().reduce(f64::min)?, distances.reduce(f64::max)?];
        let is_constant = max - min <= MAX_VARIATION * mean;
        let has_moved = extents[a].max(extents[b]) > MIN_MOTION * mean;
        (3 * count >= SAMPLES && mean > 0.0 && is_constant && has_moved).then_some(mean)
    };
    let mut sticks = Vec::new();
    for a in 0..markers.len() {
        let others = (0..markers.len()).filter(|b| *b != a);
        let mut near: Vec<(f64, usize)> =
            others.filter_map(|b| Some((constant_distance(a, b)?, b))).collect();
        near.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        near.truncate(MAX_NEIGHBOURS);
        sticks.extend(near.into_iter().map(|(_, b)| [markers[a.min(b)], markers[a.max(b)]]));
    }
    sticks.sort_unstable();
    sticks.dedup();
    sticks
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, SourceFile, decode};
    use std::fmt::Write as _;

    /// Returns a clip of points whose positions in metres are `position(marker, frame)`.
    fn clip_of(names: &[&str], position: impl Fn(usize, usize) -> [f64; 3]) -> Clip {
        const FRAMES: usize = 20;
        let zeros = "0 ".repeat(3);
        let mut text = String::from("HIERARCHY\n");
        for name in names {
            let channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";
            writeln!(text, "ROOT {name}\n{{\nOFFSET 0 0 0\n{channels}\n}}").unwrap();
        }
        writeln!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.1").unwrap();
        for frame in 0..FRAMES {
            for marker in 0..names.len() {
                let [x, y, z] = position(marker, frame);
                write!(text, "{x} {y} {z} {zeros}").unwrap();
            }
            text.push('\n');
        }
        let source = SourceFile::new("markers.bvh", text.as_bytes());
        let mut clip = decode(source, &ReadOptions::default()).unwrap();
        let nodes = clip.nodes.iter().cloned().map(|mut node| {
            node.motion.rotation = mutoscope_core::clip::Rotation::Rest;
            node
        });
        clip.nodes = mutoscope_core::clip::Nodes::new(
            nodes.collect(),
            &mut mutoscope_core::diagnostics::Diagnostics::new(),
        );
        clip
    }

    fn names_of(clip: &Clip) -> Vec<[&str; 2]> {
        let name = |id: NodeId| clip.nodes[id].name.as_str();
        find_marker_sticks(clip).into_iter().map(|ends| ends.map(name)).collect()
    }

    #[test]
    fn sets_are_written_without_mistakes() {
        let sets = marker_sets();
        let sizes: Vec<usize> = sets.iter().map(Vec::len).collect();
        // POSE_CONNECTIONS has 35 pairs, HAND_CONNECTIONS 21, and the Kinects have 24 and 31 bones.
        assert_eq!([sizes[2], sizes[3], sizes[5], sizes[6], sizes[7]], [35, 21, 24, 31, 23]);
        for set in &sets {
            let sorted = set.iter().map(|[a, b]| if a < b { [a, b] } else { [b, a] });
            let unique: std::collections::BTreeSet<_> = sorted.collect();
            assert_eq!(unique.len(), set.len(), "no stick is there twice: {set:?}");
        }
    }

    #[test]
    fn known_names_give_the_sticks_of_their_set_for_each_person() {
        let names = [
            "Ann:LASI", "Ann:RASI", "Ann:LPSI", "Ann:RPSI", "Ann:LTHI", "Ann:LKNE", "Ben:LASI",
            "Ben:RASI", "Ben:LPSI", "Ben:RPSI", "Ben:RTHI", "Ben:RKNE", "Ball",
        ];
        let clip = clip_of(&names, |marker, frame| [marker as f64, frame as f64, 0.0]);
        let sticks = names_of(&clip);
        assert!(sticks.contains(&["Ann:LASI", "Ann:RASI"]), "{sticks:?}");
        assert!(sticks.contains(&["Ben:RTHI", "Ben:RKNE"]), "{sticks:?}");
        assert!(sticks.iter().all(|[a, b]| a[..4] == b[..4]), "no stick joins two people");
        assert_eq!(sticks.len(), 12);
    }

    #[test]
    fn names_are_compared_without_case_and_separators() {
        let names =
            ["LEFT_SHOULDER", "Right Shoulder", "left-hip", "rightHip", "LEFT_ELBOW", "LEFT_WRIST"];
        let names = names.map(|name| name.replace(' ', "_"));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let clip = clip_of(&names, |marker, frame| [marker as f64, frame as f64, 0.0]);
        assert_eq!(find_marker_sticks(&clip).len(), 6);
    }

    #[test]
    fn markers_at_a_constant_distance_are_joined() {
        let names = ["a", "b", "c", "d", "e", "f"];
        // The first three markers turn together. The fourth moves alone, and the others rest.
        let clip = clip_of(&names, |marker, frame| {
            let time = frame as f64 * 0.3;
            let angle = time + [0.0, 2.0, 4.0][marker % 3];
            match marker {
                0..3 => [angle.cos(), 1.0 + time, angle.sin()],
                3 => [0.5 * time, 1.0, 0.0],
                _ => [marker as f64, 0.0, 3.0],
            }
        });
        assert_eq!(names_of(&clip), [["a", "b"], ["a", "c"], ["b", "c"]]);
    }
}
