//! Creates links to a moment of a recording.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const ENCODED_CHARS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The target of links to a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LinkTarget {
    /// The installed program, opened through the scheme `mutoscope:`.
    #[default]
    Program,
    /// A hosted page at this address.
    Page(String),
}

/// The error for a string that is not a web address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an address that begins with https:// or http://, found {0:?}")]
pub struct InvalidAddress(String);

impl LinkTarget {
    /// Creates a target for a hosted page. Only `http` and `https` addresses are accepted, because
    /// a link with another scheme, such as `javascript:`, could run code.
    ///
    /// # Errors
    /// Returns an error if `address` is not a web address.
    pub fn from_address(address: &str) -> Result<Self, InvalidAddress> {
        let is_address = address.starts_with("https://") || address.starts_with("http://");
        let has_no_breaks = !address.contains(|one: char| one.is_whitespace() || one.is_control());
        match is_address && has_no_breaks {
            true => Ok(Self::Page(address.to_owned())),
            false => Err(InvalidAddress(address.to_owned())),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'a> {
    pub(super) path: &'a str,
    /// The time in seconds.
    pub(super) time: f64,
    /// The range to loop, in seconds.
    pub(super) range: Option<[f64; 2]>,
    pub(super) node: Option<&'a str>,
}

impl Moment<'_> {
    pub(super) fn address(&self, target: &LinkTarget) -> String {
        let encode = |text: &str| utf8_percent_encode(text, ENCODED_CHARS).to_string();
        let mut query = format!("file={}&at={:.4}", encode(self.path), self.time);
        if let Some([from, to]) = self.range {
            query += &format!("&range={from:.4}..{to:.4}");
        }
        if let Some(node) = self.node {
            query += &format!("&select={}", encode(node));
        }
        match target {
            LinkTarget::Program => format!("mutoscope:open?{query}"),
            LinkTarget::Page(page) => {
                let separator = if page.contains('?') { '&' } else { '?' };
                format!("{page}{separator}{query}")
            }
        }
    }

    pub(super) fn command(&self) -> String {
        let mut command =
            format!("mutoscope {} --at {:.4}", quote_shell_word(self.path), self.time);
        if let Some([from, to]) = self.range {
            command += &format!(" --range {from:.4}..{to:.4}");
        }
        if let Some(node) = self.node {
            command += &format!(" --select {}", quote_shell_word(node));
        }
        command
    }
}

/// Quotes a word for a shell. A path that begins with a dash gets `./` in front, so that it is not
/// taken as an option.
fn quote_shell_word(word: &str) -> String {
    let word =
        if word.starts_with('-') && word.len() > 1 { format!("./{word}") } else { word.to_owned() };
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "-._/:=+,@".contains(one);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_encoded_in_links_and_quoted_in_commands() {
        let path = "takes/it's <é>&.bin";
        let moment =
            Moment { path, time: 1.23456, range: Some([1.0, 2.5]), node: Some("right/Wrist") };
        let query = "file=takes/it%27s%20%3C%C3%A9%3E%26.bin&at=1.2346&range=1.0000..2.5000&select=right/Wrist";
        assert_eq!(moment.address(&LinkTarget::Program), format!("mutoscope:open?{query}"));
        let page = LinkTarget::Page("https://example.org/view/?a=b".to_owned());
        assert_eq!(moment.address(&page), format!("https://example.org/view/?a=b&{query}"));
        let command = r"mutoscope 'takes/it'\''s <é>&.bin' --at 1.2346 --range 1.0000..2.5000 --select right/Wrist";
        assert_eq!(moment.command(), command);
        let plain = Moment { path: "-a.bin", time: 0.0, range: None, node: None };
        assert_eq!(plain.command(), "mutoscope ./-a.bin --at 0.0000");
    }
}
