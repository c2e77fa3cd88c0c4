//! Parses samples from pieces of ffmpeg's output.

#[derive(Default)]
pub(super) struct SampleReader {
    incomplete: Vec<u8>,
}

impl SampleReader {
    pub(super) fn read(&mut self, piece: &[u8], mut on_sample: impl FnMut(f32)) {
        let missing = if self.incomplete.is_empty() { 0 } else { 4 - self.incomplete.len() };
        let (first, piece) = piece.split_at(missing.min(piece.len()));
        self.incomplete.extend_from_slice(first);
        if let Ok(bytes) = <[u8; 4]>::try_from(&*self.incomplete) {
            on_sample(f32::from_le_bytes(bytes));
            self.incomplete.clear();
        }
        let (whole, rest) = piece.as_chunks();
        whole.iter().for_each(|bytes| on_sample(f32::from_le_bytes(*bytes)));
        self.incomplete.extend_from_slice(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_joined_from_pieces_of_any_length() {
        let bytes: Vec<u8> =
            [0.5_f32, -0.25, 1.0].iter().flat_map(|sample| sample.to_le_bytes()).collect();
        for length in 1..=12 {
            let (mut reader, mut samples) = (SampleReader::default(), Vec::new());
            bytes
                .chunks(length)
                .for_each(|piece| reader.read(piece, |sample| samples.push(sample)));
            assert_eq!(samples, [0.5, -0.25, 1.0], "{length}");
        }
    }
}
