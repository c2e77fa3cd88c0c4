//! Reads the CSV files of OptiTrack Motive.
//!
//! The first row has pairs of a key and a value. Below, each column has a type, a name, an id, in
//! newer versions a parent, a quantity and an axis. Files without the words `Type`, `Name` and `ID`
//! in the second column have these rows in the same order.

use std::collections::{HashMap, HashSet};

use mutoscope_core::diagnostics::{Diagnostics, Error, SourceLocation, format_count};

use super::{
    capture::{
        CaptureNode, HeaderRows, SurplusCells, add_column, component_property, declare_nodes,
        detect_dialect,
    },
    cells::CellReader,
    rows::for_each_row,
};
use crate::{
    codes,
    mapping::TableOptions,
    names::parse_length_unit,
    table::{Declared, Role, Table, quote_names},
};

pub(super) fn is_motive(start: &str) -> bool {
    let rest = start.trim_start_matches('"').strip_prefix("Format Version");
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

pub(super) fn read(
    text: &str,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let dialect = detect_dialect(text, options);
    let header = HeaderRows::read(text, dialect).ok_or_else(|| {
        let expected = "a header row that begins with Frame";
        Error::malformed(SourceLocation::line(1), expected, "none")
    })?;
    let mut table = Table::new("motive");
    let header = Header::new(header);
    header.declare(&mut table, diagnostics);
    let cells = CellReader::new(options, dialect.has_decimal_comma);
    let width = table.columns.len();
    let mut surplus = SurplusCells::default();
    let rows = &header.rows;
    for_each_row(&text[rows.end..], rows.line, dialect, |line, values| {
        let is_empty = values.iter().all(|value| value.trim().is_empty());
        if !is_empty && table.rows < u32::MAX as usize {
            let row = table.rows;
            surplus.add_row(&mut table, &cells, row, (0..width).map(Some), values);
            table.rows += 1;
            table.lines.push(line);
        }
    });
    surplus.report(rows.line, diagnostics);
    Ok(table)
}

struct Header {
    rows: HeaderRows,
    types: Option<usize>,
    names: Option<usize>,
    ids: Option<usize>,
    parents: Option<usize>,
    quantities: usize,
}

/// The columns of one bone, rigid body or marker.
struct Object<'a> {
    kind: &'a str,
    name: &'a str,
    parent: &'a str,
    columns: Vec<usize>,
}

impl Object<'_> {
    fn is_marker(&self) -> bool {
        self.kind.ends_with("Marker")
    }

    /// Returns the rank of the object among others of the same name. The object with the smallest
    /// rank keeps the name.
    fn name_rank(&self) -> usize {
        match self.kind {
            "Marker" => 1,
            _ if self.is_marker() => 2,
            _ => 0,
        }
    }
}

impl Header {
    fn new(rows: HeaderRows) -> Self {
        let frame = rows.frame_row();
        let titled = |title: &str| {
            (1..frame).find(|row| {
                (0..2).any(|column| rows.cell(*row, column).eq_ignore_ascii_case(title))
            })
        };
        let quantities = frame.saturating_sub(1);
        let filled: Vec<usize> = (1..quantities)
            .filter(|row| rows.rows[*row].iter().skip(2).any(|cell| !cell.is_empty()))
            .collect();
        let untitled = |index: usize| filled.get(index).copied();
        let (types, names, ids) = match titled("Name") {
            Some(names) => (titled("Type"), Some(names), titled("ID")),
            None => (untitled(0), untitled(1), untitled(2)),
        };
        Self { parents: titled("Parent"), types, names, ids, quantities, rows }
    }

    fn cell_of(&self, row: Option<usize>, column: usize) -> &str {
        row.map_or("", |row| self.rows.cell(row, column))
    }

