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
