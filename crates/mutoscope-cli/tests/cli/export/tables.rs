//! Tests of Parquet and Arrow exports, read back by the readers of these formats.

use std::{collections::HashMap, fs, io::Write as _, sync::Arc};

use arrow_array::{
    Array, ArrayRef, RecordBatch,
    cast::AsArray as _,
    types::{Float64Type, Int32Type},
};
use arrow_ipc::reader::FileReader;
use arrow_schema::{DataType, SchemaRef};
use glam::DVec3;
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Event, NodeId, Pose, Value},
    decode,
    export::{
        ExportOptions, FileAxis, MotionOptions, Progress, Report, names::deduplicate, write_file,
    },
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::export::{exported, exported_as, fixtures, recordings, report_text, small_recordings};

struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    fn read(bytes: &[u8], extension: &str) -> Self {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        match extension {
            "parquet" => {
                let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
                let schema = reader.schema().clone();
                let batches = reader.build().unwrap().map(Result::unwrap).collect();
                Self { schema, batches }
            }
            _ => {
                let reader = FileReader::try_new(file, None).unwrap();
                Self { schema: reader.schema(), batches: reader.map(Result::unwrap).collect() }
            }
        }
    }

    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn column(&self, name: &str) -> impl Iterator<Item = &ArrayRef> {
        self.batches.iter().map(move |batch| batch.column_by_name(name).unwrap())
    }

    fn numbers(&self, name: &str) -> Vec<Option<f64>> {
        self.column(name).flat_map(|column| column.as_primitive::<Float64Type>()).collect()
    }

    fn indices(&self) -> Vec<usize> {
        let indices = self.column("index").flat_map(|column| column.as_primitive::<Int32Type>());
        indices.map(|index| index.unwrap() as usize).collect()
    }

    fn bools(&self, name: &str) -> Vec<Option<bool>> {
        self.column(name).flat_map(|column| column.as_boolean()).collect()
    }

    fn strings(&self, name: &str) -> Vec<Option<String>> {
        fn owned(word: Option<&str>) -> Option<String> {
            word.map(str::to_owned)
        }
        let words = self.column(name).flat_map(|column| -> Vec<Option<String>> {
            match column.data_type() {
                DataType::Utf8 => column.as_string::<i32>().iter().map(owned).collect(),
                _ => {
                    let column = column.as_dictionary::<Int32Type>();
                    let words = column.downcast_dict::<arrow_array::StringArray>().unwrap();
                    words.into_iter().map(owned).collect()
                }
            }
        });
        words.collect()
    }

    fn fact(&self, key: &str) -> String {
        self.schema.metadata()[format!("mutoscope.{key}").as_str()].clone()
    }
}

/// Writes all tables to files and reads them back: `poses`, `signals` and `events`.
fn export_all_tables(
    clip: &Clip,
    options: &ExportOptions,
    id: &str,
) -> (HashMap<String, Table>, Report) {
    let folder = tempfile::tempdir().unwrap();
    let target = mutoscope_cli::targets().target(id).unwrap();
    let path = folder.path().join("take").with_extension(id);
    let report = write_file(target, clip, options, &path, &mut Progress::default()).unwrap();
    let names = ["poses"].into_iter().chain(target.side_table_names());
    let table = |(name, path): (&str, _)| {
        (name.to_owned(), Table::read(&fs::read::<std::path::PathBuf>(path).unwrap(), id))
    };
    (names.zip(target.output_paths(&path)).map(table).collect(), report)
}

/// All NaN values are equal here, because their bits do not matter.
fn is_same_number(found: f64, expected: f64) -> bool {
    found == expected || found.is_nan() && expected.is_nan()
}

