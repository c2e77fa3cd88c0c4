//! Recognises our own CSV exports, with their columns, parents and visibility, and the tables of
//! reports and indexes.

use std::collections::HashMap;

use crate::table::{DeclaredNode, Role, Table};

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

/// Sets the roles of all columns if the table is one of our exports: `time`, then `tx ty tz qx qy
/// qz qw` and optional columns for each node. Leaves any other table unchanged.
pub(crate) fn assign_roles(table: &mut Table) {
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
