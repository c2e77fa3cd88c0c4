//! Looks for the programs that tests need, and passes the missing ones to the macro.

use std::{
    env,
    path::PathBuf,
    process::{Command, Stdio},
};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for variable in ["PATH", "XDG_CACHE_HOME", "HOME", "MUTOSCOPE_BPY_PYTHON"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let programs = ["ffmpeg", "node", "python3"];
    let mut missing: Vec<_> = programs.into_iter().filter(|program| !is_in_path(program)).collect();
    if !missing.is_empty() && cfg!(unix) {
        // Look again if a program is installed. On Windows, this would search all of System32.
        for folder in folders_in_path().filter(|folder| folder.is_dir()) {
            println!("cargo::rerun-if-changed={}", folder.display());
        }
    }
    for (name, module) in MODULES {
        if missing.contains(&"node") || !is_installed(module) {
            missing.push(name);
        }
    }
    if !imports_bpy() {
        missing.push("bpy");
    }
    println!("cargo::rustc-env=MISSING_PROGRAMS={}", missing.join(" "));
}

fn folders_in_path() -> impl Iterator<Item = PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).collect::<Vec<_>>().into_iter()
}

fn is_in_path(program: &str) -> bool {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    folders_in_path().any(|folder| folder.join(&file).is_file())
}

/// The modules that `tools/gltf-validator.sh` and `tools/three-vrm.sh` install, as files in the
/// cache.
const MODULES: [(&str, &str); 2] = [
    ("gltf_validator", "gltf-validator/node_modules/gltf-validator/package.json"),
    ("three_vrm", "three-vrm/node_modules/@pixiv/three-vrm-animation/package.json"),
];

fn is_installed(module: &str) -> bool {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    let Some(file) = cache.map(|cache| cache.join("mutoscope").join(module)) else { return false };
    let is_installed = file.is_file();
    if !is_installed {
        // A path that does not exist lets cargo look again in each build.
        println!("cargo::rerun-if-changed={}", file.display());
    }
    is_installed
}

fn imports_bpy() -> bool {
    env::var_os("MUTOSCOPE_BPY_PYTHON").is_some_and(|python| {
        let mut command = Command::new(python);
        command.args(["-c", "import bpy"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}
