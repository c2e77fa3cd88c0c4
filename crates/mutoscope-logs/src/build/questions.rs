//! Asks what is not certain about a table, and previews each answer.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{
        AssumedFact, Clip, ColumnQuestion, ColumnReading, ColumnUses, FormatId, Handedness, Pose,
        PreviewPose, ReadingPreview, SourceAxes,
    },
    diagnostics::{Diagnostics, format_number},
};

use super::{
    Rows, Space, build, pose_checks::ImplausiblePoses, rows::NO_INDEX, space::axes_from_down,
    space::axes_label,
};
use crate::{
    mapping::{self, EulerProduct, Mapping, ThreeAngles, quote, quote_axes},
    plan::{NodePlan, NodeProperty, Plan, Question, Reading},
    table::Table,
};

/// A table may have thousands of columns with the same question.
const MAX_QUESTIONS: usize = 12;

const MAX_READINGS: usize = 3;

const PREVIEW_S: f64 = 1.0;

const MAX_PREVIEW_TIMES: usize = 64;

const MAX_PREVIEW_NODES: usize = 64;

/// In a long table, several rows have the same time.
const MAX_PREVIEW_ROWS: usize = 4096;

pub(super) struct Questions {
    questions: Vec<Question>,
    /// The rows of the first second.
    first_rows: Table,
    is_certain: bool,
    are_axes_assumed: bool,
}

impl Questions {
    /// Finds the questions, and copies the rows for their previews. The file of a known program, and
    /// our own exports, have no questions.
    pub(super) fn find(
        table: &Table,
        plan: &Plan,
        rows: &Rows,
        space: &Space,
        mapping: &Mapping,
        assumed: &[AssumedFact],
    ) -> Self {
        let finder = Finder { table, plan, space, mapping, assumed };
        let is_certain = table.declared.is_own || mapping.logger.is_some();
        let mut questions = Vec::new();
        if !is_certain {
            let lists_nodes = mapping::lists_nodes(table, plan, mapping);
            questions.extend(finder.time_question());
            if lists_nodes {
                let of_nodes = plan.questions.iter().cloned();
                questions.extend(of_nodes.map(|question| finder.with_free_nodes(question)));
            }
            questions.extend(finder.lying_body_question());
            questions.extend(finder.quaternion_question(lists_nodes));
            questions.extend(finder.three_angles_question());
        }
        let first_rows = if is_certain { Table::default() } else { copy_first_second(table, rows) };
        Self { questions, first_rows, is_certain, are_axes_assumed: finder.is_assumed("axes") }
    }

    /// Asks about the unit or the axes if the poses are implausible.
    pub(super) fn ask_about_poses(
        &mut self,
        poses: &ImplausiblePoses,
        plan: &Plan,
        space: &Space,
        columns: &ColumnUses,
    ) {
        if self.is_certain {
            return;
        }
        let is_unstated = |node: &NodePlan| node.position.is_some() && node.length_units.is_none();
        if let Some(reach) = poses.reach
            && let Some(node) = example_node(plan, is_unstated)
        {
            self.questions.push(unit_question(reach, &node));
        }
        if let Some(side) = poses.mirrored_hands.first().filter(|_| self.are_axes_assumed) {
            let axes = space.axes.value;
            let [x, y, z] = axes.directions();
            let is_of_hand = |node: &&str| node.starts_with(side);
            let node = columns.used.iter().map(|used| used.node.as_str()).find(is_of_hand);
            let node = node.map_or_else(|| format!("{side}/Wrist"), ToOwned::to_owned);
            let flipped = SourceAxes::new([x, y, z.opposite()]);
            let flipped = flipped.map(|axes| axes_reading(axes, &node, false));
            let readings = flipped.into_iter().chain([axes_reading(axes, &node, true)]);
            self.questions.push(Question {
                why: format!("The {side} hand has the shape of the other hand."),
                columns: Vec::new(),
                readings: readings.collect(),
            });
        }
    }

    /// Reads the first second in each reading. `columns` states how the table was read.
    pub(super) fn with_previews(
        &self,
        format: FormatId,
        table: &Table,
        columns: &ColumnUses,
    ) -> Vec<ColumnQuestion> {
        let name = |column: &usize| table.columns[*column].name.clone();
        let ask = |question: &Question| {
            let readings = question.readings.iter().take(MAX_READINGS).map(|reading| {
                let toml = reading_to_toml(reading, question, table);
                let preview = self.preview(format, question, reading, &toml, columns);
                let (label, is_current) = (reading.label.clone(), reading.is_current);
                ColumnReading { label, toml, is_current, preview }
            });
            ColumnQuestion {
                columns: question.columns.iter().map(name).collect(),
                why: question.why.clone(),
                readings: readings.collect(),
            }
        };
        let questions = self.questions.iter().filter(|question| question.readings.len() > 1);
        questions.take(MAX_QUESTIONS).map(ask).collect()
    }

