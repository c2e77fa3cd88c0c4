//! Recognises our own tables: CSV exports with their columns, parents and visibility, the output of
//! `sample`, and the tables of reports and indexes.

use std::collections::HashMap;

use mutoscope_core::clip::UniqueNames;

use crate::table::{Column, DeclaredNode, Role, Table};

const NODE_COLUMNS: [(&str, ColumnKind); 15] = [
    ("tx", ColumnKind::Property("position.x")),
    ("ty", ColumnKind::Property("position.y")),
    ("tz", ColumnKind::Property("position.z")),
    ("qx", ColumnKind::Property("rotation.x")),
    ("qy", ColumnKind::Property("rotation.y")),
    ("qz", ColumnKind::Property("rotation.z")),
    ("qw", ColumnKind::Property("rotation.w")),
    ("sx", ColumnKind::Property("scale.x")),
    ("sy", ColumnKind::Property("scale.y")),
    ("sz", ColumnKind::Property("scale.z")),
    ("world_x", ColumnKind::World),
    ("world_y", ColumnKind::World),
    ("world_z", ColumnKind::World),
    ("shown", ColumnKind::Property("tracked")),
    ("parent", ColumnKind::Parent),
];

#[derive(Clone, Copy, PartialEq)]
enum ColumnKind {
    Property(&'static str),
    /// A component of the world position, which follows from the local position and the parent.
    World,
    Parent,
}

struct Node {
    name: String,
    columns: [Option<usize>; NODE_COLUMNS.len()],
}

impl Node {
    fn column(&self, suffix: &str) -> Option<usize> {
        let at = NODE_COLUMNS.iter().position(|(known, _)| *known == suffix)?;
        self.columns[at]
    }

