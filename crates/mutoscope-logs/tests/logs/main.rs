//! Integration tests of tables, C3D and TRC. Most expected values were computed by other programs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad_input;
mod bones;
mod c3d;
mod cases;
mod invariants;
mod motive;
mod questions;
mod random_tables;
mod rotation_vectors;
mod tables_in;

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose},
    decode,
    formats::{Failure, MappingFile},
};

/// Decodes a text table with a mapping file.
fn decode_table(text: &str, mapping: Option<&str>) -> Result<Clip, Failure> {
    let columns = mapping.map(|text| MappingFile {
        format: mutoscope_logs::FORMAT_ID,
        name: "m.toml".to_owned(),
        text: text.to_owned(),
    });
    let options = ReadOptions::default()
        .with_formats(mutoscope_logs::formats())
        .with_format(mutoscope_logs::FORMAT_ID);
    decode(text.as_bytes(), &ReadOptions { columns, ..options })
}

/// Returns `true` if a damaged file can be read. Its clip is sampled at both ends, because that must
/// not panic.
fn can_read_and_sample(bytes: &[u8]) -> bool {
    let options = ReadOptions::default().with_formats(mutoscope_logs::formats());
    let Ok(clip) = decode(bytes, &options) else { return false };
    let mut pose = Pose::default();
    [clip.span.start, clip.span.end()].iter().for_each(|time| clip.sample(*time, &mut pose));
    true
}
