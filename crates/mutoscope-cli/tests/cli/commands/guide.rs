//! The guide and the README: every command in them does what its page says.
#![cfg(unix)]

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

use clap::{CommandFactory as _, Parser as _};
use mutoscope_cli::{Cli, Subcommands};
use mutoscope_testing::guide::{self, PageCommand};

/// The treatment of a command by the test.
enum Kind {
    /// Runs it.
    Headless,
    /// Leaves it to the tests of the viewer, which parse it.
    Viewer,
    /// Looks whether the files that it names are there: it builds or installs something.
    Builds,
}

#[test]
fn every_command_of_the_guide_does_what_its_page_says() {
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
            let kind = kind(&example);
            match kind {
                Kind::Headless => run(&example, folder.path()),
                Kind::Viewer => {}
                Kind::Builds => assert_is_there(&example),
            }
            counts[kind as usize] += 1;
        }
    }
    println!("{} commands run, {} of the viewer, {} that build", counts[0], counts[1], counts[2]);
    assert!(counts[0] > 50 && counts[1] > 20, "{counts:?}");
}

fn kind(example: &PageCommand) -> Kind {
    let words = example.arguments();
    match &*words[0] {
        "mutoscope" => match Cli::try_parse_from(&words).map(|cli| cli.command) {
            Ok(Some(Subcommands::Headless(_))) => Kind::Headless,
            Ok(_) => Kind::Viewer,
            Err(error) if error.use_stderr() => {
                let named = words.iter().find(|word| subcommands().contains(word));
                assert!(named.is_none(), "{}: {error}", example.location);
                Kind::Viewer
            }
            // Help on a topic.
            Err(_) => Kind::Headless,
        },
        "test" => Kind::Headless,
        _ => Kind::Builds,
    }
}

/// The names of the subcommands without the viewer.
fn subcommands() -> Vec<String> {
    let command = Cli::command();
    let visible = command.get_subcommands().filter(|one| !one.is_hide_set());
    visible.map(|one| one.get_name().to_owned()).collect()
}

fn run(example: &PageCommand, folder: &Path) {
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &example.command]).current_dir(folder).env("PATH", path);
    let Output { status, stdout, stderr } = shell.stdin(Stdio::null()).output().unwrap();
    let said = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    let PageCommand { location: place, command, .. } = example;
    assert_eq!(status.code(), Some(example.status), "{place}: {command}\n{said}");
    for line in example.output.iter().filter(|line| !matches!(line.trim(), "" | "…")) {
        let is_said = said.lines().any(|said| said.trim_end() == line.trim_end());
        assert!(is_said, "{place}: {command}\nhas no line\n{line}\n in\n{said}");
    }
}

/// Whether the scripts, folders and examples that a command names are in the repository.
fn assert_is_there(example: &PageCommand) {
    let PageCommand { location: place, command, .. } = example;
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
            assert!(option.is_none_or(|option| text.contains(&**option)), "{place}: {command}");
            script.to_owned()
        }
        _ => panic!("{place}: {command}: no test knows this command"),
    };
    assert!(root.join(&path).exists(), "{place}: {command}: {path}");
}
