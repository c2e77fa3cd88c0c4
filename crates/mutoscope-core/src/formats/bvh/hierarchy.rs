//! Reads the joints of a BVH file.

use std::collections::HashSet;

use glam::DVec3;

use super::{
    Channel, ChannelKind, Joint,
    capped_diagnostics::CappedDiagnostics,
    codes,
    lexer::{Lexer, Token, quoted},
    number,
};
use crate::diagnostics::{Diagnostics, Error, format_count};

pub(super) struct Hierarchy {
    pub(super) joints: Vec<Joint>,
    pub(super) channels: Vec<Channel>,
    /// `true` if the keyword `MOTION` follows.
    pub(super) has_motion: bool,
}

pub(super) fn read(
    lexer: &mut Lexer<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Hierarchy, Error> {
    let mut parser = HierarchyParser {
        joints: Vec::new(),
        channels: Vec::new(),
        open_joints: Vec::new(),
        pending: None,
        seen_channels: HashSet::new(),
        diagnostics: CappedDiagnostics::new(diagnostics),
    };
    let has_motion = parser.read_joints(lexer);
    let HierarchyParser { joints, channels, open_joints, diagnostics, .. } = parser;
    let diagnostics = diagnostics.finish();
    if joints.is_empty() {
        let found = lexer.peek().map_or("the end of the file".to_owned(), |token| token.quoted());
        return Err(Error::malformed(lexer.location(), "a joint (ROOT)", found));
    }
    if !has_motion {
        let message = "expected MOTION, found the end of the file; using the joints at rest";
        diagnostics.error(codes::TRUNCATED, lexer.location(), message);
    } else if !open_joints.is_empty() {
        let braces = format_count(open_joints.len(), "more closing brace");
        let message = format!("expected {braces}, found MOTION");
        diagnostics.warning(codes::HIERARCHY_SYNTAX, lexer.location(), message);
    }
    Ok(Hierarchy { joints, channels, has_motion })
}

struct HierarchyParser<'n> {
    joints: Vec<Joint>,
    channels: Vec<Channel>,
    open_joints: Vec<usize>,
    pending: Option<usize>,
    seen_channels: HashSet<(usize, ChannelKind)>,
    diagnostics: CappedDiagnostics<'n>,
}

