//! What can be wrong with a file, and where.
//!
//! A decoder has two ways to speak. A [`Notice`] tells of something odd that could be worked
//! around; reading goes on. An [`Error`] tells why reading had to stop. Both carry a
//! [`SourceLocation`].

mod error;
mod json;
mod lines;
mod notice;
mod source_location;
mod topic;

pub use error::{Error, ErrorKind};
pub(crate) use json::json_syntax;
pub use lines::Lines;
pub use notice::{Notice, Notices, Severity};
pub use source_location::SourceLocation;
pub use topic::Topic;
