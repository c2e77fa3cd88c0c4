//! Finds a node again after its recording was reloaded.

use mutoscope_core::clip::{Clip, NodeId, Owner};

/// Returns the node of `after` that corresponds to `node` of `before`, or `None` if it no longer
/// exists.
///
/// Prefers the node of the same name with the same track. Without such a track, the nodes of that
/// name are matched by their order.
pub(crate) fn find_same_node(before: &Clip, after: &Clip, node: NodeId) -> Option<NodeId> {
    let name = &before.nodes.get(node.index())?.name;
    let has_name = |id: NodeId| after.nodes[id].name == *name;
    let by_track = before.tracks_of(Owner::Node(node)).next().and_then(|(id, track)| {
        let same = after.tracks.get(id.index())?;
        match same.owner {
            Owner::Node(node) if same.property == track.property => Some(node),
            _ => None,
        }
    });
    by_track.filter(|&id| has_name(id)).or_else(|| {
        let nodes_with_name = |clip: &Clip| -> Vec<NodeId> {
            let nodes = clip.nodes.with_ids();
            nodes.filter(|(_, node)| node.name == *name).map(|(id, _)| id).collect()
        };
        let index = nodes_with_name(before).iter().position(|&id| id == node)?;
        nodes_with_name(after).get(index).copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{
        formats::{FormatId, ReadOptions, decode},
        io::bytes::NoSidecars,
    };

    #[test]
    fn nodes_are_found_again_after_attaching_a_skeleton() {
        let read = |path: &str| {
            let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
            std::fs::read(data.join(path)).unwrap()
        };
        let recording = b"animVersion 1.1;\n\
            anim rotate.rotateX rotateX Upper 0 1 0;\nanimData { keys { 0 1 auto auto 1 1 0; } }\n\
            anim rotate.rotateX rotateX toe 1 0 0;\nanimData { keys { 0 1 auto auto 1 1 0; } }\n\
            anim toe 1 0 0;\nanim only_here 1 0 0;\n";
        let before =
            decode(recording, &ReadOptions::default().with_format(FormatId::MAYA)).unwrap();
        let rig = mutoscope_core::Registry::default()
            .decode_skeleton(&read("rig/arm.glb"), "arm.glb", &NoSidecars)
            .unwrap();
        let after = decode(
            recording,
            &ReadOptions::default().with_format(FormatId::MAYA).with_skeleton(rig),
        )
        .unwrap();
        for (id, node) in before.nodes.with_ids() {
            let there = find_same_node(&before, &after, id).unwrap();
            assert_eq!(after.nodes[there].name, node.name);
            assert_eq!(find_same_node(&after, &before, there), Some(id), "{}", node.name);
        }
        let only_in_the_skeleton = after.nodes.with_ids().find(|(_, node)| node.name == "Hand");
        assert_eq!(find_same_node(&after, &before, only_in_the_skeleton.unwrap().0), None);
    }
}
