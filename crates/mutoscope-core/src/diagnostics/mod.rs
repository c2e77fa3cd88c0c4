//! Issues in a file, and where they are.
//!
//! A decoder reports in two ways. A [`Notice`] is an issue that could be worked around; reading
//! continues. An [`Error`] is the reason why reading had to stop. Both carry a [`SourceLocation`].

mod error;
mod json;
mod lines;
mod notice;
mod number;
mod printable;
mod printable_json;
mod source_location;
mod topic;

pub use error::{Error, ErrorKind};
pub use json::json_syntax;
pub use lines::Lines;
pub use notice::{Notice, Notices, Severity};
pub use number::number_text;
pub use printable::{printable, printable_cell};
pub use printable_json::printable_json;
pub use source_location::SourceLocation;
pub use topic::Topic;
