//! Recognises the roles of columns by their names, and confirms them by the values.

use std::{
    cell::LazyCell,
    collections::{BTreeMap, HashMap, HashSet},
    f64::consts::TAU,
};

use mutoscope_core::{clip::AssumedFact, diagnostics::Error};

use super::{
    NodePlan, NodeProperty, Plan, Question, Reading,
    confirm::{self, RepeatedTimes},
    mapped, people,
};
use crate::{
    codes,
    mapping::{EulerProduct, Mapping, quote},
    names::{
        ColumnName, NodeName, Quantity, RowKey, ScalarProperty, UnitWord, is_generic_object,
        is_letter_of_other_quantity, names_gaze, parse_flag, parse_side,
    },
    table::{Table, quote_names},
};

pub(super) fn is_event_column(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    matches!(name.as_str(), "event" | "events" | "event_name" | "eventname")
}

pub(super) fn recognise_nodes(
    plan: &mut Plan,
    table: &Table,
    mapping: &Mapping,
) -> Result<(), Error> {
    mapped::apply_grouping(plan, table, mapping)?;
    let mut columns = ClassifiedColumns::of_table(plan, table);
    if mapping.long.is_none() {
        columns.find_row_keys(plan, table);
    }
    if plan.node.is_some() && columns.has_one_name() {
        // If all columns have one name, the rows name the objects, as in `t_wo_x`.
        columns.sets.iter_mut().for_each(|set| set.name.node = NodeName::Nameless);
    }
    let ClassifiedColumns { sets, scalars, others, of_unknown_unit } = columns;
    let is_name = |set: &ColumnSet| {
        set.name.object.chars().count() == 1 && !is_letter_of_other_quantity(&set.name.object)
    };
    let are_letters_names = sets.iter().any(is_name);
    let mut recogniser = Recogniser { plan, table, mapping, others, are_letters_names };
    of_unknown_unit.iter().for_each(|set| recogniser.ask_about_unit(set));
    let vectors = sets.into_iter().filter_map(|set| recogniser.confirm(set)).collect();
    let mut nodes = recogniser.build_nodes(vectors);
    recogniser.add_angles(&mut nodes, &scalars);
    recogniser.add_radii_and_flags(&mut nodes, &scalars);
    recogniser.finish(nodes);
    Ok(())
}

/// Columns whose names differ only in their component.
struct ColumnSet {
    name: ColumnName,
    /// The columns of x, y, z and w, or of the numbers 0 to 4.
    components: [Option<usize>; 5],
    units: [Option<UnitWord>; 5],
    /// The columns that have the component of another column, or a number that no vector has.
    further: Vec<usize>,
}

impl ColumnSet {
    fn new(name: ColumnName) -> Self {
        Self { name, components: [None; 5], units: [None; 5], further: Vec::new() }
    }

    fn is_numbered(&self) -> bool {
        self.name.axis.is_none()
    }

    fn add(&mut self, column: usize, name: &ColumnName) {
        let component = name.component().unwrap_or(usize::MAX);
        match self.components.get_mut(component) {
            Some(slot @ None) => {
                *slot = Some(column);
                self.units[component] = name.unit;
            }
            _ => self.further.push(column),
        }
    }

    /// Returns `true` if no component is missing before the last one.
    fn is_complete(&self) -> bool {
        let first = usize::from(self.is_numbered() && self.components[0].is_none());
        self.components[first..first + 3].iter().all(Option::is_some)
    }

    fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.components.iter().flatten().copied()
    }
}

/// Makes a set of columns with one spelling. If a component occurs twice, there is a set for each
/// unit, as in `y_mm` and `y (cm)`.
fn split_family(family: Vec<(usize, ColumnName)>) -> Vec<ColumnSet> {
    let mut components: Vec<Option<usize>> =
        family.iter().map(|(_, name)| name.component()).collect();
    components.sort_unstable();
    let is_repeated = components.windows(2).any(|pair| pair[0] == pair[1]);
    let mut sets: Vec<(Option<String>, ColumnSet)> = Vec::new();
    for (column, name) in family {
        let unit = name.unit.filter(|_| is_repeated).map(|unit| format!("{unit:?}"));
        let known = sets.iter().position(|(own, _)| *own == unit);
        let at = known.unwrap_or_else(|| {
            sets.push((unit, ColumnSet::new(name.clone())));
            sets.len() - 1
        });
        sets[at].1.add(column, &name);
    }
    sets.into_iter().map(|(_, set)| set).collect()
}

struct ScalarColumn {
    column: usize,
    property: ScalarProperty,
    name: ColumnName,
}

struct ClassifiedColumns {
    sets: Vec<ColumnSet>,
    scalars: Vec<ScalarColumn>,
    others: Vec<usize>,
    /// Columns that would be vectors if their unit were known. They are in `others` too.
    of_unknown_unit: Vec<ColumnSet>,
}

impl ClassifiedColumns {
    fn of_table(plan: &mut Plan, table: &Table) -> Self {
        let mut found = Self {
            sets: Vec::new(),
            scalars: Vec::new(),
            others: Vec::new(),
            of_unknown_unit: Vec::new(),
        };
        let mut families: Vec<Vec<(usize, ColumnName)>> = Vec::new();
        let mut known = HashMap::new();
        for (index, column) in table.columns.iter().enumerate() {
            if plan.is_reserved(index) {
                continue;
            }
            if plan.event.is_none() && is_event_column(&column.name) {
                plan.event = Some(index);
                continue;
            }
            let name = ColumnName::parse(&column.name);
            match (name.component(), name.scalar) {
                (Some(_), _) if !name.is_not_pose => {
                    let key = (name.spelling.clone(), name.object.clone());
                    let at = *known.entry(key).or_insert(families.len());
                    if at == families.len() {
                        families.push(Vec::new());
                    }
                    families[at].push((index, name));
                }
                (None, Some(property)) if !name.is_not_pose => {
                    found.scalars.push(ScalarColumn { column: index, property, name });
                }
                _ => {
                    found.others.push(index);
                    found.add_of_unknown_unit(index, name);
                }
            }
        }
        found.sets = families.into_iter().flat_map(split_family).collect();
        found.find_unnamed_w(plan, table);
        found
    }

