//! Samples from pieces of ffmpeg's output.

/// Samples of four bytes from pieces of any length.
#[derive(Default)]
pub(super) struct Samples {
    /// The beginning of a sample that goes on in the next piece.
    rest: Vec<u8>,
}

impl Samples {
    /// Reads `piece`, and gives each sample that is whole to `on_sample`.
    pub(super) fn read(&mut self, piece: &[u8], mut on_sample: impl FnMut(f32)) {
        let missing = if self.rest.is_empty() { 0 } else { 4 - self.rest.len() };
        let (before, piece) = piece.split_at(missing.min(piece.len()));
        self.rest.extend_from_slice(before);
        if let Ok(bytes) = <[u8; 4]>::try_from(&*self.rest) {
            on_sample(f32::from_le_bytes(bytes));
            self.rest.clear();
        }
        let (whole, rest) = piece.as_chunks();
        whole.iter().for_each(|bytes| on_sample(f32::from_le_bytes(*bytes)));
        self.rest.extend_from_slice(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_whole_whatever_the_pieces_are() {
        let bytes: Vec<u8> =
            [0.5_f32, -0.25, 1.0].iter().flat_map(|one| one.to_le_bytes()).collect();
        for length in 1..=12 {
            let (mut samples, mut read) = (Samples::default(), Vec::new());
            bytes.chunks(length).for_each(|piece| samples.read(piece, |one| read.push(one)));
            assert_eq!(read, [0.5, -0.25, 1.0], "{length}");
        }
    }
}
