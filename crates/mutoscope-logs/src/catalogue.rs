//! Knows programs that write tables, by the names of the columns that their makers document.
//!
//! Each file in `catalogue` is a mapping file with a section `[logger]`. To add a program, add a
//! file and list it in [`FILES`].

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    env, fs, io, mem,
    path::{Path, PathBuf},
    sync::{LazyLock, Once, PoisonError, RwLock},
};

use mutoscope_core::{
    diagnostics::{Diagnostics, SourceLocation},
    read::format_path,
};

use crate::{
    codes,
    mapping::{
        EventOptions, FromColumns, Logger, LongOptions, MappedNode, Mapping, NamedColumn,
        SpaceOptions, TableOptions, TimeOptions,
    },
    plan::Plan,
    table::Table,
};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../catalogue/", $name)))),*]
    };
}

const FILES: [(&str, &str); 76] = files![
    "apdm-format-7.toml",
    "apdm.toml",
    "arett.toml",
    "aria-closed-loop.toml",
    "aria-gaze-vergence.toml",
    "aria-gaze.toml",
    "aria-hands.toml",
    "aria-open-loop.toml",
    "aria-wrist-and-palm.toml",
    "euroc-without-units.toml",
    "euroc.toml",
    "eye-lean-scene.toml",
    "eye-lean.toml",
    "freemocap-long.toml",
    "freemocap-wide.toml",
    "hololens-capture-camera.toml",
    "hololens-capture-gaze.toml",
    "hololens-capture-hand.toml",
    "hololens-capture-head.toml",
    "hololens-capture-left-hand.toml",
    "hololens-capture-right-hand.toml",
    "hot3d-hands.toml",
    "hot3d-poses.toml",
    "kinect-v2-long.toml",
    "kinect-v2.toml",
    "kitti.toml",
    "labo-eyes.toml",
    "labo-left-hand.toml",
    "labo-right-hand.toml",
    "leap-tracking.toml",
    "mediapipe-pose-export.toml",
    "mediapipe-pose-letters.toml",
    "mediapipe-pose-numbers.toml",
    "mediapipe-pose-people.toml",
    "mediapipe-pose.toml",
    "mediapipe.toml",
    "mrtk-eye-gaze.toml",
    "mrtk-hand-rows.toml",
    "ngimu.toml",
    "nuitrack.toml",
    "openpose.toml",
    "pupil-gaze.toml",
    "pupil-head-pose.toml",
    "pupil-neon-eyes.toml",
    "pupil-neon-gaze.toml",
    "pupil-neon-imu.toml",
    "pupil-neon-native-eyes.toml",
    "pupil-neon-native-imu.toml",
    "quest-capture-hmd.toml",
    "quest-capture-left-controller.toml",
    "quest-capture-right-controller.toml",
    "quest-capture.toml",
    "resxr.toml",
    "rokoko.toml",
    "sranipal.toml",
    "stream-recorder.toml",
    "tobii-glasses-without-units.toml",
    "tobii-glasses.toml",
    "tobii-pro-lab-units.toml",
    "tobii-pro-lab.toml",
    "tobii-pro-sdk.toml",
    "tum-numbers.toml",
    "tum.toml",
    "uxf.toml",
    "varjo-base.toml",
    "varjo-unity.toml",
    "vision-pro-teleop.toml",
    "who-is-alyx.toml",
    "x-imu3-euler.toml",
    "x-imu3-quaternion.toml",
    "xr-motion-catalogue.toml",
    "xsens-dot.toml",
    "xsens-mt-matrix.toml",
    "xsens-mt.toml",
    "xsens-mvn-orientation.toml",
    "xsens-mvn-position.toml",
];

static LOGGERS: LazyLock<Vec<Mapping>> = LazyLock::new(|| {
    let parse = |&(name, text): &(&str, &str)| parse_entry(name, text);
    FILES.iter().map(|file| parse(file).unwrap_or_else(|error| panic!("{error}"))).collect()
});

