//! Writing a report: whole or not at all.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use super::{
    parquet,
    target::{Target, is_stdout, table_path},
};
use crate::{ReportArgs, tell};
use mutoscope_core::io::atomic_file;
use mutoscope_study::report::{
    LinkTarget, PageOptions, Report, ReportTable, tables, write_csv, write_page,
};

pub(super) fn write(
    report: &Report,
    target: Target,
    args: &ReportArgs,
    out: &mut impl Write,
) -> io::Result<()> {
    match args.output.path() {
        Some(path) => write_files(report, target, args, path),
        None => {
            if target.has_tables() {
                tell(format_args!(
                    "info: {}: the table of ranges; the others are written beside a file",
                    args.output
                ));
            }
            debug_assert!(is_stdout(&args.output));
            write_first(report, target, args, out)
        }
    }
}

/// Writes what fits into one file: of tables, the first.
fn write_first(
    report: &Report,
    target: Target,
    args: &ReportArgs,
    out: &mut impl Write,
) -> io::Result<()> {
    match target {
        Target::Json => report.write_json(out),
        Target::Html => write_page(report, &page_options(args), out),
        Target::Csv | Target::Parquet => {
            let tables = tables(&report.recordings);
            tables.first().map_or(Ok(()), |table| write_table(table, target, out))
        }
    }
}

fn page_options(args: &ReportArgs) -> PageOptions {
    PageOptions { link: args.link.clone().map_or(LinkTarget::Program, LinkTarget::Page) }
}

fn write_table(table: &ReportTable, target: Target, out: &mut impl Write) -> io::Result<()> {
    match target {
        Target::Parquet => parquet::write(table, out),
        _ => write_csv(table, out),
    }
}

/// Writes all files, and moves them to their paths when all are complete.
fn write_files(report: &Report, target: Target, args: &ReportArgs, path: &Path) -> io::Result<()> {
    let mut complete = Vec::new();
    let mut write =
        |path: &Path, write: &dyn Fn(&mut BufWriter<&mut std::fs::File>) -> io::Result<()>| {
            let mut file = atomic_file::begin(path, ".part")?;
            let mut out = BufWriter::new(file.as_file_mut());
            write(&mut out)?;
            out.flush()?;
            drop(out);
            complete.push((file, path.to_owned()));
            Ok::<(), io::Error>(())
        };
    if target.has_tables() {
        for table in tables(&report.recordings) {
            write(&table_path(path, table.name), &|out| write_table(&table, target, out))?;
        }
    } else {
        write(path, &|out| write_first(report, target, args, out))?;
    }
    complete.into_iter().try_for_each(|(file, path)| atomic_file::finish(file, &path))
}
