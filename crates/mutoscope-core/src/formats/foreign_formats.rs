//! Names the kinds of files that share an extension with a supported format but cannot be read.

use super::prime;
use crate::skeleton_file::gltf;

pub(super) fn describe_foreign_format(bytes: &[u8]) -> Option<&'static str> {
    const MAX_SNIFFED_BYTES: usize = 1024;
    let start = &bytes[..bytes.len().min(MAX_SNIFFED_BYTES)];
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let contains = |words: &[u8]| start.windows(words.len()).any(|window| window == words);
    if text.starts_with(b"%YAML") && (contains(b"unity3d") || contains(b"AnimationClip")) {
        Some("a Unity animation clip (.anim in YAML)")
    } else if text.starts_with(b"version https://git-lfs.github.com/spec/") {
        Some("a pointer of Git LFS instead of the file. Run `git lfs pull`")
    } else if text.starts_with(b"atomVersion") {
        Some("a Maya ATOM file (.atom)")
    } else if text.starts_with(b"//Maya ASCII") {
        Some("a Maya scene (.ma)")
    } else if prime::is_skeleton(bytes) {
        Some("a skeleton of Metroid Prime (.CINF). Attach it to an animation with --rig")
    } else if gltf::is_recognised(bytes) {
        Some("a glTF without animations. Attach it to a recording with --rig")
    } else {
        describe_metroid_prime(bytes)
    }
}

/// Describes text whose encoding only some formats support.
pub(super) fn describe_encoding(bytes: &[u8]) -> Option<&'static str> {
    let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    is_utf16.then_some("text in UTF-16. Save the file as UTF-8")
}

/// Describes an animation of Metroid Prime. These files have no signature. They begin with a small
/// big-endian version number, which does not suffice to recognise them.
fn describe_metroid_prime(bytes: &[u8]) -> Option<&'static str> {
    const HEADER_BYTES: usize = 32;
    // Reject headers that are all zeros after the version. Otherwise a file of zeros would pass as
    // an animation of version 0.
    if bytes.len() < HEADER_BYTES || bytes[4..HEADER_BYTES].iter().all(|&byte| byte == 0) {
        return None;
    }
    match bytes[..4] {
        [0, 0, 0, 0 | 2] => Some("what looks like a binary animation of Metroid Prime (.ANIM)"),
        [0, 0, 0, 1] => Some("what looks like an animation of Metroid Prime 3 (.ANIM, version 1)"),
        [0, 0, 0, 3] => Some(
            "what looks like an animation of Metroid Prime in metaforce's own variant (.ANIM, \
             version 3)",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_files_with_known_extensions_are_named() {
        let mut prime = [7; 64];
        prime[..4].copy_from_slice(&[0, 0, 0, 2]);
        let unity =
            b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n";
        let cases: [(&[u8], Option<&str>); 9] = [
            (unity, Some("Unity")),
            (b"%YAML 1.2\n---\na: 1\n", None),
            (b"\n atomVersion 1.0;\n", Some("ATOM")),
            (b"//Maya ASCII 2018 scene\n", Some("scene")),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", Some("LFS")),
            (b"\xff\xfea\0n\0i\0m\0", Some("UTF-16")),
            (&prime, Some("Metroid Prime")),
            (&[0, 0, 0, 2], None),
            (&[0; 4096], None),
        ];
        for (bytes, expected) in cases {
            let kind = describe_foreign_format(bytes).or_else(|| describe_encoding(bytes));
            let is_expected = match expected {
                None => kind.is_none(),
                Some(word) => kind.is_some_and(|kind| kind.contains(word)),
            };
            assert!(is_expected, "{kind:?}, expected {expected:?}");
        }
    }
}
