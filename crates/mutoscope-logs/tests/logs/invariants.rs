//! Invariants of reading tables, tested with random tables.
//!
//! Each test reads 256 tables, or as many as `MUTOSCOPE_CASES` states. If tables fail, the message
//! has the smallest tables that still fail.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashSet},
    panic::{self, AssertUnwindSafe},
};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, ColumnUses, Owner, Pose, Value},
};
use mutoscope_testing::property::check_property_times;

use crate::random_tables::{Column, Meaning, RandomTable, is_no};

const DEFAULT_CASES: usize = 256;

/// Shrinking a table takes hundreds of readings, so only the first failures are shrunk.
const MAX_SHRUNK: usize = 12;

/// The number of shrunk tables in a message.
const MAX_SHOWN: usize = 3;

/// The largest difference between equal positions, in metres, and between equal rotations.
const TOLERANCE: f64 = 1e-9;

fn case_count() -> usize {
    let stated = std::env::var("MUTOSCOPE_CASES").ok();
    stated.map_or(DEFAULT_CASES, |count| count.parse().unwrap())
}

/// Checks a property of many random tables.
fn check(property: impl Fn(&RandomTable) -> Result<(), String>) {
    let checked = |table: &RandomTable| {
        panic::catch_unwind(AssertUnwindSafe(|| property(table)))
            .unwrap_or_else(|_| Err("panicked".to_owned()))
    };
    let (failed, shrunk) = (RefCell::new(0), RefCell::new(Vec::new()));
    check_property_times(case_count(), |random| {
        let table = RandomTable::new(random);
        if checked(&table).is_ok() {
            return;
        }
        *failed.borrow_mut() += 1;
        if *failed.borrow() <= MAX_SHRUNK {
            let table = table.shrunk(|table| checked(table).is_err());
            let why = checked(&table).unwrap_err();
            shrunk.borrow_mut().push(format!("{}{why}\n", table.text()));
        }
    });
    let mut shrunk = shrunk.take();
    shrunk.sort_by_key(String::len);
    shrunk.truncate(MAX_SHOWN);
    let failed = failed.take();
    let message = format!("{failed} of {} tables fail:\n\n{}", case_count(), shrunk.join("\n"));
    assert!(failed == 0, "{message}");
}

/// Checks a property of each random table that is read as a recording.
fn check_clips(property: impl Fn(&RandomTable, &Clip, &ColumnUses) -> Result<(), String>) {
    check(|table| match decode(&table.text(), None) {
        Ok(clip) => property(table, &clip, clip.columns().ok_or("no column uses")?),
        Err(_) => Ok(()),
    });
}

fn decode(text: &str, mapping: Option<&str>) -> Result<Clip, String> {
    crate::decode_table(text, mapping).map_err(|failure| failure.to_string())
}

fn messages(clip: &Clip) -> impl Iterator<Item = &str> {
    clip.diagnostics.iter().map(|one| one.message.as_str())
}

#[test]
fn most_tables_are_read() {
    let (read, long) = (RefCell::new(0), RefCell::new(0));
    check_property_times(case_count(), |random| {
        if let Ok(clip) = decode(&RandomTable::new(random).text(), None) {
            *read.borrow_mut() += 1;
            *long.borrow_mut() += usize::from(clip.columns().unwrap().shape == "long");
        }
    });
    let (read, long, all) = (read.take(), long.take(), case_count());
    assert!(read > all / 2 && long > all / 20, "{read} read, {long} of them long, of {all}");
}

#[test]
fn nothing_panics() {
    check(|table| {
        let text = table.text();
        let options = ReadOptions::default().with_formats(mutoscope_logs::formats());
        options.registry.is_recognised(text.as_bytes(), None);
        let _ = mutoscope_core::decode(text.as_bytes(), &options);
        if let Ok(clip) = decode(&text, None) {
            let mut pose = Pose::default();
            clip.sample_times().iter().for_each(|time| clip.sample(*time, &mut pose));
        }
        Ok(())
    });
}

