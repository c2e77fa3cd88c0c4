//! The plan of a recording: which columns of a table are its time, nodes, signals and events.

mod mapped;
mod recognised;
mod time_column;

use mutoscope_core::diagnostics::{Error, SourceLocation};

use crate::{
    mapping::{Mapping, ThreeAngles, TimeUnit},
    names::{NodeName, Numbering},
    table::{Role, Table},
};

/// The roles of the columns of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) time: Option<usize>,
    /// The unit of times that the name or the type of the column states.
    pub(crate) time_unit: Option<TimeUnit>,
    /// The column with the nodes of the rows, if each row is of one node.
    pub(crate) node: Option<usize>,
    /// The column with the sides of the rows.
    pub(crate) side: Option<usize>,
    pub(crate) numbering: Option<Numbering>,
    pub(crate) nodes: Vec<NodePlan>,
    /// The names of signals, with their columns.
    pub(crate) signals: Vec<(String, usize)>,
    pub(crate) event: Option<usize>,
    /// Columns that are not used, with the reasons.
    pub(crate) ignored: Vec<(usize, String)>,
    /// Columns that fit where another was taken, with what they fit.
    pub(crate) alternatives: Vec<Alternative>,
}

/// Columns that fit where another was taken.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    /// Their possible meaning.
    pub(crate) what: &'static str,
    pub(crate) taken: usize,
    pub(crate) others: Vec<usize>,
    /// The key of the mapping file that chooses.
    pub(crate) key: &'static str,
}

/// The columns of a node, or, in a long table, of the nodes of all rows.
#[derive(Clone, Debug)]
pub(crate) struct NodePlan {
    pub(crate) name: NodeName,
    /// Whether it is the point that a ray hits.
    pub(crate) is_hit: bool,
    pub(crate) parent: Option<String>,
    pub(crate) position: Option<[usize; 3]>,
    /// The metres of the unit of the position, if its columns state one.
    pub(crate) metres: Option<f64>,
    pub(crate) rotation: Option<[usize; 4]>,
    pub(crate) euler: Option<[usize; 3]>,
    /// The columns of a rotation vector.
    pub(crate) rotation_vector: Option<[usize; 3]>,
    pub(crate) scale: Option<[usize; 3]>,
    pub(crate) direction: Option<[usize; 3]>,
    /// The columns of yaw and pitch.
    pub(crate) angles: Option<[usize; 2]>,
    /// The radians of the unit of its angles, if their columns state one.
    pub(crate) radians: Option<f64>,
    /// Columns that say whether its pose is valid, and whether only a negative number says that it is
    /// not.
    pub(crate) flags: Vec<(usize, bool)>,
    pub(crate) radius: Option<usize>,
    /// The frame of reference that its columns name.
    pub(crate) frame: Option<String>,
}

impl NodePlan {
    fn new(name: NodeName) -> Self {
        Self {
            name,
            is_hit: false,
            parent: None,
            position: None,
            metres: None,
            rotation: None,
            euler: None,
            rotation_vector: None,
            scale: None,
            direction: None,
            angles: None,
            radians: None,
            flags: Vec::new(),
            radius: None,
            frame: None,
        }
    }

    /// Whether it has a pose.
    pub(crate) fn has_pose(&self) -> bool {
        self.position.is_some()
            || self.rotation.is_some()
            || self.euler.is_some()
            || self.rotation_vector.is_some()
            || self.direction.is_some()
            || self.angles.is_some()
    }

    /// Its columns with components, each with its property.
    pub(crate) fn components(&self) -> Vec<(usize, String)> {
        const AXES: [&str; 4] = ["x", "y", "z", "w"];
        let mut all = Vec::new();
        let mut add = |columns: &[usize], quantity: &str| {
            let named = columns.iter().zip(AXES);
            all.extend(named.map(|(column, axis)| (*column, format!("{quantity}.{axis}"))));
        };
        add(self.position.as_ref().map_or(&[], |it| &it[..]), "position");
        add(self.rotation.as_ref().map_or(&[], |it| &it[..]), "rotation");
        add(self.euler.as_ref().map_or(&[], |it| &it[..]), "euler");
        add(self.rotation_vector.as_ref().map_or(&[], |it| &it[..]), "rotation_vector");
        add(self.scale.as_ref().map_or(&[], |it| &it[..]), "scale");
        add(self.direction.as_ref().map_or(&[], |it| &it[..]), "direction");
        if let Some([yaw, pitch]) = self.angles {
            all.extend([(yaw, "yaw".to_owned()), (pitch, "pitch".to_owned())]);
        }
        all
    }

    /// The first column of its pose.
    pub(crate) fn first_column(&self) -> Option<usize> {
        self.components().iter().map(|(column, _)| *column).min()
    }

    /// Its name on a side of the body.
    pub(crate) fn text(&self, side: Option<bool>) -> String {
        let name = self.name.text(side);
        if self.is_hit { format!("{name}/hit") } else { name }
    }
}

