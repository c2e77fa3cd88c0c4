//! The rows of earlier runs: those of the index that will be replaced, and those of a run that was
//! stopped.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{self, BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write as _},
    path::{MAIN_SEPARATOR, Path},
};

use xxhash_rust::xxh3::xxh3_64;

use super::{
    file::{self, IndexFormat},
    row::Row,
};
use crate::format_path;

/// The rows of earlier runs, which are found by the path of the recording. The rows are in a
/// temporary file. Only their offsets are in memory.
pub(super) struct PreviousRows {
    rows: BufReader<File>,
    offsets: HashMap<u64, u64>,
}

impl PreviousRows {
    /// Loads the rows of the index at `path`, then those that a stopped run left at `unfinished`. A
    /// file that is missing or not an index has no rows.
    ///
    /// # Errors
    /// Fails if the index cannot be read, or if the temporary file cannot be written.
    pub(super) fn load(
        format: IndexFormat,
        path: &Path,
        unfinished: Option<&Path>,
    ) -> io::Result<Self> {
        let mut writer = RowFileWriter::new()?;
        let mut rows_of_file: Vec<Row> = Vec::new();
        let mut add_row = |row: Row| {
            if rows_of_file.first().is_some_and(|first| first.path != row.path) {
                writer.add(&std::mem::take(&mut rows_of_file))?;
            }
            rows_of_file.push(row);
            Ok(())
        };
        match file::read_rows(format, path, &mut add_row) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => writer.add(&rows_of_file)?,
        }
        if let Some(Ok(journal)) = unfinished.map(File::open) {
            for line in BufReader::new(journal).split(b'\n') {
                // Skip lines that cannot be decoded, because the last line may be cut off.
                let Ok(rows) = serde_json::from_slice::<Vec<Row>>(&line?) else { continue };
                writer.add(&rows)?;
            }
        }
        writer.finish()
    }

    pub(super) fn rows(&mut self, path: &Path) -> io::Result<Vec<Row>> {
        let name = format_path(path);
        if !is_unambiguous_name(path, &name) {
            return Ok(Vec::new());
        }
        let Some(offset) = self.offsets.get(&xxh3_64(name.as_bytes())) else {
            return Ok(Vec::new());
        };
        self.rows.seek(SeekFrom::Start(*offset))?;
        let rows = self.next_rows()?.unwrap_or_default();
        // Check the path, because two paths may have the same hash. Check that each animation
        // occurs once, because another program may have repeated rows.
        let mut animations = HashSet::new();
        let is_valid = rows.iter().all(|row| row.path == name && animations.insert(&row.animation));
        Ok(if is_valid { rows } else { Vec::new() })
    }

    pub(super) fn rows_below(&mut self, path: &Path) -> io::Result<Vec<Row>> {
        let name = format_path(path);
        let is_below = |row: &Row| {
            let rest = row.path.strip_prefix(&name);
            rest.is_some_and(|rest| {
                rest.is_empty()
                    || rest.starts_with(MAIN_SEPARATOR)
                    || name.ends_with(MAIN_SEPARATOR)
            })
        };
        let mut below = Vec::new();
        self.rows.seek(SeekFrom::Start(0))?;
        let mut offset = 0;
        while let Some(rows) = self.next_rows()? {
            let last = rows.first().and_then(|row| self.offsets.get(&xxh3_64(row.path.as_bytes())));
            if last == Some(&offset) {
                below.extend(rows.into_iter().filter(is_below));
            }
            offset = self.rows.stream_position()?;
        }
        Ok(below)
    }

    fn next_rows(&mut self) -> io::Result<Option<Vec<Row>>> {
        let mut line = Vec::new();
        match self.rows.read_until(b'\n', &mut line)? {
            0 => Ok(None),
            _ => Ok(Some(serde_json::from_slice(&line)?)),
        }
    }
}

/// Returns `true` if only the file at `path` has this printed name. A path that is not UTF-8 is
/// printed with escapes, and another file may have the printed form as its real name.
fn is_unambiguous_name(path: &Path, name: &str) -> bool {
    path.to_str() == Some(name) && (MAIN_SEPARATOR == '\\' || !name.contains('\\'))
}

struct RowFileWriter {
    out: BufWriter<File>,
    offset: u64,
    offsets: HashMap<u64, u64>,
}

impl RowFileWriter {
    fn new() -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        Ok(Self { out: BufWriter::new(file), offset: 0, offsets: HashMap::new() })
    }

    fn add(&mut self, rows: &[Row]) -> io::Result<()> {
        let Some(first) = rows.first() else { return Ok(()) };
        let line = rows_to_line(rows)?;
        self.out.write_all(&line)?;
        self.offsets.insert(xxh3_64(first.path.as_bytes()), self.offset);
        self.offset += line.len() as u64;
        Ok(())
    }

    fn finish(self) -> io::Result<PreviousRows> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(PreviousRows { rows: BufReader::new(file), offsets: self.offsets })
    }
}

pub(super) fn rows_to_line(rows: &[Row]) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(rows)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(path: &str, animation: Option<&str>) -> Row {
        Row::from_names(path, animation)
    }

    fn previous_rows(rows: &[&[Row]]) -> PreviousRows {
        let mut writer = RowFileWriter::new().unwrap();
        rows.iter().for_each(|rows| writer.add(rows).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn ambiguous_names_have_no_previous_rows() {
        let [plain, escaped] = ["takes/a.bin", r"takes/\xff.bin"].map(|path| [row(path, None)]);
        let mut previous = previous_rows(&[&plain, &escaped]);
        assert_eq!(previous.rows(Path::new("takes/a.bin")).unwrap(), plain);
        if MAIN_SEPARATOR == '/' {
            assert_eq!(previous.rows(Path::new(r"takes/\xff.bin")).unwrap(), []);
        }
    }

    #[test]
    fn files_with_repeated_animations_have_no_previous_rows() {
        let twice = [row("a.glb", Some("Walk")), row("a.glb", Some("Walk"))];
        let once = [row("b.glb", Some("Walk")), row("b.glb", Some("Run"))];
        let mut previous = previous_rows(&[&twice, &once]);
        assert_eq!(previous.rows(Path::new("a.glb")).unwrap(), []);
        assert_eq!(previous.rows(Path::new("b.glb")).unwrap(), once);
    }

    #[test]
    fn rows_below_keeps_the_last_rows_of_each_file() {
        let path = |names: &[&str]| names.join(std::path::MAIN_SEPARATOR_STR);
        let [a, b, other] = [["takes", "a"], ["takes", "b"], ["takes2", "a"]].map(|it| path(&it));
        let old = row(&a, Some("old"));
        let mut previous =
            previous_rows(&[&[old], &[row(&b, None)], &[row(&other, None)], &[row(&a, None)]]);
        let below = previous.rows_below(Path::new("takes")).unwrap();
        assert_eq!(below, [row(&b, None), row(&a, None)]);
        assert_eq!(previous.rows(Path::new(&other)).unwrap(), [row(&other, None)]);
    }
}
