//! The files in `tests/data`.

use std::{fs, path::PathBuf};

/// The files of MRTK 2 that can be read, by name, with their bytes.
pub fn mrtk() -> Vec<(String, Vec<u8>)> {
    files_in("mrtk/ok", "", 8)
}

/// The files in a folder below `tests/data` whose names end in `end`, by name, with their bytes;
/// there are `count` of them.
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

/// The MRTK files that are small enough for thousands of variations.
pub fn small_mrtk() -> Vec<(String, Vec<u8>)> {
    mrtk().into_iter().filter(|(_, bytes)| bytes.len() < 40_000).collect()
}

/// The bytes of one of them.
pub fn one_mrtk(name: &str) -> Vec<u8> {
    fs::read(path("mrtk/ok").join(name)).unwrap()
}

/// The `.anim` files of Maya and of others, by name, with their bytes.
pub fn maya() -> Vec<(String, Vec<u8>)> {
    files_in("maya", ".anim", 47)
}

/// The bytes of one of them.
pub fn one_maya(name: &str) -> Vec<u8> {
    fs::read(path("maya").join(name)).unwrap()
}

/// The bytes of one of Resonite's animations.
pub fn one_resonite(name: &str) -> Vec<u8> {
    fs::read(path("animj").join(name)).unwrap()
}

/// Resonite's animations in either format, by name, with their bytes.
pub fn resonite() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in ["", "generated/", "rig/"] {
        for entry in fs::read_dir(path("animj").join(folder)).unwrap() {
            let name = format!("{folder}{}", entry.unwrap().file_name().to_str().unwrap());
            if name.ends_with(".animj") || name.ends_with(".animx") {
                files.push((name.clone(), one_resonite(&name)));
            }
        }
    }
    files.sort();
    assert_eq!(files.len(), 20);
    files
}

/// The animations of Metroid Prime, by name, with their bytes.
pub fn prime() -> Vec<(String, Vec<u8>)> {
    files_in("prime", ".ANIM", 8)
}

/// The bytes of one of them, or of a skeleton.
pub fn one_prime(name: &str) -> Vec<u8> {
    fs::read(path("prime").join(name)).unwrap()
}

/// A recording of Minecraft Motion Capture, and what an independent reader makes of it.
pub struct Mcmocap {
    pub name: String,
    pub bytes: Vec<u8>,
    pub expected: serde_json::Value,
}

/// The recordings of Minecraft Motion Capture that are sound.
pub fn mcmocap() -> Vec<Mcmocap> {
    let mut names: Vec<_> = fs::read_dir(path("mcmocap"))
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Some(name.strip_suffix(".mcmocap_rec")?.to_owned())
        })
        .collect();
    names.sort();
    assert_eq!(names.len(), 16);
    let fixture = |name: String| Mcmocap {
        bytes: one_mcmocap(&name),
        expected: json(&format!("mcmocap/{name}.json")),
        name,
    };
    names.into_iter().map(fixture).collect()
}

/// The bytes of one of them.
pub fn one_mcmocap(name: &str) -> Vec<u8> {
    fs::read(path("mcmocap").join(format!("{name}.mcmocap_rec"))).unwrap()
}

/// A path below `tests/data`.
pub fn path(below: &str) -> PathBuf {
    PathBuf::from(crate::ROOT).join("tests/data").join(below)
}

/// The JSON in a file below `tests/data`.
pub fn json(below: &str) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path(below)).unwrap()).unwrap()
}
