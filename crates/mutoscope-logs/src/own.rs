//! Our own tables in CSV, read back: columns, parents, visibility.

use std::collections::HashMap;

use crate::table::{Role, Table};

/// The columns of a node, in the order in which they are written.
const COLUMNS: [(&str, Column); 15] = [
    ("tx", Column::Property("position.x")),
    ("ty", Column::Property("position.y")),
    ("tz", Column::Property("position.z")),
    ("qx", Column::Property("rotation.x")),
    ("qy", Column::Property("rotation.y")),
    ("qz", Column::Property("rotation.z")),
    ("qw", Column::Property("rotation.w")),
    ("sx", Column::Property("scale.x")),
    ("sy", Column::Property("scale.y")),
    ("sz", Column::Property("scale.z")),
    ("world_x", Column::World),
    ("world_y", Column::World),
    ("world_z", Column::World),
    ("shown", Column::Property("tracked")),
    ("parent", Column::Parent),
];

#[derive(Clone, Copy, PartialEq)]
enum Column {
    Property(&'static str),
    /// The position in the world, which follows from the parent's.
    World,
    /// The name of the parent.
    Parent,
}

/// A node of the table.
struct Node {
    name: String,
    /// Its columns by suffix, as in [`COLUMNS`].
    columns: [Option<usize>; COLUMNS.len()],
}

impl Node {
    fn column(&self, suffix: &str) -> Option<usize> {
        let at = COLUMNS.iter().position(|(known, _)| *known == suffix)?;
        self.columns[at]
    }

    fn three(&self, suffixes: [&str; 3]) -> Option<[usize; 3]> {
        let [x, y, z] = suffixes.map(|suffix| self.column(suffix));
        Some([x?, y?, z?])
    }
}

/// Gives the columns of one of our own exports their roles: `time`, then for each node `tx ty tz qx qy
/// qz qw` and what follows; nothing of any other table.
pub(crate) fn recognise(table: &mut Table) {
    let Some(nodes) = nodes(table) else { return };
    let mut roles: HashMap<usize, Role> = HashMap::from([(0, Role::Time)]);
    for node in &nodes {
        for ((_, kind), column) in COLUMNS.iter().zip(node.columns) {
            let Some(column) = column else { continue };
            let role = match kind {
                Column::Property(property) => Role::Property(node.name.clone(), property),
                Column::World => Role::Unused("follows from the position of the parent"),
                Column::Parent => Role::Unused("names the parent"),
            };
            roles.insert(column, role);
        }
    }
    let parents = parents(table, &nodes);
    table.declared.roles = roles;
    table.declared.is_own = true;
    let names = nodes.into_iter().map(|node| node.name);
    table.declared.nodes = Some(names.zip(parents).collect());
}

/// The nodes of a table of ours, in order.
fn nodes(table: &Table) -> Option<Vec<Node>> {
    let name = |column: usize| table.columns.get(column).map(|column| column.name.as_str());
    if name(0) != Some("time") {
        return None;
    }
    let mut nodes = Vec::new();
    let mut at = 1;
    while let Some(node) = name(at).and_then(|name| name.strip_suffix(".tx")) {
        let mut columns = [None; COLUMNS.len()];
        for ((suffix, _), slot) in COLUMNS.iter().zip(&mut columns) {
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

/// The parent of each node: as written, or else the one under which its position gives that in the
/// world in every row.
fn parents(table: &Table, nodes: &[Node]) -> Vec<Option<usize>> {
    let index: HashMap<&str, usize> =
        nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect();
    let written = |node: &Node| {
        let column = node.column("parent")?;
        let (_, name) = table.texts(column).next()?;
        index.get(name).copied()
    };
    let mut parents: Vec<Option<usize>> = nodes.iter().map(written).collect();
    let is_child = |index: usize| nodes[index].three(["world_x", "world_y", "world_z"]).is_some();
    let open = |parents: &[Option<usize>]| -> Vec<usize> {
        (0..nodes.len()).filter(|node| is_child(*node) && parents[*node].is_none()).collect()
    };
    if open(&parents).is_empty() {
        return parents;
    }
    // From the roots on: a parent has to be known to say where its children are.
    let mut finder = Finder { table, nodes, worlds: HashMap::new() };
    loop {
        let unknown = open(&parents);
        let known: Vec<usize> = (0..nodes.len()).filter(|node| !unknown.contains(node)).collect();
        let mut any = false;
        for node in unknown {
            let fits = known.iter().copied().find(|parent| finder.fits(node, *parent, &parents));
            any |= fits.is_some();
            parents[node] = fits;
        }
        if !any {
            return parents;
        }
    }
}

/// Compares positions in the world.
struct Finder<'a> {
    table: &'a Table,
    nodes: &'a [Node],
    /// World rotations of nodes at the rows that are looked at.
    worlds: HashMap<(usize, usize), glam::DQuat>,
}

/// The rows that are looked at, spread over the table.
const ROWS: usize = 256;

impl Finder<'_> {
    fn vector(&self, columns: [usize; 3], row: usize) -> glam::DVec3 {
        glam::DVec3::from_array(columns.map(|column| self.table.columns[column].number(row)))
    }

    fn own_rotation(&self, node: usize, row: usize) -> glam::DQuat {
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
        if let Some(known) = self.worlds.get(&(node, row)) {
            return *known;
        }
        let mut rotation = self.own_rotation(node, row);
        let (mut next, mut steps) = (parents[node], 0);
        while let Some(parent) = next.filter(|_| steps < self.nodes.len()) {
            rotation = self.own_rotation(parent, row) * rotation;
            next = parents[parent];
            steps += 1;
        }
        self.worlds.insert((node, row), rotation);
        rotation
    }

    fn world_position(&self, node: usize, row: usize) -> glam::DVec3 {
        let columns = self.nodes[node]
            .three(["world_x", "world_y", "world_z"])
            .or(self.nodes[node].three(["tx", "ty", "tz"]));
        columns.map_or(glam::DVec3::NAN, |columns| self.vector(columns, row))
    }

    /// Whether `node` is where it is in the world if it is a child of `parent`.
    fn fits(&mut self, node: usize, parent: usize, parents: &[Option<usize>]) -> bool {
        let Some(local) = self.nodes[node].three(["tx", "ty", "tz"]) else { return false };
        let scale = self.nodes[parent].three(["sx", "sy", "sz"]);
        let step = self.table.rows.div_ceil(ROWS).max(1);
        let mut any = false;
        for row in (0..self.table.rows).step_by(step) {
            let (world, of_parent) =
                (self.world_position(node, row), self.world_position(parent, row));
            if !world.is_finite() || !of_parent.is_finite() {
                continue;
            }
            let scale = scale.map_or(glam::DVec3::ONE, |columns| self.vector(columns, row));
            let local = self.vector(local, row) * scale;
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
