//! Tests of the catalogue of programs, and of the mapping files that its entries consist of. Entries
//! apply to the whole process, so that these tests cannot run together with other tests of tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, NodeId, Pose},
    formats::{Failure, MappingFile},
};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mutoscope-cli/tests/cases");

fn decode(bytes: &[u8], name: &str, mapping: Option<&str>) -> Clip {
    try_decode(bytes, name, mapping).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn try_decode(bytes: &[u8], name: &str, mapping: Option<&str>) -> Result<Clip, Failure> {
    let columns = mapping.map(|text| MappingFile {
        format: mutoscope_logs::FORMAT_ID,
        name: "m.toml".to_owned(),
        text: text.to_owned(),
    });
    let options = ReadOptions {
        columns,
        ..ReadOptions::default()
            .with_formats(mutoscope_logs::formats())
            .with_format(mutoscope_logs::FORMAT_ID)
    };
    mutoscope_core::decode(SourceFile::new(name, bytes), &options)
}

fn messages(clip: &Clip) -> Vec<&str> {
    clip.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect()
}

/// Describes the nodes, their poses at several times, the signals and the events.
fn describe(clip: &Clip) -> String {
    let mut text = String::new();
    for node in clip.nodes.iter() {
        text += &format!("{} {:?} {:?}\n", node.name, node.parent, node.bone_from);
    }
    let mut pose = Pose::default();
    for step in 0..=8 {
        clip.sample(clip.span.start + clip.span.duration * f64::from(step) / 8.0, &mut pose);
        for node in &pose.nodes {
            text += &format!("{} {:.9?}\n", node.is_visible, node.world);
        }
    }
    let signals = clip.signals.iter().map(|signal| signal.name.as_str());
    let mut signals: Vec<&str> = signals.collect();
    signals.sort_unstable();
    text += &format!("{signals:?}\n");
    clip.events.iter().for_each(|event| text += &format!("{} {}\n", event.time, event.name));
    text
}

#[test]
fn printed_mapping_has_the_same_result_without_the_catalogue() {
    let mut count = 0;
    for folder in fs::read_dir(CASES).unwrap().map(|folder| folder.unwrap().path()) {
        let Ok(case) = fs::read_to_string(folder.join("expected.json")) else { continue };
        let case: serde_json::Value = serde_json::from_str(&case).unwrap();
        let name = case["file"].as_str().unwrap();
        let Ok(bytes) = fs::read(folder.join(name)) else { continue };
        let Ok(by_entry) = try_decode(&bytes, name, None) else { continue };
        if !messages(&by_entry).iter().any(|message| message.contains(" documents its tables: ")) {
            continue;
        }
        count += 1;
        let mapping = by_entry.columns().unwrap().mapping.clone();
        let by_mapping = decode(&bytes, name, Some(&mapping));
        assert_eq!(describe(&by_entry), describe(&by_mapping), "{}:\n{mapping}", folder.display());
        let again = by_mapping.columns().unwrap().mapping.clone();
        let without_comments = |text: &str| -> String {
            text.lines().map(|line| line.split("    #").next().unwrap_or(line)).collect()
        };
        assert_eq!(without_comments(&mapping), without_comments(&again), "{}", folder.display());
    }
    assert!(count > 20, "{count}");
}

#[test]
fn entries_of_the_user_win_and_broken_entries_are_reported() {
    let table = b"t,pos_a,pos_b,pos_c\n0,1,2,3\n1,1,2,3\n";
    let entry = "[logger]\nname = \"my logger\"\nsource = \"me\"\nheaders = [[\"pos_a\"]]\n[nodes.me]\n\
                 position = [\"pos_a\", \"pos_b\", \"pos_c\"]\n";
    mutoscope_logs::add_entry("mine.toml", entry);
    let clip = decode(table, "a.csv", None);
    assert_eq!(clip.nodes[NodeId::new(0)].name, "me");
    assert!(messages(&clip).iter().any(|it| it.contains("my logger")), "{:?}", messages(&clip));
    mutoscope_logs::add_entry("other.toml", "[logger]\nname = \"x\"\ncolour = 1\n");
    let clip = decode(table, "a.csv", None);
    let is_reported = |it: &&str| it.starts_with("other.toml: line 3: ") && it.contains("colour");
    assert!(messages(&clip).iter().any(is_reported), "{:?}", messages(&clip));
    // An entry that is added again replaces the old one.
    mutoscope_logs::add_entry("mine.toml", &entry.replace("nodes.me", "nodes.you"));
    assert_eq!(decode(table, "a.csv", None).nodes[NodeId::new(0)].name, "you");
}

#[test]
fn each_person_has_bones() {
    let table =
        "t,id,joint,x,y,z\n0,7,2,0,1,0\n0,7,3,0,2,0\n0,9,2,1,1,0\n0,9,3,1,2,0\n0,9,x,1,3,0\n";
    let mapping = "[long]\nnode = \"joint\"\ngroup = \"id\"\nnumbering = \"kinect2\"\n[long.names]\nx = \
                   \"Hat\"\n[bones]\nHat = \"Head\"\n";
    let clip = decode(table.as_bytes(), "a.csv", Some(mapping));
    let bones: Vec<_> = (clip.nodes.iter())
        .map(|node| (node.name.as_str(), node.bone_from.map(|from| &*clip.nodes[from].name)))
        .collect();
    let expected = [
        ("7/Neck", None),
        ("7/Head", Some("7/Neck")),
        ("9/Neck", None),
        ("9/Head", Some("9/Neck")),
        ("9/Hat", Some("9/Head")),
    ];
    assert_eq!(bones, expected);
}

#[test]
fn hands_of_several_people_have_sides_and_bones() {
    let table = "t,who,hand,joint,x,y,z\n0,a,left,Wrist,0,1,0\n0,a,left,Palm,0,2,0\n0,b,left,Wrist,1,1,0\n\
                 0,b,left,Palm,1,2,0\n";
    let mapping = "[long]\nnode = \"joint\"\nside = \"hand\"\ngroup = \"who\"\n";
    let clip = decode(table.as_bytes(), "a.csv", Some(mapping));
    let palm = clip.nodes.iter().find(|node| node.name == "b/left/Palm").unwrap();
    assert_eq!(palm.bone_from.map(|from| &*clip.nodes[from].name), Some("b/left/Wrist"));
    assert!(palm.side.is_some());
    // A single person needs no name.
    let table = table.replace(",b,", ",a,").replace("0,a,left,Wrist,1", "1,a,left,Wrist,1");
    let clip = decode(table.as_bytes(), "a.csv", Some(mapping));
    assert!(clip.nodes.iter().any(|node| node.name == "left/Palm"));
}

#[test]
fn node_in_its_own_axes_and_units_is_converted() {
    let table = "t,x,y,z,a,b,c,w\n0,1,2,3,0.1,0.2,0.3,0.9273618495495704\n1,2,2,3,0.6,0,0.8,0\n";
    let rotations = [
        "rotation = [\"a\", \"b\", \"c\", \"w\"]",
        "euler = [\"a\", \"b\", \"c\"]",
        "rotation_vector = [\"a\", \"b\", \"c\"]",
        "direction = [\"a\", \"b\", \"c\"]",
        "tangents = [\"a\", \"b\"]",
    ];
    let all_axes = [
        "\"left\", \"up\", \"forward\"",
        "\"right\", \"down\", \"forward\"",
        "\"right\", \"up\", \"forward\"",
        "\"forward\", \"left\", \"up\"",
    ];
    for rotation in rotations {
        for axes in all_axes {
            let node = format!("[nodes.n]\nposition = [\"x\", \"y\", \"z\"]\n{rotation}\n");
            let euler = "euler = \"XYZ\"\n";
            let of_file = format!(
                "[space]\naxes = [{axes}]\nunit = \"cm\"\nangles = \"radians\"\n{euler}{node}"
            );
            let of_node = format!(
                "[space]\naxes = [\"right\", \"forward\", \"up\"]\nunit = \"m\"\n{euler}{node}axes = \
                 [{axes}]\nunit = \"cm\"\nangles = \"radians\"\n"
            );
            let [expected, found] = [&of_file, &of_node].map(|mapping| {
                let clip = decode(table.as_bytes(), "a.csv", Some(mapping));
                [0.0, 1.0].map(|time| {
                    let mut pose = Pose::default();
                    clip.sample(time, &mut pose);
                    pose.nodes[0].world
                })
            });
            for (expected, found) in expected.iter().zip(&found) {
                let context = format!("{rotation} {axes}: {found:?} instead of {expected:?}");
                assert!(expected.translation.abs_diff_eq(found.translation, 1e-9), "{context}");
                // A ray has no rotation about its direction.
                let [expected, found] = [expected, found].map(|it| match rotation.as_bytes()[0] {
                    b'd' | b't' => it.rotation * glam::DVec3::NEG_Z,
                    _ => it.rotation * glam::DVec3::new(1.0, 2.0, 3.0),
                });
                assert!(expected.abs_diff_eq(found, 1e-6), "{context}");
            }
        }
    }
}
