//! The hierarchy as text.

use std::io::{self, Write};

use glam::DVec3;

use super::joints::{Joints, rounded};

/// How far the end of a chain reaches, over the length of the bone before it.
const END: f64 = 0.5;

/// The default length in metres, where there is no bone before it.
const ALONE: f64 = 0.05;

/// The deepest indentation: readers ignore it.
const DEEPEST: usize = 32;

/// Writes all joints, each within its parent.
pub(super) fn hierarchy(joints: &Joints, names: &[String], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"HIERARCHY\n")?;
    // Depth first without recursion: chains may be as long as they like.
    let mut open = 0;
    let mut depths: Vec<usize> = Vec::with_capacity(joints.nodes.len());
    for (index, (joint, name)) in joints.nodes.iter().zip(names).enumerate() {
        let depth = joint.parent.map_or(0, |parent| depths[parent] + 1);
        depths.push(depth);
        close(&mut open, depth, out)?;
        let word = if index == 0 { "ROOT" } else { "JOINT" };
        let indent = "\t".repeat(depth.min(DEEPEST));
        let DVec3 { x, y, z } = rounded(joint.offset);
        writeln!(out, "{indent}{word} {name}\n{indent}{{\n{indent}\tOFFSET {x} {y} {z}")?;
        open = depth + 1;
        let channels = if joint.moves {
            "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
        } else {
            "3 Zrotation Xrotation Yrotation"
        };
        writeln!(out, "{indent}\tCHANNELS {channels}")?;
        if joint.children.is_empty() {
            let length = joint.offset.length();
            let end = if length > 0.0 { joint.offset * END } else { DVec3::Y * ALONE };
            let DVec3 { x, y, z } = rounded(end);
            writeln!(
                out,
                "{indent}\tEnd Site\n{indent}\t{{\n{indent}\t\tOFFSET {x} {y} {z}\n{indent}\t}}"
            )?;
        }
    }
    close(&mut open, 0, out)
}

/// Closes joints until as many as `depth` are open.
fn close(open: &mut usize, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    while *open > depth {
        *open -= 1;
        writeln!(out, "{}}}", "\t".repeat((*open).min(DEEPEST)))?;
    }
    Ok(())
}