#[test]
fn each_column_is_the_time_or_used_or_ignored_with_a_reason() {
    check_clips(|table, _, columns| {
        for Column { name, .. } in &table.columns {
            let is_time = columns.time == *name;
            let mut uses = columns.used.iter().filter(|one| one.column == *name);
            let is_time = is_time || uses.clone().any(|one| one.property == "time");
            let is_used = uses.any(|one| one.property != "time");
            let reasons: Vec<&str> = columns
                .ignored
                .iter()
                .filter(|one| one.column == *name)
                .map(|one| one.why.as_str())
                .collect();
            match (is_time, is_used, &reasons[..]) {
                (true, false, []) | (false, true, []) => {}
                (false, false, [why]) if !why.is_empty() => {}
                _ => {
                    return Err(format!(
                        "{name:?}: time {is_time}, used {is_used}, ignored {reasons:?}"
                    ));
                }
            }
        }
        let known = |name: &str| table.column(name).is_some();
        let listed = columns.used.iter().map(|one| &one.column);
        let listed = listed.chain(columns.ignored.iter().map(|one| &one.column));
        match listed.clone().find(|name| !known(name)) {
            Some(name) => Err(format!("the table has no column {name:?}")),
            None => Ok(()),
        }
    });
}

/// The start of the diagnostic that counts rows without all components of a pose.
const INCOMPLETE: &str = "an incomplete pose";

/// Returns `true` if a diagnostic says that rows are lost.
fn explains_lost_rows(table: &RandomTable, clip: &Clip) -> bool {
    // A later row replaces a row of the same time. A long table may be read as a wide one.
    let may_repeat = table.has_repeated_rows() || table.is_long();
    messages(clip).any(|message| {
        message.contains("row")
            && !message.contains("using unit length")
            && !message.contains(INCOMPLETE)
            && (may_repeat || !message.contains("a time occurs twice"))
    })
}

/// Returns `true` if a visible key of a track has this number.
fn has_visible_key(clip: &Clip, property: &str, number: f64) -> bool {
    let mut pose = Pose::default();
    clip.tracks.iter().filter(|track| track.property == property).any(|track| {
        let Owner::Node(id) = track.owner else { return false };
        track.curve.times().as_slice().iter().enumerate().any(|(key, time)| {
            let is_same =
                matches!(track.curve.key_value(key), Value::Number(found) if found == number);
            is_same && {
                clip.sample(*time, &mut pose);
                pose[id].is_visible
            }
        })
    })
}

#[test]
fn no_row_disappears_without_a_diagnostic() {
    check_clips(|table, clip, columns| {
        if explains_lost_rows(table, clip) {
            return Ok(());
        }
        for node in columns.used.iter().map(|one| &one.node).collect::<BTreeSet<_>>() {
            let of_node = || columns.used.iter().filter(|one| one.node == *node);
            let is_flag = |property: &str| matches!(property, "tracked" | "confidence");
            // A flag of several nodes is listed with the start of their names.
            let flags = || {
                let flags = columns.used.iter().filter(|one| is_flag(&one.property));
                flags.filter(|one| node.starts_with(&one.node))
            };
            let is_hidden = |row: usize| {
                flags().any(|one| {
                    table.column(&one.column).is_none_or(|column| is_no(&column.cells[row]))
                })
            };
            let is_component =
                |property: &str| property.contains('.') || matches!(property, "yaw" | "pitch");
            let components: Vec<(&Column, &str)> = of_node()
                .filter(|one| is_component(&one.property))
                .filter_map(|one| Some((table.column(&one.column)?, one.property.as_str())))
                .collect();
            for row in 0..table.times.len() {
                let numbers: Vec<f64> = components
                    .iter()
                    .filter_map(|(column, _)| column.cells[row].parse().ok())
                    .collect();
                if is_hidden(row) || numbers.is_empty() {
                    continue;
                }
                if numbers.len() < components.len() {
                    // The columns of all nodes of a long table are listed without a node.
                    let is_reported = node.is_empty()
                        || messages(clip).any(|message| message.starts_with(INCOMPLETE));
                    if !is_reported {
                        return Err(format!("nothing says that row {} is incomplete", row + 1));
                    }
                    continue;
                }
                for ((column, property), number) in components.iter().zip(numbers) {
                    if !has_visible_key(clip, property, number) {
                        let (name, row) = (&column.name, row + 1);
                        return Err(format!("{name:?}: {number} of row {row} is not shown"));
                    }
                }
            }
        }
        Ok(())
    });
}

