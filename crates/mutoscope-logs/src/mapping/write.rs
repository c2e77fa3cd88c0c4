//! Writing a mapping file: what was recognised, to be edited.

use std::fmt::{self, Write as _};

use mutoscope_core::clip::ColumnUses;

use super::{Mapping, Zero};
use crate::{
    build::Space,
    plan::{NodePlan, Plan},
    table::Table,
};

/// The mapping by which a table was read. Read with it, nothing of it is assumed.
pub(crate) fn write(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
    space: &Space,
    uses: &ColumnUses,
    (zero, rate): (Zero, Option<f64>),
) -> String {
    let mut text = format!("{}# beside the table as NAME.columns.toml.\n", super::TITLES[0]);
    let writer = Writer { table, plan, mapping, space, uses };
    // Writing to a text has no errors.
    let _ = writer.all(&mut text, zero, rate);
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
    fn all(&self, out: &mut String, zero: Zero, rate: Option<f64>) -> fmt::Result {
        self.table(out)?;
        let has_roles = !self.table.declared.roles.is_empty();
        if !has_roles {
            self.time(out, zero, rate)?;
        }
        self.space(out)?;
        let is_grouped = self.plan.node.is_some() || self.plan.side.is_some();
        if is_grouped {
            self.long(out)?;
        } else if self.can_list_nodes() && !has_roles {
            for node in &self.plan.nodes {
                self.node(out, node)?;
            }
            writeln!(out, "\n[signals]")?;
            for (name, column) in &self.plan.signals {
                writeln!(out, "{} = {}", quoted(name), self.column(*column))?;
            }
        }
        match (self.plan.event, &self.mapping.events) {
            (Some(column), _) => writeln!(out, "\n[events]\ncolumn = {}", self.column(column)),
            (None, Some(_)) => writeln!(out, "\n[events]    # none"),
            (None, None) => Ok(()),
        }
    }

    fn column(&self, column: usize) -> String {
        quoted(&self.table.columns[column].name)
    }

    fn columns(&self, columns: &[usize]) -> String {
        let names: Vec<_> = columns.iter().map(|column| self.column(*column)).collect();
        format!("[{}]", names.join(", "))
    }

    /// A comment about a fact that is assumed.
    fn comment(&self, fact: &str) -> String {
        let found = self.uses.assumed.iter().find(|one| one.fact == fact);
        found.map_or(String::new(), |one| format!("    # assumed: {}", one.why.replace('\n', " ")))
    }

    fn table(&self, out: &mut String) -> fmt::Result {
        let options = &self.mapping.table;
        if *options == super::TableOptions::default() {
            return Ok(());
        }
        writeln!(out, "\n[table]")?;
        for (key, value) in [("delimiter", options.delimiter), ("decimal", options.decimal)] {
            if let Some(value) = value {
                writeln!(out, "{key} = {}", quoted(&char::from(value).to_string()))?;
            }
        }
        if let Some(lines) = options.skip {
            writeln!(out, "skip = {lines}")?;
        }
        if let Some(header) = options.header {
            writeln!(out, "header = {header}")?;
        }
        if !options.missing.is_empty() {
            let words: Vec<_> = options.missing.iter().map(|word| quoted(word)).collect();
            writeln!(out, "missing = [{}]", words.join(", "))?;
        }
        Ok(())
    }

    fn time(&self, out: &mut String, zero: Zero, rate: Option<f64>) -> fmt::Result {
        writeln!(out, "\n[time]\ncolumn = {}", quoted(&self.uses.time))?;
        if self.uses.time_unit != "date" {
            let unit = quoted(self.uses.time_unit);
            writeln!(out, "unit = {unit}{}", self.comment("time.unit"))?;
        }
        if let Some(rate) = rate {
            writeln!(out, "rate = {rate:?}{}", self.comment("time.rate"))?;
        }
        match zero {
            Zero::First => writeln!(out, "zero = \"first\""),
            Zero::File => writeln!(out, "zero = \"file\""),
            Zero::At(time) => writeln!(out, "zero = {time:?}"),
            Zero::AtInteger(time) => writeln!(out, "zero = {time}"),
        }
    }

    fn space(&self, out: &mut String) -> fmt::Result {
        let axes = self.space.axes.value.directions().map(|it| quoted(it.word())).join(", ");
        writeln!(out, "\n[space]\naxes = [{axes}]{}", self.comment("axes"))?;
        let metres = self.space.metres_per_unit.value;
        let is_mixed = self.plan.nodes.iter().any(|node| self.space.factor(node) != 1.0);
        if !is_mixed {
            let word = [("mm", 0.001), ("cm", 0.01), ("m", 1.0), ("in", 0.0254), ("ft", 0.3048)];
            let word = word.iter().find(|(_, length)| *length == metres);
            let unit = word.map_or_else(|| format!("{metres:?}"), |(word, _)| quoted(word));
            writeln!(out, "unit = {unit}{}", self.comment("unit"))?;
        }
        if let Some(is_w_first) = self.mapping.space.is_w_first {
            writeln!(out, "quaternion = {}", if is_w_first { "\"wxyz\"" } else { "\"xyzw\"" })?;
        }
        if self.space.is_euler_used {
            let order = quoted(&self.space.euler.word());
            writeln!(out, "euler = {order}{}", self.comment("euler"))?;
        }
        if self.space.are_angles_used {
            let unit = if self.space.radians == 1.0 { "radians" } else { "degrees" };
            writeln!(out, "angles = {}{}", quoted(unit), self.comment("angles"))?;
        }
        Ok(())
    }

    fn long(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "\n[long]")?;
        if let Some(column) = self.plan.node {
            writeln!(out, "node = {}", self.column(column))?;
        }
        if let Some(column) = self.plan.side {
            writeln!(out, "side = {}", self.column(column))?;
        }
        match self.plan.numbering {
            Some(numbering) => writeln!(out, "numbering = {}", quoted(numbering.word())),
            None if self.uses.assumed.iter().any(|one| one.fact == "numbering") => {
                let words = super::Numbering::ALL.map(|one| one.word()).join(", ");
                writeln!(out, "# numbering = \"\"    # one of {words}: what numbers mean as joints")
            }
            None => Ok(()),
        }
    }

    /// Whether a mapping can say all that the names of the columns do.
    fn can_list_nodes(&self) -> bool {
        self.plan.nodes.iter().all(|node| match node.flags[..] {
            [] | [(_, false)] => true,
            [(column, true)] => self.table.columns[column].numbers().all(|(_, it)| it != 0.0),
            _ => false,
        })
    }

    fn node(&self, out: &mut String, node: &NodePlan) -> fmt::Result {
        writeln!(out, "\n[nodes.{}]", quoted(&node.text(None)))?;
        let vectors = [
            ("position", node.position),
            ("euler", node.euler),
            ("rotation_vector", node.rotation_vector),
            ("direction", node.direction),
            ("scale", node.scale),
        ];
        for (key, columns) in vectors {
            if let Some(columns) = columns {
                writeln!(out, "{key} = {}", self.columns(&columns))?;
            }
        }
        if let Some(columns) = node.rotation {
            writeln!(out, "rotation = {}", self.columns(&columns))?;
        }
        let singles = [
            ("yaw", node.angles.map(|[yaw, _]| yaw)),
            ("pitch", node.angles.map(|[_, pitch]| pitch)),
            ("tracked", node.flags.first().map(|(column, _)| *column)),
            ("radius", node.radius),
        ];
        for (key, column) in singles {
            if let Some(column) = column {
                writeln!(out, "{key} = {}", self.column(column))?;
            }
        }
        match &node.parent {
            Some(parent) => writeln!(out, "parent = {}", quoted(parent)),
            None => Ok(()),
        }
    }
}

/// A basic string of TOML.
pub(crate) fn quoted(text: &str) -> String {
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
