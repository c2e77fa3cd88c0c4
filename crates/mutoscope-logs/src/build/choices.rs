//! The facts of a table that a mapping file may change, as choices.

use std::f64::consts::PI;

use mutoscope_core::clip::{
    AssumedFact, AxisDirection, ChoiceOrigin, MappingChoice, MappingOption, SourceAxes,
};

use super::{Space, space::words_of};
use crate::{
    mapping::{EulerProduct, Mapping, ThreeAngles, TimeUnit, quoted},
    names::{Numbering, length_of},
    plan::Plan,
    table::Table,
};

/// Columns that are offered at most.
const COLUMNS: usize = 200;

/// The frames a second that are offered.
const RATES: [f64; 13] =
    [24.0, 25.0, 30.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 200.0, 240.0, 500.0, 1000.0];

/// The axes of known programs, with what has them; the others follow.
const KNOWN_AXES: [(SourceAxes, &str); 5] = [
    (SourceAxes::VIEWER, "OpenXR, WebXR, ARKit"),
    (SourceAxes::UNITY, "Unity"),
    (SourceAxes::Z_UP, "Vicon, Aria: Z up"),
    (SourceAxes::ROS, "ROS"),
    (SourceAxes::PICTURE, "OpenCV, MediaPipe"),
];

/// The axes of the Unreal Engine: forward, right, up.
const UNREAL: [AxisDirection; 3] =
    [AxisDirection::Forward, AxisDirection::Right, AxisDirection::Up];

/// The facts of a table when its clip is made.
pub(super) struct Choices<'a> {
    pub(super) table: &'a Table,
    pub(super) plan: &'a Plan,
    pub(super) mapping: &'a Mapping,
    pub(super) space: &'a Space,
    /// The unit of times, and frames a second.
    pub(super) time: (&'static str, Option<f64>),
    pub(super) assumed: &'a [AssumedFact],
}

