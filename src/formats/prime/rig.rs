//! Putting an animation on a skeleton.

use super::{Skeleton, Tree, convert::bone_name, decode_skeleton};
use crate::{
    clip::{Clip, Motion, Node, NodeId, NodeKind, Nodes, Owner, ScaleInheritance, Side, Transform},
    diagnostics::{Error, Notices, Place, Severity},
};

/// What the names of locators end in: places that something is attached to.
const LOCATOR: &str = "_LCTR";

/// The clip with the bones of the skeleton `rig`, the bytes of a CINF, for nodes: in their order,
/// by their names. Bones that the skeleton lacks follow, and stand nowhere.
///
/// # Errors
/// If `rig` is no skeleton. Places are those of that file.
pub fn attach(clip: Clip, rig: &[u8], notices: &mut Notices) -> Result<Clip, Error> {
    let mut of_rig = Notices::new();
    let skeleton = decode_skeleton(rig, &mut of_rig)?;
    let tree = Tree::new(&skeleton, &mut of_rig);
    for mut notice in of_rig {
        notice.message = format!("rig: {}", notice.message);
        if notice.severity > Severity::Info {
            notices.extend([notice]);
        }
    }
    Ok(attached(clip, &skeleton, &tree, notices))
}

fn attached(clip: Clip, skeleton: &Skeleton, tree: &Tree, notices: &mut Notices) -> Clip {
    let bone_of =
        |node: &Node| skeleton.bones.iter().position(|bone| bone_name(bone.id) == node.name);
    let bones: Vec<Option<usize>> = clip.nodes.iter().map(bone_of).collect();
    report_game(&clip, skeleton, notices);
    report_match(&clip.nodes, &bones, notices);

    let mut nodes: Vec<_> =
        (0..skeleton.bones.len()).map(|bone| node(skeleton, tree, bone)).collect();
    // For each node of before, which one it is now.
    let mut new_ids = Vec::with_capacity(clip.nodes.len());
    for (node, bone) in clip.nodes.iter().zip(bones) {
        match bone {
            Some(bone) => {
                nodes[bone].motion = Motion { shown: Default::default(), ..node.motion.clone() };
                new_ids.push(NodeId::new(bone));
            }
            None => {
                new_ids.push(NodeId::new(nodes.len()));
                nodes.push(node.clone());
            }
        }
    }
    let mut tracks = clip.tracks;
    for track in &mut tracks {
        if let Owner::Node(node) = &mut track.owner {
            *node = new_ids[node.index()];
        }
    }
    let nodes = Nodes::new(nodes, notices).with_scales(ScaleInheritance::OffsetOnly);
    Clip { nodes, tracks, ..clip }
}

/// A bone of the skeleton, at rest: no bone is turned in the bind pose.
fn node(skeleton: &Skeleton, tree: &Tree, index: usize) -> Node {
    let bone = &skeleton.bones[index];
    let name = bone.name.clone().unwrap_or_else(|| bone_name(bone.id));
    let parent = tree.parents[index].map(NodeId::new);
    Node {
        group: None,
        parent,
        bone_from: parent,
        kind: if name.ends_with(LOCATOR) { NodeKind::Locator } else { NodeKind::Joint },
        side: side(&name),
        rest: Transform { translation: tree.offsets[index], ..Transform::IDENTITY },
        motion: Motion::default(),
        name,
    }
}

/// The side of the body that a bone's name tells.
fn side(name: &str) -> Option<Side> {
    match name.get(..2)? {
        "L_" => Some(Side::Left),
        "R_" => Some(Side::Right),
        _ => None,
    }
}

fn report_game(clip: &Clip, skeleton: &Skeleton, notices: &mut Notices) {
    use super::Game;
    let is_of = |game: Game| {
        clip.version == format!("{}-v0", game.word())
            || clip.version == format!("{}-v2", game.word())
    };
    let other =
        [Game::Prime, Game::Echoes].into_iter().find(|&game| game != skeleton.game && is_of(game));
    if let Some(game) = other {
        let message = format!(
            "rig: it is of {}, the animation of {game}, where bones have other ids",
            skeleton.game
        );
        notices.warning(Place::File, message);
    }
}

fn report_match(nodes: &Nodes, bones: &[Option<usize>], notices: &mut Notices) {
    let found = bones.iter().flatten().count();
    let message = format!("{found} of {} bones of this clip exist in the rig", bones.len());
    if found == bones.len() {
        return notices.info(Place::File, message);
    }
    /// How many are named.
    const NAMED: usize = 5;
    let missing: Vec<_> = nodes
        .iter()
        .zip(bones)
        .filter(|(_, bone)| bone.is_none())
        .map(|(node, _)| node.name.as_str())
        .collect();
    let more = if missing.len() > NAMED { " …" } else { "" };
    let listed = missing.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    notices.warning(Place::File, format!("{message}; it lacks {listed}{more}"));
}
