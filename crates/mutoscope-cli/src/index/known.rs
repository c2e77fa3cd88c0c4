//! Rows of earlier runs: of the index that is replaced, and of a run that was stopped.

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
use crate::path_text;

/// Rows by the path of their file. They are kept in a temporary file; only their offsets are in memory.
pub(super) struct Known {
    rows: BufReader<File>,
    /// The offset of the rows of a path, by the hash of the path.
    places: HashMap<u64, u64>,
}

impl Known {
    /// The rows of the index at `path`, and those that a stopped run left at `unfinished`, if they count.
    /// A missing file, or one that is no index, has none.
    ///
    /// # Errors
    /// If the disk is full.
    pub(super) fn of(
        format: IndexFormat,
        path: &Path,
        unfinished: Option<&Path>,
    ) -> io::Result<Self> {
        let mut filler = Filler::new()?;
        let mut same: Vec<Row> = Vec::new();
        let mut gather = |row: Row| {
            if same.first().is_some_and(|first| first.path != row.path) {
                filler.add(&std::mem::take(&mut same))?;
            }
            same.push(row);
            Ok(())
        };
        match file::read(format, path, &mut gather) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => filler.add(&same)?,
        }
        if let Some(Ok(journal)) = unfinished.map(File::open) {
            for line in BufReader::new(journal).split(b'\n') {
                // The last line may be cut off.
                let Ok(rows) = serde_json::from_slice::<Vec<Row>>(&line?) else { continue };
                filler.add(&rows)?;
            }
        }
        filler.finish()
    }

    /// The rows of the file at `path`; empty if it is unknown.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn rows(&mut self, path: &Path) -> io::Result<Vec<Row>> {
        let name = path_text(path);
        if !is_of_one_file(path, &name) {
            return Ok(Vec::new());
        }
        let Some(place) = self.places.get(&xxh3_64(name.as_bytes())) else { return Ok(Vec::new()) };
        self.rows.seek(SeekFrom::Start(*place))?;
        let rows = self.next()?.unwrap_or_default();
        // Two paths may have the same hash, and what another program wrote may have rows twice.
        let mut animations = HashSet::new();
        let is_about_it =
            rows.iter().all(|row| row.path == name && animations.insert(&row.animation));
        Ok(if is_about_it { rows } else { Vec::new() })
    }

    /// The rows of everything below the folder at `path`, in their order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn rows_below(&mut self, path: &Path) -> io::Result<Vec<Row>> {
        let name = path_text(path);
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
        let mut place = 0;
        while let Some(rows) = self.next()? {
            let last = rows.first().and_then(|row| self.places.get(&xxh3_64(row.path.as_bytes())));
            if last == Some(&place) {
                below.extend(rows.into_iter().filter(is_below));
            }
            place = self.rows.stream_position()?;
        }
        Ok(below)
    }

    /// The rows at the current offset; nothing at the end.
    fn next(&mut self) -> io::Result<Option<Vec<Row>>> {
        let mut line = Vec::new();
        match self.rows.read_until(b'\n', &mut line)? {
            0 => Ok(None),
            _ => Ok(Some(serde_json::from_slice(&line)?)),
        }
    }
}

/// Whether no file but the one at `path` is called by this `name`, which is printed for it: what is no
/// text is printed as another file may really be called.
fn is_of_one_file(path: &Path, name: &str) -> bool {
    path.to_str() == Some(name) && (MAIN_SEPARATOR == '\\' || !name.contains('\\'))
}

/// Writes the temporary file.
struct Filler {
    out: BufWriter<File>,
    place: u64,
    places: HashMap<u64, u64>,
}

impl Filler {
    fn new() -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        Ok(Self { out: BufWriter::new(file), place: 0, places: HashMap::new() })
    }

    /// Adds all rows of one file. They replace earlier ones.
    fn add(&mut self, rows: &[Row]) -> io::Result<()> {
        let Some(first) = rows.first() else { return Ok(()) };
        let line = line(rows)?;
        self.out.write_all(&line)?;
        self.places.insert(xxh3_64(first.path.as_bytes()), self.place);
        self.place += line.len() as u64;
        Ok(())
    }

    fn finish(self) -> io::Result<Known> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Known { rows: BufReader::new(file), places: self.places })
    }
}

/// All rows of one file as a line of JSON.
pub(super) fn line(rows: &[Row]) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(rows)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(path: &str, animation: Option<&str>) -> Row {
        Row::of_names(path, animation)
    }

    fn known(rows: &[&[Row]]) -> Known {
        let mut filler = Filler::new().unwrap();
        rows.iter().for_each(|rows| filler.add(rows).unwrap());
        filler.finish().unwrap()
    }

    #[test]
    fn names_that_may_be_of_two_files_are_unknown() {
        let [plain, escaped] = ["takes/a.bin", r"takes/\xff.bin"].map(|path| [row(path, None)]);
        let mut known = known(&[&plain, &escaped]);
        assert_eq!(known.rows(Path::new("takes/a.bin")).unwrap(), plain);
        if MAIN_SEPARATOR == '/' {
            assert_eq!(known.rows(Path::new(r"takes/\xff.bin")).unwrap(), []);
        }
    }

    #[test]
    fn rows_of_one_animation_that_repeat_are_unknown() {
        let twice = [row("a.glb", Some("Walk")), row("a.glb", Some("Walk"))];
        let once = [row("b.glb", Some("Walk")), row("b.glb", Some("Run"))];
        let mut known = known(&[&twice, &once]);
        assert_eq!(known.rows(Path::new("a.glb")).unwrap(), []);
        assert_eq!(known.rows(Path::new("b.glb")).unwrap(), once);
    }

    #[test]
    fn rows_below_a_folder_are_the_last_of_each_file() {
        let path = |names: &[&str]| names.join(std::path::MAIN_SEPARATOR_STR);
        let [a, b, other] = [["takes", "a"], ["takes", "b"], ["takes2", "a"]].map(|it| path(&it));
        let old = row(&a, Some("old"));
        let mut known = known(&[&[old], &[row(&b, None)], &[row(&other, None)], &[row(&a, None)]]);
        let below = known.rows_below(Path::new("takes")).unwrap();
        assert_eq!(below, [row(&b, None), row(&a, None)]);
        assert_eq!(known.rows(Path::new(&other)).unwrap(), [row(&other, None)]);
    }
}