impl Choices<'_> {
    /// All that may be chosen; nothing of our own exports, which state everything.
    pub(super) fn all(&self) -> Vec<MappingChoice> {
        if self.table.declared.is_own {
            return Vec::new();
        }
        let mut all = Vec::new();
        if self.table.declared.roles.is_empty() {
            all.extend(self.time_column());
            all.extend(self.time_unit());
            all.extend(self.grouping());
        }
        all.extend(self.rate());
        all.push(axes(
            self.space.axes.value,
            self.origin("axes", self.mapping.space.axes.is_some()),
        ));
        all.extend(self.unit());
        all.extend(self.quaternion());
        all.extend(self.three_angles());
        all.extend(self.angle_unit());
        all
    }

    /// How a fact came about, and why.
    fn origin(&self, fact: &str, is_chosen: bool) -> (ChoiceOrigin, String) {
        match self.assumed.iter().find(|one| one.fact == fact) {
            _ if is_chosen => (ChoiceOrigin::Chosen, String::new()),
            Some(one) => (ChoiceOrigin::Assumed, one.why.clone()),
            None => (ChoiceOrigin::Stated, String::new()),
        }
    }

    fn name(&self, column: usize) -> &str {
        &self.table.columns[column].name
    }

    /// A choice of a column; `key` is that of alternatives as well.
    fn column(
        &self,
        (key, label): (&'static str, &'static str),
        taken: usize,
        is_chosen: bool,
        others: impl Iterator<Item = usize>,
    ) -> MappingChoice {
        let alternative = self.plan.alternatives.iter().find(|one| one.taken == taken);
        let fitting = alternative.map(|one| one.others.as_slice()).unwrap_or_default();
        let mut columns = vec![taken];
        columns.extend(fitting);
        columns.extend(others.filter(|column| *column != taken && !fitting.contains(column)));
        columns.truncate(COLUMNS);
        let option = |column: &usize| {
            let fits = if fitting.contains(column) { "fits too" } else { "" };
            option(self.name(*column), fits, quoted(self.name(*column)))
        };
        let (origin, why) = match fitting {
            _ if is_chosen => (ChoiceOrigin::Chosen, String::new()),
            [] => (ChoiceOrigin::Recognised, String::new()),
            others => {
                let others: Vec<_> = others.iter().map(|it| self.name(*it)).collect();
                (ChoiceOrigin::FitsTwice, format!("{} may be it too", others.join(", ")))
            }
        };
        let options = columns.iter().map(option).collect();
        MappingChoice { key, label, value: self.name(taken).to_owned(), origin, why, options }
    }

    /// The columns that are of no node.
    fn other_columns(&self) -> impl Iterator<Item = usize> {
        let signals = self.plan.signals.iter().map(|(_, column)| *column);
        signals.chain(self.plan.ignored.iter().map(|(column, _)| *column))
    }

    fn time_column(&self) -> Option<MappingChoice> {
        let taken = self.plan.time?;
        let is_chosen = self.mapping.time.column.is_some();
        let has_values = |column: &usize| !self.table.columns[*column].is_empty();
        let others = self.other_columns().filter(has_values);
        Some(self.column(("time.column", "Time"), taken, is_chosen, others))
    }

    fn time_unit(&self) -> Option<MappingChoice> {
        let unit = TimeUnit::of_word(self.time.0)?;
        let (origin, why) = self.origin("time.unit", self.mapping.time.unit.is_some());
        let units = TimeUnit::ALL.map(|unit| option(time_text(unit), "", quoted(unit.word())));
        let (key, label) = ("time.unit", "Time unit");
        Some(choice(key, label, time_text(unit), (origin, why), units.into()))
    }

    fn rate(&self) -> Option<MappingChoice> {
        let rate = self.time.1?;
        let (origin, why) = self.origin("time.rate", self.mapping.time.rate.is_some());
        if self.table.declared.rate_hz.is_some() && origin == ChoiceOrigin::Stated {
            // It is among the facts of the recording.
            return None;
        }
        let text = |rate: f64| format!("{rate} fps");
        let rates = RATES.map(|rate| option(&text(rate), "", format!("{rate:?}")));
        Some(choice("time.rate", "Frame rate", &text(rate), (origin, why), rates.into()))
    }

    fn grouping(&self) -> Vec<MappingChoice> {
        let is_chosen = self.mapping.long.is_some();
        let with_texts = || self.other_columns().filter(|it| self.table.columns[*it].has_texts());
        let mut all = Vec::new();
        if let Some(node) = self.plan.node {
            all.push(self.column(("long.node", "Nodes"), node, is_chosen, with_texts()));
            all.extend(self.numbering(node));
        }
        if let Some(side) = self.plan.side {
            all.push(self.column(("long.side", "Sides"), side, is_chosen, with_texts()));
        }
        all
    }

    /// The joints that numbers mean, where nodes are numbers.
    fn numbering(&self, node: usize) -> Option<MappingChoice> {
        let is_numeric = !self.table.columns[node].has_texts();
        let is_asked = self.assumed.iter().any(|one| one.fact == "numbering");
        if !is_numeric || !is_asked && self.plan.numbering.is_none() {
            return None;
        }
        let (origin, why) = self.origin("numbering", self.plan.numbering.is_some());
        let words = Numbering::ALL.map(|one| option(one.word(), "", quoted(one.word())));
        let value = self.plan.numbering.map_or("none", |one| one.word());
        Some(choice("long.numbering", "Joint numbers", value, (origin, why), words.into()))
    }

    fn unit(&self) -> Option<MappingChoice> {
        self.plan.nodes.iter().find(|node| node.position.is_some())?;
        let origin = self.origin("unit", self.mapping.space.unit.is_some());
        Some(unit(self.space.metres_per_unit.value, origin))
    }

    /// The order of quaternions in lists, which have no names of their own.
    fn quaternion(&self) -> Option<MappingChoice> {
        let of_list = |columns: [usize; 4]| {
            let [x, ..] = columns;
            let column = &self.table.columns[x];
            column.is_of_list && !column.name.to_ascii_lowercase().contains("wxyz")
        };
        let is_list = self.plan.nodes.iter().filter_map(|node| node.rotation).any(of_list);
        if !is_list || self.mapping.nodes.is_some() {
            return None;
        }
        let orders = [(false, "x y z w", "xyzw"), (true, "w x y z", "wxyz")];
        let chosen = self.mapping.space.is_w_first;
        let current = orders.iter().find(|(is_w_first, ..)| *is_w_first == chosen.unwrap_or(false));
        let origin = match chosen {
            Some(_) => (ChoiceOrigin::Chosen, String::new()),
            None => (ChoiceOrigin::Assumed, "lists of four name no components".to_owned()),
        };
        let options = orders.map(|(_, text, word)| option(text, "", quoted(word))).into();
        let value = current.map_or("", |(_, text, _)| text);
        Some(choice("space.quaternion", "Quaternions", value, origin, options))
    }

    /// The order of angles, or that they are a rotation vector.
    fn three_angles(&self) -> Option<MappingChoice> {
        let chosen = self.mapping.space.euler;
        let is_listed = self.mapping.nodes.is_some()
            && self.plan.nodes.iter().any(|node| node.rotation_vector.is_some());
        let are_vectors = chosen == Some(ThreeAngles::Vector) || is_listed;
        if !self.space.is_euler_used && !are_vectors || self.table.version == "motive" {
            return None;
        }
        let text = |product: EulerProduct| {
            let letters = product.word().to_lowercase();
            letters.chars().map(|letter| format!("R{letter}")).collect::<Vec<_>>().join(" · ")
        };
        let mut options: Vec<_> = EulerProduct::ALL
            .into_iter()
            .map(|it| {
                let note = if it == EulerProduct::UNITY { "Unity" } else { "" };
                option(&text(it), note, quoted(&it.word()))
            })
            .collect();
        options.push(option("rotation vector", "OpenCV", quoted(ThreeAngles::VECTOR)));
        let value = match self.space.is_euler_used {
            true => text(self.space.euler),
            false => "rotation vector".to_owned(),
        };
        let origin = self.origin("euler", chosen.is_some() || is_listed);
        Some(choice("space.euler", "Three angles", &value, origin, options))
    }

    fn angle_unit(&self) -> Option<MappingChoice> {
        if !self.space.are_angles_used || self.table.version == "motive" {
            return None;
        }
        let radians = self.plan.nodes.iter().find_map(|node| node.radians);
        let is_chosen = self.mapping.space.angles.is_some();
        let value = if radians.unwrap_or(self.space.radians) < PI / 180.0 + 1e-9 {
            "degrees"
        } else {
            "radians"
        };
        let options = ["degrees", "radians"].map(|word| option(word, "", quoted(word))).into();
        Some(choice("space.angles", "Angles", value, self.origin("angles", is_chosen), options))
    }
}

