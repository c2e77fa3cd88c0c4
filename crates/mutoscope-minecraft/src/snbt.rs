//! Extracts values from SNBT, the text form of the game's data: `{id:"minecraft:cow",Age:0}`.
//!
//! Only a few keys are needed and the text may be malformed, so this reads tokens instead of
//! building a value. It accepts any depth of nesting.

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    /// `{`, `}`, `[`, `]`, `,`, `:` or `;`.
    Punctuation(char),
    /// The text between two punctuation marks, with its quotes.
    Text(&'a str),
}

impl<'a> Token<'a> {
    fn text_without_quotes(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(strip_quotes(text)),
            Self::Punctuation(_) => None,
        }
    }
}

fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = match first {
            '{' | '}' | '[' | ']' | ',' | ':' | ';' => {
                rest = &rest[1..];
                return Some(Token::Punctuation(first));
            }
            '"' | '\'' => quoted_length(rest, first),
            _ => rest.find(['{', '}', '[', ']', ',', ':', ';']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(Token::Text(token.trim_end()))
    })
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (index, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

fn strip_quotes(token: &str) -> &str {
    let quote = token.chars().next().filter(|first| matches!(first, '"' | '\''));
    quote.and_then(|quote| token.strip_prefix(quote)?.strip_suffix(quote)).unwrap_or(token)
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EntityTag {
    pub(super) id: Option<String>,
    /// Yaw and pitch, in degrees.
    pub(super) rotation: Option<[f32; 2]>,
    pub(super) tags: Vec<String>,
}

/// Calls `look` for each value until `look` returns `Some`, and returns that result. The first
/// argument of `look` has one entry for each brace or bracket that encloses the value: the current
/// key in it, or `None` if there is no key.
fn find_value<'a, T>(
    text: &'a str,
    mut look: impl FnMut(&[Option<&'a str>], &'a str) -> Option<T>,
) -> Option<T> {
    let mut keys = Vec::new();
    let mut last = None;
    for token in tokens(text) {
        match (token, keys.last_mut()) {
            (Token::Punctuation('{' | '['), _) => keys.push(None),
            (Token::Punctuation('}' | ']'), _) => drop(keys.pop()),
            (Token::Punctuation(':'), Some(key)) => *key = last,
            (Token::Punctuation(','), Some(key)) => *key = None,
            (Token::Punctuation(_), _) => {}
            (Token::Text(value), _) => {
                if let Some(found) = look(&keys, value) {
                    return Some(found);
                }
            }
        }
        last = token.text_without_quotes();
    }
    None
}

pub(super) fn parse_entity_tag(text: &str) -> EntityTag {
    let mut tag = EntityTag::default();
    let mut rotation: Vec<f32> = Vec::new();
    find_value(text, |keys, value| -> Option<()> {
        match keys {
            [Some("id")] => drop(tag.id.get_or_insert_with(|| strip_quotes(value).to_owned())),
            [Some("Rotation"), _] => rotation.extend(parse_number(value)),
            [Some("Tags"), _] => tag.tags.push(strip_quotes(value).to_owned()),
            _ => {}
        }
        None
    });
    if let [yaw, pitch] = rotation[..] {
        tag.rotation = Some([yaw, pitch]);
    }
    tag
}

pub(super) fn replace_id(text: &str, id: &str) -> String {
    let Some(old) = top_level_value(text, "id") else { return text.to_owned() };
    // The difference of the pointers is the offset of `old` in `text`, because `old` is a slice of
    // `text`.
    let start = old.as_ptr() as usize - text.as_ptr() as usize;
    let is_quoted = text[..start].ends_with(['"', '\'']);
    let quote = if is_quoted { "" } else { "\"" };
    format!("{}{quote}{id}{quote}{}", &text[..start], &text[start + old.len()..])
}

/// Returns the value of a key at the top level of a compound, without quotes. Returns `None` if the
/// key is missing or its value is a compound or a list.
pub(super) fn top_level_value<'a>(text: &'a str, wanted: &str) -> Option<&'a str> {
    find_value(text, |keys, value| (keys == [Some(wanted)]).then(|| strip_quotes(value)))
}