#[test]
fn every_row_equals_the_sampled_pose() {
    for (name, clip) in recordings() {
        // Testing Parquet is enough, because Arrow is written from the same rows.
        let table = Table::read(&exported(&clip, "parquet").0, "parquet");
        let (times, index, node) = (table.numbers("time"), table.indices(), table.strings("node"));
        let names = deduplicate(clip.nodes.iter().map(|node| node.name.as_str()), '.');
        let visible = table.bools("visible");
        let numbers = ["x", "y", "z", "qx", "qy", "qz", "qw", "scale_x", "scale_y", "scale_z"]
            .map(|column| table.numbers(column));
        let nodes = clip.nodes.len();
        assert_eq!(table.rows() % nodes.max(1), 0, "{name}");
        let mut pose = Pose::default();
        let step = (table.rows() / nodes.max(1)).div_ceil(100).max(1) * nodes.max(1);
        for first in (0..table.rows()).step_by(step) {
            clip.sample(times[first].unwrap(), &mut pose);
            for (offset, stands) in pose.nodes.iter().enumerate() {
                let row = first + offset;
                assert_eq!((times[row], index[row]), (times[first], offset), "{name}");
                assert_eq!(node[row].as_ref(), Some(&names[offset]), "{name}");
                assert_eq!(visible[row], Some(stands.is_visible), "{name}");
                let expected = stands.world.translation.to_array().into_iter();
                let expected = expected.chain(stands.world.rotation.to_array());
                let expected = expected.chain(stands.world.scale.to_array());
                for (column, expected) in numbers.iter().zip(expected) {
                    assert!(is_same_number(column[row].unwrap(), expected), "{name}: {offset}");
                }
            }
        }
    }
}

#[test]
fn arrow_has_the_same_rows_as_parquet() {
    for (name, clip) in small_recordings() {
        let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
        let (parquet, parquet_report) = export_all_tables(&clip, &options, "parquet");
        let (arrow, arrow_report) = export_all_tables(&clip, &options, "arrow");
        assert_eq!(report_text(&parquet_report), report_text(&arrow_report));
        for table in ["poses", "signals", "events"] {
            let (parquet, arrow) = (&parquet[table], &arrow[table]);
            assert_eq!(parquet.schema.metadata(), arrow.schema.metadata(), "{name}");
            assert_eq!(parquet.schema.fields(), arrow.schema.fields(), "{name}");
            assert_eq!(parquet.rows(), arrow.rows(), "{name}");
            for field in parquet.schema.fields() {
                match field.data_type() {
                    DataType::Float64 => {
                        let pairs = parquet.numbers(field.name()).into_iter();
                        let mut pairs = pairs.zip(arrow.numbers(field.name()));
                        let equal = |(one, other): (Option<f64>, Option<f64>)| match (one, other) {
                            (Some(one), Some(other)) => is_same_number(one, other),
                            (one, other) => one == other,
                        };
                        assert!(pairs.all(equal), "{name}: {field}");
                    }
                    DataType::Boolean => {
                        assert_eq!(
                            parquet.bools(field.name()),
                            arrow.bools(field.name()),
                            "{name}"
                        );
                    }
                    DataType::Int32 => assert_eq!(parquet.indices(), arrow.indices(), "{name}"),
                    _ => {
                        assert_eq!(
                            parquet.strings(field.name()),
                            arrow.strings(field.name()),
                            "{name}"
                        )
                    }
                }
            }
        }
    }
}

#[test]
fn tables_of_all_recordings_have_the_same_columns() {
    let mut schemas: HashMap<String, (String, Arc<arrow_schema::Schema>)> = HashMap::new();
    for (name, clip) in small_recordings() {
        let (tables, _) = export_all_tables(&clip, &ExportOptions::default(), "parquet");
        for (table, Table { schema, .. }) in tables {
            let (first, known) = schemas.entry(table).or_insert((name.clone(), schema.clone()));
            assert_eq!(schema.fields(), known.fields(), "{name} and {first}");
        }
    }
    assert_eq!(schemas.len(), 3);
}

