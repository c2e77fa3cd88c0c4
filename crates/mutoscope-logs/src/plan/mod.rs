//! Decides which columns of a table are the time, nodes, signals and events.

mod confirm;
mod mapped;
mod people;
mod recognised;
mod time_column;

use std::collections::{BTreeMap, HashMap, HashSet};

use mutoscope_core::{
    clip::{AssumedFact, SourceAxes},
    diagnostics::{Code, Error, SourceLocation},
};

use crate::{
    mapping::{FlagRule, Mapping, ThreeAngles, TimeUnit},
    names::NodeName,
    numbering::Numbering,
    own,
    table::{DeclaredNode, Role, Table, quote_names},
};
use mapped::ColumnFinder;
use time_column::TimeColumns;

#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) time: Option<usize>,
    /// The second column of the time: the part of a second, or the time of day.
    pub(crate) finer_time: Option<usize>,
    pub(crate) time_unit: Option<TimeUnit>,
    /// A unit that the time column's name states and that is not known.
    pub(crate) unknown_time_unit: Option<String>,
    /// The column whose name fits the time best, but whose times repeat.
    pub(crate) refuted_time: Option<usize>,
    /// The column that names the node of each row. `None` if each row holds all nodes.
    pub(crate) node: Option<usize>,
    pub(crate) side: Option<usize>,
    /// The column of the person or the object to which the node of a row belongs.
    pub(crate) group: Option<usize>,
    pub(crate) numbering: Option<Numbering>,
    /// The names of nodes, by their labels or numbers in the file.
    pub(crate) label_names: BTreeMap<String, String>,
    /// The values of flags. `None` if the known words apply.
    pub(crate) flag_rule: Option<FlagRule>,
    pub(crate) nodes: Vec<NodePlan>,
    pub(crate) signals: Vec<(String, usize)>,
    pub(crate) event: Option<usize>,
    pub(crate) ignored: Vec<(usize, String)>,
    pub(crate) alternatives: Vec<Alternative>,
    /// `true` if lists of four numbers are assumed to store w first.
    pub(crate) is_list_w_first: Option<bool>,
    /// Facts that the values suggest, but that nothing states.
    pub(crate) assumed: Vec<AssumedFact>,
    /// What the user should know about the columns.
    pub(crate) remarks: Vec<(Code, String)>,
    pub(crate) questions: Vec<Question>,
    /// Lists of four numbers of which nothing states or suggests where w is.
    pub(crate) unordered_quaternions: Vec<[usize; 4]>,
}

/// Columns whose meaning is not certain.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) why: String,
    pub(crate) columns: Vec<usize>,
    /// What the columns may be, the most likely first.
    pub(crate) readings: Vec<Reading>,
}

/// A possible meaning of columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) label: String,
    /// The node whose poses show the reading. `None` if the columns are signals.
    pub(crate) node: Option<String>,
    pub(crate) properties: Vec<NodeProperty>,
    /// The keys of a mapping file with their sections, and the values in TOML.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) is_current: bool,
}

/// A key of a node in a mapping file.
#[derive(Clone, Debug)]
pub(crate) struct NodeProperty {
    pub(crate) node: String,
    pub(crate) key: &'static str,
    /// The value in TOML.
    pub(crate) toml: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub(crate) what: &'static str,
    pub(crate) chosen: usize,
    pub(crate) others: Vec<usize>,
    pub(crate) key: &'static str,
}

