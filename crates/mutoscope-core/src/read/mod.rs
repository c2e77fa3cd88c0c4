//! From wherever a recording is to a clip: what the command line, the viewer, its previews and the asset
//! loader all do.
//!
//! [`load`] makes a clip of content that was read; a [`Reader`] reads a [`Source`] and loads it, archives
//! too, and says in a [`Message`] what it found.
//!
//! | file | what it does |
//! |---|---|
//! | `source` | where a recording comes from: a file, standard input or memory |
//! | `reader` | reading it and decoding it, on the skeleton that is asked for |
//! | `choice` | which recording of a file that holds several |
//! | `library` | archives and sets of characters, which hold many recordings |
//! | `load` | from a file with a name and sidecars to a clip |
//! | `kept` | finds the skeleton that is kept in the folder of a recording |
//! | `purpose` | distinguishes recordings from skeletons |
//! | `message` | notices and errors as lines about a file |

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
pub use message::{Message, path_text};
pub use purpose::{Purpose, is_recording, purpose};
pub use reader::{Input, InputError, Reader, Retarget};
pub use source::{MemoryFile, NotedSidecars, OpenOptions, ReadProgress, Source};
