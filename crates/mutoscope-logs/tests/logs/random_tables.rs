//! Random tables, and a search for the smallest table that fails a property.

use std::fmt::Write as _;

use mutoscope_testing::property::RandomInput;

const OBJECTS: [&str; 18] = [
    "head",
    "left_wrist",
    "right_wrist",
    "cup",
    "tracker7",
    "Cube (1)",
    "gaze",
    "left_IndexTip",
    "IndexTip",
    "RightHand",
    "camera",
    "p1_head",
    "drone",
    "marker_3",
    "waist",
    "Zorp",
    "left",
    "world",
];

/// The spellings of a component's name: `{o}` is the object, `{c}` the component, `{C}` the component
/// in upper case.
const POSITIONS: [&str; 9] = [
    "{o}_{c}",
    "{o}_pos_{c}",
    "{o}.position.{c}",
    "{o}_t{c}",
    "{o}Pos{C}",
    "{o} {c}",
    "{o}_p{c}",
    "{o}_{c}Pos",
    "{o}_location_{c}",
];
const ROTATIONS: [&str; 5] =
    ["{o}_q{c}", "{o}_rot_{c}", "{o}.rotation.{c}", "{o}_orientation_{c}", "{o}_quat_{c}"];
const EULER: [&str; 4] = ["{o}_r{c}", "{o}_euler_{c}", "{o}_rotation_{c}", "{o}.eulerAngles.{c}"];
const ANGLES: [&str; 2] = ["{o}_{c}", "{o}.{c}"];
const DIRECTIONS: [&str; 3] = ["{o}_dir_{c}", "{o}.direction.{c}", "{o}_forward_{c}"];
const RATES: [&str; 8] = [
    "{o}_vel_{c}",
    "{o}_v{c}",
    "{o}.velocity.{c}",
    "{o}_gyro_{c}",
    "{o}_angular_velocity_{c}",
    "{o}_acc_{c}",
    "{o}_a{c}",
    "{o}_mag_{c}",
];

const XYZ: &[&[&str]] = &[&["x", "y", "z"]];
const XYZW: &[&[&str]] = &[&["x", "y", "z", "w"], &["w", "x", "y", "z"]];
const YAW_PITCH: &[&[&str]] =
    &[&["yaw", "pitch", "roll"], &["yaw", "pitch"], &["azimuth", "elevation"]];

/// The units of lengths, with the number of units in a metre.
const LENGTHS: &[(&str, f64)] = &[
    ("", 1.0),
    ("", 1.0),
    ("", 1.0),
    (" [m]", 1.0),
    (" [mm]", 1e3),
    (" (cm)", 100.0),
    ("_mm", 1e3),
];
const DEGREES: &[(&str, f64)] = &[("", 1.0), (" [deg]", 1.0), (" (rad)", 0.017)];
const RATE_UNITS: &[(&str, f64)] =
    &[("", 1.0), (" [m/s]", 1.0), (" [deg/s]", 50.0), (" (rad/s)", 1.0), (" [g]", 1.0)];
/// Units of other quantities than lengths.
const OTHER_UNITS: &[(&str, f64)] = &[
    (" [N]", 9.0),
    (" [deg/s]", 50.0),
    (" (g)", 1.0),
    (" [µT]", 40.0),
    (" [m/s]", 1.0),
    (" [V]", 1.0),
    (" [foo]", 1.0),
    (" [deg]", 30.0),
    (" (px)", 900.0),
];
const NO_UNIT: &[(&str, f64)] = &[("", 1.0)];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    Time,
    /// The names of the nodes of a long table, or of people.
    RowNames,
    Flag,
    Position,
    /// A vector that has the name of a position, and the unit of another quantity.
    OtherUnit,
    Other,
}

#[derive(Clone, Copy)]
enum Values {
    Walk,
    Quaternion,
    Direction,
    Angles,
    Noise,
}

struct Kind {
    /// The number of times that this kind is chosen, in relation to the other kinds.
    weight: usize,
    meaning: Meaning,
    spellings: &'static [&'static str],
    components: &'static [&'static [&'static str]],
    units: &'static [(&'static str, f64)],
    values: Values,
}

