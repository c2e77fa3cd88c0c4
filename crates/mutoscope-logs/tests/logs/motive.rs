//! Tests of the bones and columns of Motive.

use mutoscope_core::{
    clip::{Clip, Pose},
    formats::ReadOptions,
};

/// Decodes two frames of bones at x = 1, 2 and so on.
fn decode(version: &str, space: &str, bones: &[(&str, &str)]) -> Clip {
    let cells = |cell: fn(&(&str, &str)) -> String| -> String { bones.iter().map(cell).collect() };
    let names = cells(|(name, _)| format!(",{name}").repeat(3));
    let mut parents = cells(|(_, parent)| format!(",{parent}").repeat(3));
    if !parents.trim_matches(',').is_empty() {
        parents = format!(",Parent{parents}\n");
    } else {
        parents.clear();
    }
    let repeat = |cell: &str| cell.repeat(bones.len());
    let values: String = (1..=bones.len()).map(|x| format!(",{x},0,0")).collect();
    let text = format!(
        "Format Version,{version},Length Units,Meters,Coordinate Space,{space}\n,Type{}\n,Name{names}\n\
         {parents},{}\nFrame,Time (Seconds){}\n0,0.00{values}\n1,0.01{values}\n",
        repeat(",Bone,Bone,Bone"),
        repeat(",Position,Position,Position"),
        repeat(",X,Y,Z"),
    );
    mutoscope_core::decode(
        text.as_bytes(),
        &ReadOptions::default().with_formats(mutoscope_logs::formats()),
    )
    .unwrap()
}

/// Returns for each node the name of its parent, and of the node where its bone begins.
fn links(clip: &Clip) -> Vec<(&str, &str, &str)> {
    let name =
        |id: Option<mutoscope_core::clip::NodeId>| id.map_or("", |id| clip.nodes[id].name.as_str());
    let nodes = clip.nodes.iter();
    nodes.map(|node| (node.name.as_str(), name(node.parent), name(node.bone_from))).collect()
}

#[test]
fn bones_are_drawn_from_their_parents() {
    let listed = [("A:Tip", "A:Base"), ("A:Base", "Root")];
    let clip = decode("1.25", "Global", &listed);
    assert_eq!(links(&clip), [("A:Tip", "", "A:Base"), ("A:Base", "", "")]);
    let clip = decode("1.25", "Local", &listed);
    assert_eq!(links(&clip), [("A:Tip", "A:Base", "A:Base"), ("A:Base", "", "")]);
}

#[test]
fn columns_without_a_header_do_not_shift_others() {
    let text = "Format Version,1.23,Length Units,Meters,,,,,,,\n,Type,Marker,Marker,Marker,,,Marker,Marker,Marker,\n\
                ,Name,A,A,A,,,B,B,B,\n,ID,1,1,1,,,2,2,2,\n,,Position,Position,Position,,,Position,Position,Position,\n\
                Frame,Time (Seconds),X,Y,Z,,,X,Y,Z,\n0,0.00,1,2,3,,9,4,5,6,\n1,0.01,1,2,3,,9,4,5,6,\n";
    let clip = mutoscope_core::decode(
        text.as_bytes(),
        &ReadOptions::default().with_formats(mutoscope_logs::formats()),
    )
    .unwrap();
    let mut pose = Pose::default();
    clip.sample(0.0, &mut pose);
    let positions: Vec<_> =
        pose.nodes.iter().map(|node| node.world.translation.to_array()).collect();
    assert_eq!(positions, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(clip.signals.len(), 1, "a column without a header is a signal");
}

#[test]
fn bones_without_listed_parents_are_drawn_by_their_names() {
    let names = [
        ("A:Hip", ""),
        ("A:Ab", ""),
        ("A:Chest", ""),
        ("A:RShoulder", ""),
        ("A:RHand", ""),
        ("A:RThumb1", ""),
        ("A:RThumb2", ""),
        ("A:LThigh", ""),
        ("B:Ab", ""),
    ];
    let clip = decode("1.23", "Global", &names);
    let expected = ["", "A:Hip", "A:Ab", "A:Chest", "", "A:RHand", "A:RThumb1", "A:Hip", ""];
    let bones: Vec<&str> = links(&clip).iter().map(|(.., from)| *from).collect();
    assert_eq!(bones, expected, "RHand lacks RFArm, and B lacks its hip");
}
