//! What is known of recordings from before: of the index that is to be replaced, and of a run that was
//! stopped.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write as _},
    path::Path,
};

use xxhash_rust::xxh3::xxh3_64;

use super::{
    file::{self, IndexFormat},
    row::Row,
};

/// Rows by the path that they are about. They are in a file; in memory is only where.
pub(super) struct Known {
    rows: BufReader<File>,
    /// Where the rows of a path begin, by the hash of the path.
    places: HashMap<u64, u64>,
}

impl Known {
    /// What the index at `path` has, and what the run that was stopped has left at `unfinished`.
    /// What is not there, or no index, has nothing.
    ///
    /// # Errors
    /// If there is no room for it.
    pub(super) fn of(format: IndexFormat, path: &Path, unfinished: &Path) -> io::Result<Self> {
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
        if let Ok(journal) = File::open(unfinished) {
            for line in BufReader::new(journal).split(b'\n') {
                // The last line may be cut off.
                let Ok(rows) = serde_json::from_slice::<Vec<Row>>(&line?) else { continue };
                filler.add(&rows)?;
            }
        }
        filler.finish()
    }

    /// Nothing.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(super) fn none() -> io::Result<Self> {
        Filler::new()?.finish()
    }

    /// The rows about the file at `path`; none if nothing is known of it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn rows(&mut self, path: &str) -> io::Result<Vec<Row>> {
        let Some(place) = self.places.get(&xxh3_64(path.as_bytes())) else { return Ok(Vec::new()) };
        self.rows.seek(SeekFrom::Start(*place))?;
        let mut line = Vec::new();
        self.rows.read_until(b'\n', &mut line)?;
        let rows: Vec<Row> = serde_json::from_slice(&line)?;
        // Two paths may have the same hash.
        let is_about_it = rows.iter().all(|row| row.path == path);
        Ok(if is_about_it { rows } else { Vec::new() })
    }
}

/// Fills the file.
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

    /// Adds all rows about one file. They take the place of those that are known of it.
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

/// All rows about one file as a line.
pub(super) fn line(rows: &[Row]) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(rows)?;
    line.push(b'\n');
    Ok(line)
}
