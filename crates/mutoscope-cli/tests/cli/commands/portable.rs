//! Tests of behaviour that is the same on every system: line ends of either kind, and names in any
//! script.

use std::{fs, path::Path};

use crate::commands::run;

fn read_asset(path: &str) -> Vec<u8> {
    fs::read(Path::new(mutoscope_testing::ROOT).join("assets").join(path)).unwrap()
}

/// Editors and git on Windows write CR LF.
#[test]
fn text_files_with_crlf_give_the_same_samples_as_with_lf() {
    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: String| folder.path().join(name).to_str().unwrap().to_owned();
    for path in ["bvh/walk.bvh", "maya/walk-with-hat.anim", "animj/lantern-show.animj"] {
        let text = String::from_utf8(read_asset(path)).unwrap().replace("\r\n", "\n");
        let name = path.rsplit('/').next().unwrap();
        let sampled = |file: String, text: String| {
            fs::write(&file, text).unwrap();
            let ran = run(&["sample", "--fps", "10", &file]);
            assert_eq!(ran.status, Some(0), "{file}: {}", ran.err);
            (ran.out, ran.err.lines().count())
        };
        let lf = sampled(path_to(format!("lf-{name}")), text.clone());
        assert!(lf.0.lines().count() > 5, "{path}");
        assert_eq!(
            sampled(path_to(format!("crlf-{name}")), text.replace('\n', "\r\n")),
            lf,
            "{path}"
        );
    }
}

#[test]
fn text_outputs_have_lf() {
    let folder = tempfile::tempdir().unwrap();
    let walk = Path::new(mutoscope_testing::ROOT).join("assets/bvh/walk.bvh");
    for target in ["bvh", "anim", "animj", "csv"] {
        let out = folder.path().join(format!("out.{target}"));
        let ran = run(&["convert".as_ref(), walk.as_os_str(), "-o".as_ref(), out.as_os_str()]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(!fs::read(&out).unwrap().contains(&b'\r'), "{target}");
    }
}

#[test]
fn file_names_may_use_any_script() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("прогулка 歩く é.bvh");
    fs::write(&file, read_asset("bvh/walk.bvh")).unwrap();
    let out = folder.path().join("出力 ø.glb");
    let ran = run(&["convert".as_ref(), file.as_os_str(), "-o".as_ref(), out.as_os_str()]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(fs::read(&out).unwrap().starts_with(b"glTF"));
    let info = run(&["info".as_ref(), "--json".as_ref(), file.as_os_str()]);
    assert_eq!(info.json_lines()[0]["path"], file.to_str().unwrap());
}