impl Plan {
    /// The plan of a table by a mapping, or, where that is silent, by the names of the columns.
    ///
    /// # Errors
    /// If there is no time, or no pose, or if the mapping names a column that the table lacks.
    pub(crate) fn of(table: &Table, mapping: &Mapping) -> Result<Self, Error> {
        let (time, others) = time_column::find(table, mapping)?;
        let mut plan = Self { time, ..Self::default() };
        if let Some(taken) = time {
            plan.alternative("the time", taken, others, "[time] column");
        }
        plan.time_unit = plan.time.and_then(|column| time_column::unit(table, column));
        match &mapping.nodes {
            Some(nodes) => mapped::nodes(&mut plan, table, mapping, nodes)?,
            None if !table.declared.roles.is_empty() => plan.by_roles(table),
            None => recognised::nodes(&mut plan, table, mapping)?,
        }
        if mapping.space.euler == Some(ThreeAngles::Vector) {
            for node in &mut plan.nodes {
                node.rotation_vector = node.rotation_vector.or(node.euler.take());
            }
        }
        mapped::signals_and_events(&mut plan, table, mapping)?;
        if plan.time.is_none() {
            return Err(missing("no time column", table));
        }
        if !plan.nodes.iter().any(NodePlan::has_pose) {
            return Err(missing("no position: x, y and z of one name", table));
        }
        plan.ignored.sort_unstable();
        Ok(plan)
    }

    /// The plan of a format that gives the roles of its columns.
    fn by_roles(&mut self, table: &Table) {
        let mut parts: Vec<(NodePlan, Vec<(usize, &'static str)>)> = Vec::new();
        let mut known = std::collections::HashMap::new();
        for column in 0..table.columns.len() {
            match table.declared.roles.get(&column) {
                Some(Role::Time) => {}
                Some(Role::Unused(why)) => self.ignored.push((column, (*why).to_owned())),
                Some(Role::Property(node, property)) => {
                    let index = *known.entry(node.clone()).or_insert_with(|| {
                        let plan = NodePlan::new(NodeName::Own(node.clone()));
                        parts.push((plan, Vec::new()));
                        parts.len() - 1
                    });
                    parts[index].1.push((column, property));
                }
                None => self.signal(table, column),
            }
        }
        for (mut node, columns) in parts {
            let of = |property: &str| {
                columns.iter().find(|(_, own)| *own == property).map(|(column, _)| *column)
            };
            let three = |x: &str, y: &str, z: &str| Some([of(x)?, of(y)?, of(z)?]);
            node.position = three("position.x", "position.y", "position.z");
            node.euler = three("euler.x", "euler.y", "euler.z");
            node.scale = three("scale.x", "scale.y", "scale.z");
            node.rotation = three("rotation.x", "rotation.y", "rotation.z")
                .and_then(|[x, y, z]| Some([x, y, z, of("rotation.w")?]));
            node.flags.extend(of("tracked").map(|column| (column, false)));
            node.metres = table.declared.metres_per_unit;
            self.keep(table, node, &columns);
        }
    }

    /// Keeps a node with what it has values of; its other columns are not used.
    fn keep<P>(&mut self, table: &Table, mut node: NodePlan, columns: &[(usize, P)]) {
        drop_empty(table, &mut node);
        let used: Vec<usize> = node.components().iter().map(|(column, _)| *column).collect();
        let is_lacking =
            |column: &usize| !used.contains(column) && !node.flags.iter().any(|it| it.0 == *column);
        for column in columns.iter().map(|(column, _)| *column).filter(is_lacking) {
            let why = match table.columns[column].is_empty() {
                true => "without values".to_owned(),
                false => "x, y and z of it are not complete".to_owned(),
            };
            self.ignored.push((column, why));
        }
        if node.has_pose() {
            self.nodes.push(node);
        }
    }

    /// Notes that other columns fit where one was taken.
    fn alternative(
        &mut self,
        what: &'static str,
        taken: usize,
        others: Vec<usize>,
        key: &'static str,
    ) {
        if !others.is_empty() {
            self.alternatives.push(Alternative { what, taken, others, key });
        }
    }

    /// Uses a column as a signal, if it has values.
    fn signal(&mut self, table: &Table, column: usize) {
        match table.columns[column].is_empty() {
            true => self.ignored.push((column, "without values".to_owned())),
            false => self.signals.push((table.columns[column].name.clone(), column)),
        }
    }
}

/// Drops the properties of a node one of whose columns has no numbers.
fn drop_empty(table: &Table, node: &mut NodePlan) {
    let has = |columns: &[usize]| columns.iter().all(|it| table.columns[*it].has_numbers());
    node.position = node.position.filter(|columns| has(columns));
    node.rotation = node.rotation.filter(|columns| has(columns));
    node.euler = node.euler.filter(|columns| has(columns));
    node.rotation_vector = node.rotation_vector.filter(|columns| has(columns));
    node.scale = node.scale.filter(|columns| has(columns));
    node.direction = node.direction.filter(|columns| has(columns));
    node.angles = node.angles.filter(|columns| has(columns));
}

/// The error for a table that lacks something, with the columns that it has.
fn missing(what: &str, table: &Table) -> Error {
    const LISTED: usize = 12;
    let names = table.columns.iter().map(|column| format!("{:?}", column.name));
    let mut names: Vec<_> = names.take(LISTED).collect();
    if table.columns.len() > LISTED {
        names.push(format!("{} more", table.columns.len() - LISTED));
    }
    let message = format!(
        "{what}; found the columns {}. A mapping file names them: --columns",
        names.join(", ")
    );
    Error::unsupported(SourceLocation::File, message)
}
