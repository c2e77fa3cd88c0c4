//! Tests of the help, and of the pages that must agree with the program.

use std::{collections::BTreeSet, fs, path::Path};

use clap::{CommandFactory as _, Parser as _};
use mutoscope_cli::Cli;
use mutoscope_core::export::VIDEO_TARGETS;

use crate::commands::run;

fn page(path: &str) -> String {
    fs::read_to_string(Path::new(mutoscope_testing::ROOT).join(path)).unwrap()
}

#[test]
fn every_subcommand_has_examples_that_parse() {
    let command = Cli::command();
    let mut examples = vec![command.get_after_help().unwrap().to_string()];
    for subcommand in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        match subcommand.get_name() {
            "help" | "formats" | "targets" => {}
            name => {
                let help = subcommand.get_after_help().unwrap_or_else(|| panic!("{name}"));
                examples.push(help.to_string());
            }
        }
    }
    for text in &examples {
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("Examples:"));
        for line in lines {
            // Two spaces separate an example from its explanation.
            let line = line.trim().split("  ").next().unwrap();
            if let Err(error) = Cli::try_parse_from(line.split(' ')) {
                assert!(!error.use_stderr(), "{line}: {error}");
            }
        }
    }
    assert_eq!(examples.len(), 11);
}

#[test]
fn help_lists_formats_and_targets() {
    let formats = run(&["help", "formats"]);
    assert_eq!((formats.status, formats.err.as_str()), (Some(0), ""));
    assert_eq!(formats.out, run(&["formats"]).out);
    for format in mutoscope_cli::registry().formats() {
        assert!(formats.out.contains(&format!("  {} ", format.id.as_str())), "{}", formats.out);
        assert!(page("docs/cli.md").contains(&format!("`{}`", format.id.as_str())));
    }
    let targets = run(&["help", "targets"]);
    assert_eq!((targets.status, targets.err.as_str()), (Some(0), ""));
    let ids =
        mutoscope_cli::targets().motion_targets().chain(VIDEO_TARGETS).map(|target| target.id);
    for id in ids.chain([mutoscope_minecraft::EXTENSION]) {
        assert!(targets.out.contains(&format!("  {id} ")), "{}", targets.out);
        for path in ["docs/cli.md", "docs/export.md"] {
            assert!(page(path).contains(&format!("`{id}`")), "{path}: {id}");
        }
    }
    assert!(run(&["convert", "--help"]).out.contains("mcmocap_rec"));
}

#[test]
fn viewer_commands_are_refused_without_the_viewer() {
    for arguments in [&["render", "-o", "a.png", "ok"][..], &["thumbnail", "--help"], &["render"]] {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.contains("this build has no viewer"), "{}", ran.err);
    }
    let help = run(&["--help"]).out;
    assert!(help.contains("no viewer") && !help.contains("render "), "{help}");
}

/// Returns the words that begin with `--`, without the value after an equals sign.
fn options_in(text: &str) -> BTreeSet<String> {
    let is_option_char = |char: char| char.is_ascii_lowercase() || char == '-';
    let words = text.split(|char: char| !is_option_char(char) && !char.is_ascii_digit());
    let options =
        words.filter(|word| word.len() > 2 && word.starts_with("--") && !word.starts_with("---"));
    options.map(str::to_owned).collect()
}

/// Returns the options of all subcommands.
fn options() -> BTreeSet<String> {
    let mut command = Cli::command();
    command.build();
    let arguments = command.get_subcommands().flat_map(|one| one.get_arguments());
    arguments.filter_map(|one| one.get_long()).map(|long| format!("--{long}")).collect()
}

/// The tests of the viewer check the options of the viewer.
#[test]
fn command_line_page_has_every_option() {
    let documented = options_in(&page("docs/cli.md"));
    let missing: Vec<_> = options().difference(&documented).cloned().collect();
    assert!(missing.is_empty(), "docs/cli.md does not describe {missing:?}");
}

