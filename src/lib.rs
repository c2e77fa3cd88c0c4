//! Mutoscope plays motion recordings in 3D. This crate is the viewer. It is built on the Bevy plugin
//! [`bevy_mutoscope`], and the code that does not need the engine is in crates of its own:
//!
//! | crate | what it does |
//! |---|---|
//! | [`bevy_mutoscope`] | loads, plays and draws recordings in any Bevy app |
//! | [`mutoscope_core`] | decodes files to clips, samples clips to poses, measures and exports clips |
//! | [`mutoscope_minecraft`] | decodes recordings and scenes of the Minecraft mod Motion Capture |
//! | [`mutoscope_logs`] | reads text tables and C3D files as recordings |
//! | `mutoscope_tables` | reads and writes Parquet, Arrow and MCAP files |
//! | `mutoscope_fbx` | reads FBX files with ufbx |
//! | [`mutoscope_study`] | computes the measures of studies: gaze, hands and bodies, by label |
//! | [`mutoscope_player`] | exports recordings as web pages that play them |
//! | `mutoscope_cli` | runs the subcommands that do not draw |
//! | `mutoscope_testing` | holds fixtures and helpers for tests; not published |
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | [`footage`] | decodes reference videos, image sequences and sound with ffmpeg |
//! | [`capture`] | renders images without a window |
//! | [`session`] | holds the open recordings, and runs commands, jobs and settings |
//! | [`ui`] | draws panels, which read the session and return commands |
//! | [`viewer`] | opens the window, dialogs and dropped files, and runs the app |
//! | `command` | defines the command line of the viewer |
//! | `browser` | wraps the browser functions that the page needs |

#[cfg(target_family = "wasm")]
mod browser;
pub mod capture;
#[cfg(not(target_family = "wasm"))]
pub mod command;
pub mod footage;
pub mod session;
pub mod ui;
pub mod viewer;

#[cfg(target_family = "wasm")]
use std::sync::LazyLock;

use mutoscope_core::{export::Targets, formats::Registry};

/// Returns the formats of the viewer.
pub fn registry() -> &'static Registry {
    #[cfg(not(target_family = "wasm"))]
    return mutoscope_cli::registry();
    #[cfg(target_family = "wasm")]
    {
        static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
            mutoscope_core::io::atomic_file::set_delivery(browser::download);
            let registry = Registry::default()
                .with(mutoscope_minecraft::formats())
                .with(mutoscope_logs::formats());
            // FBX is optional in browsers, because ufbx is written in C and a C compiler for
            // WebAssembly is not always installed.
            #[cfg(feature = "fbx-in-browsers")]
            let registry = registry.with(mutoscope_fbx::formats());
            registry
        });
        &REGISTRY
    }
}

/// Returns the export targets of the viewer.
pub fn targets() -> &'static Targets {
    #[cfg(not(target_family = "wasm"))]
    return mutoscope_cli::targets();
    #[cfg(target_family = "wasm")]
    {
        static TARGETS: LazyLock<Targets> = LazyLock::new(|| {
            Targets::default()
                .with(mutoscope_player::targets())
                .with(mutoscope_core::export::VIDEO_TARGETS)
        });
        &TARGETS
    }
}