    fn first_row_value(&self, key: &str) -> Option<&str> {
        let first = self.rows.rows.first()?;
        let at = first.iter().position(|cell| cell.eq_ignore_ascii_case(key))?;
        first.get(at + 1).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn declare(&self, table: &mut Table, diagnostics: &mut Diagnostics) {
        let number = |key: &str| self.first_row_value(key)?.parse().ok();
        let unit = self.first_row_value("Length Units");
        table.declared = Declared {
            metres_per_unit: unit.and_then(parse_length_unit),
            rate_hz: number("Export Frame Rate").or_else(|| number("Capture Frame Rate")),
            name: self.first_row_value("Take Name").unwrap_or_default().to_owned(),
            euler: self.first_row_value("Rotation Type").map(str::to_ascii_uppercase),
            ..Declared::default()
        };
        if let Some(unit) = unit.filter(|_| table.declared.metres_per_unit.is_none()) {
            let message =
                format!("the Length Units {unit:?} are not a known unit of length; ignored");
            diagnostics
                .warning(codes::table::UNKNOWN_UNIT, SourceLocation::line(1), message)
                .with("found", unit);
        }
        let frame = self.rows.frame_row();
        let has_time = self.rows.cell(frame, 1).to_ascii_lowercase().starts_with("time");
        let frame_role = if has_time {
            Role::Unused("the number of the frame")
        } else {
            Role::Frame { first: 0 }
        };
        add_column(table, self.rows.cell(frame, 0), Some(frame_role));
        if has_time {
            add_column(table, self.rows.cell(frame, 1), Some(Role::Time));
        }
        let objects = self.find_objects(table.columns.len());
        let names = unique_types(&objects);
        let mut columns: Vec<(usize, String)> = Vec::new();
        for (object, name) in objects.iter().zip(&names) {
            for column in &object.columns {
                let (quantity, axis) = (self.quantity(*column), self.rows.cell(frame, *column));
                let dot = if axis.is_empty() { "" } else { "." };
                columns.push((*column, format!("{name}.{quantity}{dot}{axis}")));
            }
        }
        columns.sort_unstable();
        for (_, name) in columns {
            add_column(table, name, None);
        }
        let mut nodes: Vec<CaptureNode> =
            objects.iter().zip(names).map(|(object, name)| self.node(object, name)).collect();
        self.link_bones(&objects, &mut nodes, diagnostics);
        declare_nodes(table, nodes);
    }

    fn quantity(&self, column: usize) -> &str {
        self.rows.cell(self.quantities, column)
    }

    fn find_objects(&self, first_column: usize) -> Vec<Object<'_>> {
        let frame = self.rows.frame_row();
        // Spreadsheets fill all rows up to the same column, so the last columns may have no name.
        let last = |row: &Vec<String>| row.iter().rposition(|cell| !cell.is_empty());
        let width = self.rows.rows[1..].iter().filter_map(last).max().map_or(0, |last| last + 1);
        let mut objects: Vec<Object<'_>> = Vec::new();
        let mut latest = HashMap::new();
        let mut labels = HashSet::new();
        for column in first_column..width {
            let [kind, name, id, parent] = [self.types, self.names, self.ids, self.parents]
                .map(|row| self.cell_of(row, column));
            let key = (kind, name, id);
            let label = (self.quantity(column), self.rows.cell(frame, column));
            // A label that the object already has begins another object of the same name.
            let known =
                latest.get(&key).copied().filter(|index| !labels.contains(&(*index, label)));
            let index = known.unwrap_or_else(|| {
                objects.push(Object { kind, name, parent, columns: Vec::new() });
                objects.len() - 1
            });
            latest.insert(key, index);
            labels.insert((index, label));
            objects[index].columns.push(column);
        }
        objects
    }

    fn node(&self, object: &Object<'_>, name: String) -> CaptureNode {
        let frame = self.rows.frame_row();
        let axis = |column: usize| self.rows.cell(frame, column);
        let has_w = object.columns.iter().any(|column| {
            self.quantity(*column) == "Rotation" && axis(*column).eq_ignore_ascii_case("w")
        });
        let mut node = CaptureNode::named(name);
        // Motive exports Euler angles in degrees.
        node.declared.radians_per_unit = Some(1f64.to_radians());
        for column in &object.columns {
            let quantity = match self.quantity(*column) {
                "Position" => "position",
                "Rotation" if has_w => "rotation",
                "Rotation" => "euler",
                _ => continue,
            };
            node.columns
                .extend(component_property(quantity, axis(*column)).map(|it| (*column, it)));
        }
        node
    }

