//! Moves through the rows of a list by the arrow keys, while the user types in its search field.

use bevy_egui::egui::{Key, Modifiers, Response, Ui};

/// The row that the user chose by the arrow keys.
#[derive(Clone, Debug, Default)]
pub(in crate::ui) struct RowChoice {
    row: Option<usize>,
}

/// What the keys of a frame did to a list.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ui) struct RowKeys {
    /// The row to which the choice moved.
    pub(in crate::ui) moved_to: Option<usize>,
    /// The row that Enter opens.
    pub(in crate::ui) entered: Option<usize>,
}

/// The number of rows that Page Up and Page Down move by.
const PAGE_ROWS: usize = 12;

impl RowChoice {
    pub(in crate::ui) fn is_chosen(&self, row: usize) -> bool {
        self.row == Some(row)
    }

    /// Reads the keys if `search_field` has the focus. The arrow keys move through `choices`, the
    /// rows that can be chosen. If no row is chosen yet, Enter opens the first one.
    pub(in crate::ui) fn read_keys(
        &mut self,
        ui: &Ui,
        search_field: &Response,
        choices: &[usize],
    ) -> RowKeys {
        if !search_field.has_focus() {
            return RowKeys::default();
        }
        let step = read_row_keys(ui, PAGE_ROWS);
        let position = self.row.and_then(|row| choices.iter().position(|choice| *choice == row));
        let row = match position {
            Some(position) => choices.get(step_choice(position, step, choices.len())),
            None if step < 0 => choices.last(),
            None => choices.first(),
        };
        self.row = row.copied().filter(|_| step != 0 || position.is_some());
        let is_entered = ui.input(|input| input.key_pressed(Key::Enter));
        RowKeys {
            moved_to: self.row.filter(|_| step != 0),
            entered: row.copied().filter(|_| is_entered),
        }
    }
}

/// Consumes the arrow and page keys that were pressed in this frame. Returns the number of rows to
/// move, of which `page_rows` fit on a page.
pub(in crate::ui) fn read_row_keys(ui: &Ui, page_rows: usize) -> isize {
    ui.input_mut(|input| {
        let mut pressed = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        let lines = pressed(Key::ArrowDown) - pressed(Key::ArrowUp);
        let page = page_rows as isize - 1;
        lines + page * (pressed(Key::PageDown) - pressed(Key::PageUp))
    })
}

/// Moves `chosen` by `step` rows. A single step wraps around at the ends; a page does not.
pub(in crate::ui) fn step_choice(chosen: usize, step: isize, count: usize) -> usize {
    let Some(last) = count.checked_sub(1) else { return 0 };
    let chosen = chosen.min(last);
    match step {
        1 if chosen == last => 0,
        -1 if chosen == 0 => last,
        _ => chosen.saturating_add_signed(step).min(last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_stepping_wraps_around() {
        let cases = [(0, -1, 5, 4), (4, 1, 5, 0), (3, 11, 5, 4), (2, -11, 5, 0), (9, 0, 3, 2)];
        for (chosen, step, count, expected) in cases {
            assert_eq!(step_choice(chosen, step, count), expected);
        }
        assert_eq!(step_choice(3, 1, 0), 0);
    }
}
