//! Measures how long it takes to open a table of a million rows, compared with the work that cannot
//! be avoided: the crate csv parses the cells as numbers, and the crate parquet decodes the
//! columns.
//!
//! Both sides of each ratio are measured in turns, in the same run, on the same bytes.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{fmt::Write as _, hint::black_box, sync::Arc};

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use bytes::Bytes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mutoscope_core::{clip::Clip, formats::ReadOptions};
use mutoscope_testing::timing::{medians, ratio};
use parquet::{
    arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder},
    basic::{Compression, ZstdLevel},
    file::properties::WriterProperties,
};

const ROWS: usize = 1_000_000;

/// The time, and the positions and quaternions of a headset and a controller.
const COLUMNS: [&str; 15] = [
    "time", "head_x", "head_y", "head_z", "head_qx", "head_qy", "head_qz", "head_qw", "cup_x",
    "cup_y", "cup_z", "cup_qx", "cup_qy", "cup_qz", "cup_qw",
];

fn cell_value(row: usize, column: usize) -> f64 {
    let angle = row as f64 * 0.011 + column as f64;
    match column {
        0 => row as f64 / 90.0,
        4..=6 | 11..=13 => (0.1 * angle.sin() * 1e6).round() / 1e6,
        7 | 14 => 0.99,
        _ => ((1.0 + 0.4 * angle.sin()) * 1e6).round() / 1e6,
    }
}

fn csv_text() -> Vec<u8> {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for row in 0..ROWS {
        for column in 0..COLUMNS.len() {
            let end = if column + 1 < COLUMNS.len() { ',' } else { '\n' };
            write!(text, "{:.6}{end}", cell_value(row, column)).unwrap();
        }
    }
    text.into_bytes()
}

fn parquet_bytes(compression: Compression) -> Bytes {
    let columns = COLUMNS.iter().enumerate().map(|(column, name)| {
        let numbers: Float64Array = (0..ROWS).map(|row| Some(cell_value(row, column))).collect();
        (*name, Arc::new(numbers) as ArrayRef)
    });
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes.into()
}

fn decode_clip(bytes: &[u8]) -> Clip {
    let options = ReadOptions::default()
        .with_formats(mutoscope_logs::formats())
        .with_formats(mutoscope_tables::formats());
    mutoscope_core::decode(black_box(bytes), &options).unwrap()
}

fn parse_with_csv(bytes: &[u8]) -> Vec<Vec<f64>> {
    let mut columns = vec![Vec::new(); COLUMNS.len()];
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).unwrap() {
        for (cell, column) in record.iter().zip(&mut columns) {
            column.push(str::from_utf8(cell).unwrap().parse().unwrap());
        }
    }
    columns
}

/// Keeps all columns in memory at once, like pyarrow's `read_table`.
fn decode_with_parquet(bytes: &Bytes) -> usize {
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes.clone()).unwrap();
    let batches: Result<Vec<_>, _> = builder.build().unwrap().collect();
    black_box(batches.unwrap()).iter().map(RecordBatch::num_rows).sum()
}

fn tables(criterion: &mut Criterion) {
    let text = csv_text();
    println!("CSV: {} rows, {:.1} MB", ROWS, text.len() as f64 / 1e6);
    assert_eq!(decode_clip(&text).tracks[0].curve.key_count(), ROWS);
    let [ours, theirs] = medians([&mut || drop(black_box(decode_clip(&text))), &mut || {
        drop(black_box(parse_with_csv(&text)))
    }]);
    println!("CSV: ours {ours:.2?}, csv {theirs:.2?}: {:.2} times as long", ratio(ours, theirs));
    let kinds = [
        ("plain", Compression::UNCOMPRESSED),
        ("snappy", Compression::SNAPPY),
        ("zstd", Compression::ZSTD(ZstdLevel::default())),
    ];
    for (name, compression) in kinds {
        let bytes = parquet_bytes(compression);
        let [ours, theirs] = medians([&mut || drop(black_box(decode_clip(&bytes))), &mut || {
            assert_eq!(decode_with_parquet(&bytes), ROWS)
        }]);
        println!(
            "Parquet, {name}: {:.1} MB, ours {ours:.2?}, parquet {theirs:.2?}: {:.2} times as long",
            bytes.len() as f64 / 1e6,
            ratio(ours, theirs)
        );
    }
    let mut group = criterion.benchmark_group("tables");
    group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("csv", |bench| bench.iter(|| decode_clip(&text)));
    group.finish();
}

criterion_group!(benches, tables);
criterion_main!(benches);
