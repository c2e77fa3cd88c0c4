//! Runs the Khronos glTF validator on every GLB that is exported here.

use std::{
    collections::HashSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::Clip,
    decode,
    export::{ExportOptions, Progress},
    formats::SkeletonSource,
    io::bytes::FolderSidecars,
};
use mutoscope_testing::needs;
use serde_json::Value;

use crate::export::{
    exported, exported_as, exported_once, fixtures, node_modules, recordings, small_recordings,
};

const RECORDING_FOLDERS: [&str; 3] = ["tests/data", "tests/readers/data", "assets"];

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// Returns the clips of a file on the skeleton that is kept with it: one for each animation,
/// character and game that the file offers. A file that is not a recording has none.
fn load_all_variants(path: &Path, bytes: &[u8]) -> Vec<Clip> {
    let sidecars = FolderSidecars::for_file(path);
    let name = path.file_name().unwrap().to_str().unwrap();
    let file = SourceFile::new(name, bytes).with_sidecars(&sidecars);
    let options = ReadOptions {
        skeleton: SkeletonSource::Beside,
        ..ReadOptions::from(mutoscope_cli::registry())
    };
    let Ok(clip) = decode(file, &options) else { return Vec::new() };
    let mut clips = Vec::new();
    for variants in &clip.variants {
        let others = variants.names.iter().enumerate().filter(|(at, _)| *at != variants.current);
        for (_, name) in others {
            clips.extend(decode(file, &options.clone().with_variant(variants.label, name)));
        }
    }
    clips.push(clip);
    clips
}

pub(super) fn other_recordings() -> Vec<(String, Clip)> {
    let known =
        [fixtures::mrtk_files(), fixtures::maya_files(), fixtures::resonite_files()].concat();
    let known: HashSet<Vec<u8>> = known.into_iter().map(|(_, bytes)| bytes).collect();
    let root = Path::new(mutoscope_testing::ROOT);
    let mut others = Vec::new();
    for path in RECORDING_FOLDERS.iter().flat_map(|folder| files_below(&root.join(folder))) {
        let bytes = fs::read(&path).unwrap();
        if known.contains(&bytes) {
            continue;
        }
        let name = path.strip_prefix(root).unwrap().display().to_string();
        others
            .extend(load_all_variants(&path, &bytes).into_iter().map(|clip| (name.clone(), clip)));
    }
    others
}

#[needs(gltf_validator)]
#[test]
fn every_glb_passes_the_validator_without_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    let mut write = |name: &str, bytes: &[u8]| {
        let name = name.replace(['/', ' '], "-");
        fs::write(folder.path().join(format!("{count:03} {name}.glb")), bytes).unwrap();
        count += 1;
    };
    for (name, clip) in recordings() {
        write(&name, &exported_once(&name, &clip, "glb").0);
    }
    for (name, clip) in small_recordings() {
        let (from, to) = (clip.span.start, clip.span.end());
        let part = Some(from + 0.31 * (to - from)..=from + 0.83 * (to - from));
        let part = ExportOptions { range: part, ..ExportOptions::default() };
        write(&format!("{name} part"), &exported_as(&clip, "glb", &part).0);
    }
    let others = other_recordings();
    assert!(others.len() > 150, "{}", others.len());
    let vrma = mutoscope_cli::targets().target("vrma").unwrap();
    let mut bodies = 0;
    for (name, clip) in &others {
        write(name, &exported(clip, "glb").0);
        let (options, mut bytes) = (ExportOptions::default(), Vec::new());
        match vrma.write(clip, &options, &mut bytes, &mut Progress::default()) {
            Ok(_) => {
                write(&format!("{name} vrma"), &bytes);
                bodies += 1;
            }
            Err(error) => assert_eq!(error.code().unwrap().as_str(), "export/no-humanoid"),
        }
    }
    assert!(bodies >= 10, "{bodies}");
    println!("{count} files");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/export/validate-gltf.cjs");
    let validator = node_modules("gltf-validator").join("gltf-validator");
    let ran = Command::new("node").arg(script).arg(validator).arg(folder.path()).output().unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let reports: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), count);
    let is_bad = |report: &&Value| report["errors"] != 0 || report["warnings"] != 0;
    let bad: Vec<_> = reports.iter().filter(is_bad).collect();
    assert!(bad.is_empty(), "{} of {count}: {bad:#?}", bad.len());
}