pub(super) fn nested_value<'a>(text: &'a str, outer: &str, wanted: &str) -> Option<&'a str> {
    find_value(text, |keys, value| {
        (keys == [Some(outer), Some(wanted)]).then(|| strip_quotes(value))
    })
}

pub(super) fn has_non_empty_value(text: &str, wanted: &str) -> bool {
    let mut tokens = tokens(text).peekable();
    let mut last = None;
    while let Some(token) = tokens.next() {
        let is_wanted_key = token == Token::Punctuation(':') && last == Some(wanted);
        last = token.text_without_quotes();
        if is_wanted_key && matches!(tokens.peek(), Some(Token::Punctuation('{' | '['))) {
            tokens.next();
            return !matches!(tokens.peek(), None | Some(Token::Punctuation('}' | ']')));
        }
    }
    false
}

/// Returns the first number after `name`, at any depth. Both `{name:3}` and `{id:name,lvl:3s}`
/// match.
pub(super) fn number_after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut tokens = tokens(text).skip_while(|token| match token {
        Token::Text(text) => strip_quotes(text) != name,
        Token::Punctuation(_) => true,
    });
    tokens.next()?;
    tokens.find_map(|token| match token {
        Token::Text(text) if text.starts_with(|first: char| first.is_ascii_digit()) => Some(text),
        _ => None,
    })
}

fn parse_number(token: &str) -> Option<f32> {
    let number = token.trim_end_matches(['f', 'F', 'd', 'D']).parse().ok()?;
    Some(number).filter(|number: &f32| number.is_finite())
}

