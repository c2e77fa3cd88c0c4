//! Reads the CSV files of Vicon Nexus and Tracker.
//!
//! A file is a list of blocks such as `Trajectories` and `Devices`, in any order. Below the title of
//! a block are its rate, the names of its objects, the axes, the units and the rows. The name of an
//! object is above its first column. Frames are counted from 1, and a device has several sub-frames
//! in each frame.

use std::{
    collections::{HashMap, HashSet},
    f64::consts::{FRAC_PI_2, PI},
};

use glam::DVec3;
use mutoscope_core::{
    clip::UniqueNames,
    diagnostics::{Diagnostics, Error, SourceLocation, format_count, format_number},
};

use super::{
    capture::{
        CaptureNode, HeaderRows, SurplusCells, add_column, component_property, declare_nodes,
        detect_dialect, split_row,
    },
    cells::CellReader,
    header::{Dialect, Lines},
    rows::for_each_row,
};
use crate::{
    codes,
    mapping::TableOptions,
    names::UnitWord,
    table::{AssumedAngles, Declared, Role, Series, Table, quote_names},
};

/// Limits the missing samples of a device, because a damaged frame may be any number.
const MAX_SAMPLES_PER_ROW: usize = 16;

/// The titles of blocks that Nexus and Tracker write.
const TITLES: [(&str, BlockKind); 7] = [
    ("Trajectories", BlockKind::Points),
    ("Model Outputs", BlockKind::Models),
    ("Segments", BlockKind::Segments),
    ("Objects", BlockKind::Segments),
    ("Joints", BlockKind::Signals),
    ("Devices", BlockKind::Signals),
    ("Events", BlockKind::Events),
];

/// Vicon Tracker exports helical angles unless its user chooses Euler angles, and the columns have
/// the same names.
const HELICAL: AssumedAngles = AssumedAngles {
    value: "vector",
    why: "Vicon exports helical angles by default. If they are Euler angles, set [space] euler = \
          \"XYZ\" in a mapping file",
};

const EULER: AssumedAngles = AssumedAngles {
    value: "XYZ",
    why: "a rotation vector would be longer than half a turn, and RY stays within a quarter turn. If \
          they are rotation vectors, set [space] euler = \"vector\" in a mapping file",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    /// X, Y and Z are positions.
    Points,
    /// X, Y and Z are positions if their unit is a length, and otherwise angles, forces and so on.
    Models,
    /// RX, RY, RZ, TX, TY and TZ are poses in the world.
    Segments,
    Signals,
    Events,
}

struct Block<'a> {
    title: &'a str,
    /// `None` if the title is unknown.
    kind: Option<BlockKind>,
    rate_hz: Option<f64>,
    /// The text below the line of the rate, and the line number where it begins.
    text: &'a str,
    line: u32,
}

pub(super) fn is_vicon(start: &str) -> bool {
    let mut lines = start.lines();
    let Some(title) = lines.next().and_then(lone_cell) else { return false };
    match block_kind(title) {
        Some(BlockKind::Points | BlockKind::Models) => true,
        // The rows of events do not tell who wrote them.
        Some(BlockKind::Events) => lines
            .filter_map(lone_cell)
            .any(|title| block_kind(title).is_some_and(|kind| kind != BlockKind::Events)),
        // A word such as Devices may begin any text, but not with a rate below it.
        Some(_) => lines.next().and_then(parse_rate).is_some(),
        None => false,
    }
}

fn block_kind(title: &str) -> Option<BlockKind> {
    TITLES.iter().find(|(own, _)| own.eq_ignore_ascii_case(title)).map(|(_, kind)| *kind)
}

/// Returns the first cell of a line if all others are empty.
fn lone_cell(line: &str) -> Option<&str> {
    let is_end = |c: char| matches!(c, ',' | ';' | '\t' | '"') || c.is_whitespace();
    let cell = line.trim_start_matches('"').trim_end_matches(is_end);
    (!cell.is_empty() && !cell.contains([',', ';', '\t', '"'])).then_some(cell)
}