#[rustfmt::skip]
const KINDS: [Kind; 7] = [
    Kind { weight: 6, meaning: Meaning::Position, spellings: &POSITIONS, components: XYZ, units: LENGTHS, values: Values::Walk },
    Kind { weight: 4, meaning: Meaning::Other, spellings: &ROTATIONS, components: XYZW, units: NO_UNIT, values: Values::Quaternion },
    Kind { weight: 2, meaning: Meaning::Other, spellings: &EULER, components: XYZ, units: DEGREES, values: Values::Angles },
    Kind { weight: 1, meaning: Meaning::Other, spellings: &ANGLES, components: YAW_PITCH, units: DEGREES, values: Values::Angles },
    Kind { weight: 2, meaning: Meaning::Other, spellings: &DIRECTIONS, components: XYZ, units: NO_UNIT, values: Values::Direction },
    Kind { weight: 2, meaning: Meaning::Other, spellings: &RATES, components: XYZ, units: RATE_UNITS, values: Values::Noise },
    Kind { weight: 2, meaning: Meaning::OtherUnit, spellings: &POSITIONS, components: XYZ, units: OTHER_UNITS, values: Values::Walk },
];

/// The names of time columns, with the cell of each time, where `{i}` is the index of the time.
type TimeColumn = (&'static str, fn(usize) -> String);

const TIMES: [TimeColumn; 11] = [
    ("t", |index| format!("{:.1}", index as f64 / 10.0)),
    ("time", |index| format!("{:.1}", index as f64 / 10.0)),
    ("time [s]", |index| format!("{:.2}", 5.0 + index as f64 / 10.0)),
    ("Timestamp_ms", |index| (index * 100).to_string()),
    ("timestamp [ns]", |index| format!("17000000{:02}00000000", index + 10)),
    ("unix_time", |index| format!("17000000{:02}.5", index + 10)),
    ("Time (us)", |index| (index * 100_000).to_string()),
    ("TimeStamp", |index| format!("12:00:{:02}.250", index)),
    ("datetime", |index| format!("2024-05-01T12:00:{:02}Z", index)),
    ("elapsed_seconds", |index| format!("{:.1}", index as f64 / 10.0)),
    ("frame", |index| (100 + index).to_string()),
];

/// Times in two columns.
const TIME_PAIRS: [[TimeColumn; 2]; 2] = [
    [
        ("sec", |index| (1_700_000_000 + index / 4).to_string()),
        ("nanosec", |index| (index % 4 * 250_000_000).to_string()),
    ],
    [("date", |_| "2024-05-13".to_owned()), ("clock", |index| format!("12:00:{:02}.500", index))],
];

/// Frames of reference, and other endings of an object's name.
const FRAMES: [&str; 5] = ["_local", ".world", "_global", "_raw", "2"];

const FLAGS: [&str; 7] = [
    "{o}_tracked",
    "{o}.valid",
    "{o}_isTracked",
    "{o}_visible",
    "{o}_hasValue",
    "{o}_state",
    "{o}_confidence",
];
/// Pairs of words for a valid and an invalid pose. The last two pairs mean nothing.
const FLAG_WORDS: [[&str; 2]; 8] = [
    ["1", "0"],
    ["true", "false"],
    ["yes", "no"],
    ["Tracked", "NotTracked"],
    ["ok", "lost"],
    ["0.9", "-1"],
    ["blue", "green"],
    ["A7", "B8"],
];
const NO_WORDS: [&str; 6] = ["0", "false", "no", "NotTracked", "lost", "-1"];

/// Columns of single values: the name, and words to choose from. An empty word is a missing value.
const LABELS: [(&str, &[&str]); 14] = [
    ("condition", &["A", "B"]),
    ("trial", &["1", "2", "3"]),
    ("marker", &["start", "", "stop", "", ""]),
    ("event", &["", "go", "", ""]),
    ("object", &["cup", "cup", "plate"]),
    ("name", &["anna"]),
    ("side", &["left", "right"]),
    ("hand", &["L", "R"]),
    ("pupil_diameter [mm]", &["3.1", "3.2", ""]),
    ("temperature [C]", &["20.5", "21"]),
    ("left_pinch", &["0", "0.5", "1"]),
    ("button", &["true", "false"]),
    ("note", &["a, b", "\"quoted\"", "x;y"]),
    ("empty", &[""]),
];

const NODE_NAME_COLUMNS: [&str; 6] = ["joint", "object", "node_name", "name", "device", "marker"];
const PEOPLE: [(&str, [&str; 2]); 4] = [
    ("body_id", ["1", "2"]),
    ("Player", ["anna", "bob"]),
    ("person", ["P01", "P02"]),
    ("hand", ["left", "right"]),
];

#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The cells, of which empty ones are missing values.
    pub(crate) cells: Vec<String>,
    /// The index of the column's set in [`RandomTable::sets`].
    pub(crate) set: usize,
    component: usize,
}

/// Columns that belong together, such as the components of a position.
#[derive(Clone)]
pub(crate) struct Set {
    pub(crate) meaning: Meaning,
    pub(crate) object: String,
    /// `true` if the text has the components in one cell.
    is_one_cell: bool,
}