/// Formats SNBT over several lines and indents the content of braces.
pub fn pretty_snbt(text: &str) -> String {
    /// The maximum depth of the indentation. Without a limit, deeply nested text would grow
    /// quadratically.
    const MAX_INDENT_DEPTH: usize = 32;
    let mut lines = String::new();
    let mut depth = 0_usize;
    // The brackets that are open. The values inside `[` are written on one line.
    let mut open = Vec::new();
    let new_line = |lines: &mut String, depth: usize| {
        lines.push('\n');
        lines.extend(std::iter::repeat_n("  ", depth.min(MAX_INDENT_DEPTH)));
    };
    let mut tokens = tokens(text).peekable();
    while let Some(token) = tokens.next() {
        match token {
            Token::Text(text) => lines.push_str(text),
            Token::Punctuation(mark @ ('{' | '[')) => {
                lines.push(mark);
                open.push(mark);
                let is_empty = matches!(tokens.peek(), Some(Token::Punctuation('}' | ']')));
                if mark == '{' {
                    depth += 1;
                    if !is_empty {
                        new_line(&mut lines, depth);
                    }
                }
            }
            Token::Punctuation(mark @ ('}' | ']')) => {
                if open.pop() == Some('{') {
                    depth = depth.saturating_sub(1);
                    if !lines.ends_with('{') {
                        new_line(&mut lines, depth);
                    }
                }
                lines.push(mark);
            }
            Token::Punctuation(',') if open.last() == Some(&'{') => {
                lines.push(',');
                new_line(&mut lines, depth);
            }
            Token::Punctuation(mark) => {
                lines.push(mark);
                lines.push(' ');
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_values_are_read_from_their_compound_only() {
        for (text, expected) in [
            (r#"{Item:{id:"minecraft:stone",Count:1b}}"#, Some("minecraft:stone")),
            (r#"{id:"x",Item:{components:{id:"no"},id:'a'}}"#, Some("a")),
            (r#"{Other:{id:"x"},Item:{count:1}}"#, None),
            (r#"{Item:[{id:"x"}]}"#, None),
            (r#"{a:{Item:{id:"x"}}}"#, None),
            (r#"{Item:{},id:"x"}"#, None),
            ("{Item:{id", None),
        ] {
            assert_eq!(nested_value(text, "Item", "id"), expected, "{text}");
        }
    }

    #[test]
    fn entity_kind_is_read_from_the_top_level() {
        let cases = [
            (r#"{id:"minecraft:cow"}"#, Some("minecraft:cow"), None),
            (
                r#"{Passengers:[{id:"a"}],"id":'b:c',Rotation:[45.0f,-1f]}"#,
                Some("b:c"),
                Some([45.0, -1.0]),
            ),
            (r#"{CustomName:'{"id":"no","text":"}"}',id:minecraft:cow}"#, Some("minecraft"), None),
            (r#"{Rotation:[1f]}"#, None, None),
            (r#"{Rotation:[NaN,2f]}"#, None, None),
            (r#"{Item:{id:"x"},id: "boat" }"#, Some("boat"), None),
            ("", None, None),
            ("{id:", None, None),
            ("{id:\"\\", Some("\"\\"), None),
        ];
        for (text, id, rotation) in cases {
            let id = id.map(str::to_owned);
            assert_eq!(parse_entity_tag(text), EntityTag { id, rotation, tags: vec![] }, "{text}");
        }
        let tagged = parse_entity_tag(r#"{Tags:["a",b],Passengers:[{Tags:["c"]}],id:x}"#);
        assert_eq!(tagged.tags, ["a", "b"]);
    }

    #[test]
    fn only_top_level_fields_are_read() {
        let text = r#"{a:{Age:1},"Age":-5s,list:[{Size:9}],Name:'x y',Charged:1b}"#;
        let found = ["Age", "Size", "Name", "Charged", "a"].map(|key| top_level_value(text, key));
        assert_eq!(found, [Some("-5s"), None, Some("x y"), Some("1b"), None]);
    }

    #[test]
    fn entity_id_can_be_replaced() {
        let cases = [
            (r#"{id:"minecraft:boat",a:1}"#, r#"{id:"minecraft:oak_boat",a:1}"#),
            ("{a:{id:x},id:'minecraft:boat'}", "{a:{id:x},id:'minecraft:oak_boat'}"),
            ("{id:boat}", r#"{id:"minecraft:oak_boat"}"#),
            ("{a:1}", "{a:1}"),
        ];
        for (text, expected) in cases {
            assert_eq!(replace_id(text, "minecraft:oak_boat"), expected);
        }
    }

    #[test]
    fn lists_may_be_empty() {
        let cases = [
            (r#"{"minecraft:charged_projectiles":[{id:"minecraft:arrow"}]}"#, true),
            (r#"{"minecraft:charged_projectiles":[]}"#, false),
            (r#"{other:[1],"minecraft:charged_projectiles":1}"#, false),
            ("{\"minecraft:charged_projectiles\":[", false),
            ("", false),
        ];
        for (text, expected) in cases {
            assert_eq!(
                has_non_empty_value(text, "minecraft:charged_projectiles"),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn deep_nesting_is_handled() {
        let deep = "[{a:".repeat(100_000);
        assert_eq!(parse_entity_tag(&deep), EntityTag::default());
        assert!(pretty_snbt(&deep).len() < 100 * deep.len());
    }

    #[test]
    fn pretty_prints_one_entry_per_line() {
        let text = r#"{Damage:3,ench:[{id:"a,b",lvl:1s}],pos:[I;1,2],empty:{}}"#;
        let lines = [
            "{",
            "  Damage: 3,",
            "  ench: [{",
            r#"    id: "a,b","#,
            "    lvl: 1s",
            "  }],",
            "  pos: [I; 1, 2],",
            "  empty: {}",
            "}",
        ];
        assert_eq!(pretty_snbt(text), lines.join("\n"));
    }
}
