//! The layout of a row.

use std::{ops::Range, sync::Arc};

use bevy_egui::egui::{Align2, FontId, Galley, Painter, Pos2, Rect, pos2, text::CCursor, vec2};

use super::marks::{Mark, Marks};
use crate::ui::style::Palette;
use mutoscope_core::{
    diagnostics::Error,
    measure::listing::{BYTES_PER_ROW, Listing},
};

/// The height of a row.
pub(super) const HEIGHT: f32 = 15.0;

/// The room for the number of a line, in figures.
const NUMBER: usize = 7;

fn font() -> FontId {
    FontId::monospace(11.0)
}

/// A row, laid out: texts whose letters represent bytes.
pub(super) struct Row {
    /// Its label: an offset, or the number of a line.
    head: String,
    bytes: Range<usize>,
    parts: Vec<Part>,
    /// From where on its parts are, in points.
    left: f32,
    y: f32,
}

/// A text of which each byte has some letters.
struct Part {
    galley: Arc<Galley>,
    x: f32,
    /// For each byte its first letter, and the one after its last.
    letters: Vec<(usize, usize)>,
}

impl Row {
    /// The row with this index of `listing`, whose left upper corner is at `place`.
    ///
    /// # Errors
    /// If its bytes cannot be read.
    pub(super) fn new(
        painter: &Painter,
        palette: &Palette,
        listing: &Listing,
        row: usize,
        place: Pos2,
    ) -> Result<Self, Error> {
        let bytes = listing.row(row);
        let content = &*listing.bytes(bytes.clone())?;
        let width = painter.layout_no_wrap("0".repeat(32), font(), palette.text).size().x / 32.0;
        let (head, texts) = match listing.text() {
            Some(rows) => {
                let (line, is_first) = rows.line_of(row);
                let head = if is_first { line.to_string() } else { "↪".to_owned() };
                (head, vec![plain(content)])
            }
            None => (format!("{:08x}", bytes.start), vec![hexadecimal(content), ascii(content)]),
        };
        let left = place.x + width * (NUMBER + 3) as f32;
        let mut x = left;
        let parts = texts.into_iter().map(|Text { text, letters, room }| {
            let galley = painter.layout_no_wrap(text, font(), palette.text);
            let part = Part { galley, x, letters };
            x += width * room as f32;
            part
        });
        let parts = parts.collect();
        Ok(Self { head, bytes, parts, left, y: place.y })
    }

    /// Paints it, each byte on the colour of its owner.
    pub(super) fn paint(&self, painter: &Painter, palette: &Palette, marks: &Marks) {
        for (run, mark) in marks.runs(self.bytes.clone()) {
            let color = match mark {
                Mark::None => continue,
                Mark::Key { is_even: true } => palette.tint(palette.neutral, 0.12),
                Mark::Key { is_even: false } => palette.tint(palette.neutral, 0.24),
                Mark::PointedOut => palette.tint(palette.accent, 0.45),
            };
            for part in &self.parts {
                painter.rect_filled(self.rect_of(part, &run), 2.0, color);
            }
        }
        let head = pos2(self.left - 10.0, self.y + HEIGHT / 2.0);
        painter.text(head, Align2::RIGHT_CENTER, &self.head, font(), palette.dim);
        for (index, part) in self.parts.iter().enumerate() {
            let color = if index == 0 { palette.text } else { palette.dim };
            let middle = self.y + (HEIGHT - part.galley.size().y) / 2.0;
            painter.galley_with_override_text_color(
                pos2(part.x, middle),
                Arc::clone(&part.galley),
                color,
            );
        }
    }

    /// The byte at `pointer`, if one is there.
    pub(super) fn byte_at(&self, pointer: Pos2) -> Option<usize> {
        let is_within = |part: &&Part| {
            pointer.x >= part.x - 2.0 && pointer.x < part.x + part.galley.size().x + 2.0
        };
        let part = self.parts.iter().find(is_within)?;
        let letter: usize = part.galley.cursor_from_pos(vec2(pointer.x - part.x, 1.0)).index.into();
        let byte = part.letters.iter().rposition(|&(first, _)| first <= letter)?;
        Some(self.bytes.start + byte)
    }

    fn rect_of(&self, part: &Part, run: &Range<usize>) -> Rect {
        let x_of =
            |letter: usize| part.x + part.galley.pos_from_cursor(CCursor::new(letter)).left();
        let (first, _) = part.letters[run.start - self.bytes.start];
        let (_, end) = part.letters[run.end - 1 - self.bytes.start];
        Rect::from_x_y_ranges(x_of(first) - 1.0..=x_of(end) + 1.0, self.y..=self.y + HEIGHT)
    }
}

/// A text under construction.
struct Text {
    text: String,
    letters: Vec<(usize, usize)>,
    /// How many letters it takes at most, and the gap after it.
    room: usize,
}

/// Two figures a byte, with a wider gap in the middle.
fn hexadecimal(bytes: &[u8]) -> Text {
    let (mut text, mut letters) = (String::new(), Vec::new());
    for (index, byte) in bytes.iter().enumerate() {
        match index {
            0 => {}
            _ if index == BYTES_PER_ROW / 2 => text.push_str("  "),
            _ => text.push(' '),
        }
        letters.push((text.len(), text.len() + 2));
        text.push_str(&format!("{byte:02x}"));
    }
    Text { text, letters, room: BYTES_PER_ROW * 3 + 2 }
}

/// A letter a byte, a point for what has none.
fn ascii(bytes: &[u8]) -> Text {
    let letter =
        |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' };
    let text = bytes.iter().map(letter).collect();
    let letters = (0..bytes.len()).map(|index| (index, index + 1)).collect();
    Text { text, letters, room: BYTES_PER_ROW }
}

/// Text as it is; invalid bytes have a replacement sign.
fn plain(bytes: &[u8]) -> Text {
    let (mut text, mut letters, mut count) = (String::new(), Vec::new(), 0);
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            letters.extend(std::iter::repeat_n((count, count + 1), letter.len_utf8()));
            count += 1;
            text.push(match letter {
                '\t' => ' ',
                letter if letter.is_control() => '·',
                letter => letter,
            });
        }
        for _ in chunk.invalid() {
            letters.push((count, count + 1));
            count += 1;
            text.push('\u{fffd}');
        }
    }
    Text { text, letters, room: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_glyphs() {
        let bytes: Vec<u8> = (0..16).collect();
        let hex = hexadecimal(&bytes);
        assert!(hex.text.starts_with("00 01 02 03 04 05 06 07  08 09"));
        let of = |byte: usize| &hex.text[hex.letters[byte].0..hex.letters[byte].1];
        assert_eq!([0, 7, 8, 15].map(of), ["00", "07", "08", "0f"]);
        assert_eq!(ascii(b"a\0b ").text, "a.b ");
    }

    #[test]
    fn multi_byte_letters_are_one_glyph_and_invalid_bytes_are_marked() {
        let text = plain("é\t".as_bytes());
        assert_eq!((text.text.as_str(), &text.letters[..]), ("é ", &[(0, 1), (0, 1), (1, 2)][..]));
        let broken = plain(b"a\xffb");
        assert_eq!((broken.text.as_str(), broken.letters.len()), ("a\u{fffd}b", 3));
    }
}