    /// Finds quaternions whose w is called like another component, as in `qx,qy,qz,qz`. Repeated
    /// names have a number: `qz (2)`.
    fn find_unnamed_w(&mut self, plan: &mut Plan, table: &Table) {
        let is_alone = |set: &ColumnSet| set.columns().count() == 1 && set.further.is_empty();
        let alone = self.sets.iter().enumerate().rev().filter(|(_, set)| is_alone(set));
        let by_spelling: HashMap<String, usize> =
            alone.map(|(index, set)| (set.name.spelling.clone(), index)).collect();
        for index in 0..self.sets.len() {
            let set = &self.sets[index];
            let [Some(x), Some(y), Some(z), None, _] = set.components else { continue };
            if set.name.quantity != Some(Quantity::Quaternion) {
                continue;
            }
            let copy = format!("{}(2)", set.name.spelling);
            let Some(&found) = by_spelling.get(&copy) else { continue };
            let Some(w) = self.sets[found].columns().next() else { continue };
            if confirm::are_unit_vectors(table, [x, y, z, w]) {
                self.sets[index].components[3] = Some(w);
                self.sets[found].components = [None; 5];
                let name = &table.columns[w].name;
                plan.remark(
                    codes::table::COLUMNS_INTERPRETED,
                    format!(
                        "the column {name:?} is w of the quaternion, because the four columns have length 1"
                    ),
                );
            }
        }
        self.sets.retain(|set| set.columns().next().is_some());
    }

    fn add_of_unknown_unit(&mut self, column: usize, name: ColumnName) {
        let (Some(axis), Some(_)) = (name.axis, &name.unknown_unit) else { return };
        let key = |name: &ColumnName| {
            (name.quantity, name.object.clone(), name.frame.clone(), name.unknown_unit.clone())
        };
        // Search only the last sets, because a table may have thousands of such columns.
        const SEARCHED_SETS: usize = 8;
        let mut known = self.of_unknown_unit.iter_mut().rev().take(SEARCHED_SETS);
        match known.find(|set| key(&set.name) == key(&name)) {
            Some(set) => set.components[axis] = set.components[axis].or(Some(column)),
            None => {
                let mut set = ColumnSet::new(name);
                set.components[axis] = Some(column);
                self.of_unknown_unit.push(set);
            }
        }
    }

    fn has_one_name(&self) -> bool {
        let mut complete = self.sets.iter().filter(|set| set.is_complete());
        let first = complete.next().or(self.sets.first());
        first.is_some_and(|first| complete.all(|set| set.name.node == first.name.node))
    }

    /// Finds the columns that name the node, the side and the person of each row.
    fn find_row_keys(&mut self, plan: &mut Plan, table: &Table) {
        let is_candidate =
            |column: &usize| RowKey::from_name(&table.columns[*column].name).is_some();
        let time_columns: Vec<usize> = plan.time.into_iter().chain(plan.finer_time).collect();
        let has_repeated_times = confirm::may_repeat(table, &time_columns);
        let has_candidate = self.others.iter().any(is_candidate);
        if self.sets.is_empty() || !has_candidate && !has_repeated_times {
            return;
        }
        // Most long tables label all rows. Then nobody asks which rows have the same time.
        let times = LazyCell::new(|| RepeatedTimes::find(table, &time_columns));
        let is_generic = |set: &&ColumnSet| set.is_complete() && is_generic_object(&set.name.node);
        let has_one_name = self.has_one_name();
        let of_row: Vec<usize> =
            self.sets.iter().filter(is_generic).flat_map(ColumnSet::columns).collect();
        let candidates = |key: RowKey| {
            let is_key = move |column: &usize| {
                RowKey::from_name(&table.columns[*column].name) == Some(key)
                    && !table.columns[*column].is_empty()
            };
            self.others.iter().copied().filter(is_key)
        };
        let is_node = |column: &usize| {
            let names_all = !of_row.is_empty()
                && confirm::labels_all_rows(table, *column, &of_row)
                && (time_columns.is_empty() || confirm::labels_repeat(table, *column));
            names_all
                || (has_one_name || !of_row.is_empty()) && times.are_told_apart_by(table, *column)
        };
        let mut nodes: Vec<usize> = candidates(RowKey::Node).filter(is_node).collect();
        // The order of columns does not matter.
        nodes.sort_by_key(|column| &table.columns[*column].name);
        let by_name = nodes.iter().copied().find(|column| table.columns[*column].has_texts());
        plan.node = by_name.or(nodes.first().copied());
        if let Some(chosen) = plan.node {
            let others = nodes.iter().copied().filter(|other| *other != chosen).collect();
            plan.add_alternative("the node", chosen, others, "[long] node");
        }
        let has_side = |column: &usize| {
            let mut texts = table.texts(*column).peekable();
            !table.columns[*column].has_numbers()
                && texts.peek().is_some()
                && texts.all(|(_, text)| parse_side(text).is_some())
        };
        // The side of a head or of a cup is something else than the side of a hand.
        let needs_side = |set: &&ColumnSet| match &set.name.node {
            NodeName::Nameless | NodeName::Joint(None, _) => true,
            node => plan.node.is_some() && is_generic_object(node),
        };
        let of_side: Vec<usize> =
            self.sets.iter().filter(needs_side).flat_map(ColumnSet::columns).collect();
        let names_side = |column: &usize| {
            has_side(column)
                && !of_side.is_empty()
                && (plan.node.is_some() || confirm::labels_all_rows(table, *column, &of_side))
        };
        plan.side = candidates(RowKey::Side)
            .filter(names_side)
            .min_by_key(|column| &table.columns[*column].name);
        let mut people: Vec<usize> = candidates(RowKey::Group).collect();
        people.sort_by_key(|column| &table.columns[*column].name);
        plan.group = people::find_person_column(table, plan, &people);
        if has_repeated_times
            && plan.group.is_none()
            && people::repeats_labels(table, plan, None, 10_000)
        {
            self.find_unnamed_key(plan, table, &times, !of_row.is_empty());
        }
        let is_key = |column: &usize| [plan.node, plan.side, plan.group].contains(&Some(*column));
        self.others.retain(|column| !is_key(column));
    }