    /// Sets the bones between the bones of a skeleton. In the coordinate space `Local`, the pose of
    /// a bone is relative to its parent, so a bone whose parent is not in the file is not a node.
    fn link_bones(
        &self,
        objects: &[Object<'_>],
        nodes: &mut [CaptureNode],
        diagnostics: &mut Diagnostics,
    ) {
        let space = self.first_row_value("Coordinate Space").unwrap_or_default();
        let is_local = space.eq_ignore_ascii_case("Local");
        let by_name: HashMap<&str, usize> = objects
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, object)| !object.is_marker())
            .map(|(index, object)| (object.name, index))
            .collect();
        let mut lost = Vec::new();
        for (index, object) in objects.iter().enumerate().filter(|(_, it)| !it.is_marker()) {
            let (parent, is_root) = match self.parents {
                Some(_) => {
                    let is_root = object.parent.is_empty()
                        || object.parent.eq_ignore_ascii_case("Root")
                        || object.parent == object.name;
                    (by_name.get(object.parent).copied(), is_root)
                }
                None if object.kind == "Bone" => find_parent_bone(object.name, &by_name),
                None => (None, true),
            };
            match parent.filter(|_| !is_root) {
                Some(parent) if is_local => nodes[index].declared.parent = Some(parent),
                Some(parent) => nodes[index].declared.bone_from = Some(parent),
                None if is_local && !is_root => {
                    nodes[index].columns.clear();
                    lost.push(object.name);
                }
                None => {}
            }
        }
        if !lost.is_empty() {
            let names = quote_names(lost.iter().copied());
            let message = format!(
                "the poses of {} are relative to parents that the file does not contain: {names}; \
                 used as signals. Export with the coordinate space Global",
                format_count(lost.len(), "bone")
            );
            diagnostics
                .warning(codes::table::POSES_AS_SIGNALS, SourceLocation::line(1), message)
                .with("count", lost.len());
        }
        if is_local && objects.iter().any(|object| object.is_marker()) {
            let message = "assumed that markers are in the world although the coordinate space is \
                           Local, as Motive documents it for bones only";
            diagnostics.info(codes::table::ASSUMED, SourceLocation::line(1), message);
        }
    }
}

/// Returns the name of each object. If objects of several types have the same name, all but one of
/// them get their type in parentheses.
fn unique_types(objects: &[Object<'_>]) -> Vec<String> {
    let mut ranks: HashMap<&str, usize> = HashMap::new();
    for object in objects {
        let rank = ranks.entry(object.name).or_insert(usize::MAX);
        *rank = (*rank).min(object.name_rank());
    }
    let name = |(index, object): (usize, &Object<'_>)| match object.name {
        "" => format!("object {}", index + 1),
        name if object.name_rank() == ranks[name] => name.to_owned(),
        name => format!("{name} ({})", object.kind),
    };
    objects.iter().enumerate().map(name).collect()
}

/// Returns the index of the parent of a bone in Motive's own skeletons, and `true` if the bone is
/// the root. Files before version 1.25 do not list parents.
fn find_parent_bone(name: &str, by_name: &HashMap<&str, usize>) -> (Option<usize>, bool) {
    /// The parents of bones, as the files of version 1.25 list them. The names of the bones of an
    /// arm and a leg begin with `L` or `R`.
    const PARENTS: [(&str, &str); 12] = [
        ("Ab", "Hip"),
        ("Chest", "Ab"),
        ("Neck", "Chest"),
        ("Head", "Neck"),
        ("Shoulder", "Chest"),
        ("UArm", "Shoulder"),
        ("FArm", "UArm"),
        ("Hand", "FArm"),
        ("Thigh", "Hip"),
        ("Shin", "Thigh"),
        ("Foot", "Shin"),
        ("Toe", "Foot"),
    ];
    let (skeleton, bone) = name.split_once(':').unwrap_or(("", name));
    // Motive calls the hip like the skeleton, or Hip.
    if bone == skeleton || bone == "Hip" {
        return (None, true);
    }
    let find = |bone: &str| {
        let named = |bone: &str| match skeleton.is_empty() {
            true => by_name.get(bone).copied(),
            false => by_name.get(format!("{skeleton}:{bone}").as_str()).copied(),
        };
        named(bone).or_else(|| named(skeleton).filter(|_| bone == "Hip"))
    };
    let (side, part) = match bone.split_at_checked(1) {
        Some((side @ ("L" | "R"), part)) => (side, part),
        _ => ("", bone),
    };
    let parent_of = |part: &str| PARENTS.iter().find(|(own, _)| *own == part).map(|(_, it)| *it);
    if let Some(parent) = parent_of(part) {
        return (find(&format!("{side}{parent}")).or_else(|| find(parent)), false);
    }
    let finger = part.trim_end_matches(|last: char| last.is_ascii_digit());
    let parent = match part[finger.len()..].parse::<u32>() {
        Ok(1) => find(&format!("{side}Hand")),
        Ok(number) if number > 1 => find(&format!("{side}{finger}{}", number - 1)),
        _ => None,
    };
    (parent, false)
}
