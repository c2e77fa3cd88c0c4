//! Which strings people see, and where.

use super::source::Found;

/// Strings that people see in one place.
pub(crate) struct Area {
    pub(crate) title: &'static str,
    /// Files and folders.
    pub(crate) paths: &'static [&'static str],
    /// Whether single words are seen, too. Elsewhere they are names of the contract: of formats,
    /// of tracks, of members in JSON.
    pub(crate) has_words: bool,
    /// Whether what is formatted by `write!` goes into files of other tools.
    pub(crate) writes_files: bool,
}

const fn words(title: &'static str, paths: &'static [&'static str]) -> Area {
    Area { title, paths, has_words: true, writes_files: false }
}

const fn sentences(title: &'static str, paths: &'static [&'static str]) -> Area {
    Area { title, paths, has_words: false, writes_files: false }
}

/// The area of what arguments of the command line have for help.
pub(crate) const HELP: &str = "Command line: help";

pub(crate) const HEAD: &str = "\
# Every string that people see

Made from the sources by `MUTOSCOPE_UPDATE_DOCS=1 cargo test --test strings`, which fails where this page is not current.
`{…}` stands for a value. Single words are listed for the window only: elsewhere they are names of files and formats.
Not listed: the reasons of panics, ids, names of assets, names that a format or the command line defines.
";

pub(crate) static AREAS: &[Area] = &[
    words("Actions: menus, tooltips, keys", &["src/session/action.rs"]),
    words("Top bar", &["src/ui/top_bar.rs"]),
    words("Start page and examples", &["src/ui/gallery.rs", "src/session/samples.rs"]),
    words("Viewport", &["src/ui/overlay"]),
    words("Messages over the viewport", &["src/ui/messages.rs"]),
    words("Transport", &["src/ui/transport.rs"]),
    words("Timeline", &["src/ui/timeline", "src/timeline"]),
    words("Curves", &["src/ui/curves"]),
    words("Bytes of the file", &["src/ui/bytes"]),
    words("Outline", &["src/ui/outline", "src/ui/outline.rs"]),
    words("List of files", &["src/ui/file_list.rs"]),
    words("Inspector", &["src/ui/inspector"]),
    words("Issues", &["src/ui/findings"]),
    words("Node mapping", &["src/ui/skeleton.rs"]),
    words("Animations", &["src/ui/animations.rs"]),
    words("Export dialog", &["src/ui/export.rs"]),
    words("Saving a scene", &["src/ui/save_scene.rs"]),
    words("Command palette", &["src/ui/command_palette.rs"]),
    words("Sheet of keys", &["src/ui/help.rs"]),
    words("Window, common to its panels", &["src/ui", "src/viewer"]),
    sentences("Session: confirmations and failures", &["src/session"]),
    sentences(HELP, &[]),
    sentences("Command line: messages", &["src/cli", "src/main.rs", "src/lib.rs"]),
    words("Checks: names", &["src/diagnostics/topic.rs"]),
    sentences("Checks: rules and findings", &["src/checks"]),
    sentences(
        "Reading bytes and JSON",
        &[
            "src/diagnostics",
            "src/bytes",
            "src/atomic_file",
            "src/storage",
            "src/browser",
            "src/cooperative.rs",
        ],
    ),
    sentences("Formats: recognition and choice", &["src/formats", "src/load", "src/asset.rs"]),
    sentences("MRTK", &["src/formats/mrtk"]),
    sentences("Maya", &["src/formats/maya"]),
    sentences("Resonite", &["src/formats/resonite"]),
    sentences("Metroid Prime", &["src/formats/prime"]),
    sentences("Minecraft", &["src/formats/mcmocap"]),
    sentences("BVH", &["src/formats/bvh"]),
    sentences("glTF", &["src/formats/gltf", "src/rig/gltf"]),
    sentences("Skeletons", &["src/rig"]),
    sentences("Clips", &["src/clip"]),
    sentences("Comparing and analysing", &["src/compare", "src/analysis"]),
    Area { writes_files: true, ..sentences("Exports", &["src/export", "src/tables"]) },
    sentences("Images and videos", &["src/capture"]),
    sentences("Reference footage", &["src/footage"]),
    sentences("The 3D view", &["src/stage", "src/recording", "src/trails.rs", "src/figure"]),
    sentences("Playback and listings", &["src/playback", "src/listing"]),
    sentences("Python", &["python/src"]),
];

/// Calls whose strings people do not see.
const UNSEEN_CALLS: &[&str] = &[
    // Reasons of panics.
    "expect",
    "panic!",
    "unreachable!",
    "assert!",
    "assert_eq!",
    "assert_ne!",
    "debug_assert!",
    // Ids of widgets, names of entities.
    "with",
    "Id::new",
    "id_salt",
    "from_id_salt",
    "push_id",
    "table",
    "area",
    "floating",
    "Area::new",
    "Modal::new",
    "Ui::new",
    "Name::new",
    "Panel::top",
    "Panel::bottom",
    "Panel::left",
    "Panel::right",
    // Files and variables of the environment.
    "include_bytes!",
    "include_str!",
    "var",
    "var_os",
    "spawn",
    // What is looked for in a text.
    "contains",
    "find",
    "split_once",
    "rsplit_once",
    "starts_with",
    "ends_with",
    "strip_prefix",
    "strip_suffix",
    "replace",
];

/// Strings that people do not see in any other way.
const UNSEEN: &[&str] = &[
    "#mutoscope",
    "-export.",
    "DISPLAY",
    "EOF while parsing",
    "Texture({:?}, {} by {})",
    "WAYLAND_DISPLAY",
    "__resize",
    "linux",
    "png",
    "wasm",
    "wasm32",
    "wgpu=error,naga=error,bevy_render=error,bevy_winit=error",
];

/// Whether a file is compiled for tests only.
pub(crate) fn is_of_tests(name: &str) -> bool {
    let is_tests = |part: &str| matches!(part, "tests" | "tests.rs" | "testing.rs" | "testing");
    name.ends_with("_tests.rs") || name.split('/').any(is_tests)
}

/// Whether people see a string in its area.
pub(crate) fn is_seen(found: &Found, area: &Area) -> bool {
    let text = without_values(&found.text);
    let has_words = text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 1);
    let is_sentence = text.trim().contains(' ');
    let is_unseen = |call: &String| {
        UNSEEN_CALLS.contains(&call.as_str())
            || area.writes_files && matches!(call.as_str(), "write!" | "writeln!")
    };
    has_words
        && (area.has_words || is_sentence || found.is_help)
        && !UNSEEN.contains(&found.text.as_str())
        && !found.calls.iter().any(is_unseen)
}

/// `text` without what stands for values.
fn without_values(text: &str) -> String {
    let mut depth = 0_i32;
    let outside = text.chars().filter(|c| {
        depth += i32::from(*c == '{');
        let is_outside = depth == 0;
        depth -= i32::from(*c == '}');
        is_outside
    });
    outside.collect()
}