    /// Finds a column that tells apart the rows of each time, though its name does not say so.
    fn find_unnamed_key(
        &self,
        plan: &mut Plan,
        table: &Table,
        times: &RepeatedTimes,
        may_be_node: bool,
    ) {
        let is_free = |column: &&usize| ![plan.node, plan.side].contains(&Some(**column));
        let tells_apart =
            |column: &&usize| people::tells_all_rows_apart(table, plan, times, **column);
        let found: Vec<usize> =
            self.others.iter().filter(is_free).filter(tells_apart).copied().collect();
        let Some(key) = found.into_iter().min_by_key(|column| {
            (table.index_labels(*column).1.len(), &table.columns[*column].name)
        }) else {
            return;
        };
        let what = match plan.node.is_none() && may_be_node {
            true => "node",
            false => "person",
        };
        plan.remark(
            codes::table::COLUMNS_INTERPRETED,
            format!(
                "rows of the same time differ in the column {:?}; each of its values is a {what}. To change \
                 this, set [long] in a mapping file",
                table.columns[key].name
            ),
        );
        match what {
            "node" => plan.node = Some(key),
            _ => plan.group = Some(key),
        }
    }
}

/// Columns whose quantity the values confirm.
struct Vector {
    name: ColumnName,
    property: Property,
    length_units: Option<[f64; 3]>,
    radians_per_unit: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Property {
    Position([usize; 3]),
    Rotation([usize; 4]),
    Euler([usize; 3]),
    RotationVector([usize; 3]),
    Scale([usize; 3]),
    Direction([usize; 3]),
}

impl Property {
    fn name(&self) -> &'static str {
        match self {
            Self::Position(_) => "position",
            Self::Rotation(_) => "rotation",
            Self::Euler(_) => "euler",
            Self::RotationVector(_) => "rotation_vector",
            Self::Scale(_) => "scale",
            Self::Direction(_) => "direction",
        }
    }

    fn columns(&self) -> &[usize] {
        match self {
            Self::Rotation(columns) => columns,
            Self::Position(columns)
            | Self::Euler(columns)
            | Self::RotationVector(columns)
            | Self::Scale(columns)
            | Self::Direction(columns) => columns,
        }
    }

    fn set_in(self, node: &mut NodePlan) {
        match self {
            Self::Position(columns) => node.position = Some(columns),
            Self::Rotation(columns) => node.rotation = Some(columns),
            Self::Euler(columns) => node.euler = Some(columns),
            Self::RotationVector(columns) => node.rotation_vector = Some(columns),
            Self::Scale(columns) => node.scale = Some(columns),
            Self::Direction(columns) => node.direction = Some(columns),
        }
    }

    fn is_set_in(self, node: &NodePlan) -> bool {
        match self {
            Self::Position(_) => node.position.is_some(),
            Self::Rotation(_) => node.rotation.is_some(),
            Self::Euler(_) => node.euler.is_some(),
            Self::RotationVector(_) => node.rotation_vector.is_some(),
            Self::Scale(_) => node.scale.is_some(),
            Self::Direction(_) => node.direction.is_some(),
        }
    }
}

struct Recogniser<'a> {
    plan: &'a mut Plan,
    table: &'a Table,
    mapping: &'a Mapping,
    /// Columns that become signals.
    others: Vec<usize>,
    /// `true` if an object is called by a letter that means no quantity, such as `c`. Then letters
    /// such as `a` and `v` are names of objects too.
    are_letters_names: bool,
}

