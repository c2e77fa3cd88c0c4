//! Lists the facts of a table that a mapping file can change, with the values to choose from.

use std::f64::consts::PI;

use mutoscope_core::clip::{
    AssumedFact, AxisDirection, ChoiceOrigin, MappingChoice, MappingOption, SourceAxes,
};

use super::{Space, space::axes_label};
use crate::{
    mapping::{EulerProduct, Mapping, ThreeAngles, TimeUnit, quote},
    names::{LENGTH_UNITS, format_length_unit},
    numbering::Numbering,
    plan::Plan,
    table::Table,
};

const MAX_OFFERED_COLUMNS: usize = 200;

const OFFERED_RATES_HZ: [f64; 13] =
    [24.0, 25.0, 30.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 200.0, 240.0, 500.0, 1000.0];

/// The axes of known programs, with the program names. The list of choices begins with these axes.
const KNOWN_AXES: [(SourceAxes, &str); 5] = [
    (SourceAxes::VIEWER, "OpenXR, WebXR, ARKit"),
    (SourceAxes::UNITY, "Unity"),
    (SourceAxes::Z_UP, "Vicon, Aria: Z up"),
    (SourceAxes::ROS, "ROS"),
    (SourceAxes::IMAGE, "OpenCV, MediaPipe"),
];

/// Unreal Engine: x forward, y right, z up.
const UNREAL_AXES: [AxisDirection; 3] =
    [AxisDirection::Forward, AxisDirection::Right, AxisDirection::Up];

pub(super) struct Choices<'a> {
    pub(super) table: &'a Table,
    pub(super) plan: &'a Plan,
    pub(super) mapping: &'a Mapping,
    pub(super) space: &'a Space,
    pub(super) time_unit: &'static str,
    pub(super) rate_hz: Option<f64>,
    pub(super) assumed: &'a [AssumedFact],
}

pub(crate) struct FactOrigin {
    kind: ChoiceOrigin,
    why: String,
}

impl FactOrigin {
    pub(crate) fn chosen() -> Self {
        Self { kind: ChoiceOrigin::Chosen, why: String::new() }
    }

    pub(crate) fn stated() -> Self {
        Self { kind: ChoiceOrigin::Stated, why: String::new() }
    }

    pub(crate) fn assumed(why: impl Into<String>) -> Self {
        Self { kind: ChoiceOrigin::Assumed, why: why.into() }
    }
}