    fn preview(
        &self,
        format: FormatId,
        question: &Question,
        reading: &Reading,
        toml: &str,
        columns: &ColumnUses,
    ) -> Option<ReadingPreview> {
        let table = &self.first_rows;
        let Some(node) = &reading.node else {
            let numbers = |column: &usize| table.columns[*column].numbers().map(|(_, it)| it);
            let numbers = question.columns.iter().map(|column| numbers(column).collect());
            return Some(ReadingPreview::Signals(numbers.collect()));
        };
        let file = mapping::state_reading(&columns.mapping, toml).ok()?;
        let mapping = Mapping::parse(&file.name, &file.text).ok()?;
        let plan = Plan::for_table(table, &mapping).ok()?;
        let (copy, mappings) = (table.clone(), [&mapping; 2]);
        let clip = build(format, copy, &plan, mappings, false, &mut Diagnostics::new()).ok()?;
        preview_node(&clip, node)
    }
}

fn preview_node(clip: &Clip, name: &str) -> Option<ReadingPreview> {
    let index = clip.nodes.iter().position(|node| node.name == name).unwrap_or(0);
    let node = clip.nodes.get(index)?;
    let track = node.motion.tracks().first().copied()?;
    let times = clip.track(track).curve.key_times();
    let start = times.first()?;
    let mut sampled = Pose::default();
    let mut pose_at = |time: f64| {
        clip.sample(time, &mut sampled);
        let node = sampled.nodes.get(index).filter(|node| node.is_visible)?;
        let rotation: DQuat = node.world.rotation;
        Some(PreviewPose {
            time,
            position: node.world.translation.to_array(),
            forward: (rotation * DVec3::NEG_Z).to_array(),
            up: (rotation * DVec3::Y).to_array(),
        })
    };
    // The table has at least two rows, even if the second is later.
    let is_first = |(index, time): &(usize, &f64)| *index < 2 || **time <= start + PREVIEW_S;
    let times = times.iter().enumerate().filter(is_first).map(|(_, time)| *time);
    let poses: Vec<PreviewPose> = times.filter_map(&mut pose_at).collect();
    clip.sample(poses.first()?.time, &mut sampled);
    let others = sampled.nodes.iter().enumerate().filter(|(own, _)| *own != index);
    let others = others.filter(|(_, node)| node.is_visible).take(MAX_PREVIEW_NODES);
    let others = others.map(|(_, node)| node.world.translation.to_array()).collect();
    Some(ReadingPreview::Poses { node: node.name.clone(), poses, others })
}

/// Copies rows of the first second, spread evenly. Copies at least two times.
fn copy_first_second(table: &Table, rows: &Rows) -> Table {
    let Some(start) = rows.times.first() else { return Table::default() };
    let count = rows.times.partition_point(|time| *time <= start + PREVIEW_S);
    let count = count.max(rows.times.len().min(2));
    let step = count.div_ceil(MAX_PREVIEW_TIMES).max(1);
    let is_chosen = |row: &usize| {
        let slot = rows.slots[*row] as usize;
        rows.slots[*row] != NO_INDEX
            && slot < count
            && (slot.is_multiple_of(step) || slot + 1 == count)
    };
    let chosen: Vec<usize> =
        (0..table.rows.min(rows.slots.len())).filter(is_chosen).take(MAX_PREVIEW_ROWS).collect();
    table.select_rows(&chosen)
}

/// Writes the keys of a mapping file that state a reading.
fn reading_to_toml(reading: &Reading, question: &Question, table: &Table) -> String {
    let mut toml = String::new();
    let mut last_section = String::new();
    let mut write = |section: String, key: &str, value: &str| {
        if section != last_section {
            toml += &format!("[{section}]\n");
            last_section = section;
        }
        toml += &format!("{key} = {value}\n");
    };
    for NodeProperty { node, key, toml } in &reading.properties {
        write(format!("nodes.{}", quote(node)), key, toml);
    }
    for (key, value) in &reading.facts {
        let (section, key) = key.split_once('.').unwrap_or(("", key));
        write(section.to_owned(), key, value);
    }
    if reading.node.is_none() {
        let names = question.columns.iter().map(|column| quote(&table.columns[*column].name));
        let names = names.collect::<Vec<_>>().join(", ");
        write("questions".to_owned(), "signals", &format!("[{names}]"));
    }
    toml
}