impl Recogniser<'_> {
    /// Returns the vector that a set of columns holds. Columns that are none become signals, or are
    /// ignored if components are missing.
    fn confirm(&mut self, set: ColumnSet) -> Option<Vector> {
        self.others.extend(&set.further);
        if !set.is_numbered() && !set.further.is_empty() {
            let names = self.column_names(set.further.iter().copied());
            self.plan.remark(
                codes::table::COLUMNS_NOT_USED,
                format!("the columns {names} repeat a component; using them as signals"),
            );
        }
        let first_ignored = self.plan.ignored.len();
        let found = match set.is_numbered() {
            true => self.confirm_numbered(&set)?,
            false => self.confirm_lettered(&set)?,
        };
        let units = |of: fn(UnitWord) -> Option<f64>| -> Vec<f64> {
            found
                .columns()
                .iter()
                .filter_map(|column| {
                    let at = set.components.iter().position(|own| own == &Some(*column))?;
                    of(set.units[at]?)
                })
                .collect()
        };
        let stated = set.units.iter().flatten().count();
        let lengths = units(|unit| match unit {
            UnitWord::Length(metres) => Some(metres),
            _ => None,
        });
        let angles = units(|unit| match unit {
            UnitWord::Angle(radians) => Some(radians),
            _ => None,
        });
        let is_right = match found {
            Property::Position(_) => lengths.len() == stated,
            Property::Euler(_) | Property::RotationVector(_) => angles.len() == stated,
            Property::Rotation(_) | Property::Direction(_) | Property::Scale(_) => stated == 0,
        };
        if !is_right {
            let name = self.column_names(set.columns());
            self.plan.remark(
                codes::table::COLUMNS_NOT_USED,
                format!(
                    "the columns {name} state a unit that is not of a {}; using them as signals",
                    found.name()
                ),
            );
            if let (Property::Position(columns), true) = (found, angles.len() == stated) {
                let reading = self.reading(Property::Euler(columns), &set.name);
                let why = "The columns are called a position, but state a unit of angles.";
                self.add_question(why, set.columns().collect(), vec![reading]);
            }
            self.others.extend(set.columns());
            return None;
        }
        let length_units = match (&lengths[..], found) {
            (&[x, y, z], Property::Position(_)) => Some([x, y, z]),
            (&[first, ..], Property::Position(_)) => Some([first; 3]),
            _ => None,
        };
        let used = found.columns();
        // A homogeneous coordinate is ignored.
        let ignored = &self.plan.ignored[first_ignored..];
        let is_free =
            |column: &usize| !used.contains(column) && ignored.iter().all(|(own, _)| own != column);
        self.others.extend(set.columns().filter(is_free));
        let radians_per_unit = angles.first().copied();
        Some(Vector { name: set.name, property: found, length_units, radians_per_unit })
    }

    fn confirm_lettered(&mut self, set: &ColumnSet) -> Option<Property> {
        use Quantity::{
            Direction, Euler, Hit, Origin, Position, Quaternion, Rotation, RotationVector, Scale,
        };
        let [Some(x), Some(y), Some(z), w, _] = set.components else {
            let axes = ["x", "y", "z"];
            let missing = axes.iter().zip(&set.components).filter(|(_, slot)| slot.is_none());
            let missing: Vec<&str> = missing.map(|(axis, _)| *axis).collect();
            let quantity = set.name.quantity.unwrap_or(Position);
            let why = format!(
                "part of {}, which lacks {}",
                quantity.property_name(),
                missing.join(" and ")
            );
            self.plan.ignored.extend(set.columns().map(|column| (column, why.clone())));
            return None;
        };
        let three = [x, y, z];
        let is_empty = |column: &usize| !self.table.columns[*column].has_numbers();
        if three.iter().chain(&w).any(is_empty) {
            let has_values = |column: &usize| !self.table.columns[*column].is_empty();
            let why = "belongs to an incomplete x, y and z".to_owned();
            for column in set.columns() {
                match has_values(&column) {
                    true => self.plan.ignored.push((column, why.clone())),
                    false => self.others.push(column),
                }
            }
            return None;
        }
        let four = w.map(|w| [x, y, z, w]);
        let is_unit = four.is_some_and(|four| confirm::are_unit_vectors(self.table, four));
        match (set.name.quantity, four) {
            (Some(Rotation | Quaternion | Euler), Some(four)) => self.confirm_rotation(set, four),
            // Four numbers of length 1 with a w are a quaternion.
            (None, Some(four)) if is_unit => self.confirm_rotation(set, four),
            (Some(Rotation | Euler), None) => Some(Property::Euler(three)),
            (Some(Quaternion), None) => {
                self.refuse(set, "are called a quaternion, but there is no w", &[])
            }
            (Some(RotationVector), _) => Some(Property::RotationVector(three)),
            (Some(Scale), _) => Some(Property::Scale(three)),
            (Some(Direction), _) => self.confirm_direction(set, three),
            (Some(Quantity::Vector), _) => match confirm::are_unit_vectors(self.table, three) {
                true => Some(Property::Direction(three)),
                false => self.refuse(
                    set,
                    "are called a vector, but their length is not 1",
                    &[Property::Position(three), Property::Direction(three)],
                ),
            },
            (Some(Position | Origin | Hit), _) => Some(Property::Position(three)),
            (None, _) => self.confirm_unnamed(set, three),
        }
    }

    /// Returns the property of three columns whose names state an object but no quantity.
    fn confirm_unnamed(&mut self, set: &ColumnSet, columns: [usize; 3]) -> Option<Property> {
        let has_unit = set.units.iter().any(Option::is_some);
        let position = Property::Position(columns);
        let is_in_parentheses = self.table.columns[columns[0]].name.contains('(');
        if !has_unit
            && !self.are_letters_names
            && !is_in_parentheses
            && is_letter_of_other_quantity(&set.name.object)
        {
            let why = "may be a velocity, an acceleration or another quantity";
            return self.refuse(set, why, &[position]);
        }
        // A position that moves does not stay at the same distance from the origin.
        if !has_unit && confirm::are_moving_unit_vectors(self.table, columns) {
            return match set.name.node {
                NodeName::Gaze(_) => Some(Property::Direction(columns)),
                _ => {
                    let readings = [Property::Direction(columns), position];
                    self.refuse(set, "have length 1 throughout, as directions do", &readings)
                }
            };
        }
        Some(position)
    }

    /// Returns four components as a quaternion. Lists do not name their components, so the order is
    /// assumed by the values unless the list states it.
    fn confirm_rotation(&mut self, set: &ColumnSet, columns: [usize; 4]) -> Option<Property> {
        const PLAUSIBLE_LENGTHS: std::ops::Range<f64> = 0.5..2.0;
        let length = confirm::median_length(self.table, columns).unwrap_or(1.0);
        if !PLAUSIBLE_LENGTHS.contains(&length) {
            let why = format!(
                "are called a rotation, but their median length is {length:.3} instead of 1"
            );
            return self.refuse(set, &why, &[Property::Rotation(columns)]);
        }
        let name = &self.table.columns[columns[0]].name;
        let is_list = self.table.columns[columns[0]].is_list_item;
        if !is_list || name.to_ascii_lowercase().contains("wxyz") {
            return Some(Property::Rotation(columns));
        }
        Some(Property::Rotation(self.order_quaternion(name, columns)))
    }

    fn order_quaternion(&mut self, name: &str, columns: [usize; 4]) -> [usize; 4] {
        let is_stated = name.to_ascii_lowercase().contains("xyzw");
        let chosen = self.mapping.space.is_w_first.or(is_stated.then_some(false));
        let of_values = confirm::is_w_first(self.table, columns);
        let is_w_first = chosen.or(self.plan.is_list_w_first).unwrap_or_else(|| {
            let (value, why) = match of_values {
                Some(true) => ("wxyz", "it turns less with w first"),
                Some(false) => ("xyzw", "it turns less with w last"),
                None => ("xyzw", "nothing states where w is"),
            };
            let why = format!("{name:?} does not name its components, and {why}");
            self.plan.assumed.push(AssumedFact {
                fact: "quaternion",
                value: value.to_owned(),
                why,
            });
            let is_w_first = of_values == Some(true);
            self.plan.is_list_w_first = Some(is_w_first);
            is_w_first
        });
        if chosen.is_none() && of_values.is_none() {
            self.plan.unordered_quaternions.push(columns);
        }
        let mut columns = columns;
        if is_w_first {
            columns.rotate_left(1);
        }
        columns
    }

    fn confirm_direction(&mut self, set: &ColumnSet, columns: [usize; 3]) -> Option<Property> {
        const PLAUSIBLE_LENGTHS: std::ops::Range<f64> = 0.9..1.1;
        let length = confirm::median_length(self.table, columns).unwrap_or(1.0);
        if PLAUSIBLE_LENGTHS.contains(&length) {
            return Some(Property::Direction(columns));
        }
        let why =
            format!("are called a direction, but their median length is {length:.3} instead of 1");
        self.refuse(set, &why, &[Property::Position(columns), Property::Direction(columns)])
    }

    fn confirm_numbered(&mut self, set: &ColumnSet) -> Option<Property> {
        let first = usize::from(set.components[0].is_none());
        let columns: Vec<usize> = set.components[first..].iter().map_while(|slot| *slot).collect();
        let is_whole = columns.len() == set.columns().count() && set.further.is_empty();
        let is_rotation =
            matches!(set.name.quantity, Some(Quantity::Rotation | Quantity::Quaternion));
        match (&columns[..], set.name.quantity) {
            (&[x, y, z], None | Some(Quantity::Position)) if is_whole => {
                Some(Property::Position([x, y, z]))
            }
            (&[x, y, z], Some(Quantity::Direction)) if is_whole => {
                self.confirm_direction(set, [x, y, z])
            }
            (&[x, y, z, w], None | Some(Quantity::Position))
                if is_whole && confirm::is_always_one(self.table, w) =>
            {
                // A position in homogeneous coordinates.
                self.plan
                    .ignored
                    .push((w, "the fourth homogeneous coordinate is always 1".to_owned()));
                Some(Property::Position([x, y, z]))
            }
            (&[a, b, c, d], None | Some(Quantity::Rotation | Quantity::Quaternion))
                if is_whole && confirm::are_unit_vectors(self.table, [a, b, c, d]) =>
            {
                let name = self.table.columns[a].name.clone();
                Some(Property::Rotation(self.order_quaternion(&name, [a, b, c, d])))
            }
            _ => {
                if is_rotation && columns.len() == 4 {
                    return self.refuse(
                        set,
                        "are called a rotation, but their length is not 1",
                        &[],
                    );
                }
                self.others.extend(set.columns());
                None
            }
        }
    }

    /// Makes the columns signals, and adds the question which of `readings` is right.
    fn refuse(&mut self, set: &ColumnSet, why: &str, readings: &[Property]) -> Option<Property> {
        let columns: Vec<usize> = set.columns().collect();
        let names = self.column_names(set.columns());
        self.plan.remark(
            codes::table::COLUMNS_NOT_USED,
            format!("the columns {names} {why}; using them as signals"),
        );
        let readings = readings.iter().map(|property| self.reading(*property, &set.name)).collect();
        self.add_question(&format!("The columns {why}."), columns.clone(), readings);
        self.others.extend(columns);
        None
    }

    /// Adds the question which reading of columns that became signals is right. Adds none if there
    /// are no readings.
    fn add_question(&mut self, why: &str, columns: Vec<usize>, mut readings: Vec<Reading>) {
        const MAX_POSES: usize = 2;
        if readings.is_empty() {
            return;
        }
        readings.truncate(MAX_POSES);
        let label = "signals".to_owned();
        readings.push(Reading { label, is_current: true, ..Reading::default() });
        self.plan.questions.push(Question { why: why.to_owned(), columns, readings });
    }

    fn reading(&self, property: Property, name: &ColumnName) -> Reading {
        let node = name.node.name_on_side(None);
        let label = match property {
            Property::Euler(_) => format!("Euler angles of {node}"),
            property => format!("{} of {node}", property.name().replace('_', " ")),
        };
        let properties = vec![self.node_property(&node, property.name(), property.columns())];
        Reading { label, node: Some(node), properties, ..Reading::default() }
    }

    fn node_property(&self, node: &str, key: &'static str, columns: &[usize]) -> NodeProperty {
        let names = columns.iter().map(|column| quote(&self.table.columns[*column].name));
        let names: Vec<String> = names.collect();
        let toml = match &names[..] {
            [one] => one.clone(),
            names => format!("[{}]", names.join(", ")),
        };
        NodeProperty { node: node.to_owned(), key, toml }
    }

    fn ask_about_unit(&mut self, set: &ColumnSet) {
        use Quantity::{Direction, Euler, Hit, Origin, Position, Rotation, RotationVector};
        let [Some(x), Some(y), Some(z), ..] = set.components else { return };
        let three = [x, y, z];
        let property = match set.name.quantity {
            None | Some(Position | Origin | Hit) => Property::Position(three),
            Some(Rotation | Euler) => Property::Euler(three),
            Some(RotationVector) => Property::RotationVector(three),
            Some(Direction) => Property::Direction(three),
            Some(Quantity::Quaternion | Quantity::Scale | Quantity::Vector) => return,
        };
        if three.iter().all(|column| self.table.columns[*column].has_numbers()) {
            let unit = set.name.unknown_unit.as_deref().unwrap_or_default();
            let reading = self.reading(property, &set.name);
            self.add_question(
                &format!("The unit {unit:?} is not known."),
                three.to_vec(),
                vec![reading],
            );
        }
    }

    /// Returns the readings of angles that turn a node.
    fn angle_readings(
        &self,
        name: &NodeName,
        [yaw, pitch, roll]: [Option<usize>; 3],
        radians: Option<f64>,
        has_euler: bool,
    ) -> Vec<Reading> {
        let (Some(yaw), Some(pitch)) = (yaw, pitch) else { return Vec::new() };
        let node = name.name_on_side(None);
        let columns = [Some(yaw), Some(pitch), roll].into_iter().flatten();
        let is_within_a_turn = columns
            .flat_map(|column| self.table.columns[column].numbers())
            .all(|(_, angle)| angle.abs() <= TAU);
        let unit = match (radians, self.mapping.space.radians_per_unit) {
            (None, None) => Some(if is_within_a_turn { "radians" } else { "degrees" }),
            _ => None,
        };
        let in_unit = unit.map_or(String::new(), |unit| format!(", in {unit}"));
        let reading = |label: &str, properties: Vec<NodeProperty>, order: Option<&str>| {
            let mut properties = properties;
            properties.extend(unit.map(|unit| NodeProperty {
                node: node.clone(),
                key: "angles",
                toml: quote(unit),
            }));
            let order = order.filter(|_| self.mapping.space.euler.is_none() && !has_euler);
            Reading {
                label: format!("{label}{in_unit}"),
                node: Some(node.clone()),
                properties,
                facts: order.map(|order| ("space.euler", quote(order))).into_iter().collect(),
                is_current: false,
            }
        };
        let Some(roll) = roll else {
            let properties = vec![
                self.node_property(&node, "yaw", &[yaw]),
                self.node_property(&node, "pitch", &[pitch]),
            ];
            return vec![reading(&format!("direction of {node}"), properties, None)];
        };
        let euler = |columns: [usize; 3]| vec![self.node_property(&node, "euler", &columns)];
        let unity = EulerProduct::UNITY.letters();
        let mut readings = vec![reading(
            "pitch, yaw, roll about x, y, z",
            euler([pitch, yaw, roll]),
            Some(&unity),
        )];
        if self.mapping.space.euler.is_none() && !has_euler {
            let label = "roll, pitch, yaw about x, y, z";
            readings.push(reading(label, euler([roll, pitch, yaw]), Some("ZYX")));
        }
        readings
    }

    fn column_names(&self, columns: impl Iterator<Item = usize>) -> String {
        quote_names(columns.map(|column| self.table.columns[column].name.as_str()))
    }

    /// Distributes the vectors to nodes. Vectors of one object and one frame of reference form a
    /// node. If an object has several vectors of one kind, each further one is a node of its own.
    fn build_nodes(&mut self, vectors: Vec<Vector>) -> Vec<NodePlan> {
        let has_gaze = vectors.iter().any(|one| matches!(one.name.node, NodeName::Gaze(_)));
        let mut by_node: BTreeMap<(String, bool), Vec<Vector>> = BTreeMap::new();
        for mut vector in vectors {
            let is_of_ray = matches!(vector.property, Property::Direction(_))
                || vector.name.quantity == Some(Quantity::Origin);
            if let NodeName::Side(is_left) = vector.name.node
                && has_gaze
                && is_of_ray
            {
                // Eye trackers call the rays of the eyes only left and right.
                vector.name.node = NodeName::Gaze(Some(is_left));
            }
            let is_hit = vector.name.quantity == Some(Quantity::Hit);
            by_node.entry((format!("{:?}", vector.name.node), is_hit)).or_default().push(vector);
        }
        let mut nodes = Vec::new();
        for ((_, is_hit), mut vectors) in by_node {
            vectors.sort_by_cached_key(|vector| preference(&vector.name));
            nodes.extend(self.build_nodes_of_one_name(vectors, is_hit));
        }
        nodes.sort_by_key(NodePlan::first_column);
        nodes
    }

    fn build_nodes_of_one_name(&mut self, vectors: Vec<Vector>, is_hit: bool) -> Vec<NodePlan> {
        struct Part {
            plan: NodePlan,
            frame: Option<String>,
            object: String,
        }
        let mut parts: Vec<Part> = Vec::new();
        for vector in vectors {
            let Vector { name, property, length_units, radians_per_unit } = vector;
            let has_room =
                |part: &&mut Part| part.frame == name.frame && !property.is_set_in(&part.plan);
            let object = normalise(&name.object);
            // Prefer the part with the same words for the object.
            let same = parts.iter_mut().filter(has_room).find(|part| part.object == object);
            let at = match same {
                Some(part) => part,
                None => match parts.iter_mut().find(has_room) {
                    Some(part) => part,
                    None => {
                        let plan = NodePlan::new(name.node.clone());
                        parts.push(Part { plan, frame: name.frame.clone(), object });
                        parts.last_mut().expect("a part was added")
                    }
                },
            };
            property.set_in(&mut at.plan);
            at.plan.length_units = at.plan.length_units.or(length_units);
            at.plan.radians_per_unit = at.plan.radians_per_unit.or(radians_per_unit);
            at.plan.reference_frame = at.plan.reference_frame.take().or(name.frame);
            at.plan.object.get_or_insert(name.object);
        }
        let mut suffixes: HashSet<String> = HashSet::new();
        let mut nodes = Vec::new();
        for (index, Part { mut plan, frame, .. }) in parts.into_iter().enumerate() {
            let mut suffix = if is_hit { "/hit".to_owned() } else { String::new() };
            if index > 0 {
                let canonical = normalise(&plan.name.name_on_side(None));
                let object = plan.object.clone().unwrap_or_default();
                suffix = match frame.filter(|frame| !suffixes.contains(&format!(".{frame}"))) {
                    Some(frame) => format!(".{frame}"),
                    None if normalise(&object) != canonical
                        && !object.is_empty()
                        && !suffixes.contains(&format!(".{object}")) =>
                    {
                        format!(".{object}")
                    }
                    None => format!(" ({})", index + 1),
                };
                let columns = |plan: &NodePlan| {
                    self.column_names(plan.components().iter().map(|(column, _)| *column))
                };
                let name = plan.name.name_on_side(None);
                let message = format!(
                    "the columns {} describe {name:?} as the columns {} do; shown as {:?}",
                    columns(&plan),
                    nodes.first().map(columns).unwrap_or_default(),
                    format!("{name}{suffix}"),
                );
                self.plan.remark(codes::table::COLUMNS_INTERPRETED, message);
            }
            plan.is_of_row = self.is_of_row(&plan.name);
            suffixes.insert(suffix.clone());
            plan.suffix = suffix;
            nodes.push(plan);
        }
        nodes
    }

    /// Returns `true` if each row of a long table has a node of its own with this name.
    fn is_of_row(&self, name: &NodeName) -> bool {
        match self.plan {
            Plan { node: Some(_), .. } => is_generic_object(name),
            Plan { group: Some(_), .. } => true,
            Plan { side: Some(_), .. } => {
                matches!(name, NodeName::Nameless | NodeName::Joint(None, _))
            }
            _ => false,
        }
    }

    /// Adds yaw and pitch to gazes. Other angles stay signals, because nothing states about which
    /// axes they turn, and in which order.
    fn add_angles(&mut self, nodes: &mut Vec<NodePlan>, scalars: &[ScalarColumn]) {
        // Search all names only if there are angles without an object.
        let has_gaze =
            LazyCell::new(|| self.table.columns.iter().any(|column| names_gaze(&column.name)));
        let mut by_node: BTreeMap<String, Vec<&ScalarColumn>> = BTreeMap::new();
        let is_angle = |one: &&ScalarColumn| {
            matches!(
                one.property,
                ScalarProperty::Yaw | ScalarProperty::Pitch | ScalarProperty::Roll
            )
        };
        for scalar in scalars.iter().filter(is_angle) {
            by_node.entry(format!("{:?}", scalar.name.node)).or_default().push(scalar);
        }
        for angles in by_node.into_values() {
            let column_of = |property: ScalarProperty| {
                let mut of_property = angles.iter().filter(|one| one.property == property);
                let first = of_property.next().map(|one| one.column)?;
                of_property.next().is_none().then_some(first)
            };
            let name = &angles[0].name.node;
            let is_gaze = match name {
                NodeName::Gaze(_) => true,
                NodeName::Nameless | NodeName::Side(_) => *has_gaze,
                _ => false,
            };
            let [yaw, pitch, roll] =
                [ScalarProperty::Yaw, ScalarProperty::Pitch, ScalarProperty::Roll].map(column_of);
            let gaze = NodeName::Gaze(name.side());
            let known = nodes.iter().position(|node| node.name == gaze && node.suffix.is_empty());
            let turns = known.is_some_and(|at| nodes[at].rotates());
            let radians = angles.iter().find_map(|one| one.name.radians_per_unit());
            if let (Some(yaw), Some(pitch), None, true, false) = (yaw, pitch, roll, is_gaze, turns)
            {
                let at = known.unwrap_or_else(|| {
                    let is_of_row = self.is_of_row(&gaze);
                    nodes.push(NodePlan { is_of_row, ..NodePlan::new(gaze) });
                    nodes.len() - 1
                });
                nodes[at].yaw_pitch = Some([yaw, pitch]);
                nodes[at].radians_per_unit = nodes[at].radians_per_unit.or(radians);
                continue;
            }
            // Angles without the name of an object belong to the only node.
            let is_of = |node: &&NodePlan| {
                node.name == *name || *name == NodeName::Nameless && nodes.len() == 1
            };
            let node = nodes.iter().find(is_of).filter(|node| !node.rotates());
            if let Some(node) = node.map(|node| node.name_on_side(None)) {
                let names = self.column_names(angles.iter().map(|one| one.column));
                let columns: Vec<usize> = angles.iter().map(|one| one.column).collect();
                self.plan.remark(
                    codes::table::COLUMNS_NOT_USED,
                    format!(
                        "the angles {names} do not turn {node:?}, because nothing states about which axes and in \
                         which order they turn. Set euler of the node in a mapping file"
                    ),
                );
                let has_euler = nodes.iter().any(|node| node.euler.is_some());
                let readings = self.angle_readings(name, [yaw, pitch, roll], radians, has_euler);
                let why = "Nothing states about which axes the angles turn the node.";
                self.add_question(why, columns, readings);
            }
            self.others.extend(angles.iter().map(|one| one.column));
        }
    }

    fn add_radii_and_flags(&mut self, nodes: &mut [NodePlan], scalars: &[ScalarColumn]) {
        for ScalarColumn { column, property, name } in scalars {
            match property {
                ScalarProperty::Radius => {
                    let own = nodes
                        .iter_mut()
                        .find(|node| node.name == name.node && node.radius.is_none());
                    match own {
                        Some(node) => node.radius = Some(*column),
                        None => self.others.push(*column),
                    }
                }
                ScalarProperty::Tracked | ScalarProperty::Confidence => {
                    let is_confidence = *property == ScalarProperty::Confidence;
                    let is_flag = match is_confidence {
                        true => self.table.columns[*column].numbers().any(|(_, it)| it < 0.0),
                        false => self.is_flag(*column),
                    };
                    let covered =
                        nodes.iter_mut().filter(|node| is_flag && name.node.covers(&node.name));
                    let mut is_used = false;
                    for node in covered {
                        node.flags.push((*column, is_confidence));
                        is_used = true;
                    }
                    if !is_used {
                        self.others.push(*column);
                    }
                }
                ScalarProperty::State | ScalarProperty::Unclear => {
                    let mut own = nodes.iter_mut().filter(|node| node.name == name.node);
                    let states_all = *property == ScalarProperty::State
                        && !self.table.columns[*column].has_numbers()
                        && self.table.columns[*column].has_texts()
                        && self.table.texts(*column).all(|(_, text)| parse_flag(text).is_some());
                    match own.next() {
                        Some(node) if states_all => {
                            node.flags.push((*column, false));
                            own.for_each(|node| node.flags.push((*column, false)));
                        }
                        Some(node) if *property == ScalarProperty::Unclear => {
                            let message = format!(
                                "the column {:?} may say when {:?} is lost; using the column as a signal. \
                                 Set tracked of the node in a mapping file",
                                self.table.columns[*column].name,
                                node.name_on_side(None)
                            );
                            self.plan.remark(codes::table::COLUMNS_NOT_USED, message);
                            self.others.push(*column);
                        }
                        _ => self.others.push(*column),
                    }
                }
                ScalarProperty::Yaw | ScalarProperty::Pitch | ScalarProperty::Roll => {}
            }
        }
    }

    /// Returns `true` if each text in the column is known to mean yes or no.
    fn is_flag(&mut self, column: usize) -> bool {
        let unknown = self.table.texts(column).find(|(_, text)| parse_flag(text).is_none());
        if let Some((_, text)) = unknown {
            let name = &self.table.columns[column].name;
            let message = format!(
                "{text:?} in the column {name:?} is not known to mean yes or no; using the column as a signal"
            );
            self.plan.remark(codes::table::COLUMNS_NOT_USED, message);
        }
        // Eye trackers write a code from 0 to 4, of which 0 is the best.
        let column = &self.table.columns[column];
        let is_code = column.name.to_lowercase().contains("validity")
            && column.numbers().any(|(_, number)| number > 1.0);
        if is_code {
            let message = format!(
                "the numbers in the column {:?} are more than yes and no; using the column as a signal",
                column.name
            );
            self.plan.remark(codes::table::COLUMNS_NOT_USED, message);
        }
        unknown.is_none() && !is_code
    }

    fn finish(mut self, nodes: Vec<NodePlan>) {
        let (nodes, without_pose): (Vec<_>, Vec<_>) =
            nodes.into_iter().partition(NodePlan::has_pose);
        for node in without_pose {
            let columns = node.components().into_iter().map(|(column, _)| column);
            let flags = node.flags.iter().map(|(column, _)| *column);
            let is_unused =
                |flag: &usize| nodes.iter().all(|node| node.flags.iter().all(|it| it.0 != *flag));
            self.others.extend(columns.chain(node.radius).chain(flags.filter(is_unused)));
        }
        self.plan.nodes = nodes;
        self.plan.nodes.sort_by_key(NodePlan::first_column);
        self.others.sort_unstable();
        self.others.dedup();
        for column in self.others {
            self.plan.add_signal(self.table, column);
        }
    }
}

/// Orders the vectors of one node. The first frame of reference, and the words that are most like
/// the name of the node, get the plain name.
fn preference(name: &ColumnName) -> (usize, bool, String, Option<Quantity>, String) {
    let frame = match name.frame.as_deref() {
        None => 0,
        Some("world" | "global") => 1,
        Some(_) => 2,
    };
    let object = normalise(&name.object);
    let is_synonym = object != normalise(&name.node.name_on_side(None));
    (frame, is_synonym, object, name.quantity, format!("{} {:?}", name.spelling, name.unit))
}

fn normalise(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
