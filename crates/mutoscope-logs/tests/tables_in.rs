//! Tables in text, held against expected values.

mod cases;

/// Whether this crate alone reads a case.
fn is_text(name: &str, case: &serde_json::Value) -> bool {
    let file = case["file"].as_str().unwrap_or_default();
    let others = [".parquet", ".arrow", ".feather", ".mcap"];
    !others.iter().any(|extension| file.ends_with(extension)) && !name.is_empty()
}

#[test]
fn text_tables_are_as_expected() {
    mutoscope_logs::register();
    let cases = cases::all(is_text);
    assert!(cases.len() > 40, "{}", cases.len());
    let mut wrong = Vec::new();
    for (name, case) in &cases {
        let found = cases::check(name, case);
        if !found.is_empty() {
            let shown: Vec<_> = found.iter().take(6).cloned().collect();
            wrong.push(format!("{name}: {} wrong\n    {}", found.len(), shown.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