#[derive(Clone, Debug)]
pub(crate) struct NodePlan {
    pub(crate) name: NodeName,
    /// The end of the name: `/hit` for the point that a ray hits, or what tells this node from
    /// another one with the same name.
    pub(crate) suffix: String,
    /// The words for the object in the names of the columns.
    pub(crate) object: Option<String>,
    /// `true` if each row of a long table has a node of its own, and not only the table.
    pub(crate) is_of_row: bool,
    pub(crate) parent: Option<String>,
    pub(crate) position: Option<[usize; 3]>,
    /// The metres in one unit of x, y and z, if the columns or the mapping state it.
    pub(crate) length_units: Option<[f64; 3]>,
    /// `true` if the mapping states the unit of this node, so that no other unit replaces it.
    pub(crate) has_own_unit: bool,
    pub(crate) rotation: Option<[usize; 4]>,
    pub(crate) euler: Option<[usize; 3]>,
    pub(crate) rotation_vector: Option<[usize; 3]>,
    pub(crate) scale: Option<[usize; 3]>,
    pub(crate) direction: Option<[usize; 3]>,
    pub(crate) yaw_pitch: Option<[usize; 2]>,
    /// Two angles a and b of a direction: tan a = x / z and tan b = y / z, in the file's axes.
    pub(crate) tangents: Option<[usize; 2]>,
    pub(crate) radians_per_unit: Option<f64>,
    /// The columns that state whether the pose is valid. The second value is `true` for a
    /// confidence column. A confidence makes the pose invalid only if it is negative.
    pub(crate) flags: Vec<(usize, bool)>,
    /// The values of the flag that is no confidence. `None` if the plan's rule applies.
    pub(crate) flag_rule: Option<FlagRule>,
    pub(crate) radius: Option<usize>,
    /// The directions of x, y and z, if they are not those of the other nodes.
    pub(crate) axes: Option<SourceAxes>,
    pub(crate) has_inverse_rotation: bool,
    pub(crate) reference_frame: Option<String>,
}

impl NodePlan {
    fn new(name: NodeName) -> Self {
        Self {
            name,
            suffix: String::new(),
            object: None,
            is_of_row: true,
            parent: None,
            position: None,
            length_units: None,
            has_own_unit: false,
            rotation: None,
            euler: None,
            rotation_vector: None,
            scale: None,
            direction: None,
            yaw_pitch: None,
            tangents: None,
            radians_per_unit: None,
            flags: Vec::new(),
            flag_rule: None,
            radius: None,
            axes: None,
            has_inverse_rotation: false,
            reference_frame: None,
        }
    }

    pub(crate) fn has_pose(&self) -> bool {
        self.position.is_some() || self.rotates()
    }

    pub(crate) fn rotates(&self) -> bool {
        self.rotation.is_some()
            || self.euler.is_some()
            || self.rotation_vector.is_some()
            || self.direction.is_some()
            || self.yaw_pitch.is_some()
            || self.tangents.is_some()
    }

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
        add(self.tangents.as_ref().map_or(&[], |it| &it[..]), "tangent");
        if let Some([yaw, pitch]) = self.yaw_pitch {
            all.extend([(yaw, "yaw".to_owned()), (pitch, "pitch".to_owned())]);
        }
        all
    }

    pub(crate) fn first_column(&self) -> Option<usize> {
        self.components().iter().map(|(column, _)| *column).min()
    }

    pub(crate) fn name_on_side(&self, side: Option<bool>) -> String {
        format!("{}{}", self.name.name_on_side(side), self.suffix)
    }
}

impl Plan {
    pub(crate) fn for_table(table: &Table, mapping: &Mapping) -> Result<Self, Error> {
        if mapping.nodes.is_none() && own::is_table_of_measures(table) {
            let message = "its rows are measures of recordings, which report or index wrote";
            return Err(Error::unsupported(SourceLocation::File, message));
        }
        let times = time_column::find_time_columns(table, mapping)?;
        let plan = Self::with_time(table, mapping, times)?;
        match time_column::find_better_time(table, &plan) {
            Some(better) => {
                let refuted_time = plan.time;
                Ok(Self { refuted_time, ..Self::with_time(table, mapping, better)? })
            }
            None => Ok(plan),
        }
    }

