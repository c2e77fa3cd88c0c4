//! Finds the commands in the guide and the README, and creates a folder to run them in.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A command of a page.
#[derive(Clone, Debug)]
pub struct PageCommand {
    /// The file name of the page and the line.
    pub location: String,
    /// The command, in shell syntax.
    pub command: String,
    /// The exit status that the page states with `# ends with 1`, otherwise 0.
    pub status: i32,
    /// Lines that the page shows as output of the command.
    pub output: Vec<String>,
}

impl PageCommand {
    /// Splits the command as a shell does, up to a pipe or a redirection.
    pub fn arguments(&self) -> Vec<String> {
        let words =
            shlex::split(&self.command).unwrap_or_else(|| panic!("{}: quotes", self.location));
        words.into_iter().take_while(|word| !matches!(&**word, "|" | ">" | "#")).collect()
    }
}

/// Returns the pages whose commands are tested: the README and the guide.
pub fn pages() -> Vec<PathBuf> {
    let root = Path::new(super::ROOT);
    let pages = fs::read_dir(root.join("docs/guide/src")).unwrap();
    let mut pages: Vec<_> = pages.map(|entry| entry.unwrap().path()).collect();
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

/// Returns the commands of a page: the lines of its `sh` blocks, and the commands in its tables. A
/// `text` block directly after an `sh` block holds output lines of the last command.
pub fn page_commands(page: &Path) -> Vec<PageCommand> {
    let text = fs::read_to_string(page).unwrap();
    let mut found: Vec<PageCommand> = Vec::new();
    let (mut block, mut is_output_next) = (None::<String>, false);
    for (line, text) in text.lines().enumerate() {
        let place = format!("{}:{}", page.file_name().unwrap().display(), line + 1);
        match (&block, text.strip_prefix("```")) {
            (None, Some(language)) => block = Some(language.to_owned()),
            (Some(language), Some(_)) => {
                is_output_next = language == "sh";
                block = None;
            }
            (Some(language), None) if language == "sh" && !text.is_empty() => {
                found.push(example(place, text));
            }
            (Some(language), None) if language == "text" && is_output_next => {
                found.last_mut().unwrap().output.push(text.to_owned());
            }
            (Some(_), None) => {}
            (None, None) => {
                is_output_next &= text.is_empty();
                let cells = text.starts_with('|').then(|| text.split('`').skip(1).step_by(2));
                let commands =
                    cells.into_iter().flatten().filter(|code| code.starts_with("mutoscope "));
                found.extend(commands.map(|command| example(place.clone(), command)));
            }
        }
    }
    found
}

fn example(place: String, line: &str) -> PageCommand {
    let status = line.split_once("# ends with ").map_or(0, |(_, status)| status.parse().unwrap());
    PageCommand { location: place, command: line.to_owned(), status, output: Vec::new() }
}

/// Copies the files that the commands use into `folder`, with `scripts/practice`.
pub fn create_practice_folder(folder: &Path) {
    let script = Path::new(super::ROOT).join("scripts/practice");
    let ended = Command::new(script).arg(folder).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}
