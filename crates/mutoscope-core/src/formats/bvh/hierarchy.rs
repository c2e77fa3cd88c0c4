//! The joints of a BVH file.

use std::collections::HashSet;

use glam::DVec3;

use super::{
    Channel, ChannelKind, Joint,
    lexer::{Lexer, Word, quoted},
    number,
    problems::Problems,
};
use crate::diagnostics::{Error, Notices};

/// Reads the joints up to the word `MOTION`, which is passed over, or the end of the file.
///
/// # Errors
/// If there is no joint.
pub(super) fn read(
    lexer: &mut Lexer<'_>,
    notices: &mut Notices,
) -> Result<(Vec<Joint>, Vec<Channel>), Error> {
    let mut reader = Reader {
        joints: Vec::new(),
        channels: Vec::new(),
        open: Vec::new(),
        pending: None,
        seen: HashSet::new(),
        problems: Problems::new(notices),
    };
    let has_motion = reader.all(lexer);
    let Reader { joints, channels, open, problems, .. } = reader;
    let notices = problems.finish();
    if joints.is_empty() {
        let found = lexer.peek().map_or("the end of the file".to_owned(), |word| word.quoted());
        return Err(Error::malformed(lexer.place(), "a joint (ROOT)", found));
    }
    if !has_motion {
        let message = "expected MOTION, found the end of the file; using the joints at rest";
        notices.error(lexer.place(), message);
    } else if !open.is_empty() {
        let message = format!("expected {} more closing braces, found MOTION", open.len());
        notices.warning(lexer.place(), message);
    }
    Ok((joints, channels))
}

struct Reader<'n> {
    joints: Vec<Joint>,
    channels: Vec<Channel>,
    /// The joints whose braces are open.
    open: Vec<usize>,
    /// The joint that was named last, until its brace opens.
    pending: Option<usize>,
    /// The channels that joints have so far.
    seen: HashSet<(usize, ChannelKind)>,
    problems: Problems<'n>,
}

impl Reader<'_> {
    /// Reads all joints; whether it found the word `MOTION`.
    fn all(&mut self, lexer: &mut Lexer<'_>) -> bool {
        while let Some(word) = lexer.next() {
            match word.text {
                b"{" => self.open(word),
                b"}" => self.close(word),
                _ if word.is("MOTION") => return true,
                _ if word.is("HIERARCHY") => {}
                _ if word.is("ROOT") || word.is("JOINT") => self.joint(word, lexer, false),
                _ if word.is("End") || word.is("EndSite") => {
                    if word.is("End") && lexer.peek().is_some_and(|next| next.is("Site")) {
                        lexer.next();
                    }
                    self.joint(word, lexer, true);
                }
                _ if word.is("OFFSET") => self.offset(word, lexer),
                _ if word.is("CHANNELS") => self.channels(word, lexer),
                _ => {
                    let message = || {
                        format!(
                            "expected a keyword of the hierarchy, found {}; skipped",
                            word.quoted()
                        )
                    };
                    self.problems.warning(word.place(), message);
                    lexer.rest_of_line();
                }
            }
        }
        false
    }

    fn open(&mut self, word: Word<'_>) {
        match self.pending.take() {
            Some(joint) => self.open.push(joint),
            None => self
                .problems
                .warning(word.place(), || "a brace that no joint opens; skipped".to_owned()),
        }
    }

    fn close(&mut self, word: Word<'_>) {
        self.pending = None;
        if self.open.pop().is_none() {
            self.problems.warning(word.place(), || "a closing brace too many; skipped".to_owned());
        }
    }

    fn joint(&mut self, word: Word<'_>, lexer: &mut Lexer<'_>, is_end: bool) {
        let name = String::from_utf8_lossy(lexer.rest_of_line()).into_owned();
        let parent = self.open.last().copied();
        if parent.is_none() && !word.is("ROOT") {
            let message = || format!("{} outside of a joint; using it as a root", word.quoted());
            self.problems.warning(word.place(), message);
        }
        if self.joints.len() >= u32::MAX as usize {
            return;
        }
        self.pending = Some(self.joints.len());
        self.joints.push(Joint { name, parent, is_end, offset: DVec3::ZERO, line: word.line });
    }

    /// The joint that a keyword is about.
    fn current(&mut self, word: Word<'_>) -> Option<usize> {
        let current = self.pending.or(self.open.last().copied());
        if current.is_none() {
            let message = || format!("{} outside of a joint; skipped", word.quoted());
            self.problems.warning(word.place(), message);
        }
        current
    }

    fn offset(&mut self, word: Word<'_>, lexer: &mut Lexer<'_>) {
        let Some(joint) = self.current(word) else { return };
        for axis in 0..3 {
            let next = lexer.peek();
            let found = next.and_then(|next| number::parse(next.text));
            let Some(found) = found.filter(|offset| offset.is_finite()) else {
                let found = next.map_or("the end of the file".to_owned(), |next| next.quoted());
                let message = || format!("OFFSET: expected three numbers, found {found}; using 0");
                self.problems.error(word.place(), message);
                if next.is_some_and(|next| !is_structure(next)) {
                    lexer.next();
                }
                continue;
            };
            lexer.next();
            self.joints[joint].offset[axis] = found;
        }
    }

    /// Reads the list of channels. The listed ones are used, whatever their stated number is.
    fn channels(&mut self, word: Word<'_>, lexer: &mut Lexer<'_>) {
        let Some(joint) = self.current(word) else { return };
        let stated = lexer.peek().and_then(|next| number::whole(next.text));
        if stated.is_some() {
            lexer.next();
        }
        let mut listed = 0;
        while let Some(next) = lexer.peek() {
            let kind = ChannelKind::named(next.text);
            let is_stated = stated.is_some_and(|stated| listed < stated);
            if kind.is_none() && (!is_stated || is_structure(next)) {
                break;
            }
            lexer.next();
            listed += 1;
            self.channel(joint, kind, next);
        }
        if stated != Some(listed) {
            let stated = stated.map_or("no number".to_owned(), |stated| stated.to_string());
            let message =
                || format!("CHANNELS: {stated} stated, {listed} listed; using the listed ones");
            self.problems.error(word.place(), message);
        }
    }

    fn channel(&mut self, joint: usize, kind: Option<ChannelKind>, word: Word<'_>) {
        let is_repeated = kind.is_some_and(|kind| !self.seen.insert((joint, kind)));
        if is_repeated || kind.is_none() {
            let problem = if is_repeated { "a repeated channel" } else { "an unknown channel" };
            let message = || format!("{}: {problem}; using it as a signal", quoted(word.text));
            self.problems.warning(word.place(), message);
        }
        self.channels.push(Channel {
            joint,
            name: String::from_utf8_lossy(word.text).into_owned(),
            kind: kind.filter(|_| !is_repeated),
            line: word.line,
        });
    }
}

/// Whether a word is part of the structure and no value.
fn is_structure(word: Word<'_>) -> bool {
    const KEYWORDS: [&str; 9] =
        ["{", "}", "ROOT", "JOINT", "End", "EndSite", "OFFSET", "CHANNELS", "MOTION"];
    KEYWORDS.iter().any(|keyword| word.is(keyword))
}
