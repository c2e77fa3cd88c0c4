//! Diagnostics and errors about files, and their locations.
//!
//! A decoder reports problems in two ways. A [`Diagnostic`] describes a problem that the decoder
//! could work around, so reading continues. An [`Error`] is the reason why reading stopped. Both
//! have a [`SourceLocation`].

mod code;
mod diagnostic;
mod error;
mod escape;
mod format_number;
mod json;
mod line_index;
mod measure;
mod printable_json;
mod source_location;
pub(crate) mod topic;

pub use code::{Code, CodeDescription};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use error::{Error, ErrorKind};
pub use escape::{escape_control_chars, escape_control_chars_in_cell};
pub use format_number::{format_count, format_number};
pub use json::describe_json_syntax_error;
pub use line_index::LineIndex;
pub use measure::Measure;
pub use printable_json::write_printable_json;
pub use source_location::SourceLocation;
pub use topic::Topic;