    fn with_time(table: &Table, mapping: &Mapping, times: TimeColumns) -> Result<Self, Error> {
        let mut plan = Self {
            time: times.time,
            finer_time: times.finer,
            time_unit: times.unit,
            unknown_time_unit: times.unknown_unit,
            flag_rule: mapping.flags.clone(),
            ..Self::default()
        };
        if let Some(chosen) = times.time {
            plan.add_alternative("the time", chosen, times.others, "[time] column");
        }
        let columns = ColumnFinder::new(table, mapping);
        match &mapping.nodes {
            Some(nodes) => {
                mapped::apply_nodes(&mut plan, &columns, nodes)?;
                if mapping.settled_signals.is_some() {
                    plan.keep_open_questions(table, mapping)?;
                }
            }
            None if !table.declared.roles.is_empty() => plan.assign_roles(table),
            None => recognised::recognise_nodes(&mut plan, table, mapping)?,
        }
        if let Some(assumed) = mapping.logger.as_ref().and_then(|it| it.assumed_columns.clone()) {
            let why =
                "the file has no header, but the times increase, and the quaternions have length 1";
            let (fact, value, why) = ("columns", assumed, why.to_owned());
            plan.assumed.push(AssumedFact { fact, value, why });
        }
        let assumed = table.declared.assumed_angles;
        let angles = assumed.and_then(|assumed| ThreeAngles::parse(assumed.value));
        if let (Some(_), Some(ThreeAngles::Product(_))) = (assumed, mapping.space.euler.or(angles))
        {
            for node in &mut plan.nodes {
                node.euler = node.euler.or(node.rotation_vector.take());
            }
        }
        if mapping.space.euler == Some(ThreeAngles::Vector) {
            for node in &mut plan.nodes {
                node.rotation_vector = node.rotation_vector.or(node.euler.take());
            }
        }
        mapped::apply_signals_and_events(&mut plan, &columns)?;
        mapped::remove_settled_questions(&mut plan, &columns)?;
        if plan.time.is_none() {
            time_column::check_rows_are_frames(table, &plan, mapping)?;
        }
        if !plan.nodes.iter().any(NodePlan::has_pose) {
            return Err(missing_columns_error("no position: x, y and z with the same name", table));
        }
        plan.ignored.sort_unstable();
        Ok(plan)
    }

    /// Returns `true` if each row has a time, the times increase, and the quaternions have length 1.
    pub(crate) fn is_trajectory(table: &Table, time: usize, rotation: [usize; 4]) -> bool {
        time_column::increases(table, time) && confirm::are_unit_vectors(table, rotation)
    }

    /// Keeps the questions about columns that the mapping uses neither in a node nor as a signal
    /// that the user chose.
    fn keep_open_questions(&mut self, table: &Table, mapping: &Mapping) -> Result<(), Error> {
        let mut recognised = Self {
            time: self.time,
            finer_time: self.finer_time,
            node: self.node,
            event: self.event,
            ..Self::default()
        };
        recognised::recognise_nodes(&mut recognised, table, mapping)?;
        let mut used: HashSet<usize> = self.event.into_iter().collect();
        for node in &self.nodes {
            used.extend(node.components().into_iter().map(|(column, _)| column));
            used.extend(node.flags.iter().map(|(column, _)| *column));
        }
        self.questions = recognised.questions;
        self.questions.retain(|question| !question.columns.iter().any(|it| used.contains(it)));
        Ok(())
    }

    /// Returns `true` if rows belong to different nodes, sides or people.
    pub(crate) fn is_grouped(&self) -> bool {
        self.node.is_some() || self.side.is_some() || self.group.is_some()
    }

