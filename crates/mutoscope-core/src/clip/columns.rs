//! The columns of a table, and how the recording uses them.

use std::fmt;

use glam::DVec3;

/// The use of the columns of a table, or of the topics of a log, in a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnUses {
    /// The shape of the table: `wide`, `long` or `messages`.
    pub shape: &'static str,
    /// The name of the time column. Empty if there is none.
    pub time: String,
    /// The unit of the times: `s`, `ms`, `us`, `ns`, `ticks`, `frames` or `date`.
    pub time_unit: &'static str,
    /// The columns that are used.
    pub used: Vec<ColumnUse>,
    /// The columns that are not used.
    pub ignored: Vec<UnusedColumn>,
    /// The facts that were assumed, because neither the file nor the user states them.
    pub assumed: Vec<AssumedFact>,
    /// A mapping file, in TOML, that reads the table in the same way. The user can edit it.
    pub mapping: String,
    /// The facts that a mapping file can change.
    pub choices: Vec<MappingChoice>,
    /// What is not certain about the columns.
    pub questions: Vec<ColumnQuestion>,
    /// The mapping file that was used to read the table, if any.
    pub mapping_file: Option<AppliedMapping>,
}

/// A fact about a table that a mapping file can change.
#[derive(Clone, Debug, PartialEq)]
pub struct MappingChoice {
    /// The key in a mapping file, after its section: `space.axes`.
    pub key: &'static str,
    /// The label for the user: `Axes`.
    pub label: &'static str,
    /// The current value, for the user: `right up back`.
    pub value: String,
    /// The origin of the current value.
    pub origin: ChoiceOrigin,
    /// The reason for the current value. Empty if it needs no explanation.
    pub why: String,
    /// All possible values, including the current one. Empty if the file states the value.
    pub options: Vec<MappingOption>,
}

/// A possible value of a [`MappingChoice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingOption {
    /// The value, for the user: `right up back`.
    pub text: String,
    /// The programs that typically use this value: `OpenXR, WebXR`. May be empty.
    pub note: &'static str,
    /// The value in TOML: `["right", "up", "back"]`.
    pub toml: String,
}

/// Columns whose meaning is not certain, with the readings to choose from.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnQuestion {
    /// The names of the columns. Empty if the question is about all positions.
    pub columns: Vec<String>,
    /// What is not certain, as a sentence.
    pub why: String,
    /// Two or three readings, the most likely first.
    pub readings: Vec<ColumnReading>,
}

/// A possible meaning of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnReading {
    /// The label for the user: `position of left/hand`.
    pub label: String,
    /// The keys of a mapping file that state this reading, in TOML.
    pub toml: String,
    /// `true` if the table was read in this way.
    pub is_current: bool,
    /// The first second of the recording in this reading. `None` if it has no pose there.
    pub preview: Option<ReadingPreview>,
}

/// What a [`ColumnReading`] shows in the first second.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadingPreview {
    /// The poses of a node.
    Poses {
        /// The name of the node.
        node: String,
        /// The poses in order of time. At least one.
        poses: Vec<PreviewPose>,
        /// The positions of other nodes at the first of these times, in metres.
        others: Vec<[f64; 3]>,
    },
    /// The numbers of each column that is a signal.
    Signals(Vec<Vec<f64>>),
}

/// The pose of a node in the viewer's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreviewPose {
    /// The clip time in seconds.
    pub time: f64,
    /// The position in metres.
    pub position: [f64; 3],
    /// The direction of the node's −Z axis, in which a head looks.
    pub forward: [f64; 3],
    /// The direction of the node's Y axis.
    pub up: [f64; 3],
}

impl ReadingPreview {
    /// Returns `true` if the node is rotated in any pose.
    pub fn rotates(&self) -> bool {
        const MIN_COSINE: f64 = 0.999_999;
        match self {
            Self::Poses { poses, .. } => {
                poses.iter().any(|pose| pose.forward[2] > -MIN_COSINE || pose.up[1] < MIN_COSINE)
            }
            Self::Signals(_) => false,
        }
    }
}