#[test]
fn signal_rows_equal_sampled_values_at_the_times_of_poses() {
    let mut total_rows = 0;
    for (name, clip) in small_recordings() {
        let (tables, _) = export_all_tables(&clip, &ExportOptions::default(), "parquet");
        let (poses, table) = (&tables["poses"], &tables["signals"]);
        let (times, index) = (table.numbers("time"), table.indices());
        let (values, texts) = (table.numbers("value"), table.strings("text"));
        let (signals, components) = (table.strings("signal"), table.strings("component"));
        let names = deduplicate(clip.signals.iter().map(|signal| signal.name.as_str()), '.');
        if !clip.signals.is_empty() && !clip.nodes.is_empty() {
            let mut pose_times = poses.numbers("time");
            pose_times.dedup();
            let mut signal_times = times.clone();
            signal_times.dedup();
            assert_eq!(pose_times, signal_times, "{name}");
        }
        let mut pose = Pose::default();
        for row in 0..table.rows() {
            clip.sample(times[row].unwrap(), &mut pose);
            assert_eq!(signals[row].as_ref(), Some(&names[index[row]]), "{name}");
            let part = |count: usize| {
                let word = components[row].as_deref().unwrap();
                let words = ["x r 0", "y g 1", "z b 2", "w a 3"];
                let vector = words.iter().position(|words| words.split(' ').any(|it| it == word));
                let part = vector.or_else(|| word.parse().ok()).unwrap();
                assert!(part < count, "{name}");
                part
            };
            let text = texts[row].as_deref();
            match (&pose.signals[index[row]], values[row]) {
                (Value::Bool(is_on), Some(found)) => assert_eq!(found, f64::from(*is_on)),
                (Value::Number(number), Some(found)) => {
                    assert!(is_same_number(found, *number), "{name}")
                }
                (Value::Integer(integer), Some(found)) => assert_eq!(found, *integer as f64),
                (Value::Text(words), None) => assert_eq!(text, Some(&**words), "{name}"),
                (Value::Null, None) => assert_eq!(text, None, "{name}"),
                (Value::Bools(all), Some(found)) => {
                    assert_eq!(found, f64::from(all[part(all.len())]), "{name}");
                }
                (Value::Integers(all), Some(found)) => {
                    assert_eq!(found, all[part(all.len())] as f64, "{name}");
                }
                (Value::Numbers(all), Some(found)) => {
                    assert!(is_same_number(found, all[part(all.len())]), "{name}");
                }
                (value, found) => panic!("{name}: {value:?} is {found:?}"),
            }
        }
        let width = |value: &Value| match value {
            Value::Bools(all) => all.len(),
            Value::Integers(all) => all.len(),
            Value::Numbers(all) => all.len(),
            _ => 1,
        };
        let rows_per_time: usize = pose.signals.iter().map(width).sum();
        if table.rows() > 0 {
            assert_eq!(
                table.rows() % rows_per_time,
                0,
                "{name}: every signal must have a row at every time"
            );
        }
        assert_eq!(table.rows() == 0, clip.signals.is_empty(), "{name}");
        total_rows += table.rows();
    }
    assert!(total_rows > 1000, "{total_rows}");
}

#[test]
fn event_table_has_the_events_within_the_range() {
    let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
    let clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let (first, last) = (&clip.events[0], &clip.events[clip.events.len() - 1]);
    assert!(clip.events.len() > 1 && first.time < last.time);
    let options =
        ExportOptions { range: Some(first.time..=last.time - 1e-6), ..ExportOptions::default() };
    let (tables, report) = export_all_tables(&clip, &options, "parquet");
    let table = &tables["events"];
    let within: Vec<&Event> =
        clip.events.iter().filter(|event| event.time < last.time - 1e-6).collect();
    let times: Vec<_> = within.iter().map(|event| Some(event.time)).collect();
    let names: Vec<_> = within.iter().map(|event| Some(event.name.clone())).collect();
    assert_eq!((table.numbers("time"), table.strings("name")), (times, names));
    let rows = format!("events: {} row", within.len());
    assert!(report_text(&report).contains(&rows), "{}", report_text(&report));
    // Events of games have details, which other events lack.
    let game = crate::export::characters::load_character("warden_mp2.pak", "B_attack", "Warden");
    let (tables, _) = export_all_tables(&game, &ExportOptions::default(), "parquet");
    let table = &tables["events"];
    let in_range = game.events.iter().filter(|event| event.time <= game.span.end());
    let details: Vec<_> = in_range.map(|event| event.details.as_deref().unwrap()).collect();
    assert!(!details.is_empty());
    let kinds: Vec<_> = details.iter().map(|details| Some(details.kind.to_owned())).collect();
    let fires: Vec<_> = details.iter().map(|details| Some(details.is_fired)).collect();
    assert_eq!((table.strings("kind"), table.bools("fires")), (kinds, fires));
}