#[derive(Clone)]
pub(crate) struct RandomTable {
    pub(crate) sets: Vec<Set>,
    pub(crate) columns: Vec<Column>,
    /// The index of each row's time. `None` if the row has no time.
    pub(crate) times: Vec<Option<usize>>,
    /// The object and the person of each row. Empty in a wide table.
    labels: Vec<[&'static str; 2]>,
    is_json: bool,
    separator: char,
}

fn choose<T: Copy>(random: &mut RandomInput, all: &[T]) -> T {
    all[random.below(all.len())]
}

/// Returns `true` once in `count` calls, on average.
fn one_in(random: &mut RandomInput, count: usize) -> bool {
    random.below(count) == 0
}

fn shuffle<T>(random: &mut RandomInput, all: &mut [T]) {
    for index in (1..all.len()).rev() {
        all.swap(index, random.below(index + 1));
    }
}

fn spell(spelling: &str, object: &str, component: &str) -> String {
    let name = spelling.replace("{c}", component).replace("{C}", &component.to_uppercase());
    let name = name.replace("{o}", object);
    name.trim_matches(['_', '.', ' ']).to_owned()
}

fn value(values: Values, phase: f64, time: f64, component: &str, random: &mut RandomInput) -> f64 {
    let axis = ["x", "y", "z", "w"].iter().position(|own| *own == component).unwrap_or(0);
    let angle = 1.0 + 0.8 * (0.3 * time + phase).sin();
    match values {
        Values::Walk => 0.4 + phase / 6.0 + 0.3 * (0.2 * time + phase + axis as f64).sin(),
        Values::Quaternion if axis == 3 => (angle / 2.0).cos(),
        Values::Quaternion => [0.36, 0.48, 0.8][axis] * (angle / 2.0).sin(),
        Values::Direction => [0.8 * angle.sin(), 0.6, -0.8 * angle.cos()][axis.min(2)],
        Values::Angles => 40.0 * (0.3 * time + phase + axis as f64).sin(),
        Values::Noise => random.in_range(-3.0, 3.0),
    }
}

impl RandomTable {
    pub(crate) fn new(random: &mut RandomInput) -> Self {
        let mut objects = OBJECTS.to_vec();
        shuffle(random, &mut objects);
        objects.truncate(1 + random.below(6));
        let is_long = one_in(random, 4);
        let mut table = Self {
            sets: Vec::new(),
            columns: Vec::new(),
            times: Vec::new(),
            labels: Vec::new(),
            is_json: one_in(random, 4),
            separator: choose(random, &[',', ',', ';', '\t']),
        };
        let people = choose(random, &PEOPLE);
        let labels: Vec<[&str; 2]> = match (is_long, one_in(random, 4)) {
            (true, true) => {
                people.1.iter().flat_map(|own| objects.iter().map(|it| [*it, *own])).collect()
            }
            (true, false) => objects.iter().map(|object| [*object, ""]).collect(),
            (false, _) => Vec::new(),
        };
        table.add_rows(random, &labels);
        table.add_times(random);
        if is_long {
            table.add_labels(choose(random, &NODE_NAME_COLUMNS), 0);
            table.add_labels(people.0, 1);
            objects = vec![""];
        }
        for object in objects {
            table.add_object(random, object);
        }
        for _ in 0..random.below(4) {
            let (name, words) = choose(random, &LABELS);
            let cells = table.times.iter().map(|_| choose(random, words).to_owned()).collect();
            table.add_single(Meaning::Other, "", name, cells);
        }
        if one_in(random, 2) {
            shuffle(random, &mut table.columns);
        }
        table
    }

