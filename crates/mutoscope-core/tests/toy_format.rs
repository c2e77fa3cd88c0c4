//! A format that is defined outside of the crate, from its declaration to the sampled pose.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use glam::DVec3;
use mutoscope_core::{
    Clip, Convention, Diagnostics, Error, FormatId, Handedness, NodeId, Pose, ReadOptions,
    Registry, SourceFile, SourceLocation, Span, Transform, UpAxis,
    clip::{Content, Motion, Node, NodeKind, Nodes},
    decode,
    formats::{Decode, Format, FormatSet, Recognition},
};

mutoscope_core::codes! { "toy":
    /// A line is not a number, so it was skipped.
    NO_NUMBER = "no-number" {
        cause: "The file was edited by hand.",
        remedy: "Correct the line.",
    }
}

static FORMATS: [Format; 1] = [Format {
    id: FormatId::new("toy"),
    name: "Toy",
    extensions: &["toy"],
    between_keys: "one still height",
    contents: &[Content::Motion],
    recognise: |bytes| match bytes.starts_with(b"TOY\n") {
        true => Recognition::Certain,
        false => Recognition::No,
    },
    decode: Decode::Whole(decode_toy),
    skeleton_kind: None,
    variants: &[],
    animations: None,
    unpack: None,
    explain_rejection: None,
}];

/// Reads a line for each node: its height in metres.
fn decode_toy(
    bytes: &[u8],
    _: &SourceFile<'_>,
    _: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let text = str::from_utf8(bytes)
        .map_err(|_| Error::malformed(SourceLocation::File, "text", "other bytes"))?;
    let mut nodes = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1) {
        match line.parse::<f64>() {
            Ok(height) => {
                nodes.push(Node {
                    name: format!("block {index}"),
                    group: None,
                    parent: None,
                    bone_from: None,
                    kind: NodeKind::Joint,
                    side: None,
                    rest: Transform { translation: DVec3::Y * height, ..Transform::IDENTITY },
                    motion: Motion::default(),
                });
            }
            Err(_) => {
                let location = SourceLocation::line(index as u32 + 1);
                diagnostics.warning(NO_NUMBER, location, "expected a height; skipped");
            }
        }
    }
    let convention = Convention::assumed(Handedness::Right, UpAxis::Y);
    let mut clip = Clip::new(FORMATS[0].id, convention);
    clip.nodes = Nodes::new(nodes, diagnostics);
    clip.span = Span { start: 0.0, duration: 1.0 };
    Ok(clip)
}

#[test]
fn toy_format_is_read_like_the_others() {
    let set = FormatSet { formats: &FORMATS, codes: &[CODES], ..FormatSet::default() };
    let options = ReadOptions::from(&Registry::default().with(set));
    let clip = decode(b"TOY\n1.5\nhigh\n2\n", &options).unwrap();
    let mut pose = Pose::default();
    clip.sample(0.5, &mut pose);
    assert_eq!(pose[NodeId::new(1)].world.translation.y, 2.0);
    let codes: Vec<_> = clip.diagnostics.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["toy/no-number"]);
    assert!(decode(b"TOY\n1.5\n", &ReadOptions::default()).is_err(), "not without its registry");
}
