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
    if missing.contains(&"node") || !has_gltf_validator() {
        missing.push("gltf_validator");
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

/// Returns `true` if `tools/gltf-validator.sh` has installed the validator.
fn has_gltf_validator() -> bool {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    let module = "mutoscope/gltf-validator/node_modules/gltf-validator/package.json";
    cache.is_some_and(|cache| cache.join(module).is_file())
}

fn imports_bpy() -> bool {
    env::var_os("MUTOSCOPE_BPY_PYTHON").is_some_and(|python| {
        let mut command = Command::new(python);
        command.args(["-c", "import bpy"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}