/// The entries that the user added, and the messages about those that are broken.
static USER_ENTRIES: RwLock<(Vec<Mapping>, Vec<String>)> = RwLock::new((Vec::new(), Vec::new()));

/// The user's folder of entries, if it is not the usual one.
const FOLDER_VARIABLE: &str = "MUTOSCOPE_CATALOGUE";

/// Adds an entry of the user, which takes precedence over ours. Replaces the entry that has the same
/// `name`, which is the path of its file. A broken entry is reported with each table that is read.
pub fn add_entry(name: &str, text: &str) {
    let mut user = USER_ENTRIES.write().unwrap_or_else(PoisonError::into_inner);
    user.0.retain(|entry| entry.name != name);
    match parse_entry(name, text) {
        Ok(entry) => user.0.push(entry),
        Err(error) => user.1.push(format!("{error}; the entry is ignored. Correct the file")),
    }
}

/// Adds all entries in the user's folder. This is the folder in the environment variable
/// `MUTOSCOPE_CATALOGUE`, or otherwise `mutoscope/catalogue` in the user's folder of settings. Only
/// the first call has an effect.
pub fn add_user_entries() {
    static IS_DONE: Once = Once::new();
    IS_DONE.call_once(|| {
        let chosen = env::var_os(FOLDER_VARIABLE).map(PathBuf::from);
        let Some(folder) = chosen.clone().or_else(usual_folder) else { return };
        if let Err(error) = add_folder(&folder) {
            let is_absent = chosen.is_none() && error.kind() == io::ErrorKind::NotFound;
            if !is_absent {
                let message = format!(
                    "cannot read {}: {error}; no entries of yours are used. Set {FOLDER_VARIABLE} to a \
                     folder",
                    format_path(&folder)
                );
                USER_ENTRIES.write().unwrap_or_else(PoisonError::into_inner).1.push(message);
            }
        }
    });
}

fn usual_folder() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let settings = match cfg!(windows) {
        true => variable("APPDATA"),
        false => variable("XDG_CONFIG_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".config"))),
    };
    settings.map(|settings| settings.join("mutoscope").join("catalogue"))
}

fn add_folder(folder: &Path) -> io::Result<()> {
    let files: io::Result<Vec<PathBuf>> =
        fs::read_dir(folder)?.map(|file| file.map(|file| file.path())).collect();
    let mut files = files?;
    files.retain(|path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("toml")));
    files.sort();
    for path in files {
        add_entry(&format_path(&path), &String::from_utf8_lossy(&fs::read(&path)?));
    }
    Ok(())
}

fn parse_entry(name: &str, text: &str) -> Result<Mapping, String> {
    let entry = Mapping::parse(name, text)?;
    let Some(logger) = &entry.logger else {
        return Err(format!("{name}: line 1: expected a section [logger], found none"));
    };
    let has_sign = !logger.headers.is_empty()
        || !logger.lines.is_empty()
        || logger.assumed_columns.is_some()
        || logger.file.is_some() && logger.column_count.is_some();
    match has_sign {
        true => Ok(entry),
        false => Err(format!(
            "{name}: line 1: expected headers, lines, assumed_columns, or both file and columns in [logger], found none"
        )),
    }
}

/// Reports the entries of the user that are broken.
pub(crate) fn report_broken_entries(diagnostics: &mut Diagnostics) {
    for message in &USER_ENTRIES.read().unwrap_or_else(PoisonError::into_inner).1 {
        diagnostics.warning(codes::table::BROKEN_ENTRY, SourceLocation::File, message);
    }
}

