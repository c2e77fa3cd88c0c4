//! Reads annotations of ELAN (EAF 2.8 and 3.0) and writes EAF 3.0.

use std::{collections::HashMap, io, str};

use mutoscope_core::diagnostics::{Diagnostics, Error, SourceLocation};
use quick_xml::{
    Reader, XmlVersion,
    escape::escape,
    events::{BytesStart, Event},
};

use super::{Label, Labels, Result, codes, format::invalid_data, tiers};

#[derive(Default)]
struct Document {
    /// The ids of time slots in file order, and their times in milliseconds, if known.
    slots: Vec<(String, Option<f64>)>,
    annotations: Vec<Annotation>,
    diagnostics: Diagnostics,
}

struct Annotation {
    tier: String,
    id: String,
    times: TimeSource,
    value: String,
    offset: usize,
}

enum TimeSource {
    Slots(String, String),
    Parent(String),
}

pub(super) fn read(bytes: &[u8]) -> Result<Labels> {
    let text = str::from_utf8(bytes).map_err(|error| {
        Error::malformed(SourceLocation::byte(error.valid_up_to()), "XML in UTF-8", "other bytes")
    })?;
    let document =
        Parser { reader: Reader::from_str(text), document: Document::default() }.parse()?;
    document.into_labels()
}

struct Parser<'a> {
    reader: Reader<&'a [u8]>,
    document: Document,
}

impl Parser<'_> {
    fn parse(mut self) -> Result<Document> {
        let (mut tier, mut is_eaf, mut has_ended) = (String::new(), false, false);
        loop {
            let offset = self.offset();
            match self.next_event()? {
                Event::Start(tag) | Event::Empty(tag) => {
                    let tag = tag.into_owned();
                    match tag.name().as_ref() {
                        b"ANNOTATION_DOCUMENT" => is_eaf = true,
                        _ if !is_eaf => return Err(not_eaf_error(offset)),
                        b"HEADER" => self.read_header(&tag, offset)?,
                        b"MEDIA_DESCRIPTOR" => self.read_media(&tag, offset)?,
                        b"TIME_SLOT" => self.read_slot(&tag, offset)?,
                        b"TIER" => tier = self.required_attribute(&tag, "TIER_ID", offset)?,
                        b"ALIGNABLE_ANNOTATION" | b"REF_ANNOTATION" => {
                            self.read_annotation(&tag, &tier, offset)?;
                        }
                        b"ANNOTATION_VALUE" => self.read_value()?,
                        _ => {}
                    }
                }
                Event::End(tag) => has_ended |= tag.name().as_ref() == b"ANNOTATION_DOCUMENT",
                Event::Eof if !is_eaf => return Err(not_eaf_error(0)),
                Event::Eof if !has_ended => {
                    return Err(Error::malformed(
                        SourceLocation::byte(offset),
                        "the end of ANNOTATION_DOCUMENT",
                        "the end of the file",
                    ));
                }
                Event::Eof => return Ok(self.document),
                _ => {}
            }
        }
    }

    fn offset(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    fn next_event(&mut self) -> Result<Event<'static>> {
        let event = self.reader.read_event().map(Event::into_owned);
        event.map_err(|error| {
            let at = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
            Error::malformed(SourceLocation::byte(at), "XML", error)
        })
    }

    fn read_header(&mut self, tag: &BytesStart<'_>, offset: usize) -> Result<()> {
        match optional_attribute(tag, "TIME_UNITS", offset)?.as_deref() {
            None | Some("milliseconds" | "") => Ok(()),
            Some(other) => Err(Error::unsupported(
                SourceLocation::byte(offset),
                format!(
                    "the times are in {other}; only milliseconds are supported. Save the file with ELAN 2 or later"
                ),
            )),
        }
    }

    fn read_media(&mut self, tag: &BytesStart<'_>, offset: usize) -> Result<()> {
        if let Some(origin) = optional_attribute(tag, "TIME_ORIGIN", offset)?.filter(|it| it != "0")
        {
            let message = format!(
                "TIME_ORIGIN is {origin:?} ms, the start of the annotated media; times are used as they are"
            );
            self.document
                .diagnostics
                .warning(codes::TIME_ORIGIN, SourceLocation::byte(offset), message)
                .with("origin_ms", origin.parse::<f64>().ok());
        }
        Ok(())
    }

    fn read_slot(&mut self, tag: &BytesStart<'_>, offset: usize) -> Result<()> {
        let id = self.required_attribute(tag, "TIME_SLOT_ID", offset)?;
        let value = optional_attribute(tag, "TIME_VALUE", offset)?;
        let value = value.map(|text| {
            let number = text.trim().parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0);
            number.ok_or_else(|| {
                let location = SourceLocation::byte(offset);
                Error::malformed(location, "a TIME_VALUE in milliseconds", format!("{text:?}"))
            })
        });
        self.document.slots.push((id, value.transpose()?));
        Ok(())
    }

    fn read_annotation(&mut self, tag: &BytesStart<'_>, tier: &str, offset: usize) -> Result<()> {
        let times = match tag.name().as_ref() {
            b"REF_ANNOTATION" => {
                TimeSource::Parent(self.required_attribute(tag, "ANNOTATION_REF", offset)?)
            }
            _ => TimeSource::Slots(
                self.required_attribute(tag, "TIME_SLOT_REF1", offset)?,
                self.required_attribute(tag, "TIME_SLOT_REF2", offset)?,
            ),
        };
        let id = self.required_attribute(tag, "ANNOTATION_ID", offset)?;
        let (tier, value) = (tier.to_owned(), String::new());
        self.document.annotations.push(Annotation { tier, id, times, value, offset });
        Ok(())
    }

    fn read_value(&mut self) -> Result<()> {
        let mut text = String::new();
        loop {
            let offset = self.offset();
            match self.next_event()? {
                Event::Text(part) => text
                    .push_str(&part.xml10_content().map_err(|error| text_error(offset, &error))?),
                Event::CData(part) => text
                    .push_str(&part.xml10_content().map_err(|error| text_error(offset, &error))?),
                Event::GeneralRef(part) => text.push_str(&resolve_entity(&part, offset)?),
                Event::End(_) | Event::Eof => break,
                Event::Comment(_) | Event::PI(_) => {}
                other => {
                    let found = format!("{other:?}");
                    return Err(Error::malformed(
                        SourceLocation::byte(offset),
                        "the text of an annotation",
                        found,
                    ));
                }
            }
        }
        if let Some(last) = self.document.annotations.last_mut() {
            last.value = text;
        }
        Ok(())
    }

    fn required_attribute(
        &self,
        tag: &BytesStart<'_>,
        name: &str,
        offset: usize,
    ) -> Result<String> {
        optional_attribute(tag, name, offset)?.ok_or_else(|| {
            let found = String::from_utf8_lossy(tag.name().as_ref()).into_owned();
            Error::malformed(
                SourceLocation::byte(offset),
                format!("an attribute {name}"),
                format!("{found} without the attribute"),
            )
        })
    }
}

