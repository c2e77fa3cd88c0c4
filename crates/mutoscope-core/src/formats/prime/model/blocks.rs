//! Decodes pixels from the blocks in which the console's graphics chip stores them.

use super::TextureFormat;

type Rgba = [u8; 4];

#[derive(Clone, Debug)]
pub(super) struct Palette(Vec<Rgba>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaletteFormat {
    IA8,
    Rgb565,
    Rgb5A3,
}

impl Palette {
    pub(super) fn new(format: PaletteFormat, bytes: &[u8]) -> Self {
        let color = |pair: &[u8]| match format {
            PaletteFormat::IA8 => decode_ia8(pair),
            PaletteFormat::Rgb565 => decode_rgb565(read_u16(pair)),
            PaletteFormat::Rgb5A3 => decode_rgb5a3(read_u16(pair)),
        };
        Self(bytes.chunks_exact(2).map(color).collect())
    }

    fn color_at(&self, index: u8) -> Rgba {
        self.0.get(usize::from(index)).copied().unwrap_or([0, 0, 0, 255])
    }
}

/// Returns the RGBA pixels of a level, row by row. The file stores whole blocks, from left to right
/// and then down.
pub(super) fn decode_blocks(
    format: TextureFormat,
    bytes: &[u8],
    width: usize,
    height: usize,
    palette: Option<&Palette>,
) -> Vec<u8> {
    let (block_width, block_height) = format.block_size();
    let blocks_across = width.div_ceil(block_width);
    let mut rgba = vec![0; 4 * width * height];
    let mut pixels = [[0; 4]; 64];
    for (index, block) in bytes.chunks_exact(format.block_bytes()).enumerate() {
        decode_block(format, block, palette, &mut pixels);
        let (left, top) =
            (index % blocks_across * block_width, index / blocks_across * block_height);
        for (row, line) in pixels.chunks_exact(block_width).take(block_height).enumerate() {
            if top + row >= height {
                break;
            }
            let start = 4 * ((top + row) * width + left);
            let columns = block_width.min(width - left);
            rgba[start..start + 4 * columns].copy_from_slice(line[..columns].as_flattened());
        }
    }
    rgba
}

fn decode_block(
    format: TextureFormat,
    block: &[u8],
    palette: Option<&Palette>,
    pixels: &mut [Rgba; 64],
) {
    let indexed = |index: u8| palette.map_or([0, 0, 0, 255], |palette| palette.color_at(index));
    match format {
        TextureFormat::I4 => fill_from_nibbles(block, pixels, |nibble| grey(nibble * 17, 255)),
        TextureFormat::C4 => fill_from_nibbles(block, pixels, indexed),
        TextureFormat::I8 => fill_from_bytes(block, pixels, |byte| grey(byte, 255)),
        TextureFormat::IA4 => {
            fill_from_bytes(block, pixels, |byte| grey((byte & 15) * 17, (byte >> 4) * 17))
        }
        TextureFormat::C8 => fill_from_bytes(block, pixels, indexed),
        TextureFormat::IA8 => fill_from_pairs(block, pixels, decode_ia8),
        TextureFormat::Rgb565 => {
            fill_from_pairs(block, pixels, |pair| decode_rgb565(read_u16(pair)))
        }
        TextureFormat::Rgb5A3 => {
            fill_from_pairs(block, pixels, |pair| decode_rgb5a3(read_u16(pair)))
        }
        TextureFormat::Rgba8 => {
            let (alpha_red, green_blue) = block.split_at(32);
            let both = alpha_red.chunks_exact(2).zip(green_blue.chunks_exact(2));
            for (pixel, (ar, gb)) in pixels.iter_mut().zip(both) {
                *pixel = [ar[1], gb[0], gb[1], ar[0]];
            }
        }
        TextureFormat::Cmpr => {
            for (index, part) in block.chunks_exact(8).enumerate() {
                decode_cmpr_part(part, index % 2 * 4, index / 2 * 4, pixels);
            }
        }
    }
}

fn fill_from_nibbles(block: &[u8], pixels: &mut [Rgba; 64], color: impl Fn(u8) -> Rgba) {
    let nibbles = block.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    pixels.iter_mut().zip(nibbles).for_each(|(pixel, nibble)| *pixel = color(nibble));
}

fn fill_from_bytes(block: &[u8], pixels: &mut [Rgba; 64], color: impl Fn(u8) -> Rgba) {
    pixels.iter_mut().zip(block).for_each(|(pixel, byte)| *pixel = color(*byte));
}

fn fill_from_pairs(block: &[u8], pixels: &mut [Rgba; 64], color: impl Fn(&[u8]) -> Rgba) {
    pixels.iter_mut().zip(block.chunks_exact(2)).for_each(|(pixel, pair)| *pixel = color(pair));
}

fn decode_cmpr_part(part: &[u8], left: usize, top: usize, pixels: &mut [Rgba; 64]) {
    let [first, second] = [read_u16(part), read_u16(&part[2..])];
    let (a, b) = (decode_rgb565(first), decode_rgb565(second));
    // The console mixes the two colours 5 : 3. Other DXT1 decoders mix them 2 : 1.
    let mix = |near: Rgba, far: Rgba| -> Rgba {
        std::array::from_fn(|i| ((5 * u16::from(near[i]) + 3 * u16::from(far[i])) / 8) as u8)
    };
    let colors = if first > second {
        [a, b, mix(a, b), mix(b, a)]
    } else {
        let mean: Rgba = std::array::from_fn(|i| ((u16::from(a[i]) + u16::from(b[i])) / 2) as u8);
        // Keep the colour of the transparent pixel, because a material that ignores alpha shows the
        // colour.
        [a, b, mean, [mean[0], mean[1], mean[2], 0]]
    };
    for (row, byte) in part[4..8].iter().enumerate() {
        for column in 0..4 {
            let index = byte >> (6 - 2 * column) & 3;
            pixels[(top + row) * 8 + left + column] = colors[usize::from(index)];
        }
    }
}

fn read_u16(pair: &[u8]) -> u16 {
    u16::from_be_bytes([pair[0], pair[1]])
}

fn grey(value: u8, alpha: u8) -> Rgba {
    [value, value, value, alpha]
}

fn decode_ia8(pair: &[u8]) -> Rgba {
    grey(pair[1], pair[0])
}

fn widen_bits(word: u16, shift: u32, width: u32) -> u8 {
    let value = word >> shift & ((1 << width) - 1);
    let doubled = value << width | value;
    let (bits, repeated) =
        if width < 4 { (3 * width, doubled << width | value) } else { (2 * width, doubled) };
    (repeated >> (bits - 8)) as u8
}

fn decode_rgb565(word: u16) -> Rgba {
    [widen_bits(word, 11, 5), widen_bits(word, 5, 6), widen_bits(word, 0, 5), 255]
}

fn decode_rgb5a3(word: u16) -> Rgba {
    if word & 0x8000 == 0 {
        let alpha = widen_bits(word, 12, 3);
        [widen_bits(word, 8, 4), widen_bits(word, 4, 4), widen_bits(word, 0, 4), alpha]
    } else {
        [widen_bits(word, 10, 5), widen_bits(word, 5, 5), widen_bits(word, 0, 5), 255]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_widened_by_repeating_the_top_bits() {
        let repeated = |value: u16, width: u32| widen_bits(value, 0, width);
        assert_eq!((repeated(0, 3), repeated(7, 3), repeated(4, 3)), (0, 255, 0b1001_0010));
        assert_eq!((repeated(15, 4), repeated(9, 4)), (255, 0x99));
        assert_eq!((repeated(31, 5), repeated(16, 5)), (255, 0b1000_0100));
        assert_eq!((repeated(63, 6), repeated(32, 6)), (255, 0b1000_0010));
        assert_eq!(decode_rgb5a3(0x7fff), [255, 255, 255, 255]);
        assert_eq!(decode_rgb5a3(0x0fff), [255, 255, 255, 0]);
    }

    #[test]
    fn cmpr_indices_begin_with_the_leftmost_pixel() {
        let mut block = [0; 32];
        // White and black: the mixes are 255 · 5/8 and 255 · 3/8.
        block[..8].copy_from_slice(&[0xff, 0xff, 0, 0, 0b0001_1011, 0, 0, 0]);
        let rgba = decode_blocks(TextureFormat::Cmpr, &block, 8, 8, None);
        assert_eq!([rgba[0], rgba[4], rgba[8], rgba[12]], [255, 0, 159, 95]);
        block[..4].copy_from_slice(&[0, 0, 0xff, 0xff]);
        let rgba = decode_blocks(TextureFormat::Cmpr, &block, 8, 8, None);
        assert_eq!(rgba[8..16], [127, 127, 127, 255, 127, 127, 127, 0]);
    }

    #[test]
    fn pixels_beyond_the_edge_of_a_texture_are_not_kept() {
        let block: Vec<u8> = (0..64).collect();
        let rgba = decode_blocks(TextureFormat::I8, &block, 9, 3, None);
        assert_eq!(rgba.len(), 4 * 27);
        assert_eq!([rgba[4 * 8], rgba[4 * 9], rgba[4 * 17]], [32, 8, 40]);
    }
}
