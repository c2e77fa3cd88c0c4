//! Reads and writes Praat TextGrids as text, in the long or the short form.

use std::{borrow::Cow, io, str};

use mutoscope_core::diagnostics::{Diagnostics, Error, SourceLocation};

use super::{
    Label, Labels, Result, tiers,
    tokens::{Token, Tokens},
};

pub(super) fn read(bytes: &[u8]) -> Result<Labels> {
    let text = decode_text(bytes)?;
    let mut grid = GridParser { tokens: Tokens::new(&text), labels: Vec::new() };
    grid.parse()?;
    Ok(Labels { labels: grid.labels, diagnostics: Diagnostics::new() })
}

fn decode_text(bytes: &[u8]) -> Result<Cow<'_, str>> {
    let decode_units = |units: Vec<u16>| {
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
        [0xff, 0xfe, rest @ ..] => decode_units(pairs(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => decode_units(pairs(rest, u16::from_be_bytes)),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
                let location = SourceLocation::byte(error.valid_up_to());
                Error::malformed(
                    location,
                    "text in UTF-8, or in UTF-16 with a byte order mark",
                    "other bytes",
                )
            })
        }
    }
}

struct GridParser<'a> {
    tokens: Tokens<'a>,
    labels: Vec<Label>,
}

impl GridParser<'_> {
    fn parse(&mut self) -> Result<()> {
        self.expect_keyword("ooTextFile")?;
        self.expect_keyword("TextGrid")?;
        self.skip_span()?;
        match self.expect_token("<exists>")? {
            Token::Flag(flag) if flag == "exists" => {}
            Token::Flag(flag) if flag == "absent" => return Ok(()),
            other => return Err(self.unexpected("<exists>", &other)),
        }
        for _ in 0..self.expect_count("the number of tiers")? {
            self.parse_tier()?;
        }
        Ok(())
    }

    fn parse_tier(&mut self) -> Result<()> {
        let class = self.expect_text("the class of a tier")?;
        let is_point_tier = match &*class {
            "IntervalTier" => false,
            "TextTier" => true,
            _ => return Err(self.unexpected("IntervalTier or TextTier", &Token::Text(class))),
        };
        let tier = tiers::tier_from_name(&self.expect_text("the name of a tier")?);
        self.skip_span()?;
        for _ in 0..self.expect_count("the number of intervals or points")? {
            let start = self.expect_number("a time")?;
            let end =
                if is_point_tier { start } else { self.expect_number("the end of an interval")? };
            if end < start {
                let expected = format!("an interval that ends at {start} or later");
                return Err(Error::malformed(self.tokens.location(), expected, end));
            }
            let label = self.expect_text("the text of an interval or point")?;
            if !label.is_empty() {
                self.labels.push(Label { start, end, label, tier: tier.clone() });
            }
        }
        Ok(())
    }

    fn skip_span(&mut self) -> Result<()> {
        self.expect_number("xmin")?;
        self.expect_number("xmax").map(drop)
    }

    fn expect_token(&mut self, expected: &str) -> Result<Token> {
        let token = self.tokens.next()?;
        token.ok_or_else(|| {
            Error::malformed(self.tokens.location(), expected, "the end of the file")
        })
    }

    fn unexpected(&self, expected: &str, found: &Token) -> Error {
        Error::malformed(self.tokens.location(), expected, found)
    }

    fn expect_keyword(&mut self, keyword: &str) -> Result<()> {
        match self.expect_token(keyword)? {
            Token::Text(text) if text == keyword => Ok(()),
            other => Err(self.unexpected(&format!("{keyword:?} of a TextGrid as text"), &other)),
        }
    }

    fn expect_text(&mut self, expected: &str) -> Result<String> {
        match self.expect_token(expected)? {
            Token::Text(text) => Ok(text),
            other => Err(self.unexpected(expected, &other)),
        }
    }

    fn expect_number(&mut self, expected: &str) -> Result<f64> {
        match self.expect_token(expected)? {
            Token::Number(number) => Ok(number),
            other => Err(self.unexpected(expected, &other)),
        }
    }

    fn expect_count(&mut self, expected: &str) -> Result<u64> {
        let count = self.expect_number(expected)?;
        if count < 0.0 || count.fract() != 0.0 {
            return Err(self.unexpected(expected, &Token::Number(count)));
        }
        // Any count is safe: the parser allocates no memory for it. If the count is too large, the
        // parser reaches the end of the file and returns an error.
        Ok(count as u64)
    }
}

/// Writes a long TextGrid in UTF-8. The gaps between labels become intervals without text, because
/// the intervals of a tier must be contiguous.
pub(super) fn write(labels: &[Label], out: &mut dyn io::Write) -> io::Result<Vec<String>> {
    let named: Vec<Label> =
        labels.iter().filter(|label| !label.label.is_empty()).cloned().collect();
    let tiers = tiers::split_into_tiers(&named, true);
    let start = named.iter().map(|label| label.start).fold(0.0, f64::min);
    let last = named.iter().map(|label| label.end).fold(start, f64::max);
    // The xmax of a TextGrid must be greater than its xmin.
    let end = if last > start { last } else { start + 1.0 };
    writeln!(out, "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n")?;
    writeln!(
        out,
        "xmin = {start} \nxmax = {end} \ntiers? <exists> \nsize = {} \nitem []: ",
        tiers.len()
    )?;
    for (index, tier) in tiers.iter().enumerate() {
        let class = if tier.is_point_tier { "TextTier" } else { "IntervalTier" };
        writeln!(out, "    item [{}]:", index + 1)?;
        writeln!(out, "        class = \"{class}\" \n        name = {} ", quote(&tier.name))?;
        writeln!(out, "        xmin = {start} \n        xmax = {end} ")?;
        match tier.is_point_tier {
            true => write_points(tier, out)?,
            false => write_intervals(tier, [start, end], out)?,
        }
    }
    let mut messages = Vec::from_iter(tiers::overlap_message(&named, &tiers, "Praat"));
    let unnamed = labels.len() - named.len();
    if unnamed > 0 {
        messages.push(format!(
            "{unnamed} labels without a name were skipped, because Praat treats unnamed intervals as gaps"
        ));
    }
    Ok(messages)
}

fn write_points(tier: &tiers::Tier<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "        points: size = {} ", tier.labels.len())?;
    for (index, label) in tier.labels.iter().enumerate() {
        let (number, mark) = (index + 1, quote(&label.label));
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
    let mut end_of_last = start;
    for label in &tier.labels {
        if label.start > end_of_last {
            intervals.push((end_of_last, label.start, ""));
        }
        intervals.push((label.start, label.end, &label.label));
        end_of_last = label.end;
    }
    if end > end_of_last {
        intervals.push((end_of_last, end, ""));
    }
    writeln!(out, "        intervals: size = {} ", intervals.len())?;
    for (index, (from, to, text)) in intervals.into_iter().enumerate() {
        writeln!(
            out,
            "        intervals [{}]:\n            xmin = {from} \n            xmax = {to} ",
            index + 1
        )?;
        writeln!(out, "            text = {} ", quote(text))?;
    }
    Ok(())
}

fn quote(text: &str) -> String {
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
    fn short_grids_are_read_in_all_encodings() {
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
    fn broken_grids_are_rejected_with_a_line() {
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
