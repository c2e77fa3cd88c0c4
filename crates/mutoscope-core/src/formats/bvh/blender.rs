//! Reports what Blender's importer refuses or misreads, because many BVH files go there. The importer
//! reads a file line by line, so it needs the usual layout.

use super::{
    ChannelKind, Document, codes,
    lexer::{Lexer, quoted},
};
use crate::diagnostics::{Diagnostics, SourceLocation, format_count};

pub(super) fn report(document: &Document, bytes: &[u8], diagnostics: &mut Diagnostics) {
    report_layout(bytes, diagnostics);
    report_rotations(document, diagnostics);
}

/// Reports the first line that is not where Blender expects it.
fn report_layout(bytes: &[u8], diagnostics: &mut Diagnostics) {
    let mut lexer = Lexer::new(bytes);
    // The keywords that the next lines must begin with, and the number of words after them.
    let mut expected: Vec<(&[u8], usize)> = vec![(b"hierarchy", 0)];
    while let Some((line, text)) = lexer.next_line_with_comments() {
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default().to_ascii_lowercase();
        let others = words.count();
        let is_joined_brace = matches!(first[..], [b'{' | b'}', ..]) && first.len() + others > 1;
        let missing =
            expected.pop().filter(|(keyword, count)| first != *keyword || others < *count);
        if is_joined_brace || missing.is_some() {
            let keyword = missing.map_or(&b"one brace"[..], |(keyword, _)| keyword);
            let (keyword, found) = (String::from_utf8_lossy(keyword).to_uppercase(), quoted(text));
            let message = format!(
                "expected a line with {keyword}, found {found}; Blender refuses or misreads the file"
            );
            diagnostics.info(codes::LINE_LAYOUT, SourceLocation::line(line), message);
            return;
        }
        match &*first {
            b"root" | b"joint" => expected = vec![(b"channels", 1), (b"offset", 3), (b"{", 0)],
            b"end" => expected = vec![(b"offset", 3), (b"{", 0)],
            b"motion" => return,
            _ => {}
        }
    }
}

fn report_rotations(document: &Document, diagnostics: &mut Diagnostics) {
    let mut rotations = vec![0; document.joints.len()];
    let channels = document.channels.iter();
    channels
        .filter(|channel| matches!(channel.kind, Some(ChannelKind::Rotation(_))))
        .for_each(|channel| rotations[channel.joint] += 1);
    let is_partial = |count: &i32| matches!(count, 1 | 2);
    let count = rotations.iter().filter(|count| is_partial(count)).count();
    if let Some(first) = rotations.iter().position(is_partial) {
        let joint = &document.joints[first];
        let message = format!(
            "{} with one or two rotation channels, such as {}; Blender refuses the file",
            format_count(count, "joint"),
            quoted(joint.name.as_bytes())
        );
        diagnostics
            .info(codes::PARTIAL_ROTATION, SourceLocation::line(joint.line), message)
            .with("count", count);
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode;
    use crate::diagnostics::Diagnostics;

    const MOTION: &str = "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n";

    fn codes_of(hierarchy: &str) -> Vec<String> {
        let text = format!("{hierarchy}{MOTION}");
        let mut diagnostics = Diagnostics::new();
        decode(text.as_bytes(), &mut diagnostics).unwrap();
        diagnostics.iter().map(|diagnostic| diagnostic.code.to_string()).collect()
    }

    #[test]
    fn layouts_that_blender_refuses_are_reported() {
        let joint = "OFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n";
        let end = "End Site\n{\nOFFSET 0 1 0\n}\n}\n";
        assert!(codes_of(&format!("HIERARCHY\n# unit: m\nROOT a b\n{{\n{joint}{end}")).is_empty());
        let layout = ["bvh/line-layout"];
        assert_eq!(codes_of(&format!("# unit: m\nHIERARCHY\nROOT a\n{{\n{joint}{end}")), layout);
        assert_eq!(codes_of(&format!("HIERARCHY\nROOT a {{\n{joint}{end}")), layout);
        assert_eq!(codes_of(&format!("HIERARCHY\nROOT a\n{{ {joint}{end}")), layout);
        let joined = "End Site\n{\nOFFSET 0 1 0\n}}\n";
        assert_eq!(codes_of(&format!("HIERARCHY\nROOT a\n{{\n{joint}{joined}")), layout);
    }

    #[test]
    fn partial_rotations_are_reported() {
        let hinge = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT a\n{\n\
             OFFSET 0 1 0\nCHANNELS 2 Xposition Yrotation\n}\n}\n";
        assert_eq!(codes_of(hinge), ["bvh/partial-rotation"]);
    }
}
