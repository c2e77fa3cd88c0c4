//! Every string that people see is listed in `docs/strings.md`, area by area, to be proof-read in one
//! sitting. The list is made of the sources. After a change of a string, run this test with
//! `MUTOSCOPE_UPDATE_DOCS=1` and proof-read what has changed.

#![allow(missing_docs, clippy::unwrap_used)]

mod areas;
mod source;

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use areas::{AREAS, Area};
use source::{Found, strings};

/// The Rust files at or below `path`, in the order of their names.
fn rust_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut entries: Vec<_> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let is_source = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|it| it == "rs");
    entries.into_iter().filter(is_source).flat_map(|path| rust_files(&path)).collect()
}

/// The path of a file from the root of the repository on, with `/` between its parts.
fn name_of(path: &Path) -> String {
    let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
    name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The area of the file with this name: the one that names it or its folder most exactly.
fn area_of(name: &str) -> Option<usize> {
    let depth = |area: &Area| {
        let paths = area.paths.iter();
        paths
            .filter(|path| name == **path || name.starts_with(&format!("{path}/")))
            .map(|it| it.len())
            .max()
    };
    let areas = AREAS.iter().enumerate();
    areas.filter_map(|(index, area)| Some((depth(area)?, index))).max().map(|(_, index)| index)
}

/// What `docs/strings.md` has to say.
fn page() -> String {
    let mut lists = vec![Vec::new(); AREAS.len()];
    let help = AREAS.iter().position(|area| area.title == areas::HELP).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "python/src"] {
        for path in rust_files(&root.join(folder)) {
            let name = name_of(&path);
            if areas::is_of_tests(&name) {
                continue;
            }
            let area = area_of(&name).unwrap_or_else(|| panic!("{name}: of no area"));
            let found = strings(&fs::read_to_string(&path).unwrap(), &name);
            let seen = found.into_iter().filter(|it| areas::is_seen(it, &AREAS[area]));
            for Found { text, is_help, .. } in seen {
                lists[if is_help { help } else { area }].push(text);
            }
        }
    }
    let mut page = String::from(areas::HEAD);
    for (area, list) in AREAS.iter().zip(lists) {
        let mut once = HashSet::new();
        let lines: Vec<_> = list.iter().filter(|text| once.insert(text.as_str())).collect();
        if lines.is_empty() {
            continue;
        }
        page += &format!("\n## {}\n\n```text\n", area.title);
        for line in lines {
            page += &line.trim().replace('\n', "⏎");
            page.push('\n');
        }
        page += "```\n";
    }
    page
}

#[test]
fn docs_list_every_string_that_people_see() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/strings.md");
    let page = page();
    if std::env::var_os("MUTOSCOPE_UPDATE_DOCS").is_some() {
        fs::write(path, &page).unwrap();
    }
    let written = fs::read_to_string(path).unwrap_or_default();
    let differing = page.lines().find(|line| !written.lines().any(|it| it == *line));
    assert!(
        written == page,
        "docs/strings.md is not current, first at {differing:?}: run the test with \
         MUTOSCOPE_UPDATE_DOCS=1 and proof-read the change"
    );
}

#[test]
fn ids_reasons_and_tests_are_not_listed() {
    let source = r#"
        /// Of the module.
        #[derive(Args)]
        struct Arguments {
            /// Help of an
            /// option.
            #[arg(long)]
            option: bool,
            /// Of what is flattened.
            #[command(flatten)]
            others: Others,
        }
        #[derive(Error)]
        enum Failure {
            /// Why it failed.
            #[error("it failed: {0}")]
            Io(u8),
        }
        fn panel(ui: &mut Ui) {
            let id = ui.id().with("an id");
            ui.horizontal(|ui| { ui.label(format!("{count} keys")) }, "Seen");
            read().expect("a reason");
            ui.label("x {y}");
        }
        #[cfg(test)]
        mod tests {
            fn text() -> &'static str { "of a test" }
        }
    "#;
    let area = &AREAS[area_of("src/ui/top_bar.rs").unwrap()];
    let found = strings(source, "src/cli/example.rs");
    let seen = found.iter().filter(|found| areas::is_seen(found, area));
    let texts: Vec<_> = seen.map(|found| found.text.as_str()).collect();
    assert_eq!(texts, ["Help of an option.", "it failed: {0}", "{count} keys", "Seen"]);
}
