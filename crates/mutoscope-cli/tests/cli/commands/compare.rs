//! Tests of `compare`.

use crate::commands::run;

const FILE: &str = "ok/proc_v11_good.bin";

#[test]
fn recording_has_no_distance_from_itself() {
    let ran = run(&["compare", "--json", FILE, FILE]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let [line] = ran.json_lines().try_into().unwrap();
    assert_eq!((line["first"].as_str(), line["offset"].as_f64()), (Some(FILE), Some(0.0)));
    assert!(line["alignment"].is_null());
    let joints = line["joints"].as_array().unwrap();
    assert!(joints.len() > 50);
    for joint in joints {
        let count = joint["seen"].as_u64().unwrap();
        assert_eq!(joint["max"].as_f64(), (count > 0).then_some(0.0), "{joint}");
    }
}

#[test]
fn several_recordings_are_compared_with_the_first_despite_a_failing_one() {
    let ran = run(&["compare", "--json", FILE, FILE, "ok/missing.bin", FILE]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("missing.bin"), "{}", ran.err);
    let lines = ran.json_lines();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line["second"] == FILE && line["first"] == FILE));
}

#[test]
fn offset_is_found_and_printed() {
    let ran = run(&["compare", "--align", "--joint", "left/Wrist,camera", FILE, FILE]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let lines: Vec<_> = ran.out.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with("aligned by the speeds of the joints")));
    assert!(lines.iter().any(|line| line.starts_with("left/Wrist  left/Wrist")), "{}", ran.out);
    let json = run(&["compare", "--align", "--json", "--joint", "left/Wrist", FILE, FILE]);
    let [line] = json.json_lines().try_into().unwrap();
    assert!(line["alignment"]["offset"].as_f64().unwrap().abs() < 1.0 / 60.0, "{line}");
    assert!(line["alignment"]["correlation"].as_f64().unwrap() > 0.99, "{line}");
}

#[test]
fn incomparable_recordings_report_the_reason() {
    let cases: [(&[&str], &str); 4] = [
        (&["--joint", "nobody"], "A has no joint \"nobody\""),
        (&["--joint", "camera=nobody"], "B has no joint \"nobody\""),
        (&["--offset", "1e6"], "the two never play at the same time"),
        (&["--joint", "gaze", "--align", "--rate", "1000"], "cannot be aligned"),
    ];
    for (options, message) in cases {
        let arguments = [&["compare"], options, &[FILE, FILE]].concat();
        let ran = run(&arguments);
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(ran.err.contains(message), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(run(&["compare", FILE]).status, Some(2));
    assert_eq!(run(&["compare", "--align", "--offset", "1", FILE, FILE]).status, Some(2));
}
