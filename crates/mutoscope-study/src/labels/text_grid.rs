//! TextGrids of Praat, as text: long or short.

use std::{borrow::Cow, io, str};

use mutoscope_core::diagnostics::{Error, Notices, SourceLocation};

use super::{
    Label, Labels, Result, tiers,
    tokens::{Token, Tokens},
};

pub(super) fn read(bytes: &[u8]) -> Result<Labels> {
    let text = decoded(bytes)?;
    let mut grid = Grid { tokens: Tokens::of(&text), labels: Vec::new() };
    grid.read()?;
    Ok(Labels { labels: grid.labels, notices: Notices::new() })
}

/// The text, which is in UTF-8, or in UTF-16 with a byte order mark.
fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>> {
    let of_units = |units: Vec<u16>| {
        let wrong =
            |_| Error::malformed(SourceLocation::File, "text in UTF-16", "an unpaired surrogate");
        String::from_utf16(&units).map(Cow::Owned).map_err(wrong)
    };
    let pairs = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        bytes
            .chunks(2)
            .map(|pair| unit([pair[0], pair.get(1).copied().unwrap_or_default()]))
            .collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => of_units(pairs(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => of_units(pairs(rest, u16::from_be_bytes)),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
                let place = SourceLocation::byte(error.valid_up_to());
                Error::malformed(
                    place,
                    "text in UTF-8, or in UTF-16 with a byte order mark",
                    "other bytes",
                )
            })
        }
    }
}

struct Grid<'a> {
    tokens: Tokens<'a>,
    labels: Vec<Label>,
}

impl Grid<'_> {
    fn read(&mut self) -> Result<()> {
        self.word("ooTextFile")?;
        self.word("TextGrid")?;
        self.span()?;
        match self.token("<exists>")? {
            Token::Flag(flag) if flag == "exists" => {}
            Token::Flag(flag) if flag == "absent" => return Ok(()),
            other => return Err(self.unlike("<exists>", &other)),
        }
        for _ in 0..self.count("the number of tiers")? {
            self.tier()?;
        }
        Ok(())
    }

    fn tier(&mut self) -> Result<()> {
        let class = self.text("the class of a tier")?;
        let is_of_points = match &*class {
            "IntervalTier" => false,
            "TextTier" => true,
            _ => return Err(self.unlike("IntervalTier or TextTier", &Token::Text(class))),
        };
        let tier = tiers::tier_of(&self.text("the name of a tier")?);
        self.span()?;
        for _ in 0..self.count("the number of intervals or points")? {
            let start = self.number("a time")?;
            let end = if is_of_points { start } else { self.number("the end of an interval")? };
            if end < start {
                let expected = format!("an interval that ends at {start} or later");
                return Err(Error::malformed(self.tokens.place(), expected, end));
            }
            let label = self.text("the text of an interval or point")?;
            if !label.is_empty() {
                self.labels.push(Label { start, end, label, tier: tier.clone() });
            }
        }
        Ok(())
    }

    fn span(&mut self) -> Result<()> {
        self.number("xmin")?;
        self.number("xmax").map(drop)
    }

    fn token(&mut self, expected: &str) -> Result<Token> {
        let token = self.tokens.next()?;
        token.ok_or_else(|| Error::malformed(self.tokens.place(), expected, "the end of the file"))
    }

    fn unlike(&self, expected: &str, found: &Token) -> Error {
        Error::malformed(self.tokens.place(), expected, found)
    }

    fn word(&mut self, word: &str) -> Result<()> {
        match self.token(word)? {
            Token::Text(text) if text == word => Ok(()),
            other => Err(self.unlike(&format!("{word:?} of a TextGrid as text"), &other)),
        }
    }

    fn text(&mut self, expected: &str) -> Result<String> {
        match self.token(expected)? {
            Token::Text(text) => Ok(text),
            other => Err(self.unlike(expected, &other)),
        }
    }

    fn number(&mut self, expected: &str) -> Result<f64> {
        match self.token(expected)? {
            Token::Number(number) => Ok(number),
            other => Err(self.unlike(expected, &other)),
        }
    }

    fn count(&mut self, expected: &str) -> Result<u64> {
        let count = self.number(expected)?;
        if count < 0.0 || count.fract() != 0.0 {
            return Err(self.unlike(expected, &Token::Number(count)));
        }
        // A count beyond the file's size ends at the end of the file.
        Ok(count as u64)
    }
}

