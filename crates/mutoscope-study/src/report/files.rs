//! Writes the files of a report, either all of them or none.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use mutoscope_core::io::atomic_file;

use super::{
    PageOptions, Report, ReportFormat, ReportTable, build_tables, format::table_path, write_csv,
    write_page,
};

/// A function that writes a table as Parquet, which this crate does not support itself.
pub type WriteTable = fn(&ReportTable, &mut dyn Write) -> io::Result<()>;

/// The options for writing a report.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// The format of the report.
    pub format: ReportFormat,
    /// The options of a page.
    pub page: PageOptions,
    /// Writes a table as Parquet.
    pub parquet: WriteTable,
}

impl Report {
    /// Writes the report to a single stream. For table formats, this is only the table of ranges.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    pub fn write(&self, writing: &WriteOptions, out: &mut dyn Write) -> io::Result<()> {
        match writing.format {
            ReportFormat::Json => self.write_json(out),
            ReportFormat::Html => write_page(self, &writing.page, out),
            ReportFormat::Csv | ReportFormat::Parquet => {
                let tables = build_tables(&self.recordings);
                tables.first().map_or(Ok(()), |table| writing.write_table(table, out))
            }
        }
    }

    /// Writes all files of [`ReportFormat::files`] and moves them to their final paths once all are
    /// complete.
    ///
    /// # Errors
    /// Returns an error if one of the files cannot be written.
    pub fn write_files(&self, writing: &WriteOptions, path: &Path) -> io::Result<()> {
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
            for table in build_tables(&self.recordings) {
                write(&table_path(path, table.name), &|out| writing.write_table(&table, out))?;
            }
        } else {
            write(path, &|out| self.write(writing, out))?;
        }
        complete.into_iter().try_for_each(|(file, path)| atomic_file::finish(file, &path))
    }
}

impl WriteOptions {
    fn write_table(&self, table: &ReportTable, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            ReportFormat::Parquet => (self.parquet)(table, out),
            _ => write_csv(table, out),
        }
    }
}