/// Completes `chosen` with the mapping of the program that wrote `table`. Returns `chosen` if no
/// program is known to write such a table, or if `chosen` already says which nodes there are.
/// `file` is the name of the table's file, if it is known.
pub(crate) fn complete_mapping<'a>(
    chosen: &'a Mapping,
    table: &Table,
    file: Option<&str>,
) -> Cow<'a, Mapping> {
    if chosen.nodes.is_some() || chosen.long.is_some() {
        return match chosen.open_placeholders.is_empty() {
            true => Cow::Borrowed(chosen),
            false => Cow::Owned(chosen.clone().with_names_from(table)),
        };
    }
    let names = ColumnNames::new(table);
    let user = USER_ENTRIES.read().unwrap_or_else(PoisonError::into_inner);
    let find = |entries: &[Mapping]| find_logger(entries, &names, table, file).cloned();
    match find(&user.0).or_else(|| find(&LOGGERS)) {
        Some(logger) => {
            let logger = logger.with_names_from(table);
            Cow::Owned(chosen.clone().completed_by(&logger, &names))
        }
        None => Cow::Borrowed(chosen),
    }
}

/// Returns the entry that fits the table. If several entries fit, the one with the most signs is
/// returned.
fn find_logger<'a>(
    entries: &'a [Mapping],
    names: &ColumnNames<'_>,
    table: &Table,
    file: Option<&str>,
) -> Option<&'a Mapping> {
    let found = entries.iter().filter_map(|entry| {
        let signs = count_signs(entry.logger.as_ref()?, names, table, file)?;
        has_assumed_values(entry, table).then_some((signs, entry))
    });
    found.max_by_key(|(signs, _)| *signs).map(|(_, entry)| entry)
}

/// Returns how many columns, lines and other signs of the program the table has. Returns `None` if
/// the program did not write the table.
fn count_signs(
    logger: &Logger,
    names: &ColumnNames<'_>,
    table: &Table,
    file: Option<&str>,
) -> Option<usize> {
    let is_complete = |header: &&Vec<String>| {
        header.iter().all(|column| names.find(column).is_some())
            && (!logger.has_no_other_columns || header.len() == table.columns.len())
    };
    let header = match logger.headers.is_empty() {
        true => 0,
        false => logger.headers.iter().filter(is_complete).map(Vec::len).max()?,
    };
    let has_line = |expected: &String| {
        let expected = expected.to_lowercase();
        table.first_lines.iter().any(|line| line.to_lowercase().contains(&expected))
    };
    if !logger.lines.iter().all(has_line) {
        return None;
    }
    // While a file is identified, its name is not known. Then the names of columns and the lines
    // decide, but a number of columns does not, because any text may have as many numbers.
    let has_name = match (&logger.file, file) {
        (Some(pattern), Some(file)) => matches_pattern(pattern, file).then_some(true)?,
        (Some(_), None) if header == 0 && logger.lines.is_empty() => return None,
        _ => false,
    };
    if let Some(count) = logger.column_count {
        let is_numbered = table.columns.first().is_some_and(|first| first.name == "1");
        (is_numbered && table.columns.len() == count).then_some(())?;
    }
    let others = usize::from(has_name) + usize::from(logger.column_count.is_some());
    Some(header + logger.lines.len() + others)
}

/// Returns `true` if the values confirm the columns that the entry assumes, if it assumes any: blanks
/// separate the cells, times increase, and quaternions have length 1.
fn has_assumed_values(entry: &Mapping, table: &Table) -> bool {
    const MIN_ROWS: usize = 3;
    if entry.logger.as_ref().is_none_or(|logger| logger.assumed_columns.is_none()) {
        return true;
    }
    let count = table.columns.len();
    let is_row = |line: &String| {
        !line.contains([',', ';', '\t']) && line.split_whitespace().count() == count
    };
    let is_comment = |line: &String| line.trim().is_empty() || line.trim_start().starts_with('#');
    let mut rows = table.first_lines.iter().filter(|line| !is_comment(line)).peekable();
    let index_of =
        |named: &NamedColumn| table.columns.iter().position(|column| column.name == named.column);
    let Some(time) = entry.time.column.as_ref().and_then(index_of) else { return false };
    let is_trajectory = |node: &MappedNode| {
        let columns = node.rotation.iter().flatten().map(index_of).collect::<Option<Vec<_>>>();
        let columns: Option<[usize; 4]> = columns.and_then(|columns| columns.try_into().ok());
        columns.is_some_and(|rotation| Plan::is_trajectory(table, time, rotation))
    };
    table.rows >= MIN_ROWS
        && rows.peek().is_some()
        && rows.all(is_row)
        && entry.nodes.iter().flatten().all(is_trajectory)
}

