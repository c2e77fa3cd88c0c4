//! Reports what Blender's importer refuses or misreads, because many BVH files go there. The importer
//! reads a file line by line, so it needs the usual layout.

use super::{
    ChannelKind, Document, codes,
    lexer::{BYTE_ORDER_MARK, Lexer, quoted},
};
use crate::diagnostics::{Diagnostics, SourceLocation, format_count};

pub(super) fn report(document: &Document, bytes: &[u8], diagnostics: &mut Diagnostics) {
    report_layout(bytes, diagnostics);
    report_rotations(document, diagnostics);
}

fn report_layout(bytes: &[u8], diagnostics: &mut Diagnostics) {
    let Some((line, expected, found)) = find_unusual_line(bytes) else { return };
    let found = quoted(found);
    let message = format!(
        "expected a line with {expected}, found {found}; Blender refuses or misreads the file"
    );
    diagnostics.info(codes::LINE_LAYOUT, SourceLocation::line(line), message);
}

/// Finds the first line that Blender does not expect there. Returns its number, what must be in it, and
/// its text.
fn find_unusual_line(bytes: &[u8]) -> Option<(u32, &'static str, &[u8])> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        return Some((1, "HIERARCHY", BYTE_ORDER_MARK));
    }
    let mut lexer = Lexer::new(bytes);
    // Blender wants the next lines to begin with these keywords, each with so many words after it. The
    // last entry is for the next line.
    let mut expected: Vec<(&'static str, usize)> = vec![("HIERARCHY", 0)];
    while let Some((line, text)) = lexer.next_line_with_comments() {
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        let others = words.count();
        if let Some((keyword, count)) = expected.pop()
            && (!first.eq_ignore_ascii_case(keyword.as_bytes()) || others < count)
        {
            return Some((line, keyword, text));
        }
        if matches!(first, [b'{' | b'}', ..]) && first.len() + others > 1 {
            return Some((line, "one brace", text));
        }
        match &*first.to_ascii_lowercase() {
            b"root" | b"joint" => expected = vec![("CHANNELS", 1), ("OFFSET", 3), ("{", 0)],
            b"end" => expected = vec![("OFFSET", 3), ("{", 0)],
            b"endsite" => return Some((line, "End Site", text)),
            b"motion" => return None,
            _ => {}
        }
    }
    None
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
        assert_eq!(codes_of(&format!("\u{feff}HIERARCHY\nROOT a\n{{\n{joint}{end}")), layout);
        let end = end.replace("End Site", "EndSite");
        assert_eq!(codes_of(&format!("HIERARCHY\nROOT a\n{{\n{joint}{end}")), layout);
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