impl Choices<'_> {
    pub(super) fn collect(&self) -> Vec<MappingChoice> {
        if self.table.declared.is_own {
            return Vec::new();
        }
        let mut all = Vec::new();
        if self.table.declared.roles.is_empty() {
            all.extend(self.time_column_choice());
            all.extend(self.time_unit_choice());
            all.extend(self.grouping_choices());
        }
        all.extend(self.rate_choice());
        all.push(axes_choice(
            self.space.axes.value,
            self.fact_origin("axes", self.mapping.space.axes.is_some()),
        ));
        all.extend(self.length_unit_choice());
        all.extend(self.quaternion_choice());
        all.extend(self.three_angles_choice());
        all.extend(self.angle_unit_choice());
        all
    }

    fn fact_origin(&self, fact: &str, is_chosen: bool) -> FactOrigin {
        match self.assumed.iter().find(|assumed| assumed.fact == fact) {
            _ if is_chosen => FactOrigin::chosen(),
            Some(assumed) => FactOrigin::assumed(assumed.why.clone()),
            None => FactOrigin::stated(),
        }
    }

    fn column_name(&self, column: usize) -> &str {
        &self.table.columns[column].name
    }

    /// Offers `chosen` first, then the columns that fit equally well, then `others`.
    fn column_choice(
        &self,
        key: &'static str,
        label: &'static str,
        chosen: usize,
        is_chosen: bool,
        others: impl Iterator<Item = usize>,
    ) -> MappingChoice {
        let alternative = self.plan.alternatives.iter().find(|it| it.chosen == chosen);
        let fitting = alternative.map(|one| one.others.as_slice()).unwrap_or_default();
        let mut columns = vec![chosen];
        columns.extend(fitting);
        columns.extend(others.filter(|column| *column != chosen && !fitting.contains(column)));
        columns.truncate(MAX_OFFERED_COLUMNS);
        let option = |column: &usize| {
            let fits = if fitting.contains(column) { "fits too" } else { "" };
            make_option(self.column_name(*column), fits, quote(self.column_name(*column)))
        };
        let (origin, why) = match fitting {
            _ if is_chosen => (ChoiceOrigin::Chosen, String::new()),
            [] => (ChoiceOrigin::Recognised, String::new()),
            others => {
                let others: Vec<_> = others.iter().map(|it| self.column_name(*it)).collect();
                (ChoiceOrigin::Ambiguous, format!("other columns fit too: {}", others.join(", ")))
            }
        };
        let options = columns.iter().map(option).collect();
        MappingChoice {
            key,
            label,
            value: self.column_name(chosen).to_owned(),
            origin,
            why,
            options,
        }
    }

    fn columns_without_node(&self) -> impl Iterator<Item = usize> {
        let signals = self.plan.signals.iter().map(|(_, column)| *column);
        signals.chain(self.plan.ignored.iter().map(|(column, _)| *column))
    }

    fn time_column_choice(&self) -> Option<MappingChoice> {
        let chosen = self.plan.time?;
        let is_chosen = self.mapping.time.column.is_some();
        let has_values = |column: &usize| !self.table.columns[*column].is_empty();
        let others = self.columns_without_node().filter(has_values);
        Some(self.column_choice("time.column", "Time", chosen, is_chosen, others))
    }

    fn time_unit_choice(&self) -> Option<MappingChoice> {
        let unit = TimeUnit::parse(self.time_unit)?;
        let origin = self.fact_origin("time.unit", self.mapping.time.unit.is_some());
        let units =
            TimeUnit::ALL.map(|unit| make_option(time_unit_label(unit), "", quote(unit.as_str())));
        let value = time_unit_label(unit);
        Some(make_choice("time.unit", "Time unit", value, origin, units.into()))
    }

    fn rate_choice(&self) -> Option<MappingChoice> {
        let rate = self.rate_hz?;
        let origin = self.fact_origin("time.rate", self.mapping.time.rate_hz.is_some());
        if self.table.declared.rate_hz.is_some() && origin.kind == ChoiceOrigin::Stated {
            // The frame rate is already shown among the facts of the recording.
            return None;
        }
        let text = |rate: f64| format!("{rate} fps");
        let rates = OFFERED_RATES_HZ.map(|rate| make_option(&text(rate), "", format!("{rate:?}")));
        Some(make_choice("time.rate", "Frame rate", &text(rate), origin, rates.into()))
    }

    fn grouping_choices(&self) -> Vec<MappingChoice> {
        let is_chosen = self.mapping.long.is_some();
        let with_texts =
            || self.columns_without_node().filter(|it| self.table.columns[*it].has_texts());
        let mut all = Vec::new();
        if let Some(node) = self.plan.node {
            all.push(self.column_choice("long.node", "Nodes", node, is_chosen, with_texts()));
            all.extend(self.numbering_choice(node));
        }
        if let Some(side) = self.plan.side {
            all.push(self.column_choice("long.side", "Sides", side, is_chosen, with_texts()));
        }
        if let Some(group) = self.plan.group {
            let others = self.columns_without_node();
            all.push(self.column_choice("long.group", "People", group, is_chosen, others));
        }
        all
    }

    fn numbering_choice(&self, node: usize) -> Option<MappingChoice> {
        let is_numeric = !self.table.columns[node].has_texts();
        let is_assumed = self.assumed.iter().any(|assumed| assumed.fact == "numbering");
        if !is_numeric || !is_assumed && self.plan.numbering.is_none() {
            return None;
        }
        let origin = self.fact_origin("numbering", self.plan.numbering.is_some());
        let option = |it: Numbering| make_option(it.as_str(), "", quote(it.as_str()));
        let options = Numbering::all().map(option).collect();
        let value = self.plan.numbering.map_or("none", Numbering::as_str);
        Some(make_choice("long.numbering", "Joint numbers", value, origin, options))
    }

    fn length_unit_choice(&self) -> Option<MappingChoice> {
        self.plan.nodes.iter().find(|node| node.position.is_some())?;
        let origin = self.fact_origin("unit", self.mapping.space.metres_per_unit.is_some());
        Some(length_unit_choice(self.space.metres_per_unit.value, origin))
    }

    /// Offers the order of the components of quaternions in lists. Other quaternions do not need
    /// this choice, because their columns name the components.
    fn quaternion_choice(&self) -> Option<MappingChoice> {
        let of_list = |columns: [usize; 4]| {
            let [x, ..] = columns;
            let column = &self.table.columns[x];
            column.is_list_item && !column.name.to_ascii_lowercase().contains("wxyz")
        };
        let is_list = self.plan.nodes.iter().filter_map(|node| node.rotation).any(of_list);
        if !is_list || self.mapping.nodes.is_some() {
            return None;
        }
        let orders = [(false, "x y z w", "xyzw"), (true, "w x y z", "wxyz")];
        let chosen = self.mapping.space.is_w_first;
        let current = orders.iter().find(|(is_w_first, ..)| *is_w_first == chosen.unwrap_or(false));
        let origin = match chosen {
            Some(_) => FactOrigin::chosen(),
            None => FactOrigin::assumed("a list of four numbers does not name its components"),
        };
        let options = orders.map(|(_, text, word)| make_option(text, "", quote(word))).into();
        let value = current.map_or("", |(_, text, _)| text);
        Some(make_choice("space.quaternion", "Quaternions", value, origin, options))
    }

    /// Offers the rotation orders of three angles. Also offers to read the three numbers as a
    /// rotation vector.
    fn three_angles_choice(&self) -> Option<MappingChoice> {
        let chosen = self.mapping.space.euler;
        let has_vectors = self.plan.nodes.iter().any(|node| node.rotation_vector.is_some());
        let is_listed = self.mapping.nodes.is_some() && has_vectors;
        let is_declared = self.table.declared.assumed_angles.is_some() && has_vectors;
        let are_vectors = chosen == Some(ThreeAngles::Vector) || is_listed || is_declared;
        if !self.space.is_euler_used && !are_vectors || self.table.version == "motive" {
            return None;
        }
        let text = |product: EulerProduct| {
            let letters = product.letters().to_lowercase();
            letters.chars().map(|letter| format!("R{letter}")).collect::<Vec<_>>().join(" · ")
        };
        let mut options: Vec<_> = EulerProduct::ALL
            .into_iter()
            .map(|it| {
                let note = if it == EulerProduct::UNITY { "Unity" } else { "" };
                make_option(&text(it), note, quote(&it.letters()))
            })
            .collect();
        options.push(make_option("rotation vector", "OpenCV", quote(ThreeAngles::VECTOR)));
        let value = match self.space.is_euler_used {
            true => text(self.space.euler),
            false => "rotation vector".to_owned(),
        };
        let origin = self.fact_origin("euler", chosen.is_some() || is_listed);
        Some(make_choice("space.euler", "Three angles", &value, origin, options))
    }

    fn angle_unit_choice(&self) -> Option<MappingChoice> {
        if !self.space.are_angles_used || self.table.version == "motive" {
            return None;
        }
        let radians = self.plan.nodes.iter().find_map(|node| node.radians_per_unit);
        let is_chosen = self.mapping.space.radians_per_unit.is_some();
        let value = if radians.unwrap_or(self.space.radians) < PI / 180.0 + 1e-9 {
            "degrees"
        } else {
            "radians"
        };
        let options = ["degrees", "radians"].map(|word| make_option(word, "", quote(word))).into();
        let origin = self.fact_origin("angles", is_chosen);
        Some(make_choice("space.angles", "Angles", value, origin, options))
    }
}

