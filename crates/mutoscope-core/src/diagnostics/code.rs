//! Codes of diagnostics, which identify a kind of problem for programs.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use super::Topic;

/// The code of a kind of diagnostic, such as `bvh/unit-assumed`. The part before the slash names
/// the format or the area of the program. Codes are stable: a program can act on them.
#[derive(Clone, Copy)]
pub struct Code(&'static CodeDescription);

/// The description of a [`Code`] for users.
#[derive(Debug)]
pub struct CodeDescription {
    /// The code.
    pub id: &'static str,
    /// The meaning, in one or two sentences. It is the same for all diagnostics with this code.
    pub meaning: &'static str,
    /// The usual cause.
    pub cause: &'static str,
    /// What the user can do.
    pub remedy: &'static str,
}

impl Code {
    /// Creates a code. Crates that add formats declare their codes with [`codes!`](crate::codes).
    pub const fn new(description: &'static CodeDescription) -> Self {
        Self(description)
    }

    /// Returns the code as messages and JSON contain it.
    pub fn as_str(self) -> &'static str {
        self.0.id
    }

    /// Returns the description of the code.
    pub fn description(self) -> &'static CodeDescription {
        self.0
    }

    /// Returns the topic of the checks, or `None` if the checks do not look for the problem.
    pub fn topic(self) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.code() == self)
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Code {}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Declares the codes of a format or of an area of the program, and the constant `CODES` with all
/// of them.
///
/// ```
/// mutoscope_core::codes! { "toy":
///     /// The file does not declare the unit of its lengths.
///     UNIT_ASSUMED = "unit-assumed" {
///         cause: "The format has no field for the unit.",
///         remedy: "Pass the unit with the option of your program.",
///     }
/// }
/// assert_eq!(UNIT_ASSUMED.as_str(), "toy/unit-assumed");
/// assert_eq!(CODES.len(), 1);
/// ```
#[macro_export]
macro_rules! codes {
    ($area:literal:
        $($(#[doc = $meaning:literal])+
        $name:ident = $id:literal {
            cause: $cause:literal,
            remedy: $remedy:literal $(,)?
        })+
    ) => {
        $($(#[doc = $meaning])+
        pub(crate) const $name: $crate::diagnostics::Code =
            $crate::diagnostics::Code::new(&$crate::diagnostics::CodeDescription {
                id: concat!($area, "/", $id),
                meaning: concat!($($meaning),+),
                cause: $cause,
                remedy: $remedy,
            });)+

        /// All codes of this module.
        pub(crate) const CODES: &[$crate::diagnostics::Code] = &[$($name),+];
    };
}
