//! Files that were exported again have the nodes of the first file.

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Owner},
    export::{ExportOptions, Progress},
    formats::FormatId,
};

const DATA: &str = "animData {\n  keys {\n    1 0 linear linear 1 0 0;\n  }\n}\n";

fn decode(bytes: &[u8]) -> Clip {
    mutoscope_core::decode(bytes, &ReadOptions::default().with_format(FormatId::MAYA)).unwrap()
}

/// Returns the name and the number of curves of each node.
fn nodes(clip: &Clip) -> Vec<(String, usize)> {
    let curves = |id| clip.tracks.iter().filter(|track| track.owner == Owner::Node(id)).count();
    clip.nodes.with_ids().map(|(id, node)| (node.name.clone(), curves(id))).collect()
}

fn export(clip: &Clip) -> Vec<u8> {
    let mut bytes = Vec::new();
    let options = ExportOptions::default();
    let target = mutoscope_core::export::Targets::default().target("anim").unwrap();
    target.write(clip, &options, &mut bytes, &mut Progress::default()).unwrap();
    bytes
}

#[test]
fn export_keeps_nodes_apart_and_whole() {
    /// A description, the `anim` lines, and the name and the number of curves of each node.
    type Case<'a> = (&'a str, &'a [&'a str], &'a [(&'a str, usize)]);
    let cases: [Case<'_>; 8] = [
        ("two curves without an anim line", &["", ""], &[("", 2)]),
        ("two unconnected curves of one line", &["anim 0 0 0;", ""], &[("", 2)]),
        (
            "an attribute and an unconnected curve without a node name",
            &["anim translate.translateX translateX 0 0 0;", "anim 0 0 1;"],
            &[("", 2)],
        ),
        (
            "unconnected curves of two nodes",
            &["anim 0 0 0;", "anim 0 0 1;", "anim 0 0 0;"],
            &[("", 2), ("", 1)],
        ),
        ("unconnected curves of equal index", &["anim 0 0 0;", "anim 0 0 0;"], &[("", 1), ("", 1)]),
        (
            "an attribute without a name",
            &["anim \"\" \"\" a 0 0 0;", "anim \"\" \"\" b 0 0 0;"],
            &[("a", 1), ("b", 1)],
        ),
        (
            "two nodes of one name with different attributes",
            &["anim translate.translateX translateX a 0 0 1;", "anim scale.scaleX scaleX a 0 0 0;"],
            &[("a", 1), ("a", 1)],
        ),
        (
            "one node with two attributes",
            &["anim translate.translateX translateX a 0 0 0;", "anim scale.scaleX scaleX a 0 0 1;"],
            &[("a", 2)],
        ),
    ];
    for (case, lines, expected) in cases {
        let curves: String = lines.iter().map(|line| format!("{line}\n{DATA}")).collect();
        let clip = decode(format!("animVersion 1.1;\n{curves}").as_bytes());
        let expected: Vec<_> =
            expected.iter().map(|&(name, curves)| (name.to_owned(), curves)).collect();
        assert_eq!(nodes(&clip), expected, "{case}");
        assert_eq!(nodes(&decode(&export(&clip))), expected, "{case}, exported");
    }
}
