//! Help topics, generated from the registries: `mutoscope help formats` and `mutoscope help
//! targets`.

use crate::{registry, targets};
use std::io::{self, Write};

use mutoscope_core::{
    clip::Content,
    diagnostics::{Code, CodeDescription, ErrorKind},
    export::{ExportTarget, VIDEO_TARGETS},
    formats::Format,
};

use super::Status;

pub(crate) fn format_help() -> String {
    let rows = registry().formats().map(|format| {
        let skeleton = skeleton_extensions(format);
        [
            format.id.as_str().to_owned(),
            format.name.to_owned(),
            join_extensions(format.extensions),
            skeleton,
        ]
    });
    let head = ["FORMAT", "NAME", "EXTENSIONS", "SKELETON (--rig)"].map(str::to_owned);
    format!(
        "Input formats. Mutoscope recognises them by content, not by extension; --as FORMAT forces one.\n\n{}\n\
         Each format has a page in docs/formats.\n",
        align_columns(std::iter::once(head).chain(rows))
    )
}

pub(crate) fn target_help() -> String {
    let row = |target: &ExportTarget| {
        [target.id.to_owned(), format!(".{}", target.extension), target.name.to_owned()]
    };
    let minecraft = mutoscope_minecraft::EXTENSION;
    let rewrite = [
        minecraft.to_owned(),
        format!(".{minecraft}"),
        "Minecraft Motion Capture, for Minecraft recordings only".to_owned(),
    ];
    let head = ["TARGET", "EXTENSION", "NAME"].map(str::to_owned);
    let motion = targets().motion_targets().map(row).chain([rewrite]);
    let kept = targets().motion_targets().map(|target| {
        let (formats, own) = target.unchanged;
        let mut kept = list_contents(target.contents);
        if !target.partial_contents.is_empty() {
            kept += &format!("; in part: {}", list_contents(target.partial_contents));
        }
        if !own.is_empty() {
            let formats: Vec<_> = formats.iter().map(|format| format.as_str()).collect();
            kept += &format!("; from {}: {}", formats.join(" and "), list_contents(own));
        }
        if !target.requirement.is_empty() {
            kept += &format!(". Needs {}", target.requirement);
        }
        [target.id.to_owned(), kept]
    });
    let held = distinct_formats()
        .into_iter()
        .map(|format| [format.id.as_str().to_owned(), list_contents(format.contents)]);
    let two = |head: [&str; 2]| std::iter::once(head.map(str::to_owned));
    format!(
        "Targets of convert. The extension of -o OUT selects one; --to TARGET overrides the extension.\n\n{}\nTargets of render, in the program with the viewer.\n\n{}\n\
         A conversion keeps what the format holds and the target keeps.\n\n{}\n{}\n\
         docs/export.md has both as a table, and the details of each target.\n",
        align_columns(std::iter::once(head.clone()).chain(motion)),
        align_columns(std::iter::once(head).chain(VIDEO_TARGETS.iter().map(row))),
        align_columns(two(["FORMAT", "HOLDS"]).chain(held)),
        align_columns(two(["TARGET", "KEEPS"]).chain(kept)),
    )
}

fn list_contents(contents: &[Content]) -> String {
    let names: Vec<_> = contents.iter().map(|content| content.name()).collect();
    names.join(", ")
}

/// Returns the first format of each id. Encodings of tables share an id.
fn distinct_formats() -> Vec<&'static Format> {
    let mut formats: Vec<&Format> = Vec::new();
    for format in registry().formats() {
        if !formats.iter().any(|known| known.id == format.id) {
            formats.push(format);
        }
    }
    formats
}

/// Returns the table of what each target keeps of each format as Markdown, for `docs/export.md`.
pub fn conversion_table() -> String {
    let targets: Vec<_> = targets().motion_targets().collect();
    let ids: Vec<_> = targets.iter().map(|target| format!("`{}`", target.id)).collect();
    let mut text = format!("| | {} |\n|---{}|\n", ids.join(" | "), "|---".repeat(ids.len()));
    for format in distinct_formats() {
        let cell = |target: &&ExportTarget| -> String {
            let letter = |content: &Content| match content.letter() {
                letter if target.keeps(*content, format.id) => letter.to_string(),
                letter if target.partial_contents.contains(content) => format!("({letter})"),
                letter => letter.to_ascii_lowercase().to_string(),
            };
            format.contents.iter().map(letter).collect()
        };
        let cells: Vec<_> = targets.iter().map(cell).collect();
        text += &format!("| `{}` | {} |\n", format.id.as_str(), cells.join(" | "));
    }
    text.push('\n');
    for content in <Content as strum::VariantArray>::VARIANTS {
        text += &format!("* **{}**: {}\n", content.letter(), content.name());
    }
    let needs = targets.iter().filter(|target| !target.requirement.is_empty());
    let needs: Vec<_> =
        needs.map(|target| format!("`{}` needs {}", target.id, target.requirement)).collect();
    text + &format!("\n{}.\n", needs.join("; "))
}

/// Returns the tables of all codes as Markdown, for `docs/checks.md`.
pub fn code_tables() -> String {
    let mut text = String::new();
    let cell = |text: &str| text.trim().replace('|', "\\|");
    let codes = registry().codes();
    for same_area in codes.chunk_by(|one, other| area(*one) == area(*other)) {
        text += &format!("### {}\n\n", area(same_area[0]));
        text += "| code | meaning | cause | what to do |\n|---|---|---|---|\n";
        for code in same_area {
            let CodeDescription { id, meaning, cause, remedy, .. } = code.description();
            text +=
                &format!("| `{id}` | {} | {} | {} |\n", cell(meaning), cell(cause), cell(remedy));
        }
        text.push('\n');
    }
    text += "### Errors\n\nThe code of an error is the format and the kind, such as `bvh/malformed`. Before a format is \
             recognised, it begins with `file`.\n\n| kind | meaning | what to do |\n|---|---|---|\n";
    for kind in <ErrorKind as strum::VariantArray>::VARIANTS {
        let (meaning, remedy) = kind.description();
        text += &format!("| `{}` | {meaning} | {remedy} |\n", kind.as_str());
    }
    text
}

fn area(code: Code) -> &'static str {
    code.as_str().split('/').next().unwrap_or_default()
}

pub(crate) fn print_topic(text: &str, out: &mut impl Write) -> io::Result<Status> {
    out.write_all(text.as_bytes())?;
    Ok(Status::Done)
}

fn skeleton_extensions(format: &Format) -> String {
    let rows = registry().skeleton_formats().filter(|row| format.supports_skeleton(row.kind));
    let all: Vec<_> = rows.flat_map(|row| row.extensions).copied().collect();
    join_extensions(&all)
}

fn join_extensions(extensions: &[&str]) -> String {
    let extensions: Vec<_> = extensions.iter().map(|name| format!(".{name}")).collect();
    extensions.join(" ")
}

fn align_columns<const COLUMNS: usize>(rows: impl Iterator<Item = [String; COLUMNS]>) -> String {
    let rows: Vec<_> = rows.collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let line = |row: &[String; COLUMNS]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}  "));
        format!("  {}\n", cells.collect::<String>().trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_list_every_row_of_the_registries() {
        for format in registry().formats() {
            assert!(format_help().contains(format.name), "{}", format.name);
        }
        for target in targets().motion_targets().chain(VIDEO_TARGETS) {
            assert!(target_help().contains(target.name), "{}", target.name);
        }
    }
}