/// Formats the first and the last pose, or the smallest and the largest number of each column.
impl fmt::Display for ReadingPreview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Poses { node, poses, .. } => {
                write!(f, "{node}")?;
                let last = poses.last().filter(|_| poses.len() > 1);
                for (index, pose) in poses.first().into_iter().chain(last).enumerate() {
                    f.write_str(if index == 0 { " " } else { "; " })?;
                    pose.write(f, self.rotates())?;
                }
                Ok(())
            }
            Self::Signals(columns) => {
                for (index, numbers) in columns.iter().enumerate() {
                    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    match numbers.is_empty() {
                        true => f.write_str("no numbers")?,
                        false => write!(f, "{low:.2} to {high:.2}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

impl PreviewPose {
    fn write(&self, f: &mut fmt::Formatter<'_>, with_rotation: bool) -> fmt::Result {
        // Adding 0 removes the sign of a negative zero.
        let round = |number: f64| (number * 100.0).round() / 100.0 + 0.0;
        let time = (self.time * 1000.0).round() / 1000.0;
        let [x, y, z] = self.position.map(round);
        write!(f, "at {time} s ({x:.2}, {y:.2}, {z:.2}) m")?;
        if !with_rotation {
            return Ok(());
        }
        let [x, y, z] = self.forward;
        let sideways = x.atan2(-z).to_degrees().round() + 0.0;
        let upwards = y.clamp(-1.0, 1.0).asin().to_degrees().round() + 0.0;
        let (side, height) = (
            if sideways < 0.0 { "left" } else { "right" },
            if upwards < 0.0 { "down" } else { "up" },
        );
        write!(f, " facing {}° {side}, {}° {height}", sideways.abs(), upwards.abs())?;
        match self.tilt_degrees().round() {
            0.0 => Ok(()),
            tilt => {
                write!(f, ", tilted {}° {}", tilt.abs(), if tilt < 0.0 { "left" } else { "right" })
            }
        }
    }

    /// Returns how far the node is rotated about its forward direction, positive to the right.
    /// Returns 0 if it faces straight up or down.
    fn tilt_degrees(&self) -> f64 {
        let [x, _, z] = self.forward;
        let length = x.hypot(z);
        if length < 1e-6 {
            return 0.0;
        }
        // The direction to the right of an upright node with this forward direction.
        let right = DVec3::new(-z, 0.0, x) / length;
        let upright = right.cross(DVec3::from_array(self.forward));
        let up = DVec3::from_array(self.up);
        up.dot(right).atan2(up.dot(upright)).to_degrees()
    }
}

/// The origin of a value in a [`MappingChoice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceOrigin {
    /// Recognised from a column name that has only this meaning.
    Stated,
    /// Recognised from a column name that may also have another meaning.
    Recognised,
    /// Recognised from a column name that allows other values, too.
    Ambiguous,
    /// Assumed, because the file does not state the value.
    Assumed,
    /// Stated by a mapping file.
    Chosen,
}

/// The mapping file that was used to read a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedMapping {
    /// The name of the mapping file in messages.
    pub name: String,
    /// The content of the mapping file, in TOML.
    pub text: String,
    /// `true` if the mapping file was found next to the table, rather than named by the user.
    pub is_sidecar: bool,
}

/// A column that is used, with its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnUse {
    /// The name of the column.
    pub column: String,
    /// The name of the node. Empty if the column belongs to no node, or to all nodes.
    pub node: String,
    /// The property of the node, or `signal`, `event`, `node` or `side`.
    pub property: String,
}

/// A column that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedColumn {
    /// The name of the column.
    pub column: String,
    /// The reason why the column is not used.
    pub why: String,
}

/// A fact that was assumed, because the file does not state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedFact {
    /// The name of the fact: `time.unit`, `axes`.
    pub fact: &'static str,
    /// The assumed value: `ms`.
    pub value: String,
    /// The reason for the assumption.
    pub why: String,
}