#[test]
fn metadata_describes_source_units_and_nodes() {
    let bytes = include_bytes!("../../../../../assets/bvh/walk.bvh");
    let clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let options = ExportOptions {
        title: "walk".to_owned(),
        range: Some(0.25..=0.5),
        rate: Some(8.0),
        ..ExportOptions::default()
    };
    for id in ["parquet", "arrow"] {
        let (tables, _) = export_all_tables(&clip, &options, id);
        let poses = &tables["poses"];
        assert_eq!(poses.fact("source"), "walk");
        assert_eq!(poses.fact("format"), "bvh");
        assert_eq!(poses.fact("version"), clip.version);
        assert_eq!(poses.fact("range"), "[0.25,0.5]");
        assert_eq!(poses.fact("rate"), "8.0");
        assert!(poses.fact("space").starts_with("right-handed, Y up, -Z forward"));
        assert_eq!(poses.fact("units"), r#"{"time":"s","x":"m","y":"m","z":"m"}"#);
        assert_eq!(poses.schema.field_with_name("x").unwrap().metadata()["unit"], "m");
        let convention: serde_json::Value =
            serde_json::from_str(&poses.fact("convention")).unwrap();
        assert_eq!(convention["metres_per_unit"], 0.01);
        let nodes: Vec<serde_json::Value> = serde_json::from_str(&poses.fact("nodes")).unwrap();
        assert_eq!(nodes.len(), clip.nodes.len());
        for (index, (found, node)) in nodes.iter().zip(clip.nodes.iter()).enumerate() {
            let parent = node.parent.map(NodeId::index);
            assert_eq!(found["index"], index);
            assert_eq!(found["parent"].as_u64(), parent.map(|parent| parent as u64));
        }
        for (name, table) in &tables {
            assert_eq!(table.fact("table"), *name);
        }
        let mut times = poses.numbers("time");
        times.dedup();
        assert_eq!(times, [Some(0.25), Some(0.375), Some(0.5)]);
    }
}

#[test]
fn z_up_tables_are_turned_and_read_back() {
    let bytes = include_bytes!("../../../../../assets/bvh/walk.bvh");
    let options = ReadOptions::from(mutoscope_cli::registry());
    let clip = decode(bytes, &options).unwrap();
    let motion = MotionOptions { up: Some(FileAxis::Z), ..MotionOptions::default() };
    let z_up = ExportOptions { motion, ..ExportOptions::default() };
    for id in ["parquet", "arrow"] {
        let target = mutoscope_cli::targets().target(id).unwrap();
        let mut written = Vec::new();
        target.write(&clip, &z_up, &mut written, &mut Progress::default()).unwrap();
        let table = Table::read(&written, id);
        assert!(table.fact("space").starts_with("right-handed, Z up, Y forward"));
        let [x, y, z] = ["x", "y", "z"].map(|column| table.numbers(column)[0].unwrap());
        let mut expected = Pose::default();
        clip.sample(clip.span.start, &mut expected);
        let hips = expected.nodes[0].world.translation;
        assert!(DVec3::new(x, z, -y).abs_diff_eq(hips, 1e-9), "{x} {y} {z} instead of {hips}");
        let back = decode(&written[..], &options).unwrap();
        let mut found = Pose::default();
        for step in 0..20 {
            let time = clip.span.duration * f64::from(step) / 20.0;
            clip.sample(time, &mut expected);
            back.sample(time, &mut found);
            for (found, expected) in found.nodes.iter().zip(&expected.nodes) {
                let [found, expected] = [found.world, expected.world];
                // Motion between the rows is lost.
                assert!(found.translation.abs_diff_eq(expected.translation, 2e-3), "{id} {time}");
                assert!(found.rotation.angle_between(expected.rotation) < 2e-2, "{id} {time}");
            }
        }
    }
}

/// Otherwise writers and readers would need memory for the whole table.
#[test]
fn rows_are_written_in_groups() {
    let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
    let clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let rate = 300_000.0 / clip.span.duration / clip.nodes.len() as f64;
    let options = ExportOptions { rate: Some(rate), ..ExportOptions::default() };
    let (bytes, _) = exported_as(&clip, "parquet", &options);
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let groups: Vec<_> = reader.metadata().row_groups().iter().map(|it| it.num_rows()).collect();
    assert_eq!(groups.len(), 3, "{groups:?}");
    // A group ends with the last node of a time.
    let nodes = clip.nodes.len() as i64;
    assert_eq!(groups[..2], [(1 << 17) / nodes * nodes; 2]);
}

#[test]
fn single_output_skips_and_reports_the_other_tables() {
    let clip = decode(
        &fixtures::mrtk_file("proc_v11_good.bin"),
        &ReadOptions::from(mutoscope_cli::registry()),
    );
    let clip = clip.unwrap();
    let (_, report) = exported(&clip, "parquet");
    assert!(report_text(&report).contains("warning: signals skipped: \"left/tracked\""));
    assert!(report_text(&report).contains("events skipped"), "{}", report_text(&report));
    let (_, report) = export_all_tables(&clip, &ExportOptions::default(), "parquet");
    assert!(!report_text(&report).contains("skipped"), "{}", report_text(&report));
}