/// Returns the blocks of a file. A title is a word alone in its line, because rows begin with numbers
/// and header rows have several cells.
fn find_blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut lines = Lines::new(text);
    let mut begin = 0;
    let mut start = 0;
    while let Some(line) = lines.next() {
        let is_word = line.trim_start_matches('"').starts_with(|c: char| c.is_alphabetic());
        if let Some(title) = lone_cell(line).filter(|_| is_word) {
            if let Some(before) = blocks.last_mut() {
                before.text = &text[begin..start];
            }
            let rate_hz = text[lines.offset..].lines().next().and_then(parse_rate);
            if rate_hz.is_some() {
                lines.next();
            }
            begin = lines.offset;
            blocks.push(Block {
                title,
                kind: block_kind(title),
                rate_hz,
                text: &text[begin..],
                line: lines.line_number,
            });
        }
        start = lines.offset;
    }
    blocks
}

/// Parses the line of the rate in Hz, which may have a decimal comma.
fn parse_rate(line: &str) -> Option<f64> {
    let cell = line.trim_matches(|c: char| matches!(c, ',' | ';' | '"') || c.is_whitespace());
    let rate = cell.replace(',', ".").parse().ok();
    rate.filter(|rate: &f64| *rate > 0.0 && rate.is_finite())
}

pub(super) fn read(
    text: &str,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let mut table = Table::new("vicon");
    let (mut parts, mut unread) = (Vec::new(), Vec::new());
    let blocks = find_blocks(text);
    for block in &blocks {
        if block.kind == Some(BlockKind::Events) {
            table.declared.events.extend(read_events(block, options, diagnostics));
            continue;
        }
        match Part::read(block, options) {
            Some(part) => parts.push(part),
            None => unread.push(block),
        }
    }
    if let Some(first) = unread.first() {
        let titles = quote_names(unread.iter().map(|block| block.title));
        let message =
            format!("blocks without a header row that begins with Frame: {titles}; skipped");
        diagnostics
            .warning(codes::table::BLOCK_SKIPPED, SourceLocation::line(first.line), message)
            .with("count", unread.len());
    }
    // The rows of the table are the frames of the first block that can have nodes.
    let main = parts.iter().position(|part| part.kind() != BlockKind::Signals).unwrap_or(0);
    let Some(main_part) = parts.get(main) else {
        let line = blocks.first().map_or(1, |block| block.line);
        let expected = "a header row that begins with Frame";
        return Err(Error::malformed(SourceLocation::line(line), expected, "none"));
    };
    let rate = main_part.block.rate_hz;
    table.declared = Declared { rate_hz: rate, ..table.declared };
    add_column(
        &mut table,
        main_part.header.cell(main_part.header.frame_row(), 0),
        Some(Role::Frame { first: 1 }),
    );
    let sub_frame = Role::Unused("the number of the sub-frame");
    add_column(&mut table, main_part.header.cell(main_part.header.frame_row(), 1), Some(sub_frame));
    let in_rows = |index: usize, part: &Part<'_>| {
        index == main || part.block.rate_hz == rate && !part.has_sub_frames
    };
    let (joined, separate): (Vec<_>, Vec<_>) =
        parts.iter().enumerate().partition(|(index, part)| in_rows(*index, part));
    let mut nodes = Vec::new();
    let mut columns = Vec::new();
    for (_, part) in &joined {
        columns.push(part.declare(&mut table, &mut nodes));
    }
    let has_angles = nodes.iter().any(|node| node.has("rotation_vector.x"));
    declare_nodes(&mut table, nodes);
    let mut frames = FrameRows::default();
    if joined.len() > 1 {
        frames.collect(joined.iter().map(|(_, part)| *part));
    }
    for (order, ((_, part), columns)) in joined.iter().zip(&columns).enumerate() {
        part.read_rows(&mut table, &mut frames, columns, order == 0, diagnostics);
    }
    if has_angles {
        let is_euler = are_euler_angles(&table);
        table.declared.assumed_angles = Some(if is_euler { EULER } else { HELICAL });
    }
    let mut names = UniqueNames::default();
    for column in &table.columns {
        names.make_unique(column.name.clone());
    }
    for (_, part) in separate {
        part.read_series(&mut table, rate, &mut names, diagnostics);
    }
    Ok(table)
}

