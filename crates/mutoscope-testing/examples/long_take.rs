//! Writes an MRTK recording of an hour, to see how programs cope with one:
//! `cargo run --release -p mutoscope-testing --example long_take -- hour.bin 10000000`.
//!
//! The number is that of the keys, or of the frames if it is followed by `frames`. In the second
//! case all joints have keys in the same frames: `-- hour.bin 216000 frames`.

use std::{env, error::Error, fs};

use mutoscope_testing::long_mrtk;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().ok_or("which file shall be written?")?;
    let count = arguments.next().map_or(Ok(10_000_000), |count| count.parse())?;
    let recording = match arguments.next().as_deref() {
        None => long_mrtk::recording(count),
        Some("frames") => long_mrtk::recording_of_frames(count),
        Some(other) => return Err(format!("expected \"frames\", found {other:?}").into()),
    };
    let bytes = recording.encode();
    fs::write(&path, &bytes)?;
    println!("{path}: {} bytes", bytes.len());
    Ok(())
}
