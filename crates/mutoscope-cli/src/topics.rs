//! Help topics, generated from the registries: `mutoscope help formats` and `mutoscope help
//! targets`.

use crate::{registry, targets};
use std::io::{self, Write};

use mutoscope_core::{
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
    format!(
        "Targets of convert. The extension of -o OUT selects one; --to TARGET overrides the extension.\n\n{}\nTargets of render, in the program with the viewer.\n\n{}\n\
         docs/export.md lists what each target keeps and loses.\n",
        align_columns(std::iter::once(head.clone()).chain(motion)),
        align_columns(std::iter::once(head).chain(VIDEO_TARGETS.iter().map(row)))
    )
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