/// A block with rows of numbers, and its header.
struct Part<'a> {
    block: &'a Block<'a>,
    header: HeaderRows,
    units: Vec<String>,
    dialect: Dialect,
    cells: CellReader<'a>,
    has_sub_frames: bool,
    /// The columns of each object, and its name.
    objects: Vec<(String, Vec<usize>)>,
}

impl<'a> Part<'a> {
    fn read(block: &'a Block<'a>, options: &'a TableOptions) -> Option<Self> {
        let dialect = detect_dialect(block.text, options);
        let mut header = HeaderRows::read(block.text, dialect)?;
        let mut units = Vec::new();
        let mut lines = Lines::new(&block.text[header.end..]);
        if let Some(row) = lines.next().map(|line| split_row(line, dialect))
            && row.first().is_none_or(|first| first.parse::<f64>().is_err())
        {
            units = row;
            header.end += lines.offset;
            header.line += 1;
        }
        let cells = CellReader::new(options, dialect.has_decimal_comma);
        let has_sub_frames = Lines::new(&block.text[header.end..]).any(|line| {
            let mut cells =
                line.split(char::from(dialect.delimiter)).map(|cell| cell.trim_matches('"').trim());
            cells.next().is_some_and(|frame| !frame.is_empty())
                && cells.next().is_some_and(|sub| !matches!(sub, "" | "0"))
        });
        let mut part =
            Self { block, header, units, dialect, cells, has_sub_frames, objects: Vec::new() };
        part.objects = part.find_objects();
        Some(part)
    }

    fn kind(&self) -> BlockKind {
        self.block.kind.unwrap_or(BlockKind::Signals)
    }

    fn label(&self, column: usize) -> &str {
        self.header.cell(self.header.frame_row(), column)
    }

    fn unit(&self, column: usize) -> &str {
        self.units.get(column).map_or("", String::as_str)
    }

    fn find_objects(&self) -> Vec<(String, Vec<usize>)> {
        let frame = self.header.frame_row();
        let names = frame.checked_sub(1);
        let name = |column: usize| names.map_or("", |row| self.header.cell(row, column));
        let width = self.header.rows[frame].len();
        let mut objects: Vec<(String, Vec<usize>)> = Vec::new();
        let mut labels = HashSet::new();
        for column in (2..width).filter(|column| !self.label(*column).is_empty()) {
            // An object without a name follows if an axis is repeated.
            let is_repeated = !labels.insert(self.label(column));
            if !name(column).is_empty() || is_repeated || objects.is_empty() {
                let name = match name(column).trim_start_matches("Global Angle ") {
                    "" => format!("object {}", objects.len() + 1),
                    name => name.to_owned(),
                };
                objects.push((name, Vec::new()));
                labels = HashSet::from([self.label(column)]);
            }
            if let Some((_, columns)) = objects.last_mut() {
                columns.push(column);
            }
        }
        objects
    }

    fn signal_name(&self, object: &str, column: usize) -> String {
        let unit = match self.unit(column) {
            "" => String::new(),
            unit => format!(" [{unit}]"),
        };
        format!("{object}.{}{unit}", self.label(column))
    }

