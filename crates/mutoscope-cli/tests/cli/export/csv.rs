//! Tests of CSV exports, read back cell by cell.

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Node, Pose, Value},
    decode,
    export::ExportOptions,
};

use crate::export::{exported, exported_as, recordings, report_text};
use mutoscope_testing::{
    fixtures,
    recording::{Keys, Recording},
};

/// Parses quoted cells like a spreadsheet.
pub(crate) fn parse_rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    let mut is_quoted = false;
    while let Some(character) = characters.next() {
        match (character, is_quoted) {
            ('"', true) if characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            ('"', _) => is_quoted = !is_quoted,
            (',', false) => row.push(std::mem::take(&mut cell)),
            ('\n', false) => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(character),
        }
    }
    assert!(cell.is_empty() && row.is_empty(), "the last row must end with a line end");
    rows
}

fn table(bytes: Vec<u8>) -> Vec<Vec<String>> {
    parse_rows(&String::from_utf8(bytes).unwrap())
}

fn find_column(head: &[String], name: &str) -> usize {
    let found: Vec<_> = (0..head.len()).filter(|&index| head[index] == name).collect();
    assert_eq!(found.len(), 1, "expected one column {name}");
    found[0]
}

fn names_repeat(clip: &Clip) -> bool {
    let mut names: Vec<_> = clip.nodes.iter().map(|node| &node.name).collect();
    names.sort();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

#[test]
fn every_cell_matches_sampling() {
    for (name, clip) in recordings() {
        let table = table(exported(&clip, "csv").0);
        let head = &table[0];
        assert!(
            table.iter().all(|row| row.len() == head.len()),
            "{name}: rows must have the same length"
        );
        if names_repeat(&clip) {
            continue;
        }
        let columns_of_node =
            |node: &Node| ["tx", "qw"].map(|it| find_column(head, &format!("{}.{it}", node.name)));
        let node_columns: Vec<_> = clip.nodes.iter().map(columns_of_node).collect();
        let column_of_signal = |name: &String| {
            let same_name_count = clip.signals.iter().filter(|one| one.name == *name).count();
            (same_name_count == 1).then(|| head.iter().position(|column| column == name))
        };
        let signal_columns: Vec<_> =
            clip.signals.iter().map(|signal| column_of_signal(&signal.name)).collect();
        let (mut pose, mut cells) = (Pose::default(), 0);
        for row in table.iter().skip(1).step_by(table.len().div_ceil(100)) {
            let time: f64 = row[0].parse().unwrap();
            clip.sample(time, &mut pose);
            for (columns, stands) in node_columns.iter().zip(&pose.nodes) {
                let numbers = [stands.local.translation.x, stands.local.rotation.w];
                for (&column, expected) in columns.iter().zip(numbers) {
                    let found: Option<f64> = row[column].parse().ok();
                    assert_eq!(found, Some(expected).filter(|it| it.is_finite()), "{name}");
                    cells += 1;
                }
            }
            for ((signal, value), column) in
                clip.signals.iter().zip(&pose.signals).zip(&signal_columns)
            {
                if let (Value::Number(number), Some(column)) = (value, column) {
                    let expected = Some(*number).filter(|number| number.is_finite());
                    let found = row[column.unwrap()].parse().ok();
                    assert_eq!(found, expected, "{name}: {}", signal.name);
                    cells += 1;
                }
            }
        }
        assert!(cells > 0 || clip.nodes.is_empty(), "{name}");
    }
}

#[test]
fn rows_are_at_the_keys_or_at_regular_times() {
    let (_, clip) = recordings().into_iter().find(|(name, _)| name == "proc_v11_good.bin").unwrap();
    let times = |options: &ExportOptions| -> Vec<f64> {
        let table = table(exported_as(&clip, "csv", options).0);
        table.iter().skip(1).map(|row| row[0].parse().unwrap()).collect()
    };
    assert_eq!(times(&ExportOptions::default()), clip.sample_times());
    let part =
        ExportOptions { range: Some(0.5..=1.0), rate: Some(4.0), ..ExportOptions::default() };
    assert_eq!(times(&part), [0.5, 0.75, 1.0]);
    let (_, report) = exported_as(&clip, "csv", &part);
    assert!(report_text(&report).contains("3 rows at 4 Hz"), "{}", report_text(&report));
}

/// Events outside the range are not requested, so a report must not call them skipped.
#[test]
fn only_events_within_the_range_are_reported_as_skipped() {
    let clip = decode(
        &fixtures::mrtk_file("proc_v11_good.bin"),
        &ReadOptions::from(mutoscope_cli::registry()),
    );
    let clip = clip.unwrap();
    let times: Vec<f64> = clip.events.iter().map(|event| event.time).collect();
    let range = times[0] - 0.01..=times[0] + 0.01;
    let inside = times.iter().filter(|time| range.contains(time)).count();
    assert!(inside < times.len());
    let none = clip.span.end() + 1.0..=clip.span.end() + 2.0;
    for target in ["csv", "bvh", "animj", "anim", "parquet", "arrow"] {
        let text_for = |range| {
            let options = ExportOptions { range: Some(range), ..ExportOptions::default() };
            report_text(&exported_as(&clip, target, &options).1)
        };
        let counted = match inside {
            1 => "warning: 1 event skipped".to_owned(),
            _ => format!("warning: {inside} events skipped"),
        };
        assert!(
            text_for(range.clone()).contains(&counted),
            "{target}: {}",
            text_for(range.clone())
        );
        assert!(!text_for(none.clone()).contains("event"), "{target}: {}", text_for(none.clone()));
    }
}

#[test]
fn non_finite_cells_are_counted_and_their_nodes_named() {
    let still = |value| Keys::simple(&[(0.0, value)]);
    let broken = Keys::simple(&[(0.0, 1.0), (1.0, f32::NAN), (2.0, 3.0), (3.0, f32::INFINITY)]);
    let gaze = [broken, still(2.0), still(3.0), still(0.0), still(0.0), still(1.0)];
    let clip =
        decode(&Recording::with_gaze(gaze).encode(), &ReadOptions::from(mutoscope_cli::registry()))
            .unwrap();
    let (bytes, report) = exported(&clip, "csv");
    let rows: Vec<Vec<String>> = String::from_utf8(bytes)
        .unwrap()
        .lines()
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect();
    let empty = rows[1..].iter().flatten().filter(|cell| cell.is_empty()).count();
    assert_eq!(empty, 2, "{rows:?}");
    let expected = "warning: 2 values skipped: not finite; their cells are empty: \"gaze\"";
    assert!(report_text(&report).contains(expected), "{}", report_text(&report));
}
