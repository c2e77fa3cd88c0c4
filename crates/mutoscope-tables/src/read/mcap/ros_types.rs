//! Parses the message definitions of ROS 1 and ROS 2 (`ros1msg`, `ros2msg`).

use std::collections::HashMap;

use super::{
    error::{MessageError, Result},
    ros::RosVersion,
};

/// Message types of ROS 2 that are used if the schema of a channel lacks them. ROS 2 does not record
/// the definitions of messages whose package is not installed.
const STANDARD_DEFINITIONS: &str = include_str!("standard_messages.txt");

const ROS_1_HEADER: &str = "uint32 seq\ntime stamp\nstring frame_id";

#[derive(Debug)]
pub(super) struct RosTypes {
    types: Vec<RosType>,
}

#[derive(Debug, Default)]
pub(super) struct RosType {
    pub(super) fields: Vec<RosField>,
}

#[derive(Debug)]
pub(super) struct RosField {
    pub(super) name: String,
    pub(super) kind: RosKind,
    pub(super) count: Count,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RosKind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    String,
    WideString,
    /// The time of ROS 1: seconds and nanoseconds.
    Time,
    Duration,
    /// A message, by the index of its type.
    Message(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Count {
    One,
    Fixed(usize),
    Dynamic,
}

/// A definition whose field types are not resolved yet.
#[derive(Default)]
struct Definition<'a> {
    /// Pairs of a type and a name.
    fields: Vec<(&'a str, &'a str)>,
}

impl RosTypes {
    /// Parses the definitions of a message and of those that it contains. `name` is the name of the
    /// message, such as `geometry_msgs/msg/Pose`.
    ///
    /// # Errors
    /// If a line is not a field, or if a type is not defined.
    pub(super) fn parse(version: RosVersion, name: &str, text: &str) -> Result<Self> {
        let root = short_name(name);
        let mut definitions = HashMap::new();
        parse_definitions("", STANDARD_DEFINITIONS, &mut definitions)?;
        if version == RosVersion::One {
            parse_definitions("std_msgs/Header", ROS_1_HEADER, &mut definitions)?;
        }
        if !text.trim().is_empty() {
            parse_definitions(&root, text, &mut definitions)?;
        }
        let mut resolver = Resolver {
            definitions,
            types: Vec::new(),
            indices: HashMap::new(),
            unresolved: Vec::new(),
        };
        resolver.index(&root, "").ok_or_else(|| MessageError::UndefinedType(name.to_owned()))?;
        while let Some((index, name)) = resolver.unresolved.pop() {
            resolver.resolve_fields(index, &name)?;
        }
        Ok(Self { types: resolver.types })
    }

    /// Returns the type of the message.
    pub(super) fn root(&self) -> &RosType {
        &self.types[0]
    }

    pub(super) fn get(&self, index: usize) -> &RosType {
        &self.types[index]
    }
}

/// Returns `true` if the standard definitions have the message.
pub(super) fn is_standard(name: &str) -> bool {
    let name = short_name(name);
    STANDARD_DEFINITIONS.lines().any(|line| line.strip_prefix("MSG: ") == Some(&name))
}

/// Returns the name of a type without the part `msg` of ROS 2.
fn short_name(name: &str) -> String {
    name.replace("/msg/", "/")
}

fn parse_definitions<'a>(
    root: &str,
    text: &'a str,
    definitions: &mut HashMap<String, Definition<'a>>,
) -> Result<()> {
    let mut name = root.to_owned();
    let mut definition = Definition::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(next) = line.strip_prefix("MSG:") {
            definitions.insert(name, std::mem::take(&mut definition));
            name = short_name(next.trim());
            continue;
        }
        if line.starts_with("===") {
            continue;
        }
        let field = parse_field(line)
            .map_err(|error| error.within(format_args!("schema line {}", index + 1)))?;
        definition.fields.extend(field);
    }
    definitions.insert(name, definition);
    Ok(())
}

/// Parses a line with a field. Returns `None` for comments, blank lines and constants.
fn parse_field(line: &str) -> Result<Option<(&str, &str)>> {
    let code = line.split('#').next().unwrap_or_default().trim();
    if code.is_empty() {
        return Ok(None);
    }
    let unexpected = || MessageError::unexpected("a type and a name", format!("{code:?}"));
    let (kind, rest) = code.split_once(char::is_whitespace).ok_or_else(unexpected)?;
    let rest = rest.trim_start();
    let is_in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = rest.find(|letter| !is_in_name(letter)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    if name.is_empty() {
        return Err(unexpected());
    }
    // A constant has an equals sign, and a default value follows a space.
    Ok((!after.trim_start().starts_with('=')).then_some((kind, name)))
}

struct Resolver<'a> {
    definitions: HashMap<String, Definition<'a>>,
    types: Vec<RosType>,
    indices: HashMap<String, usize>,
    unresolved: Vec<(usize, String)>,
}

