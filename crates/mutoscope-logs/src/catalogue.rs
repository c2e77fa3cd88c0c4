//! Knows programs that write tables, by the names of the columns that their makers document.
//!
//! Each file in `catalogue` is a mapping file with a section `[logger]`. To add a program, add a
//! file and list it in [`FILES`].

use std::{borrow::Cow, collections::HashSet, sync::LazyLock};

use crate::{
    mapping::{MappedNode, Mapping, NamedColumn, SpaceOptions, TimeOptions},
    table::Table,
};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../catalogue/", $name)))),*]
    };
}

const FILES: [(&str, &str); 16] = files![
    "aria-closed-loop.toml",
    "aria-gaze.toml",
    "aria-gaze-vergence.toml",
    "aria-hands.toml",
    "aria-open-loop.toml",
    "aria-wrist-and-palm.toml",
    "arett.toml",
    "euroc.toml",
    "euroc-without-units.toml",
    "hot3d-hands.toml",
    "mediapipe.toml",
    "pupil-head-pose.toml",
    "pupil-neon-eyes.toml",
    "pupil-neon-imu.toml",
    "stream-recorder.toml",
    "uxf.toml",
];

static LOGGERS: LazyLock<Vec<Mapping>> = LazyLock::new(|| {
    let parse = |&(name, text): &(&str, &str)| Mapping::parse(name, text);
    FILES.iter().map(|file| parse(file).unwrap_or_else(|error| panic!("{error}"))).collect()
});

/// Completes `chosen` with the mapping of the program that wrote `table`. Returns `chosen` if no
/// program is known to write such a table, or if `chosen` already says which nodes there are.
pub(crate) fn complete_mapping<'a>(chosen: &'a Mapping, table: &Table) -> Cow<'a, Mapping> {
    if chosen.nodes.is_some() || chosen.long.is_some() {
        return Cow::Borrowed(chosen);
    }
    let names: HashSet<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    match find_logger(&names) {
        Some(logger) => Cow::Owned(chosen.clone().completed_by(logger, &names)),
        None => Cow::Borrowed(chosen),
    }
}

/// Returns the entry with the longest header whose columns are all in `names`.
fn find_logger(names: &HashSet<&str>) -> Option<&'static Mapping> {
    let header_length = |entry: &&'static Mapping| {
        let logger = entry.logger.as_ref()?;
        let is_complete = |header: &&Vec<String>| {
            header.iter().all(|column| has_column(names, column))
                && (!logger.has_no_other_columns || header.len() == names.len())
        };
        logger.headers.iter().filter(is_complete).map(Vec::len).max()
    };
    let found = LOGGERS.iter().filter_map(|entry| Some((header_length(&entry)?, entry)));
    found.max_by_key(|(length, _)| *length).map(|(_, entry)| entry)
}

/// A list has no column of its own, but one for each item.
fn has_column(names: &HashSet<&str>, column: &str) -> bool {
    names.contains(column) || names.contains(format!("{column}.x").as_str())
}

impl Mapping {
    fn completed_by(self, logger: &Self, names: &HashSet<&str>) -> Self {
        let exists = |column: &NamedColumn| has_column(names, &column.column);
        let time = match self.time.column {
            // The unit of another column says nothing about the chosen column.
            Some(_) => self.time,
            None => TimeOptions {
                column: logger.time.column.clone().filter(exists),
                unit: self.time.unit.or(logger.time.unit),
                rate_hz: self.time.rate_hz.or(logger.time.rate_hz),
                zero: self.time.zero.or(logger.time.zero),
            },
        };
        let gravity = logger.space.gravity.clone();
        let space = SpaceOptions {
            axes: self.space.axes.or(logger.space.axes),
            gravity: gravity.filter(|columns| columns.iter().all(exists)),
            metres_per_unit: self.space.metres_per_unit.or(logger.space.metres_per_unit),
            is_w_first: self.space.is_w_first.or(logger.space.is_w_first),
            euler: self.space.euler.or(logger.space.euler),
            radians_per_unit: self.space.radians_per_unit.or(logger.space.radians_per_unit),
        };
        let mut nodes = logger.nodes.clone();
        for node in nodes.iter_mut().flatten() {
            node.retain_existing(exists);
        }
        if let Some(nodes) = &mut nodes {
            nodes.retain(MappedNode::has_pose);
        }
        Self {
            time,
            space,
            long: logger.long.clone(),
            nodes,
            events: self.events.or(logger.events.clone()),
            logger: logger.logger.clone(),
            name: logger.name.clone(),
            ..self
        }
    }
}

impl MappedNode {
    /// Removes the properties whose columns do not all exist, because some versions of a program
    /// write fewer columns than others.
    fn retain_existing(&mut self, exists: impl Fn(&NamedColumn) -> bool) {
        for vector in self.vectors_mut() {
            vector.take_if(|columns| !columns.iter().all(&exists));
        }
        for single in self.singles_mut() {
            single.take_if(|column| !exists(column));
        }
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

    fn logger_of(columns: &[&str]) -> Option<&'static str> {
        find_logger(&columns.iter().copied().collect())?
            .logger
            .as_ref()
            .map(|logger| logger.name.as_str())
    }

    #[test]
    fn all_files_are_valid_and_name_their_source() {
        for entry in LOGGERS.iter() {
            let logger = entry.logger.as_ref().expect("an entry has a section [logger]");
            assert!(logger.source.starts_with("https://"), "{}", entry.name);
            assert!(!logger.headers.is_empty(), "{}", entry.name);
            let texts = entry.nodes.iter().flatten().map(|node| &node.name);
            assert!(texts.into_iter().all(|name| !name.contains('{')), "{}", entry.name);
        }
    }

    #[test]
    fn the_longest_header_decides() {
        let uxf = ["time", "pos_x", "pos_y", "pos_z", "rot_x", "rot_y", "rot_z"];
        assert_eq!(logger_of(&uxf), Some("UXF, which runs in Unity"));
        assert_eq!(logger_of(&[&uxf[..], &["speed"]].concat()), None, "another column");
        assert_eq!(logger_of(&["time", "x", "y", "z"]), None);
    }
}