    fn vector_columns(&self, suffixes: [&str; 3]) -> Option<[usize; 3]> {
        let [x, y, z] = suffixes.map(|suffix| self.column(suffix));
        Some([x?, y?, z?])
    }
}

/// Returns `true` if the table is one that `report` or `index` wrote. Its rows are measures of
/// recordings, although some columns are called like those of a recording.
pub(crate) fn is_table_of_measures(table: &Table) -> bool {
    let has = |names: &[&str]| {
        names.iter().all(|name| table.columns.iter().any(|column| column.name == *name))
    };
    has(&["path", "animation"]) && (has(&["start_s", "end_s"]) || has(&["size", "reader"]))
}

/// Sets the roles of all columns if Mutoscope wrote the table. Leaves any other table unchanged.
///
/// An export has the column `time`, then `tx ty tz qx qy qz qw` and optional columns for each node.
pub(crate) fn assign_roles(table: &mut Table) {
    if let Some(wide) = widen_sample(table) {
        *table = wide;
        return;
    }
    if assign_sample_roles(table).is_some() {
        return;
    }
    let Some(nodes) = find_nodes(table) else { return };
    let mut roles: HashMap<usize, Role> = HashMap::from([(0, Role::Time)]);
    for node in &nodes {
        for ((_, kind), column) in NODE_COLUMNS.iter().zip(node.columns) {
            let Some(column) = column else { continue };
            let role = match kind {
                ColumnKind::Property(property) => Role::Property(node.name.clone(), property),
                ColumnKind::World => Role::Unused("follows from the position of the parent"),
                ColumnKind::Parent => Role::Unused("names the parent"),
            };
            roles.insert(column, role);
        }
    }
    let parents = find_parents(table, &nodes);
    table.declared.roles = roles;
    table.declared.is_own = true;
    let names = nodes.into_iter().map(|node| node.name);
    let declared = names.zip(parents);
    table.declared.nodes = declared.map(|(name, parent)| declare_node(name, parent)).collect();
}

fn declare_node(name: String, parent: Option<usize>) -> DeclaredNode {
    DeclaredNode { name, parent, ..DeclaredNode::default() }
}

/// The columns that `sample --format csv` writes before the signals.
const SAMPLE_COLUMNS: [&str; 22] = [
    "time", "index", "node", "parent", "shown", "x", "y", "z", "qx", "qy", "qz", "qw", "scale_x",
    "scale_y", "scale_z", "world_x", "world_y", "world_z", "world_qx", "world_qy", "world_qz",
    "world_qw",
];

/// The properties of the columns of a sample from `SAMPLE_COLUMNS[4]` to `scale_z`.
const SAMPLE_PROPERTIES: [&str; 11] = [
    "tracked",
    "position.x",
    "position.y",
    "position.z",
    "rotation.x",
    "rotation.y",
    "rotation.z",
    "rotation.w",
    "scale.x",
    "scale.y",
    "scale.z",
];

const SHOWN: usize = 4;

/// Returns a table with a row for each time if `table` is the output of `sample --format csv`, which
/// has a row for each time and node. The world pose is left out, because it follows from the poses
/// of the node and its parents.
fn widen_sample(table: &Table) -> Option<Table> {
    let names = table.columns.iter().map(|column| column.name.as_str());
    let is_sample = table.columns.len() >= SAMPLE_COLUMNS.len()
        && names.zip(SAMPLE_COLUMNS).all(|(name, own)| name == own);
    if !is_sample {
        return None;
    }
    let index_at = |row: usize| usize::try_from(table.columns[1].integer(row)?).ok();
    let mut nodes: Vec<Option<(String, Option<usize>)>> = Vec::new();
    let mut wide = Table::new(table.version);
    let mut row_of: Vec<usize> = Vec::with_capacity(table.rows);
    let mut last_time = f64::NAN;
    for row in 0..table.rows {
        let (time, index) = (table.columns[0].number(row), index_at(row)?);
        // Each node has a row at each time, so an index is always less than the count of rows.
        if time.is_nan() || index >= table.rows {
            return None;
        }
        if time != last_time {
            last_time = time;
            wide.rows += 1;
            wide.lines.extend(table.line(row));
        }
        row_of.push(wide.rows - 1);
        let parent = match table.columns[3].number(row) {
            parent if parent.is_nan() => None,
            _ => Some(usize::try_from(table.columns[3].integer(row)?).ok()?),
        };
        let node = (table.label(2, row).unwrap_or_default(), parent);
        if nodes.len() <= index {
            nodes.resize(index + 1, None);
        }
        match &nodes[index] {
            Some(known) if *known != node => return None,
            Some(_) => {}
            None => nodes[index] = Some(node),
        }
    }
    let nodes: Vec<(String, Option<usize>)> = nodes.into_iter().collect::<Option<_>>()?;
    let nodes = declare_sampled_nodes(nodes)?;
    wide.columns.push(Column::new("time"));
    let mut roles = HashMap::from([(0, Role::Time)]);
    for node in &nodes {
        for (suffix, property) in SAMPLE_COLUMNS[SHOWN..].iter().zip(SAMPLE_PROPERTIES) {
            roles.insert(wide.columns.len(), Role::Property(node.name.clone(), property));
            wide.columns.push(Column::new(format!("{}.{suffix}", node.name)));
        }
    }
    let first_signal = wide.columns.len();
    for signal in &table.columns[SAMPLE_COLUMNS.len()..] {
        wide.columns.push(Column::new(signal.name.clone()));
    }
    for (row, wide_row) in row_of.iter().copied().enumerate() {
        let is_first = row == 0 || row_of[row - 1] != wide_row;
        if is_first {
            wide.push_number(0, wide_row, table.columns[0].number(row));
            for column in SAMPLE_COLUMNS.len()..table.columns.len() {
                let to = first_signal + column - SAMPLE_COLUMNS.len();
                copy_cell(table, column, row, &mut wide, to, wide_row);
            }
        }
        let to = 1 + index_at(row)? * SAMPLE_PROPERTIES.len();
        for part in 0..SAMPLE_PROPERTIES.len() {
            copy_cell(table, SHOWN + part, row, &mut wide, to + part, wide_row);
        }
    }
    wide.make_column_names_unique();
    wide.declared.roles = roles;
    wide.declared.is_own = true;
    wide.declared.nodes = nodes;
    Some(wide)
}

fn copy_cell(
    from: &Table,
    column: usize,
    row: usize,
    to: &mut Table,
    to_column: usize,
    to_row: usize,
) {
    match from.text(column, row) {
        Some(text) => to.push_text(to_column, to_row, text),
        None => to.push_number(to_column, to_row, from.columns[column].number(row)),
    }
}

/// Returns the nodes with unique names. `None` if a parent is not in the list.
fn declare_sampled_nodes(nodes: Vec<(String, Option<usize>)>) -> Option<Vec<DeclaredNode>> {
    let count = nodes.len();
    let mut names = UniqueNames::default();
    let declare = |(name, parent): (String, Option<usize>)| {
        let is_listed = parent.is_none_or(|parent| parent < count);
        is_listed.then(|| declare_node(names.make_unique(name), parent))
    };
    nodes.into_iter().map(declare).collect()
}

/// Sets the roles of all columns if the table is the output of `sample`, which has a JSON object for
/// each time. Returns `None` if it is not.
fn assign_sample_roles(table: &mut Table) -> Option<()> {
    const PARTS: [(&str, Option<&str>); 20] = [
        ("name", None),
        ("parent", None),
        ("shown", Some("tracked")),
        ("translation.x", Some("position.x")),
        ("translation.y", Some("position.y")),
        ("translation.z", Some("position.z")),
        ("rotation.x", Some("rotation.x")),
        ("rotation.y", Some("rotation.y")),
        ("rotation.z", Some("rotation.z")),
        ("rotation.w", Some("rotation.w")),
        ("scale.x", Some("scale.x")),
        ("scale.y", Some("scale.y")),
        ("scale.z", Some("scale.z")),
        ("world.translation.x", None),
        ("world.translation.y", None),
        ("world.translation.z", None),
        ("world.rotation.x", None),
        ("world.rotation.y", None),
        ("world.rotation.z", None),
        ("world.rotation.w", None),
    ];
    /// The part that is missing for a node without a parent.
    const PARENT: usize = 1;
    if !matches!(table.version, "json" | "jsonl") || table.columns.first()?.name != "time" {
        return None;
    }
    let mut columns: Vec<[Option<usize>; PARTS.len()]> = Vec::new();
    for (index, column) in table.columns.iter().enumerate().skip(1) {
        if column.name.starts_with("signals.") {
            continue;
        }
        let (node, part) = column.name.strip_prefix("nodes.")?.split_once('.')?;
        let part = PARTS.iter().position(|(name, _)| *name == part)?;
        let node: usize = node.parse().ok()?;
        if node >= table.columns.len() {
            return None;
        }
        if columns.len() <= node {
            columns.resize(node + 1, [None; PARTS.len()]);
        }
        columns[node][part] = Some(index);
    }
    let mut nodes = Vec::new();
    for parts in &columns {
        if parts.iter().enumerate().any(|(part, column)| column.is_none() && part != PARENT) {
            return None;
        }
        let mut names = table.texts(parts[0]?);
        let name = names.next()?.1;
        let is_same = names.all(|(_, other)| other == name);
        let parent = match parts[PARENT].map(|column| table.columns[column].numbers().next()) {
            Some(Some((row, _))) => {
                Some(usize::try_from(table.columns[parts[PARENT]?].integer(row)?).ok()?)
            }
            _ => None,
        };
        nodes.push((is_same.then(|| name.to_owned())?, parent));
    }
    if nodes.is_empty() {
        return None;
    }
    let nodes = declare_sampled_nodes(nodes)?;
    let mut roles = HashMap::from([(0, Role::Time)]);
    for (parts, node) in columns.iter().zip(&nodes) {
        for ((part, property), column) in PARTS.iter().zip(parts) {
            let role = match (property, *part) {
                (Some(property), _) => Role::Property(node.name.clone(), property),
                (None, "name") => Role::Unused("names the node"),
                (None, "parent") => Role::Unused("names the parent"),
                (None, _) => Role::Unused("follows from the pose of the parent"),
            };
            roles.extend(column.map(|column| (column, role)));
        }
    }
    for column in &mut table.columns {
        if let Some(signal) = column.name.strip_prefix("signals.") {
            column.name = signal.to_owned();
        }
    }
    table.make_column_names_unique();
    table.declared.roles = roles;
    table.declared.is_own = true;
    table.declared.nodes = nodes;
    Some(())
}

fn find_nodes(table: &Table) -> Option<Vec<Node>> {
    let name = |column: usize| table.columns.get(column).map(|column| column.name.as_str());
    if name(0) != Some("time") {
        return None;
    }
    let mut nodes = Vec::new();
    let mut at = 1;
    while let Some(node) = name(at).and_then(|name| name.strip_suffix(".tx")) {
        let mut columns = [None; NODE_COLUMNS.len()];
        for ((suffix, _), slot) in NODE_COLUMNS.iter().zip(&mut columns) {
            let is_next = name(at).and_then(|name| name.strip_suffix(suffix)?.strip_suffix('.'))
                == Some(node);
            if is_next {
                *slot = Some(at);
                at += 1;
            }
        }
        if columns[..7].iter().any(Option::is_none) {
            return None;
        }
        nodes.push(Node { name: node.to_owned(), columns });
    }
    (!nodes.is_empty()).then_some(nodes)
}

/// Returns the parent of each node. If no column names the parent, tests which parent makes the
/// local positions give the world positions in every row.
fn find_parents(table: &Table, nodes: &[Node]) -> Vec<Option<usize>> {
    let index: HashMap<&str, usize> =
        nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect();
    let written = |node: &Node| {
        let column = node.column("parent")?;
        let (_, name) = table.texts(column).next()?;
        index.get(name).copied()
    };
    let mut parents: Vec<Option<usize>> = nodes.iter().map(written).collect();
    let is_child =
        |index: usize| nodes[index].vector_columns(["world_x", "world_y", "world_z"]).is_some();
    let open = |parents: &[Option<usize>]| -> Vec<usize> {
        (0..nodes.len()).filter(|node| is_child(*node) && parents[*node].is_none()).collect()
    };
    if open(&parents).is_empty() {
        return parents;
    }
    // Start at the roots. Testing a parent needs its world rotation, which is known only after the
    // parent's own parent is known.
    let mut finder = ParentFinder { table, nodes, world_rotations: HashMap::new() };
    loop {
        let unknown = open(&parents);
        let known: Vec<usize> = (0..nodes.len()).filter(|node| !unknown.contains(node)).collect();
        let mut any = false;
        for node in unknown {
            let fits =
                known.iter().copied().find(|parent| finder.is_child_of(node, *parent, &parents));
            any |= fits.is_some();
            parents[node] = fits;
        }
        if !any {
            return parents;
        }
    }
}

struct ParentFinder<'a> {
    table: &'a Table,
    nodes: &'a [Node],
    world_rotations: HashMap<(usize, usize), glam::DQuat>,
}