impl<'a> Resolver<'a> {
    /// Returns the index of a type that a message of `package` refers to.
    fn index(&mut self, name: &str, package: &str) -> Option<usize> {
        let name = short_name(name);
        let candidates = match name.as_str() {
            "Header" => ["std_msgs/Header".to_owned(), format!("{package}/Header")],
            _ => [name.clone(), format!("{package}/{name}")],
        };
        let name = candidates.into_iter().find(|name| self.definitions.contains_key(name))?;
        if let Some(index) = self.indices.get(&name) {
            return Some(*index);
        }
        let index = self.types.len();
        self.types.push(RosType::default());
        self.indices.insert(name.clone(), index);
        self.unresolved.push((index, name));
        Some(index)
    }

    fn resolve_fields(&mut self, index: usize, name: &str) -> Result<()> {
        let package = name.split('/').next().unwrap_or_default().to_owned();
        let fields: Vec<(&'a str, &'a str)> =
            self.definitions.get(name).map(|it| it.fields.clone()).unwrap_or_default();
        for (kind, field) in fields {
            let (element, count) = parse_count(kind).ok_or_else(|| {
                let expected = format!("a type for the field {field:?}");
                MessageError::unexpected(expected, format!("{kind:?}"))
            })?;
            let kind = match parse_kind(element) {
                Some(kind) => kind,
                None => {
                    let index = self.index(element, &package).ok_or_else(|| {
                        MessageError::UndefinedFieldType {
                            kind: element.to_owned(),
                            field: field.to_owned(),
                        }
                    })?;
                    RosKind::Message(index)
                }
            };
            self.types[index].fields.push(RosField { name: field.to_owned(), kind, count });
        }
        Ok(())
    }
}

/// Splits a type such as `float64[3]` or `string<=10[<=5]` into that of its elements and their
/// count.
fn parse_count(kind: &str) -> Option<(&str, Count)> {
    let without_bound = |kind: &'_ str| kind.split("<=").next().map(str::len);
    let Some(at) = kind.find('[') else {
        return Some((&kind[..without_bound(kind)?], Count::One));
    };
    let size = kind[at + 1..].strip_suffix(']')?;
    let count = match size {
        "" => Count::Dynamic,
        size if size.starts_with("<=") => Count::Dynamic,
        size => Count::Fixed(size.parse().ok()?),
    };
    Some((&kind[..without_bound(&kind[..at])?], count))
}

fn parse_kind(name: &str) -> Option<RosKind> {
    Some(match name {
        "bool" => RosKind::Bool,
        "int8" => RosKind::I8,
        // `byte` is signed in ROS 1, and unsigned in ROS 2. No message that is read has one.
        "uint8" | "byte" | "char" => RosKind::U8,
        "int16" => RosKind::I16,
        "uint16" => RosKind::U16,
        "int32" => RosKind::I32,
        "uint32" => RosKind::U32,
        "int64" => RosKind::I64,
        "uint64" => RosKind::U64,
        "float32" => RosKind::F32,
        "float64" => RosKind::F64,
        "string" => RosKind::String,
        "wstring" => RosKind::WideString,
        "time" => RosKind::Time,
        "duration" => RosKind::Duration,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<(String, RosKind, Count)> {
        let types = RosTypes::parse(RosVersion::Two, "test_msgs/msg/Test", text).unwrap();
        let fields = types.root().fields.iter();
        fields.map(|field| (field.name.clone(), field.kind, field.count)).collect()
    }

    #[test]
    fn parses_arrays_bounds_defaults_and_constants() {
        let text = "# comment\nfloat64[36] covariance\nstring<=10[<=5] names # those\nint32 A=5\n\
                    string B = a#b\nuint8  level   3\nstring label \"x = y\"\nbool[] flags\n";
        let expected = [
            ("covariance", RosKind::F64, Count::Fixed(36)),
            ("names", RosKind::String, Count::Dynamic),
            ("level", RosKind::U8, Count::One),
            ("label", RosKind::String, Count::One),
            ("flags", RosKind::Bool, Count::Dynamic),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(name, kind, count)| (name.to_owned(), kind, count))
            .collect();
        assert_eq!(fields(text), expected);
    }

    #[test]
    fn finds_types_of_the_package_before_standard_types() {
        let text = "Pose pose\ngeometry_msgs/Pose other\nHeader header\n\
                    ================\nMSG: test_msgs/Pose\nuint8 only\n";
        let types = RosTypes::parse(RosVersion::Two, "test_msgs/Test", text).unwrap();
        let counts: Vec<usize> = types
            .root()
            .fields
            .iter()
            .map(|field| match field.kind {
                RosKind::Message(index) => types.get(index).fields.len(),
                _ => 0,
            })
            .collect();
        assert_eq!(counts, [1, 2, 2]);
    }

    #[test]
    fn reports_what_is_not_defined() {
        let error = RosTypes::parse(RosVersion::Two, "test_msgs/Test", "other_msgs/Thing thing")
            .unwrap_err();
        let (kind, field) = ("other_msgs/Thing".to_owned(), "thing".to_owned());
        assert_eq!(error, MessageError::UndefinedFieldType { kind, field });
        let error =
            RosTypes::parse(RosVersion::Two, "test_msgs/Test", "int32 a\nnonsense").unwrap_err();
        let expected = MessageError::unexpected("a type and a name", "\"nonsense\"");
        assert_eq!(error, expected.within("schema line 2"));
    }
}
