//! Lays out a row.

use std::{ops::Range, sync::Arc};

use bevy_egui::egui::{Align2, FontId, Galley, Painter, Pos2, Rect, pos2, text::CCursor, vec2};

use super::marks::{Mark, Marks};
use crate::ui::style::Palette;
use mutoscope_core::diagnostics::Error;
use mutoscope_view::listing::{BYTES_PER_ROW, Listing};

pub(super) const ROW_HEIGHT: f32 = 15.0;

const LINE_NUMBER_DIGITS: usize = 7;

fn font() -> FontId {
    FontId::monospace(11.0)
}

pub(super) struct Row {
    label: String,
    bytes: Range<usize>,
    parts: Vec<Part>,
    left: f32,
    y: f32,
}

struct Part {
    galley: Arc<Galley>,
    x: f32,
    /// For each byte, the indices of the first glyph of the byte and of the first glyph after it.
    glyph_ranges: Vec<(usize, usize)>,
}

impl Row {
    pub(super) fn new(
        painter: &Painter,
        palette: &Palette,
        listing: &Listing,
        row: usize,
        corner: Pos2,
    ) -> Result<Self, Error> {
        let bytes = listing.row_range(row);
        let content = &*listing.bytes(bytes.clone())?;
        let width = painter.layout_no_wrap("0".repeat(32), font(), palette.text).size().x / 32.0;
        let (label, texts) = match listing.text_rows() {
            Some(rows) => {
                let (line, is_first) = rows.line_of_row(row);
                let label = if is_first { line.to_string() } else { "↪".to_owned() };
                (label, vec![text_column(content)])
            }
            None => {
                (format!("{:08x}", bytes.start), vec![hex_column(content), ascii_column(content)])
            }
        };
        let left = corner.x + width * (LINE_NUMBER_DIGITS + 3) as f32;
        let mut x = left;
        let parts = texts.into_iter().map(|TextColumn { text, glyph_ranges, width_chars }| {
            let galley = painter.layout_no_wrap(text, font(), palette.text);
            let part = Part { galley, x, glyph_ranges };
            x += width * width_chars as f32;
            part
        });
        let parts = parts.collect();
        Ok(Self { label, bytes, parts, left, y: corner.y })
    }

    pub(super) fn paint(&self, painter: &Painter, palette: &Palette, marks: &Marks) {
        for (run, mark) in marks.runs(self.bytes.clone()) {
            let color = match mark {
                Mark::None => continue,
                Mark::Key { is_even: true } => palette.tint(palette.neutral, 0.12),
                Mark::Key { is_even: false } => palette.tint(palette.neutral, 0.24),
                Mark::Highlighted => palette.tint(palette.accent, 0.45),
            };
            for part in &self.parts {
                painter.rect_filled(self.run_rect(part, &run), 2.0, color);
            }
        }
        let label = pos2(self.left - 10.0, self.y + ROW_HEIGHT / 2.0);
        painter.text(label, Align2::RIGHT_CENTER, &self.label, font(), palette.dim);
        for (index, part) in self.parts.iter().enumerate() {
            let color = if index == 0 { palette.text } else { palette.dim };
            let middle = self.y + (ROW_HEIGHT - part.galley.size().y) / 2.0;
            painter.galley_with_override_text_color(
                pos2(part.x, middle),
                Arc::clone(&part.galley),
                color,
            );
        }
    }

    pub(super) fn byte_at(&self, pointer: Pos2) -> Option<usize> {
        let is_within = |part: &&Part| {
            pointer.x >= part.x - 2.0 && pointer.x < part.x + part.galley.size().x + 2.0
        };
        let part = self.parts.iter().find(is_within)?;
        let letter: usize = part.galley.cursor_from_pos(vec2(pointer.x - part.x, 1.0)).index.into();
        let byte = part.glyph_ranges.iter().rposition(|&(first, _)| first <= letter)?;
        Some(self.bytes.start + byte)
    }

    fn run_rect(&self, part: &Part, run: &Range<usize>) -> Rect {
        let x_of =
            |letter: usize| part.x + part.galley.pos_from_cursor(CCursor::new(letter)).left();
        let (first, _) = part.glyph_ranges[run.start - self.bytes.start];
        let (_, end) = part.glyph_ranges[run.end - 1 - self.bytes.start];
        Rect::from_x_y_ranges(x_of(first) - 1.0..=x_of(end) + 1.0, self.y..=self.y + ROW_HEIGHT)
    }
}

struct TextColumn {
    text: String,
    glyph_ranges: Vec<(usize, usize)>,
    width_chars: usize,
}

fn hex_column(bytes: &[u8]) -> TextColumn {
    let (mut text, mut glyph_ranges) = (String::new(), Vec::new());
    for (index, byte) in bytes.iter().enumerate() {
        match index {
            0 => {}
            _ if index == BYTES_PER_ROW / 2 => text.push_str("  "),
            _ => text.push(' '),
        }
        glyph_ranges.push((text.len(), text.len() + 2));
        text.push_str(&format!("{byte:02x}"));
    }
    TextColumn { text, glyph_ranges, width_chars: BYTES_PER_ROW * 3 + 2 }
}

fn ascii_column(bytes: &[u8]) -> TextColumn {
    let letter =
        |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' };
    let text = bytes.iter().map(letter).collect();
    let glyph_ranges = (0..bytes.len()).map(|index| (index, index + 1)).collect();
    TextColumn { text, glyph_ranges, width_chars: BYTES_PER_ROW }
}

fn text_column(bytes: &[u8]) -> TextColumn {
    let (mut text, mut glyph_ranges, mut count) = (String::new(), Vec::new(), 0);
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            glyph_ranges.extend(std::iter::repeat_n((count, count + 1), letter.len_utf8()));
            count += 1;
            text.push(match letter {
                '\t' => ' ',
                letter if letter.is_control() => '·',
                letter => letter,
            });
        }
        for _ in chunk.invalid() {
            glyph_ranges.push((count, count + 1));
            count += 1;
            text.push('\u{fffd}');
        }
    }
    TextColumn { text, glyph_ranges, width_chars: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_glyphs() {
        let bytes: Vec<u8> = (0..16).collect();
        let hex = hex_column(&bytes);
        assert!(hex.text.starts_with("00 01 02 03 04 05 06 07  08 09"));
        let digits_of = |byte: usize| &hex.text[hex.glyph_ranges[byte].0..hex.glyph_ranges[byte].1];
        assert_eq!([0, 7, 8, 15].map(digits_of), ["00", "07", "08", "0f"]);
        assert_eq!(ascii_column(b"a\0b ").text, "a.b ");
    }

    #[test]
    fn multi_byte_letters_are_one_glyph_and_invalid_bytes_are_marked() {
        let text = text_column("é\t".as_bytes());
        assert_eq!(
            (text.text.as_str(), &text.glyph_ranges[..]),
            ("é ", &[(0, 1), (0, 1), (1, 2)][..])
        );
        let invalid = text_column(b"a\xffb");
        assert_eq!((invalid.text.as_str(), invalid.glyph_ranges.len()), ("a\u{fffd}b", 3));
    }
}
