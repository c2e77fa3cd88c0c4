//! Hidden subcommands that print shell completions and write manual pages from the definition of
//! the arguments.
//!
//! Every program that parses its arguments with [`parse`](super::parse) has them. Packages are
//! built with them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Arg, ArgMatches, Command, builder::Resettable, value_parser};
use clap_complete::Shell;

use super::{Status, format_path, print_message, run};
use mutoscope_core::read::Message;

const COMPLETIONS: &str = "completions";
const MAN: &str = "man";

pub(super) fn add_hidden_subcommands(command: Command) -> Command {
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

/// Runs the hidden subcommand in `matches`. Returns `None` if `matches` contains no hidden
/// subcommand. `command` defines the arguments without the hidden subcommands.
pub(super) fn run_hidden_subcommand(matches: &ArgMatches, command: Command) -> Option<Status> {
    match matches.subcommand()? {
        (COMPLETIONS, matches) => {
            let shell = *matches.get_one::<Shell>("shell")?;
            Some(run(|out| print_completions(shell, command, out).map(|()| Status::Done)))
        }
        (MAN, matches) => {
            let folder = matches.get_one::<PathBuf>("folder")?;
            Some(match write_manual_pages(command, folder) {
                Ok(()) => Status::Done,
                Err(error) => {
                    print_message(Message::for_file(
                        &format_path(folder),
                        format!("cannot be written: {error}"),
                    ));
                    Status::Failed
                }
            })
        }
        _ => None,
    }
}

fn print_completions(
    shell: Shell,
    mut command: Command,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let name = command.get_name().to_owned();
    // Generate into memory first, because clap panics if it cannot write to `out`.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut text);
    out.write_all(&text)
}

/// Writes a page for the program and one for each subcommand: `mutoscope.1`, `mutoscope-info.1`.
///
/// The pages contain neither a date nor the build details of `--version`, so that equal sources
/// give equal pages.
fn write_manual_pages(command: Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command.long_version(Resettable::Reset), folder)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::Cli;

    #[test]
    fn completions_contain_every_subcommand_except_hidden_ones() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut text = Vec::new();
            print_completions(shell, Cli::command(), &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            for subcommand in ["info", "check", "sample", "convert", "compare", "index"] {
                assert!(text.contains(subcommand), "{shell}: {subcommand}");
            }
            assert!(text.contains("allow-unmatched-rig"), "{shell}");
            // The scripts of PowerShell and Elvish have a variable named `completions`, so search
            // them for a menu entry instead.
            let entry = match shell {
                Shell::PowerShell => "'completions'",
                Shell::Elvish => "cand completions",
                _ => COMPLETIONS,
            };
            assert!(!text.contains(entry), "{shell}");
        }
    }

    #[test]
    fn every_subcommand_has_a_manual_page_with_its_options() {
        let folder = tempfile::tempdir().unwrap();
        write_manual_pages(Cli::command(), folder.path()).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let command = Cli::command();
        let subcommands = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
        let pages = subcommands.map(|subcommand| format!("mutoscope-{}.1", subcommand.get_name()));
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
