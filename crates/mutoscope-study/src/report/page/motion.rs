//! Writes the motion of recordings: an image of each, which a player replaces if scripts run.

use std::io::{self, Write};

use super::PageOptions;
use crate::report::{Motion, RecordingReport};

/// The player of a page and the limit for its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagePlayer {
    /// The script that defines `<mutoscope-player>` and `decodeBase64`. It is embedded in a script
    /// with other code, so it must not be a module.
    pub script: &'static str,
    /// The largest number of bytes of motion in the page.
    pub max_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum PageMotion<'a> {
    /// No motion, because the page has no player, is an overview, or the recording cannot be
    /// measured.
    Absent,
    /// The motion does not fit into the rest of the limit, given in bytes.
    TooLarge(usize),
    /// The motion is part of the page.
    Included(&'a Motion),
}

pub(super) fn fit_motions<'a>(
    recordings: &'a [RecordingReport],
    options: &PageOptions,
) -> Vec<PageMotion<'a>> {
    let Some(player) = options.player.filter(|player| player.max_bytes > 0) else {
        return vec![PageMotion::Absent; recordings.len()];
    };
    let mut remaining = player.max_bytes;
    let mut fit = |recording: &'a RecordingReport| {
        let fitting = recording.motion.as_ref().filter(|motion| motion.size() <= remaining);
        match fitting {
            _ if recording.error.is_some() => PageMotion::Absent,
            None => PageMotion::TooLarge(player.max_bytes),
            Some(motion) => {
                remaining -= motion.size();
                PageMotion::Included(motion)
            }
        }
    };
    recordings.iter().map(&mut fit).collect()
}

pub(super) fn write(motion: PageMotion<'_>, index: usize, out: &mut dyn Write) -> io::Result<()> {
    match motion {
        PageMotion::Absent => Ok(()),
        PageMotion::TooLarge(max_bytes) => writeln!(
            out,
            "<p class=\"quiet\">The motion is left out, because this page holds at most {} MB of motion. \
             Change the limit with <code>--motion</code>.</p>",
            max_bytes as f64 / 1e6
        ),
        PageMotion::Included(Motion { svg, pack }) => {
            writeln!(out, "<figure class=\"motion\" data-pack=\"pack-{index}\">\n{svg}")?;
            writeln!(
                out,
                "<figcaption>Click a moment to show it here. Ctrl+click opens the link.</figcaption>\n</figure>"
            )?;
            writeln!(out, "<script type=\"text/plain\" id=\"pack-{index}\">{pack}</script>")
        }
    }
}

pub(super) fn write_script(
    motions: &[PageMotion<'_>],
    options: &PageOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    match options.player {
        Some(PagePlayer { script, .. })
            if motions.iter().any(|motion| matches!(motion, PageMotion::Included(_))) =>
        {
            writeln!(out, "(() => {{\n{script}\n{}\n}})();", include_str!("motion.js"))
        }
        _ => Ok(()),
    }
}