fn axes_reading(axes: SourceAxes, node: &str, is_current: bool) -> Reading {
    let hand = match axes.handedness() {
        Handedness::Right => "right-handed",
        Handedness::Left => "left-handed",
    };
    Reading {
        label: format!("axes {} ({hand})", axes_label(axes)),
        node: Some(node.to_owned()),
        facts: vec![("space.axes", format!("[{}]", quote_axes(axes)))],
        is_current,
        ..Reading::default()
    }
}

fn fact_reading(
    label: String,
    node: &str,
    facts: Vec<(&'static str, String)>,
    is_current: bool,
) -> Reading {
    let node = Some(node.to_owned());
    Reading { label, node, facts, is_current, ..Reading::default() }
}

/// Returns the name of the first node for which `is_example` returns `true`. Prefers the head.
fn example_node(plan: &Plan, is_example: impl Fn(&NodePlan) -> bool) -> Option<String> {
    let nodes = plan.nodes.iter().filter(|node| is_example(node));
    let mut names: Vec<String> = nodes.map(|node| node.name_on_side(None)).collect();
    let head = names.iter().position(|name| name == "head").unwrap_or(0);
    (head < names.len()).then(|| names.swap_remove(head))
}

fn unit_question(reach: f64, node: &str) -> Question {
    /// Coordinates beyond this are more likely in millimetres than in centimetres.
    const MAX_CENTIMETRES: f64 = 500.0;
    /// Coordinates beyond this are not of a person in any unit.
    const MAX_MILLIMETRES: f64 = 100_000.0;
    let units = match reach {
        _ if reach > MAX_MILLIMETRES => ["m", "mm", "cm"],
        _ if reach > MAX_CENTIMETRES => ["mm", "cm", "m"],
        _ => ["cm", "mm", "m"],
    };
    let reading = |unit: &str| {
        let facts = vec![("space.unit", quote(unit))];
        fact_reading(format!("positions in {unit}"), node, facts, unit == "m")
    };
    Question {
        why: format!("Nothing states the unit, and positions reach {}.", format_number(reach)),
        columns: Vec::new(),
        readings: units.map(reading).into(),
    }
}

struct Finder<'a> {
    table: &'a Table,
    plan: &'a Plan,
    space: &'a Space,
    mapping: &'a Mapping,
    assumed: &'a [AssumedFact],
}

