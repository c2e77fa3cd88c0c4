//! Writing the files of a report: all of them or none.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use mutoscope_core::io::atomic_file;

use super::{
    PageOptions, Report, ReportFormat, ReportTable, format::table_path, tables, write_csv,
    write_page,
};

/// Writes a table in a format that this crate does not have: Parquet.
pub type WriteTable = fn(&ReportTable, &mut dyn Write) -> io::Result<()>;

/// How a report is written.
#[derive(Clone, Debug)]
pub struct Writing {
    /// The format.
    pub format: ReportFormat,
    /// How a page is written.
    pub page: PageOptions,
    /// Writes tables of Parquet.
    pub parquet: WriteTable,
}

impl Report {
    /// Writes what fits into one file: of tables, that of ranges.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write(&self, writing: &Writing, out: &mut dyn Write) -> io::Result<()> {
        match writing.format {
            ReportFormat::Json => self.write_json(out),
            ReportFormat::Html => write_page(self, &writing.page, out),
            ReportFormat::Csv | ReportFormat::Parquet => {
                let tables = tables(&self.recordings);
                tables.first().map_or(Ok(()), |table| writing.table(table, out))
            }
        }
    }

    /// Writes all files of [`ReportFormat::files`], and moves them to their paths when all are complete.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn write_files(&self, writing: &Writing, path: &Path) -> io::Result<()> {
        let mut complete = Vec::new();
        let mut write = |path: &Path, write: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
            let mut file = atomic_file::begin(path, ".part")?;
            let mut out = BufWriter::new(file.as_file_mut());
            write(&mut out)?;
            out.flush()?;
            drop(out);
            complete.push((file, path.to_owned()));
            Ok::<(), io::Error>(())
        };
        if writing.format.has_tables() {
            for table in tables(&self.recordings) {
                write(&table_path(path, table.name), &|out| writing.table(&table, out))?;
            }
        } else {
            write(path, &|out| self.write(writing, out))?;
        }
        complete.into_iter().try_for_each(|(file, path)| atomic_file::finish(file, &path))
    }
}

impl Writing {
    fn table(&self, table: &ReportTable, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            ReportFormat::Parquet => (self.parquet)(table, out),
            _ => write_csv(table, out),
        }
    }
}