/// Returns `true` if the last part of the path matches the pattern, in which `*` stands for any
/// text. Case does not matter.
fn matches_pattern(pattern: &str, path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase();
    let pattern = pattern.to_lowercase();
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The names of a table's columns. If no column has exactly the name of an entry, case and blanks do
/// not matter.
struct ColumnNames<'a> {
    exact: HashSet<&'a str>,
    without_case: HashMap<String, &'a str>,
}

impl<'a> ColumnNames<'a> {
    fn new(table: &'a Table) -> Self {
        let names = || table.columns.iter().map(|column| column.name.as_str());
        let mut without_case = HashMap::new();
        for name in names() {
            without_case.entry(without_case_and_blanks(name)).or_insert(name);
        }
        Self { exact: names().collect(), without_case }
    }

    /// Returns the name of a column in the table. A list has no column of its own, but one for each
    /// item.
    fn find<'b>(&self, column: &'b str) -> Option<&'b str>
    where
        'a: 'b,
    {
        let item = format!("{column}.x");
        if self.exact.contains(column) || self.exact.contains(item.as_str()) {
            return Some(column);
        }
        let find = |name: &str| self.without_case.get(&without_case_and_blanks(name)).copied();
        find(column).or_else(|| find(&item).and_then(|item| item.get(..item.len() - 2)))
    }
}

fn without_case_and_blanks(name: &str) -> String {
    name.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_lowercase).collect()
}

impl Mapping {
    /// Replaces the placeholders whose names come from the columns of the table.
    fn with_names_from(mut self, table: &Table) -> Self {
        for (placeholder, kind) in mem::take(&mut self.open_placeholders) {
            let nodes = self.nodes.take().map(|nodes| {
                let replaced = |mut node: MappedNode| {
                    let columns = node.columns_mut();
                    let pattern = columns.into_iter().find(|it| it.column.contains(&placeholder));
                    let Some(pattern) = pattern.map(|it| it.column.clone()) else {
                        return vec![node];
                    };
                    let texts = texts_of_placeholder(&pattern, &placeholder, kind, table);
                    texts.iter().map(|it| node.with_placeholder(&placeholder, it, it)).collect()
                };
                nodes.into_iter().flat_map(replaced).collect()
            });
            self.nodes = nodes;
        }
        self
    }

