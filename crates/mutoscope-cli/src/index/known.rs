//! Rows of earlier runs: of the index that is replaced, and of a run that was stopped.

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

/// Rows by the path of their file. They are kept in a temporary file; only their offsets are in memory.
pub(super) struct Known {
    rows: BufReader<File>,
    /// The offset of the rows of a path, by the hash of the path.
    places: HashMap<u64, u64>,
}

impl Known {
    /// The rows of the index at `path`, and those that a stopped run left at `unfinished`. A missing file,
    /// or one that is no index, has none.
    ///
    /// # Errors
    /// If the disk is full.
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

    /// The rows of the file at `path`; empty if it is unknown.
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
