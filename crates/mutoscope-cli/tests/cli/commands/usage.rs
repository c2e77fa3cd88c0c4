//! Tests of wrong usage and its messages.

use crate::commands::run;

#[test]
fn wrong_usage_exits_with_2_and_unreadable_files_with_1() {
    let file = "ok/proc_v11_good.bin";
    let cases: [&[&str]; 19] = [
        &["info"],
        &["check"],
        &["sample", file],
        &["sample", "--times", "0"],
        &["sample", "--times", "0", file, file],
        &["sample", "--times", "0", "--fps", "1", file],
        &["sample", "--times", "0", "--range", "0..1", file],
        &["sample", "--times", "soon", file],
        &["sample", "--times", "nan", file],
        &["sample", "--times", "", file],
        &["sample", "--fps", "0", file],
        &["sample", "--fps", "-1", file],
        &["sample", "--fps", "1", "--range", "2..1", file],
        &["sample", "--fps", "1", "--range", "2", file],
        &["sample", "--times", "0", "--format", "xml", file],
        &["compare", "--rate", "-1", file, file],
        &["compare", "--rate=0", file, file],
        &["info", "--as", "gif", file],
        &["info", "--jason", file],
    ];
    for arguments in cases {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.starts_with("error: "), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn invalid_rates_are_rejected() {
    let file = "ok/proc_v11_good.bin";
    for arguments in
        [["compare", "--rate", "-1", file, file], ["compare", "--rate", "x", file, file]]
    {
        let ran = run(&arguments);
        let expected = format!("error: invalid value '{}' for '--rate <R>': ", arguments[2]);
        assert!(ran.err.starts_with(&expected), "{}", ran.err);
    }
}

#[test]
fn as_option_accepts_and_lists_every_format() {
    for format in mutoscope_cli::registry().formats() {
        let ran = run(&["info", "--as", format.id.as_str(), "missing.bin"]);
        assert_eq!(ran.status, Some(1), "{}", format.name);
        let listed = run(&["info", "--as", "?", "missing.bin"]);
        assert!(listed.err.contains(format.id.as_str()), "{}", listed.err);
    }
}

#[test]
fn help_and_version_succeed_on_standard_output() {
    for arguments in [&["--help"][..], &["sample", "--help"], &["--version"]] {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(ran.out.contains("mutoscope"), "{}", ran.out);
    }
}

#[test]
fn version_lists_commit_features_formats_and_targets() {
    let ran = run(&["--version"]);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!(lines[0], concat!("mutoscope ", env!("CARGO_PKG_VERSION")));
    let commit = option_env!("MUTOSCOPE_COMMIT").unwrap_or("unknown");
    assert_eq!(lines[1], format!("commit: {commit}"));
    assert!(lines[2].starts_with(&format!("system: {} ", std::env::consts::OS)), "{}", lines[2]);
    assert_eq!(lines[3], "features: command line");
    for format in mutoscope_cli::registry().formats() {
        assert!(lines[4].contains(format.id.as_str()), "{}", lines[4]);
    }
    assert!(lines[5].starts_with("targets: ") && lines[5].contains("mcap"), "{}", lines[5]);
    assert_eq!(run(&["-V"]).out.trim_end(), lines[0]);
}

#[test]
fn completions_are_printed_and_manual_pages_written() {
    let ran = run(&["completions", "bash"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("complete -F _mutoscope"), "{}", ran.out);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("man1");
    let ran = run(&["man".as_ref(), to.as_os_str()]);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    assert!(std::fs::read_to_string(to.join("mutoscope.1")).unwrap().contains(".TH mutoscope 1"));
    std::fs::write(folder.path().join("file"), "").unwrap();
    let ran = run(&["man".as_ref(), folder.path().join("file/man1").as_os_str()]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("cannot be written: "), "{}", ran.err);
    assert!(
        !run(&["--help"]).out.contains("completions"),
        "completions must be hidden in the help"
    );
}

#[test]
fn opening_files_is_refused_without_the_viewer() {
    for arguments in [&[][..], &["ok/proc_v10.bin"], &["ok"]] {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.contains("this build has no viewer"), "{}", ran.err);
    }
}
