//! Tests of label files of other programs, and of conversions between label formats.

use std::path::{Path, PathBuf};

use mutoscope_study::labels::{self, Label, LabelFormat, labels_from_markers, sidecar_paths};

use crate::{read_fixture, recording};

fn read(bytes: &[u8], format: LabelFormat) -> Vec<Label> {
    labels::read(bytes, format).unwrap().labels
}

fn write_and_read(labels: &[Label], format: LabelFormat) -> (Vec<Label>, Vec<String>) {
    let mut bytes = Vec::new();
    let notes = labels::write(labels, format, &mut bytes).unwrap();
    (read(&bytes, format), notes)
}

fn label(start: f64, end: f64, label: &str, tier: Option<&str>) -> Label {
    Label { start, end, label: label.to_owned(), tier: tier.map(str::to_owned) }
}

#[test]
fn files_of_other_programs_contain_the_same_labels() {
    let expected = read(&read_fixture("reaches.labels.csv"), LabelFormat::Csv);
    assert_eq!(expected.len(), 4);
    assert_eq!(expected[1], label(7.406, 10.673, "reach, \"fast\"", Some("phase")));
    assert_eq!(read(&read_fixture("reaches.eaf"), LabelFormat::Eaf), expected);
    for name in ["reaches-long.TextGrid", "reaches-short.TextGrid"] {
        assert_eq!(read(&read_fixture(name), LabelFormat::TextGrid), expected, "{name}");
    }
}

#[test]
fn labels_survive_all_formats() {
    let mut labels = read(&read_fixture("reaches.labels.csv"), LabelFormat::Csv);
    labels.push(label(1.0, 2.0, "<&>'\"]]>\r\nπ\t", None));
    let mut now = labels.clone();
    for format in [LabelFormat::Csv, LabelFormat::Eaf, LabelFormat::TextGrid, LabelFormat::Csv] {
        let notes;
        (now, notes) = write_and_read(&now, format);
        assert_eq!(now, labels, "{format:?}");
        assert!(notes.is_empty(), "{notes:?}");
    }
}

#[test]
fn overlapping_labels_get_further_tiers() {
    let labels = [
        label(0.0, 2.0, "a", Some("t")),
        label(1.0, 3.0, "b", Some("t")),
        label(2.0, 2.5, "c", Some("t")),
        label(0.0, 9.0, "d", Some("t 2")),
        label(4.0, 4.0, "point", Some("t")),
    ];
    let (eaf, notes) = write_and_read(&labels, LabelFormat::Eaf);
    let tier_of = |labels: &[Label], name: &str| {
        labels.iter().find(|it| it.label == name).unwrap().tier.clone().unwrap()
    };
    assert_eq!(
        ["a", "b", "c", "d", "point"].map(|name| tier_of(&eaf, name)),
        ["t", "t 3", "t", "t 2", "t"]
    );
    assert!(notes.len() == 1 && notes[0].contains("t 3"), "{notes:?}");
    let (grid, notes) = write_and_read(&labels, LabelFormat::TextGrid);
    assert_eq!(grid.len(), 5);
    let point = grid.iter().find(|it| it.label == "point").unwrap();
    assert_eq!((point.start, point.end), (4.0, 4.0));
    assert!(notes[0].contains("points among ranges"), "{notes:?}");
}

#[test]
fn losses_of_a_format_are_reported() {
    let fine = [label(0.000_25, 1.0, "fine", None)];
    let (rounded, notes) = write_and_read(&fine, LabelFormat::Eaf);
    assert_eq!(rounded[0].start, 0.0);
    assert!(notes[0].contains("rounded to milliseconds"), "{notes:?}");
    let (named, notes) = write_and_read(
        &[label(0.0, 1.0, "", None), label(1.0, 2.0, "b", None)],
        LabelFormat::TextGrid,
    );
    assert_eq!(named.len(), 1);
    assert!(notes[0].contains("without a name"), "{notes:?}");
    let early = [label(-1.0, 1.0, "early", None)];
    let refused = labels::write(&early, LabelFormat::Eaf, &mut Vec::new()).unwrap_err();
    assert!(refused.to_string().contains("no times before 0"), "{refused}");
    assert_eq!(write_and_read(&early, LabelFormat::TextGrid).0, early);
    for wrong in [label(2.0, 1.0, "x", None), label(f64::NAN, 1.0, "x", None)] {
        for format in LabelFormat::ALL {
            labels::write(std::slice::from_ref(&wrong), format, &mut Vec::new()).unwrap_err();
        }
    }
    for format in LabelFormat::ALL {
        assert_eq!(write_and_read(&[], format).0, [], "{format:?}");
    }
}

#[test]
fn damaged_files_are_errors_or_valid_labels() {
    for (name, format) in [
        ("reaches.labels.csv", LabelFormat::Csv),
        ("reaches.eaf", LabelFormat::Eaf),
        ("reaches-long.TextGrid", LabelFormat::TextGrid),
        ("reaches-short.TextGrid", LabelFormat::TextGrid),
    ] {
        let bytes = read_fixture(name);
        for end in 0..bytes.len() {
            let _ = labels::read(&bytes[..end], format);
        }
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let mut changed = bytes.clone();
            for _ in 0..random.usize(1..6) {
                let at = random.usize(..changed.len());
                changed[at] = random.u8(..);
            }
            if let Ok(labels) = labels::read(&changed, format) {
                assert!(labels.labels.iter().all(|it| it.end >= it.start && it.start.is_finite()));
            }
        }
    }
}

#[test]
fn markers_become_labels_that_last_until_the_next_marker() {
    let clip = recording("reaches.bin");
    let labels = labels_from_markers(&clip);
    assert_eq!(labels.len(), clip.events.len());
    let last = labels.last().unwrap();
    assert_eq!((last.end, &last.label), (clip.span.end(), &clip.events[0].name));
}

#[test]
fn sidecars_are_named_like_the_recording() {
    let paths = sidecar_paths(Path::new("a.b/take.1.bin"));
    assert_eq!(
        paths,
        ["a.b/take.1.labels.csv", "a.b/take.1.eaf", "a.b/take.1.TextGrid"].map(PathBuf::from)
    );
}
