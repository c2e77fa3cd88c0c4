//! Writes a mapping file with everything that was recognised, for the user to edit.

use std::fmt::{self, Write as _};

use mutoscope_core::clip::{ColumnUses, SourceAxes};

use super::{FlagRule, FlagValue, Mapping, TimeZero};
use crate::{
    build::{Space, Times},
    names::length_unit_name,
    plan::{NodePlan, Plan},
    table::Table,
};

pub(crate) fn write_mapping(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
    space: &Space,
    uses: &ColumnUses,
    times: &Times,
) -> String {
    let mut text = format!("{}# beside the table as NAME.columns.toml.\n", super::TITLES[0]);
    let writer = Writer { table, plan, mapping, space, uses };
    // Writing to a `String` cannot fail.
    let _ = writer.write_all(&mut text, times);
    text
}

struct Writer<'a> {
    table: &'a Table,
    plan: &'a Plan,
    mapping: &'a Mapping,
    space: &'a Space,
    uses: &'a ColumnUses,
}

impl Writer<'_> {
    fn write_all(&self, out: &mut String, times: &Times) -> fmt::Result {
        self.write_table(out)?;
        let has_roles = !self.table.declared.roles.is_empty();
        if !has_roles {
            self.write_time(out, times)?;
        }
        self.write_space(out)?;
        // The numbering also states the bones of a table that is not grouped.
        if self.plan.is_grouped() || self.plan.numbering.is_some() {
            self.write_long(out)?;
        }
        if lists_nodes(self.table, self.plan, self.mapping) {
            for node in &self.plan.nodes {
                self.write_node(out, node)?;
            }
            writeln!(out, "\n[signals]")?;
            for (name, column) in &self.plan.signals {
                writeln!(out, "{} = {}", quote(name), self.quote_column(*column))?;
            }
        }
        if let Some(rule) = &self.mapping.flags {
            writeln!(out, "\n[flags]\n{}", format_rule(rule).join("\n"))?;
        }
        let bones = self.mapping.bones.iter().map(|(joint, from)| (joint, from));
        self.write_strings(out, "bones", bones)?;
        match (self.plan.event, &self.mapping.events) {
            (Some(column), _) => {
                writeln!(out, "\n[events]\ncolumn = {}", self.quote_column(column))
            }
            (None, Some(_)) => writeln!(out, "\n[events]    # none"),
            (None, None) => Ok(()),
        }
    }

    fn quote_column(&self, column: usize) -> String {
        quote(&self.table.columns[column].name)
    }

    fn quote_columns(&self, columns: &[usize]) -> String {
        let names: Vec<_> = columns.iter().map(|column| self.quote_column(*column)).collect();
        format!("[{}]", names.join(", "))
    }

    fn assumption_comment(&self, fact: &str) -> String {
        let found = self.uses.assumed.iter().find(|one| one.fact == fact);
        found.map_or(String::new(), |one| format!("    # assumed: {}", one.why.replace('\n', " ")))
    }

    fn write_table(&self, out: &mut String) -> fmt::Result {
        let options = &self.mapping.table;
        if *options == super::TableOptions::default() {
            return Ok(());
        }
        writeln!(out, "\n[table]")?;
        for (key, value) in [("delimiter", options.delimiter), ("decimal", options.decimal)] {
            if let Some(value) = value {
                writeln!(out, "{key} = {}", quote(&char::from(value).to_string()))?;
            }
        }
        if let Some(lines) = options.skip {
            writeln!(out, "skip = {lines}")?;
        }
        if let Some(header) = options.header {
            writeln!(out, "header = {header}")?;
        }
        if !options.missing.is_empty() {
            let words: Vec<_> = options.missing.iter().map(|word| quote(word)).collect();
            writeln!(out, "missing = [{}]", words.join(", "))?;
        }
        Ok(())
    }

    fn write_time(&self, out: &mut String, times: &Times) -> fmt::Result {
        writeln!(out, "\n[time]")?;
        match (self.plan.time, self.plan.finer_time) {
            (Some(time), Some(finer)) => {
                writeln!(out, "column = {}", self.quote_columns(&[time, finer]))?;
            }
            (Some(time), None) => writeln!(out, "column = {}", self.quote_column(time))?,
            (None, _) => {}
        }
        if times.unit != "date" {
            let unit = quote(times.unit);
            writeln!(out, "unit = {unit}{}", self.assumption_comment("time.unit"))?;
        }
        if let Some(order) = times.date_order {
            let comment = self.assumption_comment("time.dates");
            writeln!(out, "dates = {}{comment}", quote(order.as_str()))?;
        }
        if let Some(rate) = times.rate {
            writeln!(out, "rate = {rate:?}{}", self.assumption_comment("time.rate"))?;
        }
        match times.zero {
            TimeZero::First => writeln!(out, "zero = \"first\""),
            TimeZero::File => writeln!(out, "zero = \"file\""),
            TimeZero::At(time) => writeln!(out, "zero = {time:?}"),
            TimeZero::AtInteger(time) => writeln!(out, "zero = {time}"),
        }
    }

    fn write_space(&self, out: &mut String) -> fmt::Result {
        let axes = quote_axes(self.space.axes.value);
        writeln!(out, "\n[space]\naxes = [{axes}]{}", self.assumption_comment("axes"))?;
        let metres = self.space.metres_per_unit.value;
        let unit = format_unit(metres);
        writeln!(out, "unit = {unit}{}", self.assumption_comment("unit"))?;
        if let Some(is_w_first) = self.mapping.space.is_w_first.or(self.plan.is_list_w_first) {
            let order = quote(if is_w_first { "wxyz" } else { "xyzw" });
            writeln!(out, "quaternion = {order}{}", self.assumption_comment("quaternion"))?;
        }
        if self.space.is_euler_used {
            let order = quote(&self.space.euler.letters());
            writeln!(out, "euler = {order}{}", self.assumption_comment("euler"))?;
        }
        let has_vectors = self.plan.nodes.iter().any(|node| node.rotation_vector.is_some());
        if has_vectors && self.table.declared.assumed_angles.is_some() {
            let vector = quote(super::ThreeAngles::VECTOR);
            writeln!(out, "euler = {vector}{}", self.assumption_comment("euler"))?;
        }
        if self.space.are_angles_used {
            let unit = if self.space.radians == 1.0 { "radians" } else { "degrees" };
            writeln!(out, "angles = {}{}", quote(unit), self.assumption_comment("angles"))?;
        }
        Ok(())
    }

    fn write_long(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "\n[long]")?;
        if let Some(column) = self.plan.node {
            writeln!(out, "node = {}", self.quote_column(column))?;
        }
        if let Some(column) = self.plan.side {
            writeln!(out, "side = {}", self.quote_column(column))?;
        }
        if let Some(column) = self.plan.group {
            writeln!(out, "group = {}", self.quote_column(column))?;
        }
        match self.plan.numbering {
            Some(numbering) => writeln!(out, "numbering = {}", quote(numbering.as_str()))?,
            None if self.uses.assumed.iter().any(|one| one.fact == "numbering") => {
                let words: Vec<_> = super::Numbering::all().map(super::Numbering::as_str).collect();
                let words = words.join(", ");
                writeln!(out, "# numbering = \"\"    # how joints are numbered: one of {words}")?;
            }
            None => {}
        }
        let names = self.mapping.long.iter().flat_map(|long| &long.names);
        self.write_strings(out, "long.names", names)
    }

    fn write_strings<'b>(
        &self,
        out: &mut String,
        section: &str,
        strings: impl Iterator<Item = (&'b String, &'b String)>,
    ) -> fmt::Result {
        for (index, (key, value)) in strings.enumerate() {
            if index == 0 {
                writeln!(out, "\n[{section}]")?;
            }
            writeln!(out, "{} = {}", quote(key), quote(value))?;
        }
        Ok(())
    }

    fn write_node(&self, out: &mut String, node: &NodePlan) -> fmt::Result {
        writeln!(out, "\n[nodes.{}]", quote(&node.name_on_side(None)))?;
        let vectors = [
            ("position", node.position),
            ("euler", node.euler),
            ("rotation_vector", node.rotation_vector),
            ("direction", node.direction),
            ("scale", node.scale),
        ];
        for (key, columns) in vectors {
            if let Some(columns) = columns {
                writeln!(out, "{key} = {}", self.quote_columns(&columns))?;
            }
        }
        if let Some(columns) = node.rotation {
            writeln!(out, "rotation = {}", self.quote_columns(&columns))?;
        }
        if node.has_inverse_rotation {
            writeln!(out, "inverse_rotation = true")?;
        }
        if let Some(columns) = node.tangents {
            writeln!(out, "tangents = {}", self.quote_columns(&columns))?;
        }
        let flag = |is_confidence: bool| {
            let found = node.flags.iter().find(|(_, own)| *own == is_confidence);
            found.map(|(column, _)| *column)
        };
        let singles = [
            ("yaw", node.yaw_pitch.map(|[yaw, _]| yaw)),
            ("pitch", node.yaw_pitch.map(|[_, pitch]| pitch)),
            ("confidence", flag(true)),
            ("radius", node.radius),
        ];
        for (key, column) in singles {
            if let Some(column) = column {
                writeln!(out, "{key} = {}", self.quote_column(column))?;
            }
        }
        if let Some(column) = flag(false) {
            let column = self.quote_column(column);
            match &node.flag_rule {
                Some(rule) => {
                    let rule = format_rule(rule).join(", ");
                    writeln!(out, "tracked = {{ column = {column}, {rule} }}")?;
                }
                None => writeln!(out, "tracked = {column}")?,
            }
        }
        // A unit of the space replaces those that columns state, so state them here again.
        let is_other = node.has_own_unit || self.space.position_factors(node) != [1.0; 3];
        if let Some(units) = node.length_units.filter(|_| is_other) {
            match units {
                [x, y, z] if x == y && y == z => writeln!(out, "unit = {}", format_unit(x))?,
                units => writeln!(out, "unit = [{}]", units.map(format_unit).join(", "))?,
            }
        }
        if let Some(radians) = node.radians_per_unit.filter(|_| self.mapping.nodes.is_some()) {
            let unit = if radians == 1.0 { "radians" } else { "degrees" };
            writeln!(out, "angles = {}", quote(unit))?;
        }
        if let Some(axes) = node.axes {
            writeln!(out, "axes = [{}]", quote_axes(axes))?;
        }
        match &node.parent {
            Some(parent) => writeln!(out, "parent = {}", quote(parent)),
            None => Ok(()),
        }
    }
}

