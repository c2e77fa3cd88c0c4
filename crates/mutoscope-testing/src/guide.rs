//! The commands of the guide and the README, and a folder to run them in.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A command of a page.
#[derive(Clone, Debug)]
pub struct Example {
    /// The page and the line.
    pub place: String,
    /// The command, as a shell takes it.
    pub command: String,
    /// The exit status that the page states: `# ends with 1`.
    pub status: i32,
    /// Lines that the page shows as its output.
    pub output: Vec<String>,
}

impl Example {
    /// Its words, as a shell splits them, up to a pipe or a redirection.
    pub fn words(&self) -> Vec<String> {
        let words = shlex::split(&self.command).unwrap_or_else(|| panic!("{}: quotes", self.place));
        words.into_iter().take_while(|word| !matches!(&**word, "|" | ">" | "#")).collect()
    }
}

/// The pages whose commands are run: the README, and the guide.
pub fn pages() -> Vec<PathBuf> {
    let root = Path::new(super::ROOT);
    let pages = fs::read_dir(root.join("docs/guide/src")).unwrap();
    let mut pages: Vec<_> = pages.map(|entry| entry.unwrap().path()).collect();
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

/// The commands of a page: the lines of its `sh` blocks, and the commands in its tables. A `text` block right
/// below has lines of the output of the last one.
pub fn examples(page: &Path) -> Vec<Example> {
    let text = fs::read_to_string(page).unwrap();
    let mut found: Vec<Example> = Vec::new();
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

fn example(place: String, line: &str) -> Example {
    let status = line.split_once("# ends with ").map_or(0, |(_, status)| status.parse().unwrap());
    Example { place, command: line.to_owned(), status, output: Vec::new() }
}

/// Fills `folder` with the files that the commands use, by `scripts/practice`.
pub fn practice(folder: &Path) {
    let script = Path::new(super::ROOT).join("scripts/practice");
    let ended = Command::new(script).arg(folder).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}
