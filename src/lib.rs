//! Mutoscope plays motion recordings in 3D: open a file, see it move, drag the time, understand
//! it, take it elsewhere. This crate is the viewer, and a Bevy plugin; what needs no engine is in crates of
//! its own: [`mutoscope_core`] (bytes become a clip, a clip sampled at a time a pose), [`mutoscope_minecraft`],
//! `mutoscope_tables` and `mutoscope_cli`.
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | [`asset`] | recordings as Bevy assets, and their loader |
//! | [`recording`] | recordings as entities: clocks, poses, Bevy's animation |
//! | [`stage`] | the 3D view |
//! | [`footage`] | reference videos, image sequences and sound, decoded by ffmpeg |
//! | [`capture`] | images without a window |
//! | [`session`] | open recordings and commands on them, files, tasks, settings |
//! | [`ui`] | panels: functions that read the session and return commands |
//! | [`viewer`] | the window: dialogs, files that are dropped, the run loop |
//! | `command` | the command line of the viewer |
//! | `browser` | services of the browser for the page |

pub mod asset;
#[cfg(target_family = "wasm")]
mod browser;
pub mod capture;
#[cfg(not(target_family = "wasm"))]
pub mod command;
pub mod footage;
pub mod recording;
pub mod session;
pub mod stage;
pub mod ui;
pub mod viewer;

/// Registers the formats and the targets that the core does not have. A program does so before it reads
/// anything; the viewer does.
pub fn register() {
    #[cfg(not(target_family = "wasm"))]
    mutoscope_cli::register();
    #[cfg(target_family = "wasm")]
    {
        mutoscope_minecraft::register();
        mutoscope_logs::register();
        mutoscope_player::register();
        // It is C, for which a compiler may be missing.
        #[cfg(feature = "fbx-in-browsers")]
        mutoscope_fbx::register();
        mutoscope_core::export::register(mutoscope_core::export::VIDEOS);
        mutoscope_core::io::atomic_file::deliver_by(browser::download);
    }
}

/// Before any test: formats and targets of other crates.
#[cfg(test)]
#[ctor::ctor]
fn register_for_tests() {
    register();
}