    /// Returns the property of a column, such as `position.x`. `None` if the column is a signal.
    fn property(&self, column: usize, has_w: bool) -> Option<&'static str> {
        let label = self.label(column);
        let unit = UnitWord::parse(self.unit(column));
        let is_length = matches!(unit, UnitWord::Length(_))
            || self.unit(column).is_empty() && self.kind() != BlockKind::Models;
        match (self.kind(), label.split_at_checked(1)?) {
            (BlockKind::Points | BlockKind::Models, _) if is_length => {
                component_property("position", label)
            }
            (BlockKind::Segments, ("T", axis)) if is_length => component_property("position", axis),
            (BlockKind::Segments, ("R", axis)) if has_w => component_property("rotation", axis),
            (BlockKind::Segments, ("R", axis)) if matches!(unit, UnitWord::Angle(_)) => {
                component_property("rotation_vector", axis)
            }
            _ => None,
        }
    }

    /// Adds the columns of the block to the table, and its nodes to `nodes`. Returns the column of
    /// the table for each column of the block.
    fn declare(&self, table: &mut Table, nodes: &mut Vec<CaptureNode>) -> Vec<Option<usize>> {
        let last = self.objects.iter().flat_map(|(_, columns)| columns).max();
        let mut columns = vec![None; last.map_or(2, |last| last + 1)];
        for (object, own) in &self.objects {
            let mut node = CaptureNode::named(object.clone());
            let has_w = own.iter().any(|column| self.label(*column).eq_ignore_ascii_case("RW"));
            for column in own {
                let property = self.property(*column, has_w);
                let name = match property {
                    Some(_) => format!("{object}.{}", self.label(*column).to_ascii_lowercase()),
                    None => self.signal_name(object, *column),
                };
                let index = add_column(table, name, None);
                columns[*column] = Some(index);
                node.columns.extend(property.map(|property| (index, property)));
            }
            let unit_of = |quantity: &str| {
                let is_of = |column: &&usize| {
                    let property = self.property(**column, has_w);
                    property.is_some_and(|property| property.starts_with(quantity))
                };
                let mut units = own.iter().filter(is_of).map(|it| UnitWord::parse(self.unit(*it)));
                let first = units.next();
                // A vector of several units has no unit.
                first.filter(|first| units.all(|unit| unit == *first))
            };
            match unit_of("position.") {
                Some(UnitWord::Length(metres)) => node.declared.metres_per_unit = Some(metres),
                Some(_) => {}
                None => node.columns.retain(|(_, property)| !property.starts_with("position.")),
            }
            match unit_of("rotation_vector.") {
                Some(UnitWord::Angle(radians)) => node.declared.radians_per_unit = Some(radians),
                Some(_) => {}
                None => node.columns.retain(|(_, it)| !it.starts_with("rotation_vector.")),
            }
            nodes.push(node);
        }
        columns
    }

    fn for_each_row(&self, each: impl FnMut(u32, &[&str])) {
        let text = &self.block.text[self.header.end..];
        for_each_row(text, self.block.line + self.header.line - 1, self.dialect, each);
    }

    /// Reads the rows of the block into the rows of the table with the same frame.
    fn read_rows(
        &self,
        table: &mut Table,
        frames: &mut FrameRows,
        columns: &[Option<usize>],
        is_first: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let mut surplus = SurplusCells::default();
        let (mut skipped, mut last) = (0, None);
        self.for_each_row(|line, values| {
            if values.iter().all(|value| value.trim().is_empty()) || table.rows >= u32::MAX as usize
            {
                return;
            }
            let frame = values.first().map(|cell| cell.trim()).unwrap_or_default();
            let Some(row) = frames.find_row(table, frame, line, &self.cells) else {
                skipped += 1;
                return;
            };
            // The cells of a column must be in the order of the rows.
            if last.is_some_and(|last| last >= row) {
                skipped += 1;
                return;
            }
            last = Some(row);
            let frame_columns = [(!frames.are_known()).then_some(0), is_first.then_some(1)];
            let columns = frame_columns.into_iter().chain(columns.iter().skip(2).copied());
            surplus.add_row(table, &self.cells, row, columns, values);
        });
        surplus.report(self.line(), diagnostics);
        self.report_skipped(skipped, diagnostics);
    }

    fn line(&self) -> u32 {
        self.block.line + self.header.line - 1
    }

    fn report_skipped(&self, rows: usize, diagnostics: &mut Diagnostics) {
        if rows > 0 {
            let message = format!(
                "expected ascending frames in the block {:?}; {} skipped",
                self.block.title,
                format_count(rows, "row")
            );
            diagnostics
                .warning(
                    codes::table::FRAMES_NOT_ASCENDING,
                    SourceLocation::line(self.line()),
                    message,
                )
                .with("count", rows);
        }
    }

    /// Reads the columns as signals at the rate of the block. `frame_rate` is the rate of the
    /// frames, of which a device has several sub-frames.
    fn read_series(
        &self,
        table: &mut Table,
        frame_rate: Option<f64>,
        names: &mut UniqueNames,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(rate) = self.block.rate_hz else {
            let message = format!("the block {:?} states no rate; skipped", self.block.title);
            diagnostics
                .warning(
                    codes::table::BLOCK_SKIPPED,
                    SourceLocation::line(self.block.line),
                    message,
                )
                .with("name", self.block.title);
            return;
        };
        let frame_rate = frame_rate.unwrap_or(crate::DEFAULT_FRAME_RATE_HZ);
        if matches!(self.kind(), BlockKind::Points | BlockKind::Segments) {
            let message = format!(
                "the block {:?} has {} Hz, but the rows of the table have another rate; used as \
                 signals. Export it alone to read its positions",
                self.block.title,
                format_number(rate)
            );
            diagnostics
                .warning(
                    codes::table::POSES_AS_SIGNALS,
                    SourceLocation::line(self.block.line),
                    message,
                )
                .with("name", self.block.title)
                .with("rate_hz", rate);
        }
        let own: Vec<(usize, String)> = self
            .objects
            .iter()
            .flat_map(|(name, columns)| {
                columns.iter().map(move |column| (*column, self.signal_name(name, *column)))
            })
            .collect();
        let mut values: Vec<Vec<f32>> = vec![Vec::new(); own.len()];
        let (mut start, mut rows, mut length, mut skipped) = (None, 0, 0, 0);
        self.for_each_row(|_, row| {
            if row.iter().all(|value| value.trim().is_empty()) {
                return;
            }
            let number = |column: usize| {
                row.get(column).and_then(|value| self.cells.parse_number(value.trim()))
            };
            rows += 1;
            let time =
                number(0).map(|frame| (frame - 1.0) / frame_rate + number(1).unwrap_or(0.0) / rate);
            let index = time.map(|time| ((time - *start.get_or_insert(time)) * rate).round());
            // Missing samples become NaN.
            let is_near = |index: &f64| {
                *index >= length as f64 && *index <= (MAX_SAMPLES_PER_ROW * rows) as f64
            };
            let Some(index) = index.filter(is_near) else {
                skipped += 1;
                return;
            };
            for (values, (column, _)) in values.iter_mut().zip(&own) {
                values.resize(index as usize, f32::NAN);
                values.push(number(*column).map_or(f32::NAN, |number| number as f32));
            }
            length = index as usize + 1;
        });
        self.report_skipped(skipped, diagnostics);
        let Some(start) = start else { return };
        for ((_, name), values) in own.into_iter().zip(values) {
            let name = names.make_unique(name);
            table.series.push(Series { name, start, rate, values });
        }
    }
}