fn optional_attribute(tag: &BytesStart<'_>, name: &str, offset: usize) -> Result<Option<String>> {
    let wrong = |error: &dyn std::fmt::Display| {
        Error::malformed(SourceLocation::byte(offset), format!("an attribute {name}"), error)
    };
    let found = tag.try_get_attribute(name).map_err(|error| wrong(&error))?;
    let value =
        found.map(|it| it.normalized_value(XmlVersion::Implicit1_0).map(|it| it.into_owned()));
    value.transpose().map_err(|error| wrong(&error))
}

/// Resolves a character reference or one of XML's predefined entities. Other entities need a DTD,
/// which EAF does not use.
fn resolve_entity(part: &quick_xml::events::BytesRef<'_>, offset: usize) -> Result<String> {
    if let Some(character) = part.resolve_char_ref().map_err(|error| text_error(offset, &error))? {
        return Ok(character.to_string());
    }
    let name = part.decode().map_err(|error| text_error(offset, &error))?;
    let known = quick_xml::escape::resolve_predefined_entity(&name);
    known.map(str::to_owned).ok_or_else(|| text_error(offset, &format!("&{name};")))
}

fn text_error(offset: usize, found: &dyn std::fmt::Display) -> Error {
    Error::malformed(SourceLocation::byte(offset), "the text of an annotation", found)
}

fn not_eaf_error(offset: usize) -> Error {
    Error::malformed(
        SourceLocation::byte(offset),
        "an ANNOTATION_DOCUMENT of ELAN",
        "other content",
    )
}

