//! An attribute for tests that need a program. `mutoscope-testing` exports it.

use proc_macro::TokenStream;

/// The programs, and why a test is ignored without them. `build.rs` looks for the programs.
const REASONS: [(&str, &str); 6] = [
    ("ffmpeg", "ffmpeg is missing"),
    ("node", "node is missing"),
    ("python3", "python3 is missing"),
    ("gltf_validator", "node or the validator that tools/gltf-validator.sh installs is missing"),
    ("three_vrm", "node or three-vrm, which tools/three-vrm.sh installs, is missing"),
    ("bpy", "MUTOSCOPE_BPY_PYTHON names no Python with bpy"),
];

/// Ignores a test if a program was missing when the test was built, as in
///
/// ```text
/// #[needs(node)]
/// #[test]
/// fn pages_play_in_node() {}
/// ```
///
/// `cargo test` then reports the test as ignored, and why.
#[proc_macro_attribute]
pub fn needs(program: TokenStream, test: TokenStream) -> TokenStream {
    let program = program.to_string();
    let Some((_, reason)) = REASONS.iter().find(|(known, _)| *known == program) else {
        return format!("compile_error!(\"unknown program: {program}\");")
            .parse()
            .unwrap_or_default();
    };
    if !env!("MISSING_PROGRAMS").split(' ').any(|missing| missing == program) {
        return test;
    }
    let ignored: TokenStream = format!("#[ignore = {reason:?}]").parse().unwrap_or_default();
    ignored.into_iter().chain(test).collect()
}
