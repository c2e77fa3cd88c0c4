//! The Khronos glTF validator on every GLB that is written here.

use std::{env, fs, path::PathBuf, process::Command};

use mutoscope::export::ExportOptions;
use serde_json::Value;

use crate::{exported_as, exported_once, recordings, small_recordings};

/// Where `scripts/gltf-validator` puts it; nothing, said in a line, where there is none.
fn module() -> Option<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))?;
    let module = cache.join("mutoscope/gltf-validator/node_modules/gltf-validator");
    let has_node = Command::new("node").arg("--version").output().is_ok();
    if !has_node || !module.join("package.json").exists() {
        eprintln!("skipped: no node, or no validator (scripts/gltf-validator installs it)");
        return None;
    }
    Some(module)
}

#[test]
fn every_glb_is_without_an_error_or_a_warning() {
    let Some(module) = module() else { return };
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
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/validate-gltf.cjs");
    let ran = Command::new("node").arg(script).arg(module).arg(folder.path()).output().unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let reports: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), count);
    let is_bad = |report: &&Value| report["errors"] != 0 || report["warnings"] != 0;
    let bad: Vec<_> = reports.iter().filter(is_bad).collect();
    assert!(bad.is_empty(), "{} of {count}: {bad:#?}", bad.len());
}