impl Document {
    fn into_labels(mut self) -> Result<Labels> {
        let slots = self.slot_times();
        let by_id: HashMap<&str, usize> =
            self.annotations.iter().enumerate().map(|(index, it)| (&*it.id, index)).collect();
        let mut labels = Vec::with_capacity(self.annotations.len());
        // Remember resolved times, so that each chain of references is followed only once.
        let mut known: Vec<Option<[f64; 2]>> = vec![None; self.annotations.len()];
        for index in 0..self.annotations.len() {
            let [start, end] = self.resolve_times(index, &slots, &by_id, &mut known)?;
            let Annotation { tier, value, offset, .. } = &self.annotations[index];
            if end < start {
                let expected = format!("an annotation that ends at {start} s or later");
                return Err(Error::malformed(
                    SourceLocation::byte(*offset),
                    expected,
                    format!("{end} s"),
                ));
            }
            labels.push(Label {
                start,
                end,
                label: value.clone(),
                tier: tiers::tier_from_name(tier),
            });
        }
        Ok(Labels { labels, diagnostics: std::mem::take(&mut self.diagnostics) })
    }

    /// Returns the times of the slots by id, in seconds. Slots without a time are spread evenly
    /// between their neighbours.
    fn slot_times(&mut self) -> HashMap<String, f64> {
        let known: Vec<(usize, f64)> = self
            .slots
            .iter()
            .enumerate()
            .filter_map(|(index, slot)| Some((index, slot.1?)))
            .collect();
        let mut next = 0;
        let mut times = HashMap::with_capacity(self.slots.len());
        let mut extrapolated = 0;
        for (index, (id, value)) in self.slots.iter().enumerate() {
            while known.get(next).is_some_and(|(at, _)| *at < index) {
                next += 1;
            }
            let before = next.checked_sub(1).map(|before| known[before]);
            let ms = match (*value, before, known.get(next)) {
                (Some(value), ..) => value,
                (None, Some((from, start)), Some((to, end))) => {
                    start + (end - start) * (index - from) as f64 / (to - from) as f64
                }
                (None, one, other) => {
                    extrapolated += 1;
                    one.as_ref().or(other).map_or(0.0, |(_, value)| *value)
                }
            };
            times.insert(id.clone(), ms / 1000.0);
        }
        if extrapolated > 0 {
            let message = format!(
                "{extrapolated} time slots without a value are not between two slots with values; using the nearest value"
            );
            self.diagnostics
                .warning(codes::SLOT_WITHOUT_TIME, SourceLocation::File, message)
                .with("count", extrapolated);
        }
        times
    }

    fn resolve_times(
        &self,
        index: usize,
        slots: &HashMap<String, f64>,
        by_id: &HashMap<&str, usize>,
        known: &mut [Option<[f64; 2]>],
    ) -> Result<[f64; 2]> {
        let mut chain = vec![index];
        let times = loop {
            let last = chain[chain.len() - 1];
            if let Some(times) = known[last] {
                break times;
            }
            let annotation = &self.annotations[last];
            let wrong = |expected: String, found: &str| {
                Error::malformed(
                    SourceLocation::byte(annotation.offset),
                    expected,
                    format!("{found:?}"),
                )
            };
            match &annotation.times {
                TimeSource::Slots(first, second) => {
                    let time = |id: &String| {
                        slots
                            .get(id)
                            .copied()
                            .ok_or_else(|| wrong("the id of a TIME_SLOT".to_owned(), id))
                    };
                    break [time(first)?, time(second)?];
                }
                TimeSource::Parent(parent) => match by_id.get(&**parent) {
                    Some(next) if chain.len() <= self.annotations.len() => chain.push(*next),
                    Some(_) => {
                        return Err(wrong("a parent that is not its own child".to_owned(), parent));
                    }
                    None => return Err(wrong("the id of an annotation".to_owned(), parent)),
                },
            }
        };
        chain.into_iter().for_each(|index| known[index] = Some(times));
        Ok(times)
    }
}

