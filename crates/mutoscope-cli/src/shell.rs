//! Completions for shells, and manual pages: hidden subcommands of every program that parses its arguments by
//! [`parse`](super::parse), made from the definition of its arguments. Packages are made with them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Arg, ArgMatches, Command, builder::Resettable, value_parser};
use clap_complete::Shell;

use super::{Status, path_text, run, tell};
use mutoscope_core::read::Message;

const COMPLETIONS: &str = "completions";
const MAN: &str = "man";

/// The command with the hidden subcommands.
pub(super) fn extended(command: Command) -> Command {
    let shell =
        Arg::new("shell").required(true).value_name("SHELL").value_parser(value_parser!(Shell));
    let folder =
        Arg::new("folder").required(true).value_name("DIR").value_parser(value_parser!(PathBuf));
    let completions =
        Command::new(COMPLETIONS).about("Print the completions of a shell").hide(true).arg(shell);
    let man =
        Command::new(MAN).about("Write the manual pages into a folder").hide(true).arg(folder);
    command.subcommand(completions).subcommand(man)
}

/// Does what a hidden subcommand says, with the definition of the program's arguments; nothing if there is none.
pub(super) fn obey(matches: &ArgMatches, command: Command) -> Option<Status> {
    match matches.subcommand()? {
        (COMPLETIONS, matches) => {
            let shell = *matches.get_one::<Shell>("shell")?;
            Some(run(|out| completions(shell, command, out).map(|()| Status::Done)))
        }
        (MAN, matches) => {
            let folder = matches.get_one::<PathBuf>("folder")?;
            Some(match pages(command, folder) {
                Ok(()) => Status::Done,
                Err(error) => {
                    tell(Message::about_file(
                        &path_text(folder),
                        format!("cannot be written: {error}"),
                    ));
                    Status::Failed
                }
            })
        }
        _ => None,
    }
}

fn completions(shell: Shell, mut command: Command, out: &mut impl io::Write) -> io::Result<()> {
    let name = command.get_name().to_owned();
    // It is made in memory: clap panics if it cannot be written.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut text);
    out.write_all(&text)
}

/// Writes a page for the program, and one for each subcommand: `mutoscope.1`, `mutoscope-info.1`. They have no date:
/// equal sources give equal pages. Nor do they say what `--version` adds, which is of the program that writes them.
fn pages(command: Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command.long_version(Resettable::Reset), folder)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::Cli;

    #[test]
    fn every_shell_completes_every_subcommand_and_no_hidden_one() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut text = Vec::new();
            completions(shell, Cli::command(), &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            for subcommand in ["info", "check", "sample", "convert", "compare", "index"] {
                assert!(text.contains(subcommand), "{shell}: {subcommand}");
            }
            assert!(text.contains("allow-unmatched-rig"), "{shell}");
            // PowerShell and Elvish have a variable of that name.
            let entry = match shell {
                Shell::PowerShell => "'completions'",
                Shell::Elvish => "cand completions",
                _ => COMPLETIONS,
            };
            assert!(!text.contains(entry), "{shell}");
        }
    }

    #[test]
    fn each_subcommand_has_a_page_with_its_options() {
        let folder = tempfile::tempdir().unwrap();
        pages(Cli::command(), folder.path()).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let command = Cli::command();
        let subcommands = command.get_subcommands().filter(|one| !one.is_hide_set());
        let pages = subcommands.map(|one| format!("mutoscope-{}.1", one.get_name()));
        let mut expected: Vec<_> = pages.chain(["mutoscope.1".to_owned()]).collect();
        expected.sort();
        assert!(expected.len() > 10);
        assert_eq!(names, expected);
        let page = fs::read_to_string(folder.path().join("mutoscope.1")).unwrap();
        assert!(page.contains(concat!("v", env!("CARGO_PKG_VERSION"))) && !page.contains("commit"));
        let page = fs::read_to_string(folder.path().join("mutoscope-sample.1")).unwrap();
        assert!(page.starts_with(".ie"), "{page}");
        for text in [".TH mutoscope-sample 1", r"\-\-times", r"\-\-rotation"] {
            assert!(page.contains(text), "{text}: {page}");
        }
    }
}
