//! The icon, the version and the manifest of the program for Windows, where they are part of the file.

fn main() {
    println!("cargo::rerun-if-changed=packaging/windows/mutoscope.ico");
    println!("cargo::rerun-if-changed=packaging/windows/mutoscope.manifest");
    if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "windows") {
        add_resources();
    }
}

/// Compiled by `rc` of Microsoft's tools or by `windres` of MinGW.
fn add_resources() {
    let mut resources = winresource::WindowsResource::new();
    resources
        .set_icon("packaging/windows/mutoscope.ico")
        .set_manifest_file("packaging/windows/mutoscope.manifest")
        .set("ProductName", "Mutoscope")
        .set("FileDescription", "Mutoscope: 3D playback for motion recordings")
        .set("OriginalFilename", "mutoscope.exe")
        .set("LegalCopyright", "The makers of Mutoscope; MIT or Apache-2.0");
    if let Err(error) = resources.compile_for("mutoscope") {
        println!("cargo::error=the icon and the version of the program: {error}");
    }
}