    fn completed_by(self, logger: &Self, names: &ColumnNames<'_>) -> Self {
        let find = |column: &NamedColumn| {
            let found = names.find(&column.column)?;
            Some(NamedColumn { column: found.to_owned(), line: column.line })
        };
        let time = match self.time.column {
            // The unit of another column says nothing about the chosen column.
            Some(_) => self.time,
            None => TimeOptions {
                column: logger.time.column.as_ref().and_then(find),
                finer_column: logger.time.finer_column.as_ref().and_then(find),
                date_order: self.time.date_order.or(logger.time.date_order),
                unit: self.time.unit.or(logger.time.unit),
                rate_hz: self.time.rate_hz.or(logger.time.rate_hz),
                zero: self.time.zero.or(logger.time.zero),
            },
        };
        let gravity = logger.space.gravity.as_ref();
        let space = SpaceOptions {
            axes: self.space.axes.or(logger.space.axes),
            gravity: gravity.and_then(|columns| columns.iter().map(find).collect()),
            metres_per_unit: self.space.metres_per_unit.or(logger.space.metres_per_unit),
            is_w_first: self.space.is_w_first.or(logger.space.is_w_first),
            euler: self.space.euler.or(logger.space.euler),
            radians_per_unit: self.space.radians_per_unit.or(logger.space.radians_per_unit),
        };
        let long = logger.long.as_ref().map(|long| LongOptions {
            node: long.node.as_ref().and_then(find),
            side: long.side.as_ref().and_then(find),
            group: long.group.as_ref().and_then(find),
            ..long.clone()
        });
        let nodes = logger.nodes.clone().map(|mut nodes| {
            let has_column = |name: &str| names.exact.contains(name);
            nodes.iter_mut().for_each(|node| node.retain_existing(find, has_column));
            nodes.retain(MappedNode::has_pose);
            drop_orphans(&mut nodes);
            nodes
        });
        let event_column = logger.events.as_ref().map(|events| events.column.as_ref());
        let events = event_column.map(|column| EventOptions { column: column.and_then(find) });
        let table = match self.table == TableOptions::default() {
            true => logger.table.clone(),
            false => self.table,
        };
        Self {
            table,
            time,
            space,
            long,
            nodes,
            flags: logger.flags.clone(),
            bones: logger.bones.clone(),
            events: self.events.or(events),
            logger: logger.logger.clone(),
            name: logger.name.clone(),
            ..self
        }
    }
}

/// Returns the texts that stand in the place of the placeholder in columns whose name otherwise
/// equals the pattern, in the order of the columns.
fn texts_of_placeholder(
    pattern: &str,
    placeholder: &str,
    kind: FromColumns,
    table: &Table,
) -> Vec<String> {
    let Some((start, end)) = pattern.split_once(placeholder) else { return Vec::new() };
    let mut texts: Vec<String> = Vec::new();
    for column in &table.columns {
        let name = column.name.strip_suffix(".x").filter(|_| column.is_list_item);
        let text = name.unwrap_or(&column.name).strip_prefix(start);
        let Some(text) = text.and_then(|rest| rest.strip_suffix(end)) else { continue };
        let is_fitting = !text.is_empty()
            && (kind == FromColumns::AnyText || text.bytes().all(|byte| byte.is_ascii_digit()));
        if is_fitting && texts.last().is_none_or(|last| last != text) {
            texts.push(text.to_owned());
        }
    }
    texts
}

/// Removes the nodes whose parent does not exist, because their positions are relative to it.
fn drop_orphans(nodes: &mut Vec<MappedNode>) {
    loop {
        let names: HashSet<String> = nodes.iter().map(|node| node.name.clone()).collect();
        let before = nodes.len();
        nodes.retain(|node| node.parent.as_ref().is_none_or(|it| names.contains(&it.column)));
        if nodes.len() == before {
            return;
        }
    }
}

impl MappedNode {
    /// Replaces the names of columns by those that the table has. Removes the properties whose
    /// columns do not all exist, because some versions of a program write fewer columns than others.
    fn retain_existing(
        &mut self,
        find: impl Fn(&NamedColumn) -> Option<NamedColumn>,
        has_column: impl Fn(&str) -> bool,
    ) {
        let (vectors, singles) = self.properties_mut();
        for vector in vectors {
            *vector = vector.take().and_then(|columns| columns.iter().map(&find).collect());
        }
        for single in singles {
            *single = single.take().and_then(|column| find(&column));
        }
        // A list of three numbers is no quaternion, and a list of four numbers is no set of angles.
        let has_w = |columns: &Vec<NamedColumn>| match &columns[..] {
            [list] => has_column(&format!("{}.w", list.column)),
            columns => columns.len() == 4,
        };
        self.rotation.take_if(|columns| !has_w(columns));
        self.euler.take_if(|columns| has_w(columns));
    }