    fn add_rows(&mut self, random: &mut RandomInput, labels: &[[&'static str; 2]]) {
        let mut rows = Vec::new();
        for time in 0..4 + random.below(6) {
            match labels {
                [] => rows.push((Some(time), ["", ""])),
                _ => rows.extend(labels.iter().map(|label| (Some(time), *label))),
            }
        }
        if one_in(random, 6) {
            let repeated = choose(random, &rows);
            rows.insert(random.below(rows.len()), repeated);
        }
        if one_in(random, 8) {
            shuffle(random, &mut rows);
        }
        if one_in(random, 12) {
            let row = random.below(rows.len());
            rows[row].0 = None;
        }
        self.times = rows.iter().map(|(time, _)| *time).collect();
        if !labels.is_empty() {
            self.labels = rows.iter().map(|(_, label)| *label).collect();
        }
    }

    fn add_labels(&mut self, name: &str, index: usize) {
        let cells: Vec<String> = self.labels.iter().map(|own| own[index].to_owned()).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            self.add_single(Meaning::RowNames, "", name, cells);
        }
    }

    fn add_times(&mut self, random: &mut RandomInput) {
        if one_in(random, 10) {
            for (name, format) in choose(random, &TIME_PAIRS) {
                self.add_time(name, format);
            }
            self.join_last_two_sets();
            return;
        }
        for _ in 0..choose(random, &[1, 1, 1, 1, 1, 1, 1, 2, 2, 0]) {
            let (name, format) = choose(random, &TIMES);
            self.add_time(name, format);
        }
    }

    fn add_time(&mut self, name: &str, format: fn(usize) -> String) {
        let cells = self.times.iter().map(|time| time.map_or(String::new(), format)).collect();
        self.add_single(Meaning::Time, "", name, cells);
    }

    fn join_last_two_sets(&mut self) {
        self.sets.pop();
        for column in &mut self.columns {
            column.set = column.set.min(self.sets.len() - 1);
        }
    }

    fn add_single(&mut self, meaning: Meaning, object: &str, name: &str, cells: Vec<String>) {
        if self.columns.iter().all(|column| column.name != name) {
            let set = self.sets.len();
            self.sets.push(Set { meaning, object: object.to_owned(), is_one_cell: false });
            self.columns.push(Column { name: name.to_owned(), cells, set, component: 0 });
        }
    }

    fn add_object(&mut self, random: &mut RandomInput, object: &'static str) {
        for _ in 0..1 + random.below(3) {
            let weights = KINDS.iter().flat_map(|kind| std::iter::repeat_n(kind, kind.weight));
            let kind = choose(random, &weights.collect::<Vec<_>>());
            let frame = if one_in(random, 6) { choose(random, &FRAMES) } else { "" };
            self.add_set(random, kind, object, frame);
        }
        if one_in(random, 3) {
            let name = spell(choose(random, &FLAGS), object, "");
            let [yes, no] = choose(random, &FLAG_WORDS);
            let word = |random: &mut RandomInput| if one_in(random, 4) { no } else { yes };
            let cells = self.times.iter().map(|_| word(random).to_owned()).collect();
            self.add_single(Meaning::Flag, object, &name, cells);
        }
    }

    fn add_set(&mut self, random: &mut RandomInput, kind: &Kind, object: &str, frame: &str) {
        let spelling = choose(random, kind.spellings);
        let (unit, scale) = choose(random, kind.units);
        let mut components = choose(random, kind.components).to_vec();
        if one_in(random, 20) {
            components.pop();
        }
        let place = format!("{object}{frame}");
        let names: Vec<String> =
            components.iter().map(|component| spell(spelling, &place, component) + unit).collect();
        if names.iter().any(|name| self.columns.iter().any(|column| column.name == *name)) {
            return;
        }
        // A reader names the components of one cell in this order.
        let is_list = components.len() > 2
            && names.iter().zip([".x", ".y", ".z", ".w"]).all(|(name, end)| name.ends_with(end));
        let is_one_cell = is_list && one_in(random, 2);
        let values = if one_in(random, 6) { Values::Noise } else { kind.values };
        let phase = random.in_range(0.0, 6.0);
        let gaps = choose(random, &[0, 0, 0, 1, 2]);
        let is_gap: Vec<bool> = self.times.iter().map(|_| random.below(12) < gaps).collect();
        let set = self.sets.len();
        self.sets.push(Set { meaning: kind.meaning, object: object.to_owned(), is_one_cell });
        for (component, name) in names.into_iter().enumerate() {
            let mut cells = Vec::new();
            for (row, time) in self.times.iter().enumerate() {
                let time = time.unwrap_or(0) as f64;
                let label = self.labels.get(row).map_or(0, |label| label.concat().len());
                let phase = phase + label as f64 / 3.0;
                let number = value(values, phase, time, components[component], random);
                let is_missing = is_gap[row] || !is_one_cell && gaps > 0 && one_in(random, 40);
                let text = format!("{:.5}", number * scale);
                cells.push(if is_missing { String::new() } else { text });
            }
            self.columns.push(Column { name, cells, set, component });
        }
    }

    pub(crate) fn with_shuffled_columns(&self, random: &mut RandomInput) -> Self {
        let mut other = self.clone();
        shuffle(random, &mut other.columns);
        other
    }

    /// Returns `true` if two rows have the same time, and the same object in a long table.
    pub(crate) fn has_repeated_rows(&self) -> bool {
        let key = |row: usize| (self.times[row], self.labels.get(row));
        (0..self.times.len()).any(|row| (0..row).any(|before| key(before) == key(row)))
    }

    pub(crate) fn is_long(&self) -> bool {
        !self.labels.is_empty()
    }

    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    pub(crate) fn columns_of(&self, set: usize) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |column| column.set == set)
    }

