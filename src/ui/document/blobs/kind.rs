//! What a file is, as its first bytes say; of a picture, how large it is in pixels.

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Width and height.
    pub(super) pixels: Option<(usize, usize)>,
}

/// With what files of a type begin.
const BEGINNINGS: [(&[u8], &str); 12] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"\x7fELF", "application/x-elf"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
];
/// Letters that are decoded: a photograph's size may stand behind a preview of it.
const MOST: usize = 128 << 10;

/// What letters of base64 say at their beginning.
pub(super) fn kind(letters: &str) -> Option<Kind> {
    let start = decode(letters, 64);
    let name = match (start.get(..4), start.get(8..12), start.get(4..8)) {
        (Some(b"RIFF"), Some(b"WEBP"), _) => "image/webp",
        (Some(b"RIFF"), Some(b"WAVE"), _) => "audio/wav",
        (_, _, Some(b"ftyp")) => "video/mp4",
        _ => BEGINNINGS.iter().find(|(beginning, _)| start.starts_with(beginning)).map(|(_, name)| *name)?,
    };
    let size = || imagesize::blob_size(&decode(letters, MOST)).ok();
    let pixels = name.starts_with("image/").then(size).flatten().map(|size| (size.width, size.height));
    // Two letters are no proof.
    (name != "image/bmp" || start.get(6..10) == Some(&[0; 4])).then_some(Kind { name, pixels })
}

/// The first bytes that letters of base64 stand for, in either alphabet (RFC 4648); none where they are no base64.
fn decode(letters: &str, most: usize) -> Vec<u8> {
    const LAX: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true).with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let start = letters.get(..letters.len().min(most) / 4 * 4).unwrap_or_default();
    let alphabet = if start.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    GeneralPurpose::new(alphabet, LAX).decode(start).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::BASE64_STANDARD as PLAIN;
    use proptest::prelude::*;

    #[test]
    fn pictures_tell_their_size() {
        let png = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &1280u32.to_be_bytes(), &720u32.to_be_bytes()].concat();
        let gif = b"GIF89a\x40\x01\xc8\x00\0\0".to_vec();
        let jpeg = [&b"\xff\xd8\xff\xe1\x00\x06Exif"[..], b"\xff\xc4\x00\x03\0", b"\xff\xc2\x00\x11\x08\x02\x1c\x03\xc0"].concat();
        let lossy = [&b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a"[..], &[0x20, 0x03, 0x58, 0x02]].concat();
        let large = [&b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0"[..], &[0x7f, 0x07, 0, 0x37, 0x04, 0, 0]].concat();
        for (bytes, name, pixels) in [
            (png, "image/png", Some((1280, 720))),
            (gif, "image/gif", Some((320, 200))),
            (jpeg, "image/jpeg", Some((960, 540))),
            (lossy, "image/webp", Some((800, 600))),
            (large, "image/webp", Some((1920, 1080))),
            (b"%PDF-1.7 and so on".to_vec(), "application/pdf", None),
            (b"\xff\xd8\xff\xe0\x00\x10cut".to_vec(), "image/jpeg", None),
        ] {
            assert_eq!(kind(&PLAIN.encode(&bytes)), Some(Kind { name, pixels }));
        }
        assert_eq!(kind(&PLAIN.encode(b"plain words of somebody")), None);
    }

    proptest! {
        #[test]
        fn no_bytes_break_it(bytes: Vec<u8>) {
            for start in [&b"\xff\xd8\xff"[..], b"\x89PNG\r\n\x1a\n", b"GIF8", b"BM", b"RIFF\0\0\0\0WEBPVP8X", b""] {
                kind(&PLAIN.encode([start, &bytes].concat()));
            }
        }
    }
}
