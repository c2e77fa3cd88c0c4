//! Reads recordings from any source and turns them into clips, for the command line, the viewer,
//! its previews and the asset loader.
//!
//! [`load`] turns content that was read into a clip. A [`Reader`] reads a [`Source`], including
//! archives, loads it, and reports what it found in [`Message`]s.
//!
//! | file | what it does |
//! |---|---|
//! | `source` | the source of a recording: a file, standard input or memory |
//! | `reader` | reads and decodes a source, on the requested skeleton |
//! | `choice` | the choice of one recording in a file that holds several |
//! | `library` | archives and character sets, which hold many recordings |
//! | `load` | turns a named file with sidecars into a clip |
//! | `kept` | finds the skeleton that is kept in the folder of a recording |
//! | `purpose` | distinguishes recordings from skeletons |
//! | `message` | diagnostics and errors as lines about a file |

mod choice;
mod kept;
pub mod library;
mod load;
mod message;
mod purpose;
mod reader;
mod source;

pub use choice::AnimationChoice;
pub use load::{LoadRequest, SkeletonChoice, load, load_async};
pub use message::{Message, format_path};
pub use purpose::{Purpose, detect_purpose, is_recording};
pub use reader::{Input, InputError, Reader, Retarget};
pub use source::{MemoryFile, OpenOptions, ReadProgress, Source, TrackedSidecars};
