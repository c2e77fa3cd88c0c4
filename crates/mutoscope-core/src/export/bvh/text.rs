//! Writes the joint hierarchy.

use std::io::{self, Write};

use glam::DVec3;

use super::joints::{Joints, UNITS_PER_METRE, round_decimals};

const END_SITE_LENGTH_RATIO: f64 = 0.5;

const DEFAULT_END_SITE_LENGTH_M: f64 = 0.05;

/// The maximum indentation, in tabs. Readers ignore indentation, and a long chain would otherwise
/// need quadratic space.
const MAX_INDENT: usize = 32;

pub(super) fn write_hierarchy(
    joints: &Joints,
    names: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"HIERARCHY\n")?;
    // Iterate instead of recursing, because a chain may be longer than the stack allows.
    let mut open = 0;
    let mut depths: Vec<usize> = Vec::with_capacity(joints.nodes.len());
    for (index, (joint, name)) in joints.nodes.iter().zip(names).enumerate() {
        let depth = joint.parent.map_or(0, |parent| depths[parent] + 1);
        depths.push(depth);
        close_joints(&mut open, depth, out)?;
        let keyword = if index == 0 { "ROOT" } else { "JOINT" };
        let indent = "\t".repeat(depth.min(MAX_INDENT));
        let DVec3 { x, y, z } = round_decimals(joint.offset * UNITS_PER_METRE);
        writeln!(out, "{indent}{keyword} {name}\n{indent}{{\n{indent}\tOFFSET {x} {y} {z}")?;
        open = depth + 1;
        let channels = if joint.has_position_channels {
            "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
        } else {
            "3 Zrotation Xrotation Yrotation"
        };
        writeln!(out, "{indent}\tCHANNELS {channels}")?;
        if joint.children.is_empty() {
            let length = joint.offset.length();
            let end = if length > 0.0 {
                joint.offset * END_SITE_LENGTH_RATIO
            } else {
                DVec3::Y * DEFAULT_END_SITE_LENGTH_M
            };
            let DVec3 { x, y, z } = round_decimals(end * UNITS_PER_METRE);
            writeln!(
                out,
                "{indent}\tEnd Site\n{indent}\t{{\n{indent}\t\tOFFSET {x} {y} {z}\n{indent}\t}}"
            )?;
        }
    }
    close_joints(&mut open, 0, out)
}

fn close_joints(open: &mut usize, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    while *open > depth {
        *open -= 1;
        writeln!(out, "{}}}", "\t".repeat((*open).min(MAX_INDENT)))?;
    }
    Ok(())
}