    fn assign_roles(&mut self, table: &Table) {
        let mut parts: Vec<(NodePlan, Vec<(usize, &'static str)>)> = Vec::new();
        let mut known = HashMap::new();
        let listed: HashMap<&str, &DeclaredNode> =
            table.declared.nodes.iter().map(|node| (node.name.as_str(), node)).collect();
        for column in 0..table.columns.len() {
            match table.declared.roles.get(&column) {
                Some(Role::Time | Role::Frame { .. }) => {}
                Some(Role::Unused(why)) => self.ignored.push((column, (*why).to_owned())),
                Some(Role::Property(node, property)) => {
                    let index = *known.entry(node.clone()).or_insert_with(|| {
                        let mut plan = NodePlan::new(NodeName::Other(node.clone()));
                        let mut metres = table.declared.metres_per_unit;
                        if let Some(listed) = listed.get(node.as_str()) {
                            let parent = listed.parent.and_then(|it| table.declared.nodes.get(it));
                            plan.parent = parent.map(|parent| parent.name.clone());
                            metres = listed.metres_per_unit.or(metres);
                            plan.radians_per_unit = listed.radians_per_unit;
                        }
                        plan.length_units = metres.map(|metres| [metres; 3]);
                        parts.push((plan, Vec::new()));
                        parts.len() - 1
                    });
                    parts[index].1.push((column, property));
                }
                None => self.add_signal(table, column),
            }
        }
        for (mut node, columns) in parts {
            let column_of = |property: &str| {
                columns.iter().find(|(_, own)| *own == property).map(|(column, _)| *column)
            };
            let three =
                |x: &str, y: &str, z: &str| Some([column_of(x)?, column_of(y)?, column_of(z)?]);
            node.position = three("position.x", "position.y", "position.z");
            node.euler = three("euler.x", "euler.y", "euler.z");
            node.rotation_vector =
                three("rotation_vector.x", "rotation_vector.y", "rotation_vector.z");
            node.scale = three("scale.x", "scale.y", "scale.z");
            node.rotation = three("rotation.x", "rotation.y", "rotation.z")
                .and_then(|[x, y, z]| Some([x, y, z, column_of("rotation.w")?]));
            node.flags.extend(column_of("tracked").map(|column| (column, false)));
            self.keep_node(table, node, &columns);
        }
    }

    fn keep_node<P>(&mut self, table: &Table, mut node: NodePlan, columns: &[(usize, P)]) {
        drop_empty(table, &mut node);
        let used: Vec<usize> = node.components().iter().map(|(column, _)| *column).collect();
        let is_lacking =
            |column: &usize| !used.contains(column) && !node.flags.iter().any(|it| it.0 == *column);
        for column in columns.iter().map(|(column, _)| *column).filter(is_lacking) {
            let why = match table.columns[column].is_empty() {
                true => table.columns[column].why_empty(),
                false => "belongs to an incomplete x, y and z".to_owned(),
            };
            self.ignored.push((column, why));
        }
        if node.has_pose() {
            self.nodes.push(node);
        }
    }

    /// Returns `true` if the column is the time or tells rows apart.
    fn is_reserved(&self, column: usize) -> bool {
        [self.time, self.finer_time, self.node, self.side, self.group, self.event]
            .contains(&Some(column))
    }

    fn remark(&mut self, code: Code, message: String) {
        self.remarks.push((code, message));
    }

    fn add_alternative(
        &mut self,
        what: &'static str,
        chosen: usize,
        others: Vec<usize>,
        key: &'static str,
    ) {
        if !others.is_empty() {
            self.alternatives.push(Alternative { what, chosen, others, key });
        }
    }

    fn add_signal(&mut self, table: &Table, column: usize) {
        match table.columns[column].is_empty() {
            true => self.ignored.push((column, table.columns[column].why_empty())),
            false => self.signals.push((table.columns[column].name.clone(), column)),
        }
    }
}

fn drop_empty(table: &Table, node: &mut NodePlan) {
    let has = |columns: &[usize]| columns.iter().all(|it| table.columns[*it].has_numbers());
    node.position = node.position.filter(|columns| has(columns));
    node.rotation = node.rotation.filter(|columns| has(columns));
    node.euler = node.euler.filter(|columns| has(columns));
    node.rotation_vector = node.rotation_vector.filter(|columns| has(columns));
    node.scale = node.scale.filter(|columns| has(columns));
    node.direction = node.direction.filter(|columns| has(columns));
    node.yaw_pitch = node.yaw_pitch.filter(|columns| has(columns));
    node.tangents = node.tangents.filter(|columns| has(columns));
}

fn missing_columns_error(what: &str, table: &Table) -> Error {
    let names = quote_names(table.columns.iter().map(|column| column.name.as_str()));
    let message = format!(
        "{what}; found the columns {names}. Pass a mapping file that names them with --columns"
    );
    Error::unsupported(SourceLocation::File, message)
}
