//! The motion of recordings: a picture of each, which a player takes the place of where scripts run.

use std::io::{self, Write};

use super::PageOptions;
use crate::report::{Motion, RecordingReport};

/// The player of a page, and how much it may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagePlayer {
    /// The script that defines `<mutoscope-player>` and `bytesOfBase64`, to be put into one with others.
    pub script: &'static str,
    /// How many bytes of motion the page holds at most.
    pub most_bytes: usize,
}

/// The motion of a recording in a page.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown<'a> {
    /// The page has no player.
    Nowhere,
    /// It does not fit into what is left of this many bytes.
    LeftOut(usize),
    /// It is there.
    Here(&'a Motion),
}

/// The motions that a page holds: one after the other, as long as they fit.
pub(super) fn shown<'a>(
    recordings: &'a [RecordingReport],
    options: &PageOptions,
) -> Vec<Shown<'a>> {
    let Some(player) = options.player.filter(|player| player.most_bytes > 0) else {
        return vec![Shown::Nowhere; recordings.len()];
    };
    let mut left = player.most_bytes;
    let mut show = |recording: &'a RecordingReport| {
        let fitting = recording.motion.as_ref().filter(|motion| motion.size() <= left);
        match fitting {
            _ if recording.error.is_some() => Shown::Nowhere,
            None => Shown::LeftOut(player.most_bytes),
            Some(motion) => {
                left -= motion.size();
                Shown::Here(motion)
            }
        }
    };
    recordings.iter().map(&mut show).collect()
}

/// The picture of a recording and what is played in its place, or that it was left out.
pub(super) fn write(shown: Shown<'_>, index: usize, out: &mut dyn Write) -> io::Result<()> {
    match shown {
        Shown::Nowhere => Ok(()),
        Shown::LeftOut(most) => writeln!(
            out,
            "<p class=\"quiet\">The motion is left out: this page holds {} MB of motion at most \
             (<code>--motion</code>).</p>",
            most as f64 / 1e6
        ),
        Shown::Here(Motion { picture, pack }) => {
            writeln!(out, "<figure class=\"motion\" data-pack=\"pack-{index}\">\n{picture}")?;
            writeln!(
                out,
                "<figcaption>A click on a moment shows it here; with Ctrl it opens the link.</figcaption>\n</figure>"
            )?;
            writeln!(out, "<script type=\"text/plain\" id=\"pack-{index}\">{pack}</script>")
        }
    }
}

/// The part of the script that plays motions, if there are any.
pub(super) fn write_script(
    shown: &[Shown<'_>],
    options: &PageOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    match options.player {
        Some(PagePlayer { script, .. })
            if shown.iter().any(|one| matches!(one, Shown::Here(_))) =>
        {
            writeln!(out, "(() => {{\n{script}\n{}\n}})();", include_str!("motion.js"))
        }
        _ => Ok(()),
    }
}