/// Writes a long TextGrid in UTF-8. What lies between labels is intervals without a text.
pub(super) fn write(labels: &[Label], out: &mut dyn io::Write) -> io::Result<Vec<String>> {
    let named: Vec<Label> =
        labels.iter().filter(|label| !label.label.is_empty()).cloned().collect();
    let tiers = tiers::tiers(&named, true);
    let start = named.iter().map(|label| label.start).fold(0.0, f64::min);
    let last = named.iter().map(|label| label.end).fold(start, f64::max);
    // A TextGrid lasts some time.
    let end = if last > start { last } else { start + 1.0 };
    writeln!(out, "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n")?;
    writeln!(
        out,
        "xmin = {start} \nxmax = {end} \ntiers? <exists> \nsize = {} \nitem []: ",
        tiers.len()
    )?;
    for (index, tier) in tiers.iter().enumerate() {
        let class = if tier.is_of_points { "TextTier" } else { "IntervalTier" };
        writeln!(out, "    item [{}]:", index + 1)?;
        writeln!(out, "        class = \"{class}\" \n        name = {} ", quoted(&tier.name))?;
        writeln!(out, "        xmin = {start} \n        xmax = {end} ")?;
        match tier.is_of_points {
            true => write_points(tier, out)?,
            false => write_intervals(tier, [start, end], out)?,
        }
    }
    let mut told = Vec::from_iter(tiers::overlap_message(&named, &tiers, "Praat"));
    let unnamed = labels.len() - named.len();
    if unnamed > 0 {
        told.push(format!(
            "{unnamed} labels without a name were skipped: Praat does not count these as labels"
        ));
    }
    Ok(told)
}

fn write_points(tier: &tiers::Tier<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "        points: size = {} ", tier.labels.len())?;
    for (index, label) in tier.labels.iter().enumerate() {
        let (number, mark) = (index + 1, quoted(&label.label));
        writeln!(
            out,
            "        points [{number}]:\n            number = {} \n            mark = {mark} ",
            label.start
        )?;
    }
    Ok(())
}

fn write_intervals(
    tier: &tiers::Tier<'_>,
    [start, end]: [f64; 2],
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut intervals: Vec<(f64, f64, &str)> = Vec::with_capacity(2 * tier.labels.len() + 1);
    let mut at = start;
    for label in &tier.labels {
        if label.start > at {
            intervals.push((at, label.start, ""));
        }
        intervals.push((label.start, label.end, &label.label));
        at = label.end;
    }
    if end > at {
        intervals.push((at, end, ""));
    }
    writeln!(out, "        intervals: size = {} ", intervals.len())?;
    for (index, (from, to, text)) in intervals.into_iter().enumerate() {
        writeln!(
            out,
            "        intervals [{}]:\n            xmin = {from} \n            xmax = {to} ",
            index + 1
        )?;
        writeln!(out, "            text = {} ", quoted(text))?;
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "\"ooTextFile\"\n\"TextGrid\"\n-1 9 ! the span\n<exists> 2\n\"TextTier\" \"hits\" 0 9 2\n\
                         1.5 \"one\"\n2e0 \"\"\n\"IntervalTier\" \"a \"\"b\"\"\" 0 9 2 0 4 \"two\nlines\" 4 9 \"\"";

    fn utf16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        std::iter::once('\u{feff}')
            .chain(text.chars())
            .flat_map(|one| {
                let mut units = [0; 2];
                one.encode_utf16(&mut units).iter().copied().flat_map(bytes_of).collect::<Vec<u8>>()
            })
            .collect()
    }

    #[test]
    fn short_grids_are_read_in_any_encoding() {
        let label = |start, end, label: &str, tier: &str| Label {
            start,
            end,
            label: label.to_owned(),
            tier: Some(tier.to_owned()),
        };
        let expected = [label(1.5, 1.5, "one", "hits"), label(0.0, 4.0, "two\nlines", "a \"b\"")];
        for bytes in [SHORT.into(), utf16(SHORT, u16::to_le_bytes), utf16(SHORT, u16::to_be_bytes)]
        {
            assert_eq!(read(&bytes).expect("it is sound").labels, expected);
        }
    }

    #[test]
    fn broken_grids_are_refused_with_their_line() {
        let cut = SHORT.find("2e0").expect("it is there");
        for (text, expected) in [
            ("", "at line 1: expected ooTextFile, found the end of the file"),
            (
                "\"ooTextFile\"\n\"Sound\"",
                "at line 2: expected \"TextGrid\" of a TextGrid as text, found \"Sound\"",
            ),
            (&SHORT[..cut], "at line 7: expected a time, found the end of the file"),
            (&SHORT[..SHORT.len() - 1], "the end of a quoted text"),
            (&SHORT.replace("0 4", "5 4"), "ends at 5 or later, found 4"),
            (&SHORT.replace("9 2\n1.5", "9 1e300\n1.5"), "expected a time, found \"IntervalTier\""),
            (
                &SHORT.replace("9 2\n1.5", "9 0.5\n1.5"),
                "the number of intervals or points, found 0.5",
            ),
            (
                &SHORT.replace("TextTier", "Pitch"),
                "expected IntervalTier or TextTier, found \"Pitch\"",
            ),
        ] {
            let error = read(text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(expected), "{error} instead of {expected}");
        }
    }
}
