//! Help on a topic: `mutoscope help formats`, `mutoscope help targets`. Both are made from the registries.

use std::io::{self, Write};

use mutoscope_core::{
    export::{ExportTarget, VIDEOS},
    formats::{self, Format, skeleton_formats},
};

use super::Status;

/// The formats that are read, as text: id, name, extensions, skeletons.
pub(crate) fn formats() -> String {
    let rows = formats::all().map(|format| {
        let skeleton = skeletons(format);
        [format.id.word().to_owned(), format.name.to_owned(), extensions(format), skeleton]
    });
    let head = ["FORMAT", "NAME", "EXTENSIONS", "SKELETON (--rig)"].map(str::to_owned);
    format!(
        "Formats that are read. They are recognised by content, not by extension; --as FORMAT forces one.\n\n{}\n\
         Each format has a page in docs/formats.\n",
        table(std::iter::once(head).chain(rows))
    )
}

/// The targets of `convert` and of `render`, as text: id, extension, name.
pub(crate) fn targets() -> String {
    let row = |target: &ExportTarget| {
        [target.id.to_owned(), format!(".{}", target.extension), target.name.to_owned()]
    };
    let minecraft = mutoscope_minecraft::EXTENSION;
    let rewritten = [
        minecraft.to_owned(),
        format!(".{minecraft}"),
        "Minecraft Motion Capture, for its own recordings only".to_owned(),
    ];
    let head = ["TARGET", "EXTENSION", "NAME"].map(str::to_owned);
    let motion = ExportTarget::motion().map(row).chain([rewritten]);
    format!(
        "Targets of convert. The extension of -o OUT chooses one; --to TARGET chooses one regardless of \
         it.\n\n{}\nTargets of render, in the program with the viewer.\n\n{}\n\
         docs/export.md lists what each target keeps and loses.\n",
        table(std::iter::once(head.clone()).chain(motion)),
        table(std::iter::once(head).chain(VIDEOS.iter().map(row)))
    )
}

/// Prints a topic.
pub(crate) fn print(text: &str, out: &mut impl Write) -> io::Result<Status> {
    out.write_all(text.as_bytes())?;
    Ok(Status::Done)
}

fn extensions(format: &Format) -> String {
    dotted(format.extensions)
}

/// The extensions of the files that a skeleton for the format's recordings may be in.
fn skeletons(format: &Format) -> String {
    let rows = skeleton_formats().filter(|row| format.takes(row.kind));
    let all: Vec<_> = rows.flat_map(|row| row.extensions).copied().collect();
    dotted(&all)
}

fn dotted(extensions: &[&str]) -> String {
    let dotted: Vec<_> = extensions.iter().map(|one| format!(".{one}")).collect();
    dotted.join(" ")
}

/// Rows whose columns are aligned, indented by two.
fn table<const COLUMNS: usize>(rows: impl Iterator<Item = [String; COLUMNS]>) -> String {
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
        crate::register();
        for format in formats::all() {
            assert!(formats().contains(format.name), "{}", format.name);
        }
        for target in ExportTarget::motion().chain(VIDEOS) {
            assert!(targets().contains(target.name), "{}", target.name);
        }
    }
}