impl HierarchyParser<'_> {
    /// Returns `true` if the keyword `MOTION` ended the hierarchy, and `false` at the end of the
    /// file.
    fn read_joints(&mut self, lexer: &mut Lexer<'_>) -> bool {
        while let Some(token) = lexer.next_token() {
            match token.text {
                b"{" => self.open_brace(token),
                b"}" => self.close_brace(token),
                _ if token.is_keyword("MOTION") => return true,
                _ if token.is_keyword("HIERARCHY") => {}
                _ if token.is_keyword("ROOT") || token.is_keyword("JOINT") => {
                    self.read_joint(token, lexer, false)
                }
                _ if token.is_keyword("End") || token.is_keyword("EndSite") => {
                    if token.is_keyword("End")
                        && lexer.peek().is_some_and(|next| next.is_keyword("Site"))
                    {
                        lexer.next_token();
                    }
                    self.read_joint(token, lexer, true);
                }
                _ if token.is_keyword("OFFSET") => self.read_offset(token, lexer),
                _ if token.is_keyword("CHANNELS") => self.read_channels(token, lexer),
                _ => {
                    let message = || {
                        format!(
                            "expected a keyword of the hierarchy, found {}; skipped",
                            token.quoted()
                        )
                    };
                    self.diagnostics.warning(codes::HIERARCHY_SYNTAX, token.location(), message);
                    lexer.read_rest_of_line();
                }
            }
        }
        false
    }

    fn open_brace(&mut self, token: Token<'_>) {
        match self.pending.take() {
            Some(joint) => self.open_joints.push(joint),
            None => self.diagnostics.warning(codes::HIERARCHY_SYNTAX, token.location(), || {
                "an opening brace without a joint; skipped".to_owned()
            }),
        }
    }

    fn close_brace(&mut self, token: Token<'_>) {
        self.pending = None;
        if self.open_joints.pop().is_none() {
            let message = || "an unmatched closing brace; skipped".to_owned();
            self.diagnostics.warning(codes::HIERARCHY_SYNTAX, token.location(), message);
        }
    }

    fn read_joint(&mut self, token: Token<'_>, lexer: &mut Lexer<'_>, is_end: bool) {
        let name = String::from_utf8_lossy(lexer.read_rest_of_line()).into_owned();
        let parent = self.open_joints.last().copied();
        if parent.is_none() && !token.is_keyword("ROOT") {
            let message = || format!("{} outside of a joint; using it as a root", token.quoted());
            self.diagnostics.warning(codes::HIERARCHY_SYNTAX, token.location(), message);
        }
        if self.joints.len() >= u32::MAX as usize {
            return;
        }
        self.pending = Some(self.joints.len());
        self.joints.push(Joint { name, parent, is_end, offset: DVec3::ZERO, line: token.line });
    }

    fn current_joint(&mut self, token: Token<'_>) -> Option<usize> {
        let current = self.pending.or(self.open_joints.last().copied());
        if current.is_none() {
            let message = || format!("{} outside of a joint; skipped", token.quoted());
            self.diagnostics.warning(codes::HIERARCHY_SYNTAX, token.location(), message);
        }
        current
    }

    fn read_offset(&mut self, token: Token<'_>, lexer: &mut Lexer<'_>) {
        let Some(joint) = self.current_joint(token) else { return };
        let mut axis = 0;
        while axis < 3 {
            let next = lexer.peek();
            let numbers: Option<Vec<f64>> = next.and_then(|next| {
                let parts = number::split_glued(next.text).map(number::parse);
                parts.map(|number| number.filter(|number| number.is_finite())).collect()
            });
            let (Some(next), Some(numbers)) = (next, numbers) else {
                let found = next.map_or("the end of the file".to_owned(), |next| next.quoted());
                let message = || format!("OFFSET: expected three numbers, found {found}; using 0");
                self.diagnostics.error(codes::INVALID_OFFSET, token.location(), message);
                if next.is_some_and(|next| !is_structural(next)) {
                    lexer.next_token();
                }
                axis += 1;
                continue;
            };
            lexer.next_token();
            if numbers.len() > 1 {
                let message =
                    || format!("OFFSET: {}", number::describe_glued_numbers(&next.quoted()));
                self.diagnostics.warning(codes::GLUED_NUMBERS, next.location(), message);
            }
            for number in numbers.into_iter().take(3 - axis) {
                self.joints[joint].offset[axis] = number;
                axis += 1;
            }
        }
    }

    /// Uses the channels that are listed, even if their stated number differs.
    fn read_channels(&mut self, token: Token<'_>, lexer: &mut Lexer<'_>) {
        let Some(joint) = self.current_joint(token) else { return };
        let stated = lexer.peek().and_then(|next| number::parse_integer(next.text));
        if stated.is_some() {
            lexer.next_token();
        }
        let mut listed = 0;
        while let Some(next) = lexer.peek() {
            let kind = ChannelKind::from_name(next.text);
            let is_stated = stated.is_some_and(|stated| listed < stated);
            if kind.is_none() && (!is_stated || is_structural(next)) {
                break;
            }
            lexer.next_token();
            listed += 1;
            self.add_channel(joint, kind, next);
        }
        if stated != Some(listed) {
            let message = || {
                let stated = stated.map_or("no number".to_owned(), |stated| stated.to_string());
                format!("CHANNELS: {stated} stated, {listed} listed; using the listed ones")
            };
            let diagnostic =
                self.diagnostics.error(codes::CHANNEL_COUNT, token.location(), message);
            if let Some(diagnostic) = diagnostic {
                diagnostic.with("expected", stated).with("found", listed);
            }
        }
    }

    fn add_channel(&mut self, joint: usize, kind: Option<ChannelKind>, token: Token<'_>) {
        let is_repeated = kind.is_some_and(|kind| !self.seen_channels.insert((joint, kind)));
        if is_repeated || kind.is_none() {
            let problem = if is_repeated { "a repeated channel" } else { "an unknown channel" };
            let message = || format!("{}: {problem}; using it as a signal", quoted(token.text));
            self.diagnostics.warning(codes::UNKNOWN_CHANNEL, token.location(), message);
        }
        self.channels.push(Channel {
            joint,
            name: String::from_utf8_lossy(token.text).into_owned(),
            kind: kind.filter(|_| !is_repeated),
            line: token.line,
        });
    }
}

fn is_structural(token: Token<'_>) -> bool {
    const KEYWORDS: [&str; 9] =
        ["{", "}", "ROOT", "JOINT", "End", "EndSite", "OFFSET", "CHANNELS", "MOTION"];
    KEYWORDS.iter().any(|keyword| token.is_keyword(keyword))
}
