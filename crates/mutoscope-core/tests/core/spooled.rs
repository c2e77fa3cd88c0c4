//! Targets whose bytes wait in a temporary file, because the file begins with their lengths.

use mutoscope_core::{
    ReadOptions, decode,
    export::{ExportOptions, OptionValue, Progress, Targets, write_file},
};
use mutoscope_testing::minute_mrtk::{self, Keyed};

#[test]
fn long_recordings_are_written_equally_to_memory_and_to_a_file() {
    // The smallest of these files has more than 1.5 MB, and up to 1 MiB waits in memory.
    let bytes = minute_mrtk::recording(Keyed::EveryFrame).encode();
    let clip = decode(&bytes, &ReadOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let targets = Targets::default();
    let cases = [
        ("glb", None),
        ("fbx", None),
        ("fbx", Some(("ascii", OptionValue::Flag))),
        ("animx", None),
        ("animx", Some(("compression", "none".into()))),
    ];
    for (id, setting) in cases {
        let target = targets.target(id).unwrap();
        let mut options = ExportOptions { range: Some(0.0..=20.0), ..ExportOptions::default() };
        if let Some((name, value)) = &setting {
            options.settings.set(target.option(name).unwrap(), Some(value.clone()));
        }
        let mut in_memory = Vec::new();
        target.write(&clip, &options, &mut in_memory, &mut Progress::default()).unwrap();
        let path = folder.path().join("take");
        write_file(target, &clip, &options, &path, &mut Progress::default()).unwrap();
        assert!(in_memory.len() > 1_500_000, "{id}: {} bytes", in_memory.len());
        assert!(std::fs::read(&path).unwrap() == in_memory, "{id}, {setting:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{id}");
    }
}
