//! Looking into SNBT, the text form of the game's data: `{id:"minecraft:cow",Age:0}`.
//!
//! Only a few keys are looked up and the text may be anything, so this reads words, not values, at
//! any depth of nesting.

/// One word of SNBT.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Word<'a> {
    /// `{`, `}`, `[`, `]`, `,`, `:` or `;`.
    Mark(char),
    /// The text between those, quotes included.
    Text(&'a str),
}

impl<'a> Word<'a> {
    /// Its text without quotes, unless it is a mark.
    fn unquoted(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(unquoted(text)),
            Self::Mark(_) => None,
        }
    }
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = match first {
            '{' | '}' | '[' | ']' | ',' | ':' | ';' => {
                rest = &rest[1..];
                return Some(Word::Mark(first));
            }
            '"' | '\'' => quoted_length(rest, first),
            _ => rest.find(['{', '}', '[', ']', ',', ':', ';']).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        Some(Word::Text(word.trim_end()))
    })
}

/// How long the quoted text is that `text` begins with, both quotes included.
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

/// A word without its quotes.
fn unquoted(word: &str) -> &str {
    let quote = word.chars().next().filter(|first| matches!(first, '"' | '\''));
    quote.and_then(|quote| word.strip_prefix(quote)?.strip_suffix(quote)).unwrap_or(word)
}

/// The fields that are read of an entity's data.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EntityTag {
    /// Its kind: `minecraft:cow`.
    pub(super) id: Option<String>,
    /// Yaw and pitch, in degrees.
    pub(super) rotation: Option<[f32; 2]>,
    /// Its tags.
    pub(super) tags: Vec<String>,
}

/// The first answer of `look`, which is asked about each word and the keys that lead to it: one for
/// each brace and bracket around it, if there is a key.
fn find<'a, T>(
    text: &'a str,
    mut look: impl FnMut(&[Option<&'a str>], &'a str) -> Option<T>,
) -> Option<T> {
    let mut keys = Vec::new();
    let mut last = None;
    for word in words(text) {
        match (word, keys.last_mut()) {
            (Word::Mark('{' | '['), _) => keys.push(None),
            (Word::Mark('}' | ']'), _) => drop(keys.pop()),
            (Word::Mark(':'), Some(key)) => *key = last,
            (Word::Mark(','), Some(key)) => *key = None,
            (Word::Mark(_), _) => {}
            (Word::Text(value), _) => {
                if let Some(found) = look(&keys, value) {
                    return Some(found);
                }
            }
        }
        last = word.unquoted();
    }
    None
}

/// Reads what an entity's data says at its top level.
pub(super) fn entity_tag(text: &str) -> EntityTag {
    let mut tag = EntityTag::default();
    let mut rotation: Vec<f32> = Vec::new();
    find(text, |keys, value| -> Option<()> {
        match keys {
            [Some("id")] => drop(tag.id.get_or_insert_with(|| unquoted(value).to_owned())),
            [Some("Rotation"), _] => rotation.extend(number(value)),
            [Some("Tags"), _] => tag.tags.push(unquoted(value).to_owned()),
            _ => {}
        }
        None
    });
    if let [yaw, pitch] = rotation[..] {
        tag.rotation = Some([yaw, pitch]);
    }
    tag
}

/// The same compound with another `id` at its top level; as it is if it has none.
pub(super) fn with_id(text: &str, id: &str) -> String {
    let Some(old) = top_level(text, "id") else { return text.to_owned() };
    // A part of the text, so it begins somewhere within.
    let start = old.as_ptr() as usize - text.as_ptr() as usize;
    let is_quoted = text[..start].ends_with(['"', '\'']);
    let quote = if is_quoted { "" } else { "\"" };
    format!("{}{quote}{id}{quote}{}", &text[..start], &text[start + old.len()..])
}

/// The value of a key at a compound's top level, without quotes, if it is one word.
pub(super) fn top_level<'a>(text: &'a str, wanted: &str) -> Option<&'a str> {
    find(text, |keys, value| (keys == [Some(wanted)]).then(|| unquoted(value)))
}