/// Writes EAF 3.0, with times rounded to milliseconds. Returns a message for each loss. Fails if a
/// label starts before 0 s.
pub(super) fn write(labels: &[Label], out: &mut dyn io::Write) -> io::Result<Vec<String>> {
    if let Some(early) = labels.iter().find(|label| label.start < 0.0) {
        let message = format!(
            "label {:?} starts at {} s, and ELAN has no times before 0",
            early.label, early.start
        );
        return Err(invalid_data(message));
    }
    let tiers = tiers::split_into_tiers(labels, false);
    let ms = |seconds: f64| (seconds * 1000.0).round();
    out.write_all(DOCUMENT_HEAD.as_bytes())?;
    let mut slot = 0_usize;
    for label in tiers.iter().flat_map(|tier| &tier.labels) {
        for seconds in [label.start, label.end] {
            slot += 1;
            writeln!(
                out,
                "    <TIME_SLOT TIME_SLOT_ID=\"ts{slot}\" TIME_VALUE=\"{}\"/>",
                ms(seconds)
            )?;
        }
    }
    writeln!(out, "  </TIME_ORDER>")?;
    let mut annotation = 0_usize;
    for tier in &tiers {
        let name = escape_attribute(&tier.name);
        writeln!(out, "  <TIER LINGUISTIC_TYPE_REF=\"default-lt\" TIER_ID=\"{name}\">")?;
        for label in &tier.labels {
            annotation += 1;
            let (from, to) = (2 * annotation - 1, 2 * annotation);
            let value = escape_element(&label.label);
            writeln!(
                out,
                "    <ANNOTATION>\n      <ALIGNABLE_ANNOTATION ANNOTATION_ID=\"a{annotation}\" \
                 TIME_SLOT_REF1=\"ts{from}\" TIME_SLOT_REF2=\"ts{to}\">\n        \
                 <ANNOTATION_VALUE>{value}</ANNOTATION_VALUE>\n      </ALIGNABLE_ANNOTATION>\n    \
                 </ANNOTATION>"
            )?;
        }
        writeln!(out, "  </TIER>")?;
    }
    out.write_all(DOCUMENT_TAIL.as_bytes())?;
    let is_rounded = |label: &&Label| {
        [label.start, label.end].iter().any(|it| (ms(*it) / 1000.0 - it).abs() > 1e-9)
    };
    let rounded = labels.iter().filter(is_rounded).count();
    let mut messages = Vec::from_iter(tiers::overlap_message(labels, &tiers, "ELAN"));
    if rounded > 0 {
        messages.push(format!(
            "the times of {rounded} labels were rounded to milliseconds, because ELAN stores no fractions"
        ));
    }
    messages.extend(lost_characters_message(labels));
    Ok(messages)
}