pub(crate) fn axes_choice(current: SourceAxes, origin: FactOrigin) -> MappingChoice {
    let toml = |axes: SourceAxes| {
        format!("[{}]", axes.directions().map(|it| quote(it.as_str())).join(", "))
    };
    let unreal = SourceAxes::new(UNREAL_AXES).map(|axes| (axes, "Unreal"));
    let known: Vec<_> = KNOWN_AXES.into_iter().chain(unreal).collect();
    let all = AxisDirection::ALL;
    let every = all.into_iter().flat_map(|x| {
        all.into_iter().flat_map(move |y| all.map(move |z| SourceAxes::new([x, y, z])))
    });
    let is_known = |axes: &SourceAxes| known.iter().any(|(known, _)| known == axes);
    let others = every.flatten().filter(|axes| !is_known(axes)).map(|axes| (axes, ""));
    let options = known.iter().copied().chain(others);
    let options =
        options.map(|(axes, note)| make_option(&axes_label(axes), note, toml(axes))).collect();
    make_choice("space.axes", "Axes", &axes_label(current), origin, options)
}

pub(crate) fn length_unit_choice(metres: f64, origin: FactOrigin) -> MappingChoice {
    let options = LENGTH_UNITS.map(|name| make_option(name, "", quote(name))).into();
    make_choice("space.unit", "Unit", &format_length_unit(metres), origin, options)
}

fn make_option(text: &str, note: &'static str, toml: String) -> MappingOption {
    MappingOption { text: text.to_owned(), note, toml }
}

/// Creates a choice. If the file states the value, the choice has no options, because the user
/// cannot change that value.
fn make_choice(
    key: &'static str,
    label: &'static str,
    value: &str,
    origin: FactOrigin,
    options: Vec<MappingOption>,
) -> MappingChoice {
    let FactOrigin { kind: origin, why } = origin;
    let options = if origin == ChoiceOrigin::Stated { Vec::new() } else { options };
    MappingChoice { key, label, value: value.to_owned(), origin, why, options }
}

fn time_unit_label(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Seconds => "seconds",
        TimeUnit::Milliseconds => "milliseconds",
        TimeUnit::Microseconds => "microseconds",
        TimeUnit::Nanoseconds => "nanoseconds",
        TimeUnit::Ticks => "ticks of 100 ns",
        TimeUnit::Minutes => "minutes",
        TimeUnit::Hours => "hours",
        TimeUnit::Frames => "frames",
    }
}
