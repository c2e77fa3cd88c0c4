//! Measures the peak memory of the program on large files. The kernel reports peaks only on Linux.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(target_os = "linux")]
mod large;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod peak;
#[cfg(target_os = "linux")]
mod table;

fn main() {
    #[cfg(target_os = "linux")]
    limits::main();
}
