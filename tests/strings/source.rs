//! The string literals of a source file, each with the calls that it is an argument of.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Lit;

/// A string literal, or a line of help for the command line.
pub(crate) struct Found {
    pub(crate) text: String,
    /// The functions, methods and macros that it is an argument of, outermost first, within the
    /// innermost block: `label`, `Id::new`, `format!`.
    pub(crate) calls: Vec<String>,
    /// Whether it is a doc comment that the command line shows as help.
    pub(crate) is_help: bool,
}

/// The literals of `source`, in its order, without those of tests and of attributes that people do
/// not see. In the file `name`, which is of the command line, arguments have their help in their
/// documentation.
pub(crate) fn strings(source: &str, name: &str) -> Vec<Found> {
    let tokens: TokenStream = source.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut reader = Reader { is_of_arguments: name.starts_with("src/cli/"), found: Vec::new() };
    reader.block(tokens, false);
    reader.found
}

struct Reader {
    is_of_arguments: bool,
    found: Vec<Found>,
}

impl Reader {
    /// Reads a file, or what is between braces; `has_help` between those of a type that defines
    /// arguments of the command line.
    fn block(&mut self, tokens: TokenStream, has_help: bool) {
        self.tokens(tokens, &[], has_help);
    }

    fn tokens(&mut self, tokens: TokenStream, calls: &[String], has_help: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut attributes = Attributes::default();
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            index += 1;
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    if let Some((group, after)) = attribute(&tokens, index) {
                        attributes.note(&group);
                        index = after;
                    }
                }
                TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',') => {
                    self.flush(&mut attributes, has_help);
                }
                TokenTree::Literal(literal) => {
                    if let Lit::Str(text) = Lit::new(literal.clone()) {
                        let (calls, is_help) = (calls.to_vec(), false);
                        self.found.push(Found { text: text.value(), calls, is_help });
                    }
                }
                // Of what only tests have, its body ends it; parameters and fields come before.
                TokenTree::Group(group)
                    if attributes.is_test && group.delimiter() == Delimiter::Brace =>
                {
                    attributes = Attributes::default();
                }
                TokenTree::Group(_) if attributes.is_test => {}
                TokenTree::Group(group) => {
                    self.group(group, &tokens[..index - 1], calls, &mut attributes, has_help);
                }
                _ => {}
            }
        }
        self.flush(&mut attributes, has_help);
    }

    fn group(
        &mut self,
        group: &Group,
        before: &[TokenTree],
        calls: &[String],
        attributes: &mut Attributes,
        has_help: bool,
    ) {
        match group.delimiter() {
            Delimiter::Brace if !is_macro(before) => {
                let defines_arguments = self.is_of_arguments && attributes.defines_arguments;
                let is_type = defines_arguments && !attributes.is_flattened;
                self.flush(attributes, has_help || attributes.is_parser);
                self.tokens(group.stream(), &[], is_type);
            }
            Delimiter::None => self.tokens(group.stream(), calls, has_help),
            _ => {
                let mut calls = calls.to_vec();
                calls.extend(callee(before));
                self.tokens(group.stream(), &calls, false);
            }
        }
    }

    /// Notes what attributes say that people see, now that what they belong to has ended.
    fn flush(&mut self, attributes: &mut Attributes, has_help: bool) {
        let Attributes { help, errors, is_flattened, is_test, .. } = std::mem::take(attributes);
        if is_test {
            return;
        }
        let texts = errors.into_iter().map(|text| (text, false));
        let help = help.join(" ");
        let help = (has_help && !is_flattened && !help.is_empty()).then_some((help, true));
        self.found.extend(texts.chain(help).map(|(text, is_help)| {
            let calls = if is_help { Vec::new() } else { vec!["error".to_owned()] };
            Found { text, calls, is_help }
        }));
    }
}

/// What the attributes of an item, a field or a variant say.
#[derive(Default)]
struct Attributes {
    /// Whether it is compiled for tests only.
    is_test: bool,
    /// Whether it is a type that defines arguments of the command line.
    defines_arguments: bool,
    /// Whether it is the type of the command line itself, whose documentation is shown, too.
    is_parser: bool,
    /// Whether the command line shows its parts rather than itself.
    is_flattened: bool,
    /// The lines of its documentation.
    help: Vec<String>,
    /// The texts that `thiserror` makes messages of, and the help that attributes have.
    errors: Vec<String>,
}

impl Attributes {
    fn note(&mut self, group: &Group) {
        let text = group.stream().to_string();
        let mut tokens = group.stream().into_iter();
        let name = tokens.next().map(|token| token.to_string()).unwrap_or_default();
        match name.as_str() {
            "cfg" => self.is_test |= text.contains("test") && !text.contains("not"),
            "test" => self.is_test = true,
            "derive" => {
                self.is_parser |= text.contains("Parser");
                self.defines_arguments |= ["Parser", "Args", "Subcommand", "ValueEnum"]
                    .iter()
                    .any(|it| text.contains(it));
            }
            "command" => {
                self.is_flattened |= text.contains("flatten") || text.contains("subcommand")
            }
            "doc" => {
                self.help.extend(literals(group).into_iter().map(|line| line.trim().to_owned()))
            }
            "error" => self.errors.extend(literals(group)),
            _ => {}
        }
    }
}

/// The string literals in `group`, however deep.
fn literals(group: &Group) -> Vec<String> {
    let mut found = Vec::new();
    for token in group.stream() {
        match token {
            TokenTree::Group(group) => found.extend(literals(&group)),
            TokenTree::Literal(literal) => {
                if let Lit::Str(text) = Lit::new(literal) {
                    found.push(text.value());
                }
            }
            _ => {}
        }
    }
    found
}

/// The attribute whose `#` is before `index`, and the index after it.
fn attribute(tokens: &[TokenTree], mut index: usize) -> Option<(Group, usize)> {
    if let Some(TokenTree::Punct(punct)) = tokens.get(index)
        && punct.as_char() == '!'
    {
        index += 1;
    }
    match tokens.get(index) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            Some((group.clone(), index + 1))
        }
        _ => None,
    }
}

/// Whether what follows is given to a macro.
fn is_macro(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Ident(_), TokenTree::Punct(mark)] if mark.as_char() == '!')
}

/// The function, method or macro that is called with what follows.
fn callee(before: &[TokenTree]) -> Option<String> {
    match before {
        [.., TokenTree::Ident(name), TokenTree::Punct(mark)] if mark.as_char() == '!' => {
            Some(format!("{name}!"))
        }
        [
            ..,
            TokenTree::Ident(of),
            TokenTree::Punct(a),
            TokenTree::Punct(b),
            TokenTree::Ident(name),
        ] if a.as_char() == ':' && b.as_char() == ':' => Some(format!("{of}::{name}")),
        [.., TokenTree::Ident(name)] => Some(name.to_string()),
        _ => None,
    }
}
