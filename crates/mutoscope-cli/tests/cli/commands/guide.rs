//! Runs the commands of the guide and the README, and compares their output with the page.
#![cfg(unix)]

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

use clap::{CommandFactory as _, Parser as _};
use mutoscope_cli::{Cli, Subcommands};
use mutoscope_testing::guide::{self, PageCommand};

/// The treatment of a command by this test.
enum CommandKind {
    /// The test runs the command.
    Headless,
    /// The tests of the viewer parse the command.
    Viewer,
    /// The command builds or installs something, so the test only checks that the files that it
    /// names exist.
    Builds,
}

#[test]
fn every_guide_command_gives_the_documented_output() {
    let mut counts = [0; 3];
    for page in guide::pages() {
        let folder = tempfile::tempdir().unwrap();
        guide::create_practice_folder(folder.path());
        std::os::unix::fs::symlink(
            env!("CARGO_BIN_EXE_mutoscope-cli"),
            folder.path().join("mutoscope"),
        )
        .unwrap();
        for example in guide::page_commands(&page) {
            let kind = command_kind(&example);
            match kind {
                CommandKind::Headless => run(&example, folder.path()),
                CommandKind::Viewer => {}
                CommandKind::Builds => assert_named_files_exist(&example),
            }
            counts[kind as usize] += 1;
        }
    }
    println!("{} commands run, {} of the viewer, {} that build", counts[0], counts[1], counts[2]);
    assert!(counts[0] > 50 && counts[1] > 20, "{counts:?}");
}

fn command_kind(example: &PageCommand) -> CommandKind {
    let words = example.arguments();
    match &*words[0] {
        "mutoscope" => match Cli::try_parse_from(&words).map(|cli| cli.command) {
            Ok(Some(Subcommands::Headless(_))) => CommandKind::Headless,
            Ok(_) => CommandKind::Viewer,
            Err(error) if error.use_stderr() => {
                let named = words.iter().find(|word| headless_subcommands().contains(word));
                assert!(named.is_none(), "{}: {error}", example.location);
                CommandKind::Viewer
            }
            // clap reports a request for help as an error, but the program prints the help and
            // succeeds.
            Err(_) => CommandKind::Headless,
        },
        "test" => CommandKind::Headless,
        _ => CommandKind::Builds,
    }
}

/// Returns the names of the subcommands that work without the viewer.
fn headless_subcommands() -> Vec<String> {
    let command = Cli::command();
    let visible = command.get_subcommands().filter(|one| !one.is_hide_set());
    visible.map(|one| one.get_name().to_owned()).collect()
}

fn run(example: &PageCommand, folder: &Path) {
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &example.command]).current_dir(folder).env("PATH", path);
    let Output { status, stdout, stderr } = shell.stdin(Stdio::null()).output().unwrap();
    let output = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    let PageCommand { location, command, .. } = example;
    assert_eq!(status.code(), Some(example.status), "{location}: {command}\n{output}");
    for line in example.output.iter().filter(|line| !matches!(line.trim(), "" | "…")) {
        let is_printed = output.lines().any(|output| output.trim_end() == line.trim_end());
        assert!(is_printed, "{location}: {command}\nhas no line\n{line}\n in\n{output}");
    }
}

/// Checks that the scripts, folders and examples that a command names are in the repository.
fn assert_named_files_exist(example: &PageCommand) {
    let PageCommand { location, command, .. } = example;
    let words = example.arguments();
    let word = |index: usize| words.get(index).map_or("", |word| word);
    let root = Path::new(mutoscope_testing::ROOT);
    let path = match (word(0), word(1)) {
        ("cd" | "ln" | "mutoscope-cli", _) => return,
        ("pip", "install") => "scripts/python".to_owned(),
        ("cargo", "install") => format!("{}/Cargo.toml", word(3)),
        ("cargo", "run") => format!("examples/{}.rs", word(3)),
        (script, _) if script.starts_with("scripts/") => {
            let text = fs::read_to_string(root.join(script)).unwrap();
            let option = words.get(1).filter(|word| word.starts_with("--"));
            assert!(option.is_none_or(|option| text.contains(&**option)), "{location}: {command}");
            script.to_owned()
        }
        _ => panic!("{location}: {command}: the test does not support this command"),
    };
    assert!(root.join(&path).exists(), "{location}: {command}: {path}");
}