/// The rows of the table by their frame. If the table has only one block, rows are added in the
/// order of the file instead.
#[derive(Default)]
struct FrameRows {
    frames: Option<Vec<f64>>,
}

impl FrameRows {
    fn are_known(&self) -> bool {
        self.frames.is_some()
    }

    fn collect<'a>(&mut self, parts: impl Iterator<Item = &'a Part<'a>>) {
        let mut frames = Vec::new();
        for part in parts {
            part.for_each_row(|_, values| {
                frames.extend(values.first().and_then(|cell| part.cells.parse_number(cell.trim())));
            });
        }
        frames.retain(|frame| frame.is_finite());
        frames.sort_by(f64::total_cmp);
        frames.dedup();
        frames.truncate(u32::MAX as usize);
        self.frames = Some(frames);
    }

    fn find_row(
        &self,
        table: &mut Table,
        frame: &str,
        line: u32,
        cells: &CellReader<'_>,
    ) -> Option<usize> {
        let Some(frames) = &self.frames else {
            table.rows += 1;
            table.lines.push(line);
            return Some(table.rows - 1);
        };
        if table.rows == 0 {
            table.rows = frames.len();
            table.lines = vec![line; frames.len()];
            table.push_numbers(0, 0, frames);
        }
        let frame = cells.parse_number(frame)?;
        let row = frames.binary_search_by(|known| known.total_cmp(&frame)).ok()?;
        table.lines[row] = line;
        Some(row)
    }
}