/// Returns `true` if the mapping file of a table lists its nodes.
pub(crate) fn lists_nodes(table: &Table, plan: &Plan, mapping: &Mapping) -> bool {
    // In a grouped table, names of columns decide which nodes the rows have, unless the mapping
    // lists the nodes.
    let are_nodes_of_columns = !plan.is_grouped() || mapping.nodes.is_some();
    // A mapping has at most one flag and one confidence for each node.
    let has_few_flags = |node: &NodePlan| {
        let confidences = node.flags.iter().filter(|(_, is_confidence)| *is_confidence).count();
        confidences <= 1 && node.flags.len() - confidences <= 1
    };
    are_nodes_of_columns && plan.nodes.iter().all(has_few_flags) && table.declared.roles.is_empty()
}

pub(crate) fn quote_axes(axes: SourceAxes) -> String {
    axes.directions().map(|it| quote(it.as_str())).join(", ")
}

fn format_unit(metres: f64) -> String {
    length_unit_name(metres).map_or_else(|| format!("{metres:?}"), quote)
}

/// Formats each key of a rule with its value.
fn format_rule(rule: &FlagRule) -> Vec<String> {
    let values = |values: &[FlagValue]| {
        let values = values.iter().map(|value| match value {
            FlagValue::Text(text) => quote(text),
            FlagValue::Number(number) => number.to_string(),
        });
        values.collect::<Vec<_>>().join(", ")
    };
    let lists = [("yes", &rule.yes), ("no", &rule.no)].into_iter();
    let lists = lists.filter(|(_, listed)| !listed.is_empty());
    let lists = lists.map(|(key, listed)| format!("{key} = [{}]", values(listed)));
    let bits = rule.bits.map(|bits| format!("bits = {bits}"));
    let min = rule.min.map(|min| format!("min = {min:?}"));
    lists.chain(bits).chain(min).collect()
}

pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