impl Finder<'_> {
    fn is_assumed(&self, fact: &str) -> bool {
        self.assumed.iter().any(|assumed| assumed.fact == fact)
    }

    fn time_question(&self) -> Option<Question> {
        let time = self.plan.time?;
        let alternative = self.plan.alternatives.iter().find(|it| it.chosen == time)?;
        let node = example_node(self.plan, NodePlan::has_pose)?;
        let columns: Vec<usize> =
            [time].into_iter().chain(alternative.others.iter().copied()).collect();
        let readings = columns.iter().map(|column| {
            let name = &self.table.columns[*column].name;
            let facts = vec![("time.column", quote(name))];
            let label = format!("the time is {name:?}");
            fact_reading(label, &node, facts, *column == time)
        });
        Some(Question {
            why: "Several columns may be the time.".to_owned(),
            readings: readings.collect(),
            columns,
        })
    }

    /// Renames nodes of readings that have such a pose already.
    fn with_free_nodes(&self, mut question: Question) -> Question {
        for reading in &mut question.readings {
            let Some(name) = reading.node.clone() else { continue };
            let is_taken = |key: &str, node: &NodePlan| match key {
                "position" => node.position.is_some(),
                "scale" => node.scale.is_some(),
                "angles" => false,
                _ => node.rotates(),
            };
            let mut own = self.plan.nodes.iter().filter(|node| node.name_on_side(None) == name);
            if own.any(|node| reading.properties.iter().any(|it| is_taken(it.key, node))) {
                let free = format!("{name} (2)");
                reading.label = reading.label.replace(&format!("of {name}"), &format!("of {free}"));
                reading.properties.iter_mut().for_each(|it| it.node.clone_from(&free));
                reading.node = Some(free);
            }
        }
        question
    }

    /// Asks about a body that lies, or that stands only if x is up or down.
    fn lying_body_question(&self) -> Option<Question> {
        const MIN_UPRIGHT_COSINE: f64 = 0.5;
        let down = self.space.body_down.filter(|_| self.is_assumed("axes"))?;
        let [x, y, z] = down.abs().to_array();
        let current = self.space.axes.value;
        let is_upright = down.y < -MIN_UPRIGHT_COSINE;
        let stands_without_doubt = axes_from_down(down).is_some() && x < y.max(z);
        if is_upright || stands_without_doubt {
            return None;
        }
        let nearest = match () {
            () if x >= y && x >= z => DVec3::new(down.x.signum(), 0.0, 0.0),
            () if z >= y => DVec3::new(0.0, 0.0, down.z.signum()),
            () => DVec3::new(0.0, down.y.signum(), 0.0),
        };
        let standing = axes_from_down(nearest)?;
        let node = example_node(self.plan, |node| node.position.is_some())?;
        let mut axes = vec![standing, SourceAxes::VIEWER];
        if !axes.contains(&SourceAxes::Z_UP) {
            axes.push(SourceAxes::Z_UP);
        }
        axes.dedup();
        let readings = axes.into_iter().map(|axes| axes_reading(axes, &node, axes == current));
        Some(Question {
            why: "The body lies, or its axes are not the usual ones.".to_owned(),
            columns: Vec::new(),
            readings: readings.collect(),
        })
    }

    fn quaternion_question(&self, lists_nodes: bool) -> Option<Question> {
        let mut lists = self.plan.unordered_quaternions.clone();
        if self.mapping.settled_signals.is_some() && self.mapping.space.is_w_first.is_none() {
            // The mapping lists nodes, but still says nothing about lists.
            let rotations = self.plan.nodes.iter().filter_map(|node| node.rotation);
            lists.extend(rotations.filter(|[x, ..]| {
                let column = &self.table.columns[*x];
                let name = column.name.to_ascii_lowercase();
                column.is_list_item && !name.contains("wxyz") && !name.contains("xyzw")
            }));
        }
        let first = *lists.first()?;
        let is_of = |node: &NodePlan, list: &[usize; 4]| node.rotation.as_ref() == Some(list);
        let node = example_node(self.plan, |node| is_of(node, &first))?;
        let are_items = lists.iter().flatten().all(|it| self.table.columns[*it].is_list_item);
        if !are_items && !lists_nodes {
            return None;
        }
        let quote_list = |list: [usize; 4]| {
            let names = list.map(|column| quote(&self.table.columns[column].name));
            format!("[{}]", names.join(", "))
        };
        let readings = [("xyzw", "x y z w"), ("wxyz", "w x y z")].map(|(word, label)| {
            let is_w_first = word == "wxyz";
            let label = format!("the order is {label}");
            let fact = ("space.quaternion", quote(word));
            if are_items {
                return fact_reading(label, &node, vec![fact], !is_w_first);
            }
            // The key `quaternion` does not apply to columns with numbers, such as `q0`.
            let nodes = self.plan.nodes.iter();
            let properties = nodes.filter_map(|node| {
                let mut list = node.rotation.filter(|list| lists.contains(list))?;
                if is_w_first {
                    list.rotate_left(1);
                }
                let (node, toml) = (node.name_on_side(None), quote_list(list));
                Some(NodeProperty { node, key: "rotation", toml })
            });
            Reading {
                properties: properties.collect(),
                ..fact_reading(label, &node, vec![fact], !is_w_first)
            }
        });
        Some(Question {
            why: "Nothing states whether w is first or last.".to_owned(),
            columns: first.to_vec(),
            readings: readings.into(),
        })
    }

    fn three_angles_question(&self) -> Option<Question> {
        let is_open = self.is_assumed("euler") && self.space.may_be_radians;
        if !is_open || !self.table.declared.roles.is_empty() {
            return None;
        }
        let with_euler = || self.plan.nodes.iter().filter(|node| node.euler.is_some());
        let node = example_node(self.plan, |node| node.euler.is_some())?;
        let columns =
            with_euler().find(|it| it.name_on_side(None) == node).and_then(|it| it.euler)?;
        let chosen_unit = self.mapping.space.radians_per_unit;
        let is_unit_stated =
            chosen_unit.is_some() || with_euler().all(|node| node.radians_per_unit.is_some());
        let are_radians = with_euler().all(|node| self.space.radians_per_unit(node) == 1.0);
        if is_unit_stated && !are_radians {
            return None;
        }
        let order = EulerProduct::UNITY.letters();
        let angles = |unit: &str, is_current: bool| {
            let mut facts = vec![("space.euler", quote(&order))];
            if !is_unit_stated {
                facts.push(("space.angles", quote(unit)));
            }
            let label = format!("Euler angles {order} in {unit}");
            fact_reading(label, &node, facts, is_current)
        };
        let label = "rotation vectors".to_owned();
        let fact = ("space.euler", quote(ThreeAngles::VECTOR));
        let mut readings =
            vec![angles("radians", are_radians), fact_reading(label, &node, vec![fact], false)];
        if !is_unit_stated {
            readings.push(angles("degrees", !are_radians));
        }
        let what = if is_unit_stated { "the order" } else { "the order and the unit" };
        Some(Question {
            why: format!("Nothing states {what} of three angles, and none is beyond a full turn."),
            columns: columns.to_vec(),
            readings,
        })
    }
}
