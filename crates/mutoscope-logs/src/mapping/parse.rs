//! Parses a mapping file.

use std::collections::BTreeMap;

use mutoscope_core::diagnostics::LineIndex;
use toml::Spanned;

use super::{
    EventOptions, FlagRule, Logger, LongOptions, MappedNode, Mapping, NamedColumn, SpaceOptions,
    TableOptions, TimeOptions,
    file::{FlagToml, FlagWithRuleToml, MappingToml, Names, NodeToml, PlaceholderToml},
};

impl Mapping {
    /// Parses a mapping file, which messages call `name`.
    ///
    /// # Errors
    /// If the text is not TOML, or has an unknown key or an invalid value. The error is the
    /// message, with the line.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let lines = LineIndex::new(text.as_bytes());
        let file: MappingToml = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| lines.line_number(span.start));
            let message = error.message().replace('\n', " ");
            format!("{name}: line {line}: {message}")
        })?;
        let named = |name| named_column(&lines, name);
        let long = file.long.map(|long| LongOptions {
            node: long.node.map(named),
            side: long.side.map(named),
            group: long.group.map(named),
            numbering: long.numbering,
            names: long.names,
        });
        let (mut listed, mut open_placeholders) = (Vec::new(), Vec::new());
        for (placeholder, names) in file.names {
            let placeholder = format!("{{{placeholder}}}");
            match names {
                PlaceholderToml::Listed(names) => listed.push((placeholder, names)),
                PlaceholderToml::FromColumns(kind) => open_placeholders.push((placeholder, kind)),
            }
        }
        let mut bones: Vec<(String, String)> = file.bones.into_iter().collect();
        for (placeholder, names) in &listed {
            let replaced = |(joint, from): (String, String)| -> Vec<(String, String)> {
                if !joint.contains(placeholder) {
                    return vec![(joint, from)];
                }
                let replace = |name: &String| {
                    (joint.replace(placeholder, name), from.replace(placeholder, name))
                };
                names.keys().map(replace).collect()
            };
            bones = bones.into_iter().flat_map(replaced).collect();
        }
        let nodes = file.nodes.map(|nodes| {
            let nodes = nodes.into_iter().map(|(name, node)| mapped_node(&lines, name, node));
            nodes.flat_map(|node| node.replace_placeholders(&listed)).collect()
        });
        let signals = file.signals.map(|signals| {
            signals.into_iter().map(|(name, column)| (name, named(column))).collect()
        });
        let time_columns = file.time.column.map(|names| named_columns(&lines, names));
        let mut time_columns = time_columns.into_iter().flatten();
        Ok(Self {
            name: name.to_owned(),
            table: TableOptions {
                delimiter: file.table.delimiter,
                decimal: file.table.decimal,
                skip: file.table.skip.map(|lines| lines as usize),
                header: file.table.header,
                missing: file.table.missing,
            },
            time: TimeOptions {
                column: time_columns.next(),
                finer_column: time_columns.next(),
                date_order: file.time.dates,
                unit: file.time.unit,
                rate_hz: file.time.rate,
                zero: file.time.zero,
            },
            space: SpaceOptions {
                axes: file.space.axes,
                gravity: file.space.gravity.map(|names| named_columns(&lines, names)),
                metres_per_unit: file.space.unit,
                is_w_first: file.space.quaternion,
                euler: file.space.euler,
                radians_per_unit: file.space.angles,
            },
            long,
            nodes,
            flags: file.flags.map(|flags| FlagRule {
                yes: flags.yes,
                no: flags.no,
                ..FlagRule::default()
            }),
            bones,
            signals,
            settled_signals: file
                .questions
                .map(|questions| questions.signals.into_iter().map(named).collect()),
            events: file.events.map(|events| EventOptions { column: events.column.map(named) }),
            logger: file.logger.map(|logger| Logger {
                name: logger.name,
                source: logger.source,
                headers: logger.headers,
                lines: logger.lines,
                file: logger.file,
                column_count: logger.columns,
                assumed_columns: logger.assumed_columns,
                has_no_other_columns: logger.only,
                frame: logger.frame,
                looks_forward: logger.looks_forward,
            }),
            open_placeholders,
            read_by: None,
        })
    }
}

impl MappedNode {
    /// Creates a node for each name of each placeholder, such as `{side}`, in the name of this
    /// node. The texts of the placeholder replace it in the names of columns.
    fn replace_placeholders(self, listed: &[(String, BTreeMap<String, String>)]) -> Vec<Self> {
        let mut nodes = vec![self];
        for (placeholder, names) in listed {
            let (open, done): (Vec<Self>, Vec<Self>) =
                nodes.into_iter().partition(|node| node.name.contains(placeholder));
            nodes = done;
            for node in open {
                let replaced = |(name, text): (&String, &String)| {
                    node.with_placeholder(placeholder, name, text)
                };
                nodes.extend(names.iter().map(replaced));
            }
        }
        nodes
    }

