//! Integration tests of the core. Most compare with expected values that other programs computed.

mod bvh;
mod compare;
mod gltf;
mod load;
mod maya;
mod motion_options;
mod mrtk;
mod prime;
mod resonite;
mod retarget;
mod rig;
mod spooled;
mod vrma;
