//! Reads the table of memory peaks in `docs/limits.md`.

pub(crate) struct Table {
    /// The subcommands, and the targets of `convert`.
    pub(crate) columns: Vec<String>,
    /// For each format, the bytes for each byte of the file, column by column.
    pub(crate) rows: Vec<(String, Vec<f64>)>,
}

impl Table {
    pub(crate) fn read() -> Self {
        let page = include_str!("../../../../docs/limits.md");
        let lines = page.lines().skip_while(|line| *line != "<!-- peaks -->").skip(1);
        let mut lines = lines.take_while(|line| line.starts_with('|')).map(cells);
        let mut first =
            lines.next().expect("docs/limits.md must have a table of peaks").into_iter();
        assert_eq!(first.next().as_deref(), Some("format"));
        let columns: Vec<String> = first.map(|name| name.trim_matches('`').to_owned()).collect();
        // Skip the line that separates the names from the rows.
        lines.next();
        let rows = lines.map(|cells| {
            let mut cells = cells.into_iter();
            let format = cells.next().unwrap().trim_matches('`').to_owned();
            (format, cells.map(|cell| cell.parse().unwrap()).collect())
        });
        Self { rows: rows.collect(), columns }
    }

    pub(crate) fn row(&self, format: &str) -> Vec<f64> {
        let (_, all) = self.rows.iter().find(|(name, _)| name == format).unwrap();
        assert_eq!(all.len(), self.columns.len(), "{format}");
        all.clone()
    }
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}