const MAX_COMPARED_ROWS: usize = 256;

impl ParentFinder<'_> {
    fn read_vector(&self, columns: [usize; 3], row: usize) -> glam::DVec3 {
        glam::DVec3::from_array(columns.map(|column| self.table.columns[column].number(row)))
    }

    fn local_rotation(&self, node: usize, row: usize) -> glam::DQuat {
        let columns = ["qx", "qy", "qz", "qw"].map(|suffix| self.nodes[node].column(suffix));
        let [x, y, z, w] = columns
            .map(|column| column.map_or(f64::NAN, |column| self.table.columns[column].number(row)));
        glam::DQuat::from_xyzw(x, y, z, w)
    }

    fn world_rotation(
        &mut self,
        node: usize,
        row: usize,
        parents: &[Option<usize>],
    ) -> glam::DQuat {
        if let Some(known) = self.world_rotations.get(&(node, row)) {
            return *known;
        }
        let mut rotation = self.local_rotation(node, row);
        let (mut next, mut steps) = (parents[node], 0);
        while let Some(parent) = next.filter(|_| steps < self.nodes.len()) {
            rotation = self.local_rotation(parent, row) * rotation;
            next = parents[parent];
            steps += 1;
        }
        self.world_rotations.insert((node, row), rotation);
        rotation
    }

    fn world_position(&self, node: usize, row: usize) -> glam::DVec3 {
        let columns = self.nodes[node]
            .vector_columns(["world_x", "world_y", "world_z"])
            .or(self.nodes[node].vector_columns(["tx", "ty", "tz"]));
        columns.map_or(glam::DVec3::NAN, |columns| self.read_vector(columns, row))
    }

    fn is_child_of(&mut self, node: usize, parent: usize, parents: &[Option<usize>]) -> bool {
        let Some(local) = self.nodes[node].vector_columns(["tx", "ty", "tz"]) else { return false };
        let scale = self.nodes[parent].vector_columns(["sx", "sy", "sz"]);
        let step = self.table.rows.div_ceil(MAX_COMPARED_ROWS).max(1);
        let mut any = false;
        for row in (0..self.table.rows).step_by(step) {
            let (world, of_parent) =
                (self.world_position(node, row), self.world_position(parent, row));
            if !world.is_finite() || !of_parent.is_finite() {
                continue;
            }
            let scale = scale.map_or(glam::DVec3::ONE, |columns| self.read_vector(columns, row));
            let local = self.read_vector(local, row) * scale;
            let turned = self.world_rotation(parent, row, parents) * local;
            let tolerance = 1e-6 * (1.0 + world.length());
            if !(of_parent + turned).abs_diff_eq(world, tolerance) {
                return false;
            }
            any = true;
        }
        any
    }
}