/// The choice of where the axes point.
pub(crate) fn axes(current: SourceAxes, (origin, why): (ChoiceOrigin, String)) -> MappingChoice {
    let toml = |axes: SourceAxes| {
        format!("[{}]", axes.directions().map(|it| quoted(it.word())).join(", "))
    };
    let unreal = SourceAxes::new(UNREAL).map(|axes| (axes, "Unreal"));
    let known: Vec<_> = KNOWN_AXES.into_iter().chain(unreal).collect();
    let all = AxisDirection::ALL;
    let every = all.into_iter().flat_map(|x| {
        all.into_iter().flat_map(move |y| all.map(move |z| SourceAxes::new([x, y, z])))
    });
    let is_known = |axes: &SourceAxes| known.iter().any(|(one, _)| one == axes);
    let others = every.flatten().filter(|axes| !is_known(axes)).map(|axes| (axes, ""));
    let options = known.iter().copied().chain(others);
    let options = options.map(|(axes, note)| option(&words_of(axes), note, toml(axes))).collect();
    choice("space.axes", "Axes", &words_of(current), (origin, why), options)
}

/// The choice of the unit of positions.
pub(crate) fn unit(metres: f64, origin: (ChoiceOrigin, String)) -> MappingChoice {
    const UNITS: [&str; 5] = ["m", "cm", "mm", "in", "ft"];
    let known = UNITS.into_iter().find(|word| length_of(word) == Some(metres));
    let value = known.map_or_else(|| format!("{metres} m"), ToOwned::to_owned);
    let options = UNITS.map(|word| option(word, "", quoted(word))).into();
    choice("space.unit", "Unit", &value, origin, options)
}

fn option(text: &str, note: &'static str, toml: String) -> MappingOption {
    MappingOption { text: text.to_owned(), note, toml }
}

/// A choice; what the file states is none.
fn choice(
    key: &'static str,
    label: &'static str,
    value: &str,
    (origin, why): (ChoiceOrigin, String),
    options: Vec<MappingOption>,
) -> MappingChoice {
    let options = if origin == ChoiceOrigin::Stated { Vec::new() } else { options };
    MappingChoice { key, label, value: value.to_owned(), origin, why, options }
}

fn time_text(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Seconds => "seconds",
        TimeUnit::Milliseconds => "milliseconds",
        TimeUnit::Microseconds => "microseconds",
        TimeUnit::Nanoseconds => "nanoseconds",
        TimeUnit::Ticks => "ticks of 100 ns",
        TimeUnit::Frames => "frames",
    }
}