    /// Returns the node with `name` in place of the placeholder in node names, and `text` in place
    /// of it in column names.
    pub(crate) fn with_placeholder(&self, placeholder: &str, name: &str, text: &str) -> Self {
        let mut node = self.clone();
        node.name = node.name.replace(placeholder, name);
        if let Some(parent) = &mut node.parent {
            parent.column = parent.column.replace(placeholder, name);
        }
        for column in node.columns_mut() {
            column.column = column.column.replace(placeholder, text);
        }
        node
    }
}

fn mapped_node(lines: &LineIndex, name: String, node: NodeToml) -> MappedNode {
    let named = |name| named_column(lines, name);
    let (mut tracked, mut flag_rule) = (None, None);
    if let Some(flag) = node.tracked {
        let line = lines.line_number(flag.span().start) as usize;
        let column = match flag.into_inner() {
            FlagToml::Column(column) => column,
            FlagToml::WithRule(FlagWithRuleToml { column, yes, no, bits, min }) => {
                flag_rule = Some(FlagRule { yes, no, bits, min });
                column
            }
        };
        tracked = Some(NamedColumn { column, line });
    }
    MappedNode {
        name,
        position: node.position.map(|names| named_columns(lines, names)),
        rotation: node.rotation.map(|names| named_columns(lines, names)),
        euler: node.euler.map(|names| named_columns(lines, names)),
        rotation_vector: node.rotation_vector.map(|names| named_columns(lines, names)),
        direction: node.direction.map(|names| named_columns(lines, names)),
        scale: node.scale.map(|names| named_columns(lines, names)),
        yaw: node.yaw.map(named),
        pitch: node.pitch.map(named),
        tangents: node.tangents.map(|names| named_columns(lines, names)),
        tracked,
        flag_rule,
        confidence: node.confidence.map(named),
        radius: node.radius.map(named),
        parent: node.parent.map(named),
        length_units: node.unit,
        radians_per_unit: node.angles,
        axes: node.axes,
        has_inverse_rotation: node.inverse_rotation,
    }
}

fn named_column(lines: &LineIndex, name: Spanned<String>) -> NamedColumn {
    let line = lines.line_number(name.span().start) as usize;
    NamedColumn { line, column: name.into_inner() }
}

fn named_columns<const N: usize>(lines: &LineIndex, names: Spanned<Names<N>>) -> Vec<NamedColumn> {
    let line = lines.line_number(names.span().start) as usize;
    names.into_inner().0.into_iter().map(|column| NamedColumn { column, line }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::{TimeUnit, TimeZero};

    #[test]
    fn parses_all_sections() {
        let text = "[table]\ndelimiter = \";\"\nmissing = [\"-1\"]\n[time]\ncolumn = \"t\"\nunit = \
                    \"ms\"\nzero = 5\n[space]\naxes = [\"forward\", \"left\", \"up\"]\nunit = \
                    \"cm\"\nquaternion = \"wxyz\"\n[nodes.\"a b\"]\nposition = \"p\"\nrotation = \
                    [\"1\",\"2\",\"3\",\"4\"]\n[signals]\n[events]\ncolumn = \"e\"\n";
        let mapping = Mapping::parse("m.toml", text).unwrap();
        assert_eq!(mapping.table.missing_numbers(), [-1.0]);
        assert_eq!(mapping.time.unit, Some(TimeUnit::Milliseconds));
        assert_eq!(mapping.time.zero, Some(TimeZero::AtInteger(5)));
        assert_eq!(
            (mapping.space.metres_per_unit, mapping.space.is_w_first),
            (Some(0.01), Some(true))
        );
        let nodes = mapping.nodes.unwrap();
        assert_eq!(nodes[0].name, "a b");
        let position = NamedColumn { column: "p".to_owned(), line: 13 };
        assert_eq!(nodes[0].position, Some(vec![position]));
        assert_eq!(mapping.signals.map(|signals| signals.len()), Some(0));
    }

    #[test]
    fn errors_contain_line_and_word() {
        let cases = [
            ("[time]\ncolour = \"red\"\n", "line 2", "colour"),
            ("[time]\n\nunit = \"fortnight\"\n", "line 3", "fortnight"),
            ("[space]\naxes = [\"up\", \"up\", \"back\"]\n", "line 2", "axes"),
            ("[time\n", "line 1", ""),
            ("[time]\nrate = 0.0\n", "line 2", "above 0"),
            ("[nodes.a]\nposition = [\"x\", \"y\"]\n", "line 2", "3 columns"),
            ("[nodes.a]\ntracked = { column = \"t\", maybe = 1 }\n", "line 2", "yes, no, bits"),
            ("[long]\nnumbering = \"mine\"\n", "line 2", "mediapipe"),
        ];
        for (text, line, word) in cases {
            let error = Mapping::parse("m.toml", text).unwrap_err();
            assert!(error.starts_with("m.toml: ") && error.contains(line), "{text}: {error}");
            assert!(error.contains(word) || word == "axes", "{text}: {error}");
        }
    }
}