/// Returns `true` if RX, RY and RZ can hardly be rotation vectors, but can be Euler angles about X,
/// Y and Z.
fn are_euler_angles(table: &Table) -> bool {
    /// Rotation vectors may be half a turn long, and somewhat longer if they are rounded.
    const MAX_VECTOR: f64 = PI + 0.01;
    const MAX_MIDDLE_ANGLE: f64 = FRAC_PI_2 + 0.01;
    let radians: HashMap<&str, f64> = table
        .declared
        .nodes
        .iter()
        .map(|node| (node.name.as_str(), node.radians_per_unit.unwrap_or(1.0)))
        .collect();
    let mut angles: HashMap<&str, [Option<usize>; 3]> = HashMap::new();
    for (column, role) in &table.declared.roles {
        if let Role::Property(node, property) = role
            && let Some(axis) = property.strip_prefix("rotation_vector.")
            && let Some(axis) = ["x", "y", "z"].iter().position(|own| *own == axis)
        {
            angles.entry(node).or_default()[axis] = Some(*column);
        }
    }
    let mut is_beyond_half_turn = false;
    for (node, columns) in angles {
        let [Some(x), Some(y), Some(z)] = columns else { continue };
        let radians = radians.get(node).copied().unwrap_or(1.0);
        for row in 0..table.rows {
            let vector = [x, y, z].map(|column| table.columns[column].number(row) * radians);
            if vector[1].abs() > MAX_MIDDLE_ANGLE {
                return false;
            }
            is_beyond_half_turn |= DVec3::from_array(vector).length() > MAX_VECTOR;
        }
    }
    is_beyond_half_turn
}

/// Reads the events, whose times are in seconds.
fn read_events(
    block: &Block<'_>,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<(f64, String)> {
    let dialect = detect_dialect(block.text, options);
    let cells = CellReader::new(options, dialect.has_decimal_comma);
    let mut header: Option<[Option<usize>; 3]> = None;
    let (mut events, mut unread) = (Vec::new(), Vec::new());
    for_each_row(block.text, block.line, dialect, |line, row| {
        let find = |word: &str| {
            row.iter().position(|cell| cell.trim().to_ascii_lowercase().starts_with(word))
        };
        let Some([context, name, time]) = header else {
            header = Some([find("context"), find("name"), find("time")]);
            return;
        };
        let cell = |column: Option<usize>| {
            column.and_then(|column| row.get(column)).map_or("", |cell| cell.trim())
        };
        match cells.parse_number(cell(time)) {
            Some(time) => {
                let name = format!("{} {}", cell(context), cell(name));
                events.push((time, name.trim().to_owned()));
            }
            None if row.iter().all(|cell| cell.trim().is_empty()) => {}
            None => unread.push((line, cell(name).to_owned())),
        }
    });
    if let Some((line, _)) = unread.first() {
        let names = quote_names(unread.iter().map(|(_, name)| name.as_str()));
        let message = format!("events without a time in seconds: {names}; skipped");
        diagnostics
            .warning(codes::table::EVENT_WITHOUT_TIME, SourceLocation::line(*line), message)
            .with("count", unread.len());
    }
    events.sort_by(|one, other| one.0.total_cmp(&other.0));
    events
}
