//! The fuzz targets. A panic is a finding.
//!
//! The fuzzer and the test that replays the seed inputs share these targets.
//!
//! | file | what it tests |
//! |---|---|
//! | `uses` | every query of a clip |
//! | `decoders` | decoding of files of each format |
//! | `parts` | scenes with the files that they refer to, archives, character sets and their parts |
//! | `skeletons` | decoding of skeletons, and recordings attached to them |
//! | `exports` | export to each target, and reading the result |
//! | `analyses`, `comparisons` | every analysis, and comparison with alignment, at any time scale |
//! | `folders` | batch conversion and indexing of folders with any files |
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

/// A function that must accept any bytes.
pub(crate) struct Target {
    /// The name for `MUTOSCOPE_FUZZ`.
    pub(crate) name: &'static str,
    /// The folders of the seed inputs, relative to the root of the repository.
    pub(crate) seeds: &'static [&'static str],
    /// Tests one input. Panics if the test fails.
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

/// Recordings for the writers whose input hardly matters, because they write samples.
const FEW_RECORDINGS: &[&str] = &["tests/data/mrtk/ok", "tests/data/animj", "tests/data/bvh"];

const HTML_SEEDS: &[&str] = &["tests/data/mrtk/ok", "tests/data/mcmocap", "tests/data/bvh"];

/// Small files by strangers in many formats. A decoder refuses those of other formats at once.
const CASES: &str = "crates/mutoscope-cli/tests/cases";

/// Returns the FNV-1a hash of `bytes`. Targets derive their choices from this number, so that an
/// input always makes the same choices.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

const fn target(name: &'static str, seeds: &'static [&'static str], run: fn(&[u8])) -> Target {
    Target { name, seeds, run }
}

pub(crate) const TARGETS: &[Target] = &[
    target("mrtk", &["tests/data/mrtk"], decoders::mrtk),
    target("maya", &["tests/data/maya", "assets/maya"], decoders::maya),
    target("animj", &["tests/data/animj", "assets/animj"], decoders::animj),
    target("animx", &["tests/data/animj"], decoders::animx),
    target("prime", &["tests/data/prime", "assets/prime"], decoders::prime),
    target("mcmocap", &["tests/data/mcmocap", "tests/data/mcmocap-more"], decoders::mcmocap),
    target("gltf", &["tests/data/gltf", "tests/data/rig", "assets/gltf", CASES], decoders::gltf),
    target("bvh", &["tests/data/bvh", "assets/bvh", CASES], decoders::bvh),
    target("table", &["tests/data/tables-in", CASES], decoders::table),
    target("mcap", &["tests/data/tables-in", CASES], decoders::mcap),
    target("any", RECORDINGS, decoders::any),
    target("scene", &["tests/data/mcmocap-more"], parts::scene),
    target("archive", &["tests/data/prime-characters"], parts::archive),
    target("characters", &["tests/data/prime-characters"], parts::characters),
    target("part", &["tests/data/prime-characters"], parts::part),
    target("skeleton-gltf", &["tests/data/rig", "tests/data/gltf"], skeletons::gltf),
    target("skeleton-cinf", &["tests/data/prime", "assets/prime"], skeletons::cinf),
    target("export-glb", RECORDINGS, exports::glb),
    target("export-fbx", RECORDINGS, exports::fbx),
    target("export-csv", RECORDINGS, exports::csv),
    target("export-animj", RECORDINGS, exports::animj),
    target("export-animx", FEW_RECORDINGS, exports::animx),
    target("export-anim", RECORDINGS, exports::anim),
    target("export-mrtk", RECORDINGS, exports::mrtk),
    target("export-prime", &["tests/data/prime", "assets/prime"], exports::prime),
    target("export-vrma", &["tests/data/gltf", "tests/data/rig", "assets/bvh"], exports::vrma),
    target("export-html", HTML_SEEDS, exports::html),
    target("export-parquet", FEW_RECORDINGS, exports::parquet),
    target("export-arrow", FEW_RECORDINGS, exports::arrow),
    target("export-mcap", FEW_RECORDINGS, exports::mcap),
    target("export-bvh", RECORDINGS, exports::bvh),
    target("export-mcmocap", &["tests/data/mcmocap", "tests/data/mcmocap-more"], exports::mcmocap),
    target("analysis", RECORDINGS, analyses::analyse),
    target("compare", RECORDINGS, comparisons::compare),
    target("index-row", RECORDINGS, folders::index_row),
    target("index", &["fuzz/folders"], folders::index),
    target("batch", &["fuzz/folders"], folders::convert),
    target("arguments", &["fuzz/arguments"], arguments::parse),
];
