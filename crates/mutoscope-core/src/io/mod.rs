//! Input and output: files, bounds-checked byte readers, and long work that yields.
//!
//! | module | what it does |
//! |---|---|
//! | [`storage`] | files by path: in the file system or, in a browser, in memory |
//! | [`atomic_file`] | output files that are either complete or absent |
//! | `spooled` | bytes that are written later, after bytes that depend on them |
//! | [`file_name`] | file names that Windows cannot create |
//! | [`bytes`] | the content of files, and bounds-checked readers |
//! | [`cooperative`] | long work that yields regularly |
//! | [`parallel`] | parts of a job on several threads, with results in order |
//! | [`progress`] | the progress of long work, and its cancellation |

pub mod atomic_file;
pub mod bytes;
pub mod cooperative;
pub mod file_name;
pub mod parallel;
pub mod progress;
pub(crate) mod spooled;
pub mod storage;
