//! Reading and writing: files by their paths, bytes with bounds, long work that yields.
//!
//! | module | what it does |
//! |---|---|
//! | [`storage`] | files by their paths: of the file system, or in a page in memory |
//! | [`atomic_file`] | files that are complete or absent |
//! | [`file_name`] | names that mean no file in Windows |
//! | [`bytes`] | the content of files, and a bounds-checked cursor |
//! | [`cooperative`] | long work that yields now and then |

pub mod atomic_file;
pub mod bytes;
pub mod cooperative;
pub mod file_name;
pub mod storage;
