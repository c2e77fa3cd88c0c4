//! The core, held against files with expected values that others made.

mod bvh;
mod compare;
mod gltf;
mod listing;
mod load;
mod maya;
mod mrtk;
mod prime;
mod resonite;
mod retarget;
mod rig;

/// Before any test: formats and targets of other crates.
#[ctor::ctor]
fn register() {
    mutoscope_minecraft::register();
}
