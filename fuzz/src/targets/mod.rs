//! The use of an input, target by target: a panic is a finding.
//!
//! The fuzzer and the test that replays the corpora share this.
//!
//! | file | what it does |
//! |---|---|
//! | `uses` | everything that can be asked of a clip |
//! | `decoders` | files to clips, of each format |
//! | `parts` | scenes with what they name, archives, sets of characters and their parts |
//! | `skeletons` | files to skeletons, and recordings put on them |
//! | `exports` | a recording written as each target, and read back |
//! | `analyses`, `comparisons` | every analysis, and comparison with alignment, at any pace |
//! | `folders` | batches and indices of folders of anything |
//! | `arguments` | the command line |

mod analyses;
mod arguments;
mod comparisons;
mod decoders;
mod exports;
mod folders;
mod parts;
mod skeletons;
mod uses;

/// Something that takes bytes from anywhere.
pub(crate) struct Target {
    /// Its word.
    pub(crate) name: &'static str,
    /// Where its first inputs are: folders of the repository.
    pub(crate) seeds: &'static [&'static str],
    /// Panics if it finds anything.
    pub(crate) run: fn(&[u8]),
}

const RECORDINGS: &[&str] = &[
    "tests/data/mrtk/ok",
    "tests/data/maya",
    "tests/data/animj",
    "tests/data/prime",
    "tests/data/mcmocap",
    "tests/data/gltf",
    "tests/data/bvh",
];

/// Any number that depends on all of `bytes`, and is the same for the same bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

const fn target(name: &'static str, seeds: &'static [&'static str], run: fn(&[u8])) -> Target {
    Target { name, seeds, run }
}

/// All of them.
pub(crate) const TARGETS: &[Target] = &[
    target("mrtk", &["tests/data/mrtk"], decoders::mrtk),
    target("maya", &["tests/data/maya", "assets/maya"], decoders::maya),
    target("animj", &["tests/data/animj", "assets/animj"], decoders::animj),
    target("animx", &["tests/data/animj"], decoders::animx),
    target("prime", &["tests/data/prime", "assets/prime"], decoders::prime),
    target("mcmocap", &["tests/data/mcmocap", "tests/data/mcmocap-more"], decoders::mcmocap),
    target("gltf", &["tests/data/gltf", "tests/data/rig", "assets/gltf"], decoders::gltf),
    target("bvh", &["tests/data/bvh", "assets/bvh"], decoders::bvh),
    target("table", &["tests/data/tables-in"], decoders::table),
    target("mcap", &["tests/data/tables-in"], decoders::mcap),
    target("any", RECORDINGS, decoders::any),
    target("scene", &["tests/data/mcmocap-more"], parts::scene),
    target("archive", &["tests/data/prime-characters"], parts::archive),
    target("characters", &["tests/data/prime-characters"], parts::characters),
    target("part", &["tests/data/prime-characters"], parts::part),
    target("skeleton-gltf", &["tests/data/rig", "tests/data/gltf"], skeletons::gltf),
    target("skeleton-cinf", &["tests/data/prime", "assets/prime"], skeletons::cinf),
    target("export-glb", RECORDINGS, exports::glb),
    target("export-csv", RECORDINGS, exports::csv),
    target("export-animj", RECORDINGS, exports::animj),
    target("export-anim", RECORDINGS, exports::anim),
    target("export-bvh", RECORDINGS, exports::bvh),
    target("export-mcmocap", &["tests/data/mcmocap", "tests/data/mcmocap-more"], exports::mcmocap),
    target("analysis", RECORDINGS, analyses::all),
    target("compare", RECORDINGS, comparisons::aligned),
    target("index-row", RECORDINGS, folders::row),
    target("index", &["fuzz/folders"], folders::index),
    target("batch", &["fuzz/folders"], folders::batch),
    target("arguments", &["fuzz/arguments"], arguments::parse),
];
