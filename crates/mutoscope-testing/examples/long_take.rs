//! Writes an MRTK recording of an hour, to see how the viewer copes with one:
//! `cargo run --release -p mutoscope-testing --example long_mrtk -- hour.bin 10000000`.

use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().ok_or("which file shall be written?")?;
    let keys = arguments.next().map_or(Ok(10_000_000), |keys| keys.parse())?;
    let bytes = mutoscope_testing::long_mrtk::recording(keys).encode();
    fs::write(&path, &bytes)?;
    println!("{path}: {} bytes", bytes.len());
    Ok(())
}