/// The value of a key in the compound under `outer`, at a compound's top level, without quotes, if it is
/// one word.
pub(super) fn within<'a>(text: &'a str, outer: &str, wanted: &str) -> Option<&'a str> {
    find(text, |keys, value| (keys == [Some(outer), Some(wanted)]).then(|| unquoted(value)))
}

/// Whether a compound has a list or compound under this key, however deep, that is not empty.
pub(super) fn has_any_within(text: &str, wanted: &str) -> bool {
    let mut words = words(text).peekable();
    let mut last = None;
    while let Some(word) = words.next() {
        let is_it = word == Word::Mark(':') && last == Some(wanted);
        last = word.unquoted();
        if is_it && matches!(words.peek(), Some(Word::Mark('{' | '['))) {
            words.next();
            return !matches!(words.peek(), None | Some(Word::Mark('}' | ']')));
        }
    }
    false
}

/// The number that follows a name, however deep: in `{name:3}` as well as `{id:name,lvl:3s}`.
pub(super) fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut words = words(text).skip_while(|word| match word {
        Word::Text(text) => unquoted(text) != name,
        Word::Mark(_) => true,
    });
    words.next()?;
    words.find_map(|word| match word {
        Word::Text(text) if text.starts_with(|first: char| first.is_ascii_digit()) => Some(text),
        _ => None,
    })
}

/// A finite number, with or without the letter of its type.
fn number(word: &str) -> Option<f32> {
    let number = word.trim_end_matches(['f', 'F', 'd', 'D']).parse().ok()?;
    Some(number).filter(|number: &f32| number.is_finite())
}

/// `text` over several lines, what is within braces indented.
pub fn pretty(text: &str) -> String {
    /// Deeper than this, nothing is indented any further.
    const DEEPEST: usize = 32;
    let mut lines = String::new();
    let mut depth = 0_usize;
    // Within brackets, numbers stay in one line.
    let mut open = Vec::new();
    let new_line = |lines: &mut String, depth: usize| {
        lines.push('\n');
        lines.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
    };
    let mut words = words(text).peekable();
    while let Some(word) = words.next() {
        match word {
            Word::Text(text) => lines.push_str(text),
            Word::Mark(mark @ ('{' | '[')) => {
                lines.push(mark);
                open.push(mark);
                let is_empty = matches!(words.peek(), Some(Word::Mark('}' | ']')));
                if mark == '{' {
                    depth += 1;
                    if !is_empty {
                        new_line(&mut lines, depth);
                    }
                }
            }
            Word::Mark(mark @ ('}' | ']')) => {
                if open.pop() == Some('{') {
                    depth = depth.saturating_sub(1);
                    if !lines.ends_with('{') {
                        new_line(&mut lines, depth);
                    }
                }
                lines.push(mark);
            }
            Word::Mark(',') if open.last() == Some(&'{') => {
                lines.push(',');
                new_line(&mut lines, depth);
            }
            Word::Mark(mark) => {
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
            assert_eq!(within(text, "Item", "id"), expected, "{text}");
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
            assert_eq!(entity_tag(text), EntityTag { id, rotation, tags: vec![] }, "{text}");
        }
        let tagged = entity_tag(r#"{Tags:["a",b],Passengers:[{Tags:["c"]}],id:x}"#);
        assert_eq!(tagged.tags, ["a", "b"]);
    }

    #[test]
    fn only_top_level_fields_are_read() {
        let text = r#"{a:{Age:1},"Age":-5s,list:[{Size:9}],Name:'x y',Charged:1b}"#;
        let found = ["Age", "Size", "Name", "Charged", "a"].map(|key| top_level(text, key));
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
            assert_eq!(with_id(text, "minecraft:oak_boat"), expected);
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
            assert_eq!(has_any_within(text, "minecraft:charged_projectiles"), expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_handled() {
        let deep = "[{a:".repeat(100_000);
        assert_eq!(entity_tag(&deep), EntityTag::default());
        assert!(pretty(&deep).len() < 100 * deep.len());
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
        assert_eq!(pretty(text), lines.join("\n"));
    }
}
