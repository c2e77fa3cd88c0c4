//! Reads the files in `tests/data`.

use std::{fs, path::PathBuf};

/// Returns the names and bytes of the valid MRTK files.
pub fn mrtk_files() -> Vec<(String, Vec<u8>)> {
    files_in("mrtk/ok", "", 8)
}

/// Returns the names and bytes of the files below `tests/data/folder` whose names end in `end`.
/// Panics unless there are `count` of them, so that a test does not silently lose its inputs.
fn files_in(folder: &str, end: &str, count: usize) -> Vec<(String, Vec<u8>)> {
    let names = fs::read_dir(path(folder)).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        name.into_string().unwrap()
    });
    let mut files: Vec<_> = names
        .filter(|name| name.ends_with(end))
        .map(|name| {
            let bytes = fs::read(path(folder).join(&name)).unwrap();
            (name, bytes)
        })
        .collect();
    files.sort();
    assert_eq!(files.len(), count);
    files
}

/// Returns the MRTK files that are small enough for thousands of variations.
pub fn small_mrtk_files() -> Vec<(String, Vec<u8>)> {
    mrtk_files().into_iter().filter(|(_, bytes)| bytes.len() < 40_000).collect()
}

/// Returns the bytes of one MRTK file.
pub fn mrtk_file(name: &str) -> Vec<u8> {
    fs::read(path("mrtk/ok").join(name)).unwrap()
}

/// Returns the names and bytes of the `.anim` files of Maya and other tools.
pub fn maya_files() -> Vec<(String, Vec<u8>)> {
    files_in("maya", ".anim", 47)
}

/// Returns the bytes of one `.anim` file.
pub fn maya_file(name: &str) -> Vec<u8> {
    fs::read(path("maya").join(name)).unwrap()
}

/// Returns the bytes of one AnimJ or AnimX file.
pub fn resonite_file(name: &str) -> Vec<u8> {
    fs::read(path("animj").join(name)).unwrap()
}

/// Returns the names and bytes of all AnimJ and AnimX files.
pub fn resonite_files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in ["", "generated/", "rig/"] {
        for entry in fs::read_dir(path("animj").join(folder)).unwrap() {
            let name = format!("{folder}{}", entry.unwrap().file_name().to_str().unwrap());
            if name.ends_with(".animj") || name.ends_with(".animx") {
                files.push((name.clone(), resonite_file(&name)));
            }
        }
    }
    files.sort();
    assert_eq!(files.len(), 20);
    files
}

/// Returns the names and bytes of Metroid Prime's animations.
pub fn prime_files() -> Vec<(String, Vec<u8>)> {
    files_in("prime", ".ANIM", 8)
}

/// Returns the bytes of one animation or skeleton of Metroid Prime.
pub fn prime_file(name: &str) -> Vec<u8> {
    fs::read(path("prime").join(name)).unwrap()
}

/// A Minecraft recording, and the values that an independent reader found in it.
pub struct McmocapFixture {
    pub name: String,
    pub bytes: Vec<u8>,
    pub expected: serde_json::Value,
}

/// Returns the valid Minecraft recordings.
pub fn mcmocap_fixtures() -> Vec<McmocapFixture> {
    let mut names: Vec<_> = fs::read_dir(path("mcmocap"))
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Some(name.strip_suffix(".mcmocap_rec")?.to_owned())
        })
        .collect();
    names.sort();
    assert_eq!(names.len(), 16);
    let fixture = |name: String| McmocapFixture {
        bytes: mcmocap_file(&name),
        expected: json(&format!("mcmocap/{name}.json")),
        name,
    };
    names.into_iter().map(fixture).collect()
}

/// Returns the bytes of one Minecraft recording.
pub fn mcmocap_file(name: &str) -> Vec<u8> {
    fs::read(path("mcmocap").join(format!("{name}.mcmocap_rec"))).unwrap()
}

/// Returns a path below `tests/data`.
pub fn path(below: &str) -> PathBuf {
    PathBuf::from(crate::ROOT).join("tests/data").join(below)
}

/// Parses a JSON file below `tests/data`.
pub fn json(below: &str) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path(below)).unwrap()).unwrap()
}
