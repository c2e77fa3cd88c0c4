//! Compares text tables with expected values.

use mutoscope_core::ReadOptions;
use mutoscope_core::clip::{Clip, Pose};

use crate::cases;

fn read_options() -> ReadOptions {
    ReadOptions::default().with_formats(mutoscope_logs::formats())
}

fn is_text(name: &str, case: &serde_json::Value) -> bool {
    let file = case["file"].as_str().unwrap_or_default();
    let others = [".parquet", ".arrow", ".feather", ".mcap"];
    !others.iter().any(|extension| file.ends_with(extension)) && !name.is_empty()
}

#[test]
fn text_tables_have_the_expected_values() {
    let cases = cases::load_cases(is_text);
    assert!(cases.len() > 40, "{}", cases.len());
    cases::assert_expected_values(&cases, &read_options());
}

/// Any result is valid, but nothing may panic.
fn decode(bytes: &[u8]) -> Option<Clip> {
    let request = ReadOptions::default()
        .with_formats(mutoscope_logs::formats())
        .with_format(mutoscope_logs::FORMAT_ID);
    let clip = mutoscope_core::decode(bytes, &request).ok()?;
    let mut pose = Pose::default();
    [clip.span.start, clip.span.end(), 0.5].iter().for_each(|time| clip.sample(*time, &mut pose));
    Some(clip)
}

#[test]
fn damaged_tables_are_read_or_refused() {
    let mut random = 12_345_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    for (_, case) in cases::load_cases(is_text) {
        let bytes = cases::read_file(&case);
        for _ in 0..12 {
            let mut broken = bytes[..next(bytes.len() + 1)].to_vec();
            for _ in 0..next(8) {
                if !broken.is_empty() {
                    let at = next(broken.len());
                    broken[at] = [b',', b'\n', b'"', b'{', b'-', b'9', b'e', 0xff][next(8)];
                }
            }
            read_options().registry.is_recognised(&broken, None);
            decode(&broken);
        }
    }
}

#[test]
fn a_hundred_thousand_columns_are_read() {
    let names: Vec<String> = (0..33_333)
        .flat_map(|node| ["x", "y", "z"].map(|axis| format!("n{node}_{axis}")))
        .collect();
    let row = |time: &str| format!("{time}{}\n", ",1".repeat(names.len()));
    let text = format!("time,{}\n{}{}", names.join(","), row("0"), row("0.1"));
    let clip = decode(text.as_bytes()).expect("the text must be a valid table");
    assert_eq!(clip.nodes.len(), 33_333);
}

/// Each column has a number only in the first and the last of many rows.
#[test]
fn sparse_columns_store_only_their_numbers() {
    let names: Vec<String> =
        (0..5_000).flat_map(|node| ["x", "y", "z"].map(|axis| format!("n{node}_{axis}"))).collect();
    let full = |time: usize| format!("{time}{}\n", ",1".repeat(names.len()));
    let rows: String = (1..60_000).map(|time| format!("{time}\n")).collect();
    let text = format!("time,{}\n{}{rows}{}", names.join(","), full(0), full(60_000));
    let clip = decode(text.as_bytes()).expect("the text must be a valid table");
    // Each node has two poses, and is hidden between them.
    assert_eq!(clip.nodes.len(), 5_000);
    assert_eq!(clip.tracks[0].curve.key_count(), 2);
}