#[test]
fn no_number_of_a_signal_disappears_without_a_diagnostic() {
    check_clips(|table, clip, columns| {
        if explains_lost_rows(table, clip) {
            return Ok(());
        }
        for signal in columns.used.iter().filter(|one| one.property == "signal") {
            let Some(column) = table.column(&signal.column) else { continue };
            let tracks = || clip.tracks.iter().filter(|track| track.property == column.name);
            for number in column.cells.iter().filter_map(|cell| cell.parse::<f64>().ok()) {
                let is_same = |value: Value| match value {
                    Value::Number(found) => found == number,
                    Value::Text(text) => text.parse() == Ok(number),
                    _ => false,
                };
                let is_kept = tracks().any(|track| {
                    (0..track.curve.key_count()).any(|key| is_same(track.curve.key_value(key)))
                });
                if !is_kept {
                    return Err(format!("the signal {:?} has no {number}", column.name));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn second_position_of_an_object_is_a_node_or_named() {
    check_clips(|table, clip, columns| {
        let objects: BTreeSet<&str> = table.sets.iter().map(|set| set.object.as_str()).collect();
        for object in objects {
            let sets: Vec<Vec<&Column>> = (0..table.sets.len())
                .filter(|set| {
                    let set = &table.sets[*set];
                    set.meaning == Meaning::Position && set.object == object
                })
                .map(|set| table.columns_of(set).collect::<Vec<_>>())
                .filter(|columns| columns.len() == 3)
                .collect();
            let nodes = |set: &[&Column]| -> BTreeSet<&str> {
                let names: Vec<&str> = set.iter().map(|column| column.name.as_str()).collect();
                let is_position = |property: &str| property.starts_with("position");
                let uses = columns.used.iter().filter(|one| is_position(&one.property));
                uses.filter(|one| names.contains(&one.column.as_str()))
                    .map(|one| one.node.as_str())
                    .collect()
            };
            let is_named = |set: &[&Column], others: &[Vec<&Column>]| {
                let has_name = |text: &str, set: &[&Column]| {
                    set.iter().any(|column| text.contains(column.name.as_str()))
                };
                let ignored = || {
                    columns.ignored.iter().filter(|one| set.iter().any(|it| it.name == one.column))
                };
                messages(clip).any(|message| has_name(message, set))
                    || ignored().any(|one| others.iter().any(|other| has_name(&one.why, other)))
            };
            if !sets.iter().any(|set| !nodes(set).is_empty()) {
                continue;
            }
            for (index, set) in sets.iter().enumerate() {
                let mut others = sets.clone();
                others.remove(index);
                let own = nodes(set);
                let is_shared = others.iter().any(|other| !nodes(other).is_disjoint(&own));
                if (own.is_empty() || is_shared) && !is_named(set, &others) {
                    let names: Vec<_> = set.iter().map(|column| &column.name).collect();
                    return Err(format!("{names:?} are silently no position of {object:?}"));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn assumptions_are_listed_and_reported() {
    check_clips(|_, clip, columns| {
        let listed: BTreeSet<String> = columns
            .assumed
            .iter()
            .map(|one| format!("assumed {}: {}, as {}", one.fact, one.value, one.why))
            .collect();
        let reported: BTreeSet<String> =
            messages(clip).filter(|message| message.contains("assum")).map(str::to_owned).collect();
        let differences: Vec<_> = listed.symmetric_difference(&reported).collect();
        if differences.is_empty() { Ok(()) } else { Err(format!("only once: {differences:#?}")) }
    });
}

/// The nodes, poses, signals and events of a clip, independent of their order.
struct Reading {
    /// The name of each node and its facts, and its visible poses at the given times.
    nodes: Vec<(String, Vec<[f64; 10]>)>,
    /// The name of each signal, with its values at the given times.
    signals: Vec<String>,
    events: Vec<String>,
    ignored: BTreeSet<String>,
}

impl Reading {
    fn new(clip: &Clip, times: &[f64]) -> Self {
        let name = |id: Option<mutoscope_core::clip::NodeId>| {
            id.map_or("", |id| clip.nodes[id].name.as_str())
        };
        let mut nodes: Vec<_> = clip
            .nodes
            .iter()
            .map(|node| {
                let (parent, bone) = (name(node.parent), name(node.bone_from));
                let (kind, side) = (node.kind, node.side);
                let facts = format!("{}: {kind:?} {side:?} {parent:?} {bone:?}", node.name);
                (facts, Vec::new())
            })
            .collect();
        let mut signals: Vec<String> = clip.signals.iter().map(|it| it.name.clone()).collect();
        let mut pose = Pose::default();
        for time in times {
            clip.sample(*time, &mut pose);
            for ((_, poses), pose) in nodes.iter_mut().zip(&pose.nodes) {
                if pose.is_visible {
                    let (position, scale) = (pose.world.translation, pose.world.scale);
                    let rotation = pose.world.rotation;
                    // Two opposite quaternions are the same rotation.
                    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
                    let [x, y, z, w] = (rotation * sign).to_array();
                    let [px, py, pz] = position.to_array();
                    let [sx, sy, sz] = scale.to_array();
                    poses.push([px, py, pz, x, y, z, w, sx, sy, sz]);
                } else {
                    poses.push([f64::INFINITY; 10]);
                }
            }
            for (signal, value) in signals.iter_mut().zip(&pose.signals) {
                *signal += &format!(" {value:?}");
            }
        }
        nodes.sort_by(|one, other| one.partial_cmp(other).unwrap());
        signals.sort();
        let events = clip.events.iter().map(|event| format!("{} {}", event.time, event.name));
        let columns = clip.columns().unwrap();
        let ignored = columns.ignored.iter().map(|one| one.column.clone());
        Self { nodes, signals, events: events.collect(), ignored: ignored.collect() }
    }

    /// # Errors
    /// The first difference from `other`.
    fn compare(&self, other: &Self) -> Result<(), String> {
        let names =
            |reading: &Self| reading.nodes.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let (one, another) = (names(self), names(other));
        if one != another {
            return Err(format!("nodes {one:?}, then {another:?}"));
        }
        let close = |one: &f64, other: &f64| one == other || (one - other).abs() < TOLERANCE;
        for ((name, one), (_, another)) in self.nodes.iter().zip(&other.nodes) {
            let is_same = |(one, other): (&[f64; 10], &[f64; 10])| {
                one.iter().zip(other).all(|(one, other)| close(one, other))
            };
            if let Some(at) = one.iter().zip(another).position(|pair| !is_same(pair)) {
                return Err(format!("{name}: {:?}, then {:?}", one[at], another[at]));
            }
        }
        let lists = [(&self.signals, &other.signals), (&self.events, &other.events)];
        match lists.iter().find(|(one, other)| one != other) {
            Some((one, another)) => Err(format!("{one:#?}, then {another:#?}")),
            None => Ok(()),
        }
    }
}

#[test]
fn own_mapping_gives_the_same_reading_without_assumptions() {
    check_clips(|table, clip, columns| {
        let mapping = &columns.mapping;
        let again = decode(&table.text(), Some(mapping))
            .map_err(|error| format!("with the mapping: {error}\n{mapping}"))?;
        let times = clip.sample_times();
        let (one, other) = (Reading::new(clip, &times), Reading::new(&again, &times));
        one.compare(&other).map_err(|difference| format!("{difference}\n{mapping}"))?;
        let assumed = &again.columns().ok_or("no column uses")?.assumed;
        if assumed.is_empty() { Ok(()) } else { Err(format!("{assumed:#?}\n{mapping}")) }
    });
}

#[test]
fn order_of_columns_changes_nothing() {
    let shuffled = RefCell::new(Vec::new());
    check(|table| {
        // Shuffle by a generator that depends on the table only, so that shrinking is repeatable.
        shuffled.borrow_mut().clear();
        check_property_times(3, |random| {
            shuffled.borrow_mut().push(table.with_shuffled_columns(random));
        });
        let read = |table: &RandomTable| decode(&table.text(), None);
        for other in shuffled.borrow().iter() {
            let (clip, again) = match (read(table), read(other)) {
                (Ok(clip), Ok(again)) => (clip, again),
                (Err(_), Err(_)) => continue,
                (Err(error), Ok(_)) | (Ok(_), Err(error)) => {
                    return Err(format!("only one order is read: {error}\n{}", other.text()));
                }
            };
            let times = clip.sample_times();
            let (one, another) = (Reading::new(&clip, &times), Reading::new(&again, &times));
            let ignored = match one.ignored == another.ignored {
                true => Ok(()),
                false => Err(format!("ignored {:?}, then {:?}", one.ignored, another.ignored)),
            };
            let result = one.compare(&another).and(ignored);
            result.map_err(|difference| format!("{difference}\n{}", other.text()))?;
        }
        Ok(())
    });
}

/// Returns `true` if the name ends with a unit in brackets that is no unit of length.
fn states_another_unit(name: &str) -> bool {
    let Some(name) = name.strip_suffix([']', ')']) else { return false };
    let unit = name.rsplit(['[', '(']).next().unwrap_or_default();
    !["m", "mm", "cm"].contains(&unit)
}

#[test]
fn triple_with_the_unit_of_another_quantity_is_no_position() {
    check_clips(|_, _, columns| {
        let positions = columns.used.iter().filter(|one| one.property.starts_with("position"));
        let wrong: HashSet<&str> =
            positions.map(|one| one.column.as_str()).filter(|it| states_another_unit(it)).collect();
        if wrong.is_empty() { Ok(()) } else { Err(format!("{wrong:?} are a position")) }
    });
}