/// Each row has a phrase of the page, a source file and a constant in it. If the constant changes,
/// the page must change, too.
#[test]
fn limits_page_agrees_with_the_constants() {
    let core = "crates/mutoscope-core/src";
    let rows = [
        ("20 million", format!("{core}/export/key_times.rs"), "MAX_TIMES: usize = 20_000_000;"),
        (
            "20 million",
            "crates/mutoscope-cli/src/sample/mod.rs".to_owned(),
            "MAX_TIMES: f64 = 20e6;",
        ),
        (
            "2²², and 32 for each key",
            format!("{core}/export/key_times.rs"),
            "MIN_VALUE_BUDGET: usize = 1 << 22;",
        ),
        (
            "at least 2²⁴ with `--fps`",
            format!("{core}/export/key_times.rs"),
            "MIN_CHOSEN_VALUE_BUDGET: usize = 1 << 24;",
        ),
        (
            "2²², and 32 for each key",
            format!("{core}/export/key_times.rs"),
            "VALUES_PER_KEY: usize = 32;",
        ),
        (
            "2²², and 64 for each",
            format!("{core}/export/bvh/times.rs"),
            "MAX_DEFAULT_FRAMES: f64 = (1 << 22) as f64;",
        ),
        (
            "2²², and 64 for each",
            format!("{core}/export/bvh/times.rs"),
            "MAX_DEFAULT_FRAMES_PER_KEY: f64 = 64.0;",
        ),
        (
            "2²² evaluations of a node",
            format!("{core}/export/budget.rs"),
            "INITIAL_EVALUATIONS: usize = 1 << 22;",
        ),
        (
            "1024 for each gap",
            format!("{core}/export/budget.rs"),
            "EVALUATIONS_PER_GAP: usize = 1024;",
        ),
        ("16 keys in a gap", format!("{core}/export/budget.rs"), "MIN_KEYS_PER_GAP: usize = 16;"),
        (
            "names in a message of an export | 6 |",
            format!("{core}/export/mod.rs"),
            "MAX_LISTED: usize = 6;",
        ),
        (
            "100 | an error",
            format!("{core}/formats/prime/decode/mod.rs"),
            "MAX_CHANNELS: u32 = 100;",
        ),
        (
            "256 | an error",
            format!("{core}/formats/prime/skeleton/decode.rs"),
            "MAX_BONES: usize = 256;",
        ),
        (
            "1 GiB",
            format!("{core}/formats/resonite/animx/unpack.rs"),
            "MAX_UNPACKED_BYTES: u64 = 1 << 30;",
        ),
        (
            "64 times the archive",
            format!("{core}/formats/prime/characters/library.rs"),
            "MAX_EXPANSION: usize = 64;",
        ),
        (
            "on one track | 10 |",
            format!("{core}/measure/checks/report.rs"),
            "MAX_PER_TRACK: usize = 10;",
        ),
        (
            "in a file | 1000 |",
            format!("{core}/measure/checks/report.rs"),
            "MAX_PER_CHECK: usize = 1000;",
        ),
        (
            "2²⁴ samples",
            "crates/mutoscope-view/src/trails.rs".to_owned(),
            "MAX_KEPT_SAMPLES: usize = 1 << 24;",
        ),
        ("2¹⁹ speeds", format!("{core}/measure/compare/align.rs"), "MAX_SAMPLES: usize = 1 << 19;"),
        (
            "64 speeds of each",
            format!("{core}/measure/compare/align.rs"),
            "SAMPLES_PER_KEY: usize = 64;",
        ),
        ("2¹² speeds", format!("{core}/measure/compare/align.rs"), "MIN_SAMPLES: usize = 1 << 12;"),
        (
            "20 000 times",
            format!("{core}/measure/compare/comparison.rs"),
            "MAX_SAMPLE_TIMES: usize = 20_000;",
        ),
        (
            "256 times |",
            format!("{core}/measure/compare/comparison.rs"),
            "MIN_SAMPLE_TIMES: usize = 256;",
        ),
        (
            "16 to 4096 times in a gap",
            format!("{core}/measure/analysis/motion.rs"),
            "MAX_SAMPLES_PER_GAP: usize = 4096;",
        ),
        (
            "2²⁵, and 16 for each byte",
            "crates/mutoscope-tables/src/read/limits.rs".to_owned(),
            "MIN_CELL_LIMIT: u64 = 1 << 25;",
        ),
        (
            "2²⁵, and 16 for each byte",
            "crates/mutoscope-tables/src/read/limits.rs".to_owned(),
            "CELLS_PER_FILE_BYTE: u64 = 16;",
        ),
        (
            "8 bytes for each of these cells",
            "crates/mutoscope-tables/src/read/limits.rs".to_owned(),
            "BYTES_PER_CELL: u64 = 8;",
        ),
        (
            "Parquet and Arrow | 1024 |",
            "crates/mutoscope-logs/src/table.rs".to_owned(),
            "MAX_LIST_ITEMS: usize = 1024;",
        ),
        (
            "Parquet or Arrow file | 65 536 |",
            "crates/mutoscope-tables/src/read/flatten.rs".to_owned(),
            "MAX_COLUMNS: usize = 1 << 16;",
        ),
    ];
    let limits = page("docs/limits.md");
    for (phrase, source, declaration) in rows {
        assert!(
            page(&source).contains(declaration),
            "{source} does not contain `{declaration}`. Update docs/limits.md and this test"
        );
        assert!(limits.contains(phrase), "docs/limits.md does not contain {phrase:?}");
    }
}
