//! Runs the Python readers.

use std::{
    collections::HashMap,
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::readers::program::{self, Recording};

/// Returns the answers of a reader by request, with an object for each time. All requests share one
/// run.
pub(crate) fn answers(format: &str, recordings: &[Recording]) -> HashMap<String, Vec<Value>> {
    let requests: String = recordings.iter().map(|recording| recording.request() + "\n").collect();
    let mut lines = lines(format, &requests).into_iter();
    let mut take = |recording: &Recording| {
        let answers: Vec<Value> = lines.by_ref().take(recording.times.len()).collect();
        assert!(answers.iter().all(|answer| answer["path"] == recording.path.as_str()));
        (recording.request(), answers)
    };
    recordings.iter().map(&mut take).collect()
}

/// Returns the objects that a reader prints for these requests.
pub(crate) fn lines(format: &str, requests: &str) -> Vec<Value> {
    run(format, requests).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn run(format: &str, requests: &str) -> String {
    let mut reader = Command::new("python3")
        .args(["-B", &format!("readers/{format}.py")])
        .current_dir(program::TESTS_FOLDER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = reader.stdin.take().unwrap();
    let requests = requests.to_owned();
    // A reader that fails closes its input early. So first report its own message, and only then a
    // failed write.
    let writing = std::thread::spawn(move || input.write_all(requests.as_bytes()).is_ok());
    let output = reader.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tests/readers/{format}.py: {message}");
    assert!(writing.join().unwrap());
    String::from_utf8(output.stdout).unwrap()
}
