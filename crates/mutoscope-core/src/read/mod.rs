//! Reads recordings from any source.
//!
//! [`open`] reads a [`Source`] as [`ReadOptions`](crate::ReadOptions) say, including archives, and
//! returns a [`Recording`]. [`Message`]s describe what it found.
//!
//! | file | what it does |
//! |---|---|
//! | `source` | the source of a recording: a file, standard input or memory |
//! | `open` | reads and decodes a source, on the requested skeleton |
//! | `library` | archives and character sets, which hold many recordings |
//! | `purpose` | distinguishes recordings from skeletons |
//! | `message` | diagnostics and errors as lines about a file |

pub mod library;
mod message;
mod open;
mod purpose;
mod source;

pub use message::{Input, Message, format_path};
pub use open::{
    ReadError, Recording, SkeletonError, list_animations, list_animations_in, open, open_content,
    open_other_animations, open_skeleton, read, read_if_recognised,
};
pub use purpose::{Purpose, detect_purpose, is_recording};
pub use source::{MemoryFile, ReadProgress, Source, TrackedSidecars};