    fn has_pose(&self) -> bool {
        let vectors = [
            &self.position,
            &self.rotation,
            &self.euler,
            &self.rotation_vector,
            &self.direction,
            &self.tangents,
        ];
        vectors.into_iter().any(Option::is_some) || self.yaw.is_some() && self.pitch.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn table_of(columns: &[&str]) -> Table {
        let mut table = Table::new("csv");
        table.columns = columns.iter().map(|name| Column::new(*name)).collect();
        table
    }

    fn logger_of(columns: &[&str]) -> Option<String> {
        let chosen = Mapping::default();
        let mapping = complete_mapping(&chosen, &table_of(columns), None);
        mapping.logger.as_ref().map(|logger| logger.name.clone())
    }

    #[test]
    fn all_files_are_valid_and_name_their_source() {
        for entry in LOGGERS.iter() {
            let logger = entry.logger.as_ref().expect("an entry has a section [logger]");
            assert!(logger.source.starts_with("https://"), "{}", entry.name);
            let is_known =
                |name: &str| entry.open_placeholders.iter().any(|(known, _)| name.contains(known));
            for MappedNode { name, .. } in entry.nodes.iter().flatten() {
                assert!(!name.contains('{') || is_known(name), "{}: {name}", entry.name);
            }
        }
    }

    #[test]
    fn the_longest_header_decides() {
        let uxf = ["time", "pos_x", "pos_y", "pos_z", "rot_x", "rot_y", "rot_z"];
        assert_eq!(logger_of(&uxf).as_deref(), Some("UXF, which runs in Unity"));
        assert_eq!(logger_of(&[&uxf[..], &["speed"]].concat()), None, "another column");
        assert_eq!(logger_of(&["time", "x", "y", "z"]), None);
    }
    #[test]
    fn names_of_columns_match_without_case_and_blanks() {
        let table = table_of(&["Pos X", "pos x", "q.x", "Q.y"]);
        let names = ColumnNames::new(&table);
        for (column, expected) in [
            ("Pos X", Some("Pos X")),
            ("pos x", Some("pos x")),
            ("POSX", Some("Pos X")),
            ("q", Some("q")),
            ("Q", Some("q")),
            ("pos y", None),
        ] {
            assert_eq!(names.find(column), expected, "{column}");
        }
    }

    #[test]
    fn file_patterns_match_the_last_part_of_a_path() {
        for (pattern, path, expected) in [
            ("*_gaze.csv", "a/P01_Gaze.CSV", true),
            ("*_gaze.csv", "_gaze.csv.csv", false),
            ("gaze*.csv", "a\\gaze_2.csv", true),
            ("a*a", "a", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "ba", false),
            ("gaze.csv", "gaze.csv", true),
        ] {
            assert_eq!(matches_pattern(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn placeholders_take_their_names_from_columns() {
        let text = "[nodes.\"{person}/head\"]\nposition = [\"b{person}_x\", \"b{person}_y\", \
                    \"b{person}_z\"]\n[names]\nperson = \"#\"\n";
        let mapping = Mapping::parse("m.toml", text).expect("it is a mapping file");
        let columns = ["b1_x", "b1_y", "b1_z", "bo_x", "b12_x", "b12_y", "b12_z"];
        let nodes = complete_mapping(&mapping, &table_of(&columns), None).into_owned().nodes;
        let names: Vec<String> = nodes.into_iter().flatten().map(|node| node.name).collect();
        assert_eq!(names, ["1/head", "12/head"]);
    }

    #[test]
    fn broken_entries_are_named_with_their_line() {
        for (text, expected) in [
            ("[logger]\nname = 5\n", "e.toml: line 2: "),
            ("[time]\nunit = \"s\"\n", "e.toml: line 1: expected a section [logger]"),
            ("[logger]\nname = \"a\"\nsource = \"b\"\n", "e.toml: line 1: expected headers"),
        ] {
            let error = parse_entry("e.toml", text).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
