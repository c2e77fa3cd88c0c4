//! Tests that outputs are written completely or not at all.

use std::{fs, ops::ControlFlow, path::Path};

use mutoscope_core::{
    ReadOptions,
    clip::Clip,
    decode,
    export::{ExportError, ExportOptions, Progress, write_file},
};

use crate::export::{exported, fixtures, targets_for_hands};

fn clip() -> Clip {
    decode(&fixtures::mrtk_file("proc_v11_good.bin"), &ReadOptions::from(mutoscope_cli::registry()))
        .unwrap()
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn atomic_file_replaces_the_existing_one() {
    let clip = clip();
    for target in targets_for_hands() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("out.{}", target.extension));
        fs::write(&path, "old").unwrap();
        let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
        write_file(target, &clip, &options, &path, &mut Progress::default()).unwrap();
        assert!(fs::read(&path).unwrap() == exported(&clip, target.id).0, "{}", target.id);
        assert_eq!(files_in(folder.path()).len(), target.output_paths("out".as_ref()).len());
    }
}

#[test]
fn cancelled_export_changes_no_file() {
    let clip = clip();
    for target in targets_for_hands() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "old").unwrap();
        for stop in [0.0, 0.1, 0.5, 0.9] {
            let mut progress = Progress::new(|done| match done >= stop {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
            let result = write_file(target, &clip, &ExportOptions::default(), &path, &mut progress);
            assert!(matches!(result, Err(ExportError::Cancelled(_))), "{}", target.extension);
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            assert_eq!(files_in(folder.path()), ["out"], "{}", target.extension);
        }
    }
}

#[test]
fn failed_write_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no such folder/out.csv");
    let result = write_file(
        mutoscope_cli::targets().target("glb").unwrap(),
        &clip(),
        &ExportOptions::default(),
        &nowhere,
        &mut Progress::default(),
    );
    assert!(matches!(result, Err(ExportError::Unwritable(_))));
    assert!(files_in(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real.csv");
    let link = folder.path().join("link.csv");
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, &link).unwrap();
    let target = mutoscope_cli::targets().target_for_extension("CSV").unwrap();
    write_file(target, &clip(), &ExportOptions::default(), &link, &mut Progress::default())
        .unwrap();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().starts_with("time,"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}