    pub(crate) fn text(&self) -> String {
        let mut sets: Vec<Vec<&Column>> = Vec::new();
        for column in &self.columns {
            match sets.iter_mut().find(|own| own[0].set == column.set) {
                Some(own) if self.sets[column.set].is_one_cell => own.push(column),
                _ => sets.push(vec![column]),
            }
        }
        for own in &mut sets {
            own.sort_by_key(|column| column.component);
        }
        let name = |own: &Vec<&Column>| match self.sets[own[0].set].is_one_cell {
            true => own[0].name.trim_end_matches(".x").to_owned(),
            false => own[0].name.clone(),
        };
        let mut text = String::new();
        if !self.is_json {
            self.push_line(&mut text, sets.iter().map(name));
        }
        for row in 0..self.times.len() {
            if self.is_json {
                let members = sets
                    .iter()
                    .map(|own| format!("{}: {}", to_json(&name(own)), self.json_value(own, row)));
                let _ = writeln!(text, "{{{}}}", members.collect::<Vec<_>>().join(", "));
            } else {
                self.push_line(&mut text, sets.iter().map(|own| self.csv_cell(own, row)));
            }
        }
        text
    }

    fn csv_cell(&self, own: &[&Column], row: usize) -> String {
        let cells: Vec<&str> = own.iter().map(|column| column.cells[row].as_str()).collect();
        let is_vector = self.sets[own[0].set].is_one_cell && !cells[0].is_empty();
        if is_vector { format!("({})", cells.join(", ")) } else { cells[0].to_owned() }
    }

    fn json_value(&self, own: &[&Column], row: usize) -> String {
        let values: Vec<String> =
            own.iter().map(|column| to_json_value(&column.cells[row])).collect();
        let is_list = self.sets[own[0].set].is_one_cell && !own[0].cells[row].is_empty();
        if is_list { format!("[{}]", values.join(", ")) } else { values[0].clone() }
    }

    fn push_line(&self, text: &mut String, cells: impl Iterator<Item = String>) {
        let quote = |cell: String| match cell.contains([self.separator, '"']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell,
        };
        let cells: Vec<String> = cells.map(quote).collect();
        let _ = writeln!(text, "{}", cells.join(&self.separator.to_string()));
    }

    fn without_set(&self, set: usize) -> Self {
        let mut other = self.clone();
        other.columns.retain(|column| column.set != set);
        other
    }

    fn without_column(&self, column: usize) -> Self {
        let mut other = self.clone();
        other.columns.remove(column);
        other
    }

    fn without_row(&self, row: usize) -> Self {
        let mut other = self.clone();
        other.times.remove(row);
        if self.is_long() {
            other.labels.remove(row);
        }
        for column in &mut other.columns {
            column.cells.remove(row);
        }
        other
    }

    /// Returns tables that are simpler than this one.
    fn simpler_tables(&self) -> impl Iterator<Item = Self> {
        // Without one of two columns, times would repeat.
        let is_removable = |column: &usize| {
            let set = &self.sets[self.columns[*column].set];
            !set.is_one_cell && set.meaning != Meaning::Time
        };
        let sets = (0..self.sets.len()).filter(|set| self.columns_of(*set).next().is_some());
        let plain = Self { is_json: false, separator: ',', ..self.clone() };
        let plain = (self.is_json || self.separator != ',').then_some(plain);
        let columns = (0..self.columns.len()).filter(is_removable);
        sets.map(|set| self.without_set(set))
            .chain((0..self.times.len()).map(|row| self.without_row(row)))
            .chain(plain)
            .chain(columns.map(|column| self.without_column(column)))
    }

    /// Removes columns and rows as long as the table `fails`.
    pub(crate) fn shrunk(self, fails: impl Fn(&Self) -> bool) -> Self {
        let mut table = self;
        loop {
            let simpler = table.simpler_tables().find(&fails);
            match simpler {
                Some(simpler) => table = simpler,
                None => return table,
            }
        }
    }
}

/// Returns `true` if the word of a flag means that there is no pose.
pub(crate) fn is_no(word: &str) -> bool {
    word.is_empty() || NO_WORDS.contains(&word)
}

fn to_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn to_json_value(cell: &str) -> String {
    match cell {
        "" => "null".to_owned(),
        "true" | "false" => cell.to_owned(),
        _ if cell.parse::<f64>().is_ok() => cell.to_owned(),
        _ => to_json(cell),
    }
}
