//! Recognises videos, images and sound files by their first bytes.

/// The kind of a footage file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootageKind {
    /// A video or a sound file. The first bytes do not distinguish them, only the streams in the
    /// file do.
    Media,
    /// A single image.
    Image,
}

const MAX_HEADER_LEN: usize = 512;

/// Returns the kind of a file that begins with `start`, or `None` if it is not a video, an image or
/// a sound file.
pub fn recognise(start: &[u8]) -> Option<FootageKind> {
    let start = &start[..start.len().min(MAX_HEADER_LEN)];
    let has_signature = |magic: &&[u8]| start.starts_with(magic);
    if IMAGE_SIGNATURES.iter().any(has_signature)
        || riff_type(start) == Some(b"WEBP")
        || is_heif_or_avif(start)
    {
        return Some(FootageKind::Image);
    }
    let is_media = MEDIA_SIGNATURES.iter().any(has_signature)
        || matches!(riff_type(start), Some(b"AVI " | b"WAVE"))
        || is_quicktime(start)
        || is_transport_stream(start)
        || is_mpeg_audio(start);
    is_media.then_some(FootageKind::Media)
}

const IMAGE_SIGNATURES: &[&[u8]] = &[
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"II*\0",
    b"MM\0*",
    b"\x76\x2f\x31\x01",
    b"SDPX",
    b"XPDS",
];

const MEDIA_SIGNATURES: &[&[u8]] = &[
    // Matroska and WebM.
    b"\x1a\x45\xdf\xa3",
    b"OggS",
    b"fLaC",
    b"ID3",
    b"FLV\x01",
    b"GIF87a",
    b"GIF89a",
    b"YUV4MPEG2 ",
    b"caff\0\x01",
    // MPEG program stream, ASF (WMV, WMA), RF64, AU.
    b"\0\0\x01\xba",
    b"\x30\x26\xb2\x75\x8e\x66\xcf\x11",
    b"RF64",
    b".snd",
];

fn riff_type(start: &[u8]) -> Option<&[u8; 4]> {
    if start.starts_with(b"RIFF") { start.get(8..12)?.try_into().ok() } else { None }
}

fn first_box_type(start: &[u8]) -> Option<&[u8]> {
    start.get(4..8)
}

fn is_quicktime(start: &[u8]) -> bool {
    let is_aiff = start.starts_with(b"FORM") && start.get(8..11) == Some(b"AIF");
    let is_box = matches!(first_box_type(start), Some(b"ftyp" | b"moov" | b"mdat" | b"wide"));
    is_aiff || is_box
}

/// Checks the brand of the file, because HEIF and AVIF files have the same box structure as MP4
/// files.
fn is_heif_or_avif(start: &[u8]) -> bool {
    first_box_type(start) == Some(b"ftyp")
        && matches!(start.get(8..12), Some(b"heic" | b"heix" | b"mif1" | b"avif"))
}

/// A transport stream consists of packets of 188 bytes that begin with `G` (0x47).
fn is_transport_stream(start: &[u8]) -> bool {
    [0, 188, 376].iter().all(|&offset| start.get(offset) == Some(&b'G'))
}

/// Checks the frame header of an MP3 without tags: 11 synchronisation bits, then the version, layer
/// III, a valid bit rate and a valid sample rate.
fn is_mpeg_audio(start: &[u8]) -> bool {
    let Some(&[first, second, third]) = start.first_chunk() else { return false };
    let (version, layer) = (second >> 3 & 3, second >> 1 & 3);
    let (bit_rate, sample_rate) = (third >> 4, third >> 2 & 3);
    first == 0xff
        && second >> 5 == 7
        && version != 1
        && layer == 1
        && !matches!(bit_rate, 0 | 15)
        && sample_rate != 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footage_is_recognised_by_its_first_bytes() {
        let mut transport = vec![0; 400];
        [0, 188, 376].into_iter().for_each(|offset| transport[offset] = b'G');
        for media in [
            &b"\0\0\0\x20ftypisom\0\0"[..],
            b"\0\0\0\x08wide\0\0\0\0mdat",
            b"\x1a\x45\xdf\xa3\x9fB\x86",
            b"RIFF\x10\0\0\0AVI LIST",
            b"RIFF\x10\0\0\0WAVEfmt ",
            b"FORM\0\0\0\x10AIFFCOMM",
            b"OggS\0\x02",
            b"\xff\xfb\x90\x64\0",
            &transport,
        ] {
            assert_eq!(recognise(media), Some(FootageKind::Media), "{media:?}");
        }
        for image in
            [&b"\x89PNG\r\n\x1a\n\0"[..], b"\xff\xd8\xff\xe0", b"RIFF\x10\0\0\0WEBP", b"II*\0\x08"]
        {
            assert_eq!(recognise(image), Some(FootageKind::Image), "{image:?}");
        }
        for neither in
            [&b""[..], b"RIFF", b"{\"a\":1}", b"animVersion 1.1;", b"glTF\x02\0\0\0", b"\xff\xff"]
        {
            assert_eq!(recognise(neither), None, "{neither:?}");
        }
    }
}