fn is_xml_char(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn lost_characters_message(labels: &[Label]) -> Option<String> {
    let texts = labels.iter().flat_map(|label| [Some(&label.label), label.tier.as_ref()]).flatten();
    let count = texts.filter(|text| !text.chars().all(is_xml_char)).count();
    (count > 0).then(|| {
        format!("{count} names contain control characters, which XML does not allow; using U+FFFD")
    })
}

fn replace_non_xml_chars(text: &str) -> String {
    text.chars().map(|c| if is_xml_char(c) { c } else { '\u{fffd}' }).collect()
}

/// Escapes carriage returns, because an XML reader normalises them to line feeds.
fn escape_element(text: &str) -> String {
    escape(&*replace_non_xml_chars(text)).replace('\r', "&#13;")
}

/// Escapes line breaks and tabs, because an XML reader normalises them to spaces in attributes.
fn escape_attribute(text: &str) -> String {
    escape_element(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

const DOCUMENT_HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
  <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
  <TIME_ORDER>
"#;

const DOCUMENT_TAIL: &str = r#"  <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
  <CONSTRAINT DESCRIPTION="Time subdivision of parent annotation's time interval, no time gaps allowed within this interval" STEREOTYPE="Time_Subdivision"/>
  <CONSTRAINT DESCRIPTION="Symbolic subdivision of a parent annotation. Annotations refering to the same parent are ordered" STEREOTYPE="Symbolic_Subdivision"/>
  <CONSTRAINT DESCRIPTION="1-1 association with a parent annotation" STEREOTYPE="Symbolic_Association"/>
  <CONSTRAINT DESCRIPTION="Time alignable annotations within the parent annotation's time interval, gaps are allowed" STEREOTYPE="Included_In"/>
</ANNOTATION_DOCUMENT>
"#;

#[cfg(test)]
mod tests {
    use super::*;

    fn document(slots: &str, tiers: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?><!-- a --><ANNOTATION_DOCUMENT><HEADER TIME_UNITS=\"milliseconds\">\
             <MEDIA_DESCRIPTOR MEDIA_URL=\"a.mp4\" TIME_ORIGIN=\"250\"/></HEADER><TIME_ORDER>{slots}\
             </TIME_ORDER>{tiers}</ANNOTATION_DOCUMENT>"
        )
    }

    fn aligned_annotation(id: &str, slots: [&str; 2], value: &str) -> String {
        let [from, to] = slots;
        format!(
            "<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID=\"{id}\" TIME_SLOT_REF1=\"{from}\" \
             TIME_SLOT_REF2=\"{to}\"><ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
        )
    }

    fn ref_annotation(id: &str, parent: &str) -> String {
        format!(
            "<ANNOTATION><REF_ANNOTATION ANNOTATION_ID=\"{id}\" ANNOTATION_REF=\"{parent}\">\
             <ANNOTATION_VALUE>{id}</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>"
        )
    }

    const SLOTS: &str = "<TIME_SLOT TIME_SLOT_ID=\"t1\" TIME_VALUE=\"1000\"/><TIME_SLOT TIME_SLOT_ID=\"t2\"/>\
                         <TIME_SLOT TIME_SLOT_ID=\"t3\"/><TIME_SLOT TIME_SLOT_ID=\"t4\" TIME_VALUE=\"4000\"/>";

    #[test]
    fn slots_without_time_are_interpolated_and_references_inherit_times() {
        let tiers = format!(
            "<TIER TIER_ID=\"a\">{}{}</TIER><TIER TIER_ID=\"b\" PARENT_REF=\"a\">{}{}</TIER>",
            aligned_annotation("a1", ["t1", "t2"], "x &lt;&#x41;&gt; &amp;<![CDATA[<y>]]>"),
            aligned_annotation("a2", ["t3", "t4"], ""),
            ref_annotation("r1", "r2"),
            ref_annotation("r2", "a2"),
        );
        let Labels { labels, diagnostics } =
            read(document(SLOTS, &tiers).as_bytes()).expect("it is sound");
        let found: Vec<_> = labels.iter().map(|it| (it.start, it.end, &*it.label)).collect();
        assert_eq!(
            found,
            [(1.0, 2.0, "x <A> &<y>"), (3.0, 4.0, ""), (3.0, 4.0, "r1"), (3.0, 4.0, "r2")]
        );
        assert_eq!(labels[3].tier.as_deref(), Some("b"));
        let found: Vec<_> = diagnostics.iter().map(|it| (it.code, it.value("origin_ms"))).collect();
        assert_eq!(found, [(codes::TIME_ORIGIN, Some(&250.0.into()))]);
    }

    #[test]
    fn broken_documents_are_rejected_with_a_location() {
        let tier =
            |content: &str| document(SLOTS, &format!("<TIER TIER_ID=\"a\">{content}</TIER>"));
        for (text, expected) in [
            (String::new(), "expected an ANNOTATION_DOCUMENT"),
            ("<html></html>".to_owned(), "expected an ANNOTATION_DOCUMENT"),
            ("<ANNOTATION_DOCUMENT><TIER TIER_ID=\"a\">".to_owned(), "the end of the file"),
            (
                tier(&aligned_annotation("a", ["t1", "t9"], "x")),
                "the id of a TIME_SLOT, found \"t9\"",
            ),
            (tier(&aligned_annotation("a", ["t4", "t1"], "x")), "ends at 4 s or later, found 1 s"),
            (
                tier(&aligned_annotation("a", ["t1", "t4"], "&evil;")),
                "the text of an annotation, found &evil;",
            ),
            (tier(&ref_annotation("a", "b")), "the id of an annotation, found \"b\""),
            (tier(&(ref_annotation("a", "b") + &ref_annotation("b", "a"))), "not its own child"),
            (document("<TIME_SLOT TIME_SLOT_ID=\"t\" TIME_VALUE=\"soon\"/>", ""), "found \"soon\""),
            (document("<TIME_SLOT TIME_VALUE=\"1\"/>", ""), "an attribute TIME_SLOT_ID"),
        ] {
            let error = read(text.as_bytes()).expect_err(&text).to_string();
            assert!(
                error.starts_with("at ") && error.contains(expected),
                "{error} instead of {expected}"
            );
        }
    }
}
