//! What a file is, as its first bytes say; of a picture, how large it is in pixels.

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Width and height.
    pub(super) pixels: Option<(u32, u32)>,
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
    let pixels = match name {
        "image/png" => big(&start, 16).zip(big(&start, 20)),
        "image/gif" => little(&start, 6).zip(little(&start, 8)),
        "image/bmp" => little(&start, 18).zip(little(&start, 22)),
        "image/webp" => webp(&start),
        "image/jpeg" => jpeg(&decode(letters, MOST)),
        _ => None,
    };
    // Two letters are no proof.
    (name != "image/bmp" || start.get(6..10) == Some(&[0; 4])).then_some(Kind { name, pixels })
}

/// The first bytes that letters of base64 stand for, as far as they are such; both alphabets (RFC 4648).
fn decode(letters: &str, most: usize) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0u32, 0);
    for six in letters.bytes().take(most).map_while(value) {
        held = held << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.extend(u8::try_from(held >> bits & 0xff));
        }
    }
    bytes
}

/// Four bytes, the highest first.
fn big(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

/// Two bytes, the lowest first.
fn little(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes).map(u32::from)
}

/// Of the three forms of WebP (RFC 9649).
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    let bits = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
    match bytes.get(12..16)? {
        b"VP8 " => Some((little(bytes, 26)? & 0x3fff, little(bytes, 28)? & 0x3fff)),
        b"VP8L" => bits(21).map(|bits| ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)),
        b"VP8X" => Some(((bits(24)? & 0xff_ffff) + 1, (bits(27)? & 0xff_ffff) + 1)),
        _ => None,
    }
}

/// From the header of the frame, which stands behind segments of any length (ITU T.81, B.1.1).
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let two = |at: usize| bytes.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes).map(u32::from);
    let mut at = 2;
    loop {
        match (bytes.get(at)?, bytes.get(at + 1)?) {
            (0xff, 0xff) => at += 1,
            (0xff, 0xc4 | 0xc8 | 0xcc) => at += 2 + usize::try_from(two(at + 2)?).ok()?,
            (0xff, 0xc0..=0xcf) => return Some((two(at + 7)?, two(at + 5)?)),
            (0xff, _) => at += 2 + usize::try_from(two(at + 2)?).ok()?,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Base64 of bytes, for the tests.
    fn encode(bytes: &[u8]) -> String {
        const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let group = |three: &[u8]| {
            let at = |n: usize| u32::from(three.get(n).copied().unwrap_or(0));
            let bits = at(0) << 16 | at(1) << 8 | at(2);
            (0..=three.len()).map(move |n| char::from(LETTERS[(bits >> (18 - 6 * n) & 63) as usize])).collect::<String>()
        };
        bytes.chunks(3).map(group).collect()
    }

    #[test]
    fn pictures_tell_their_size() {
        let png = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &1280u32.to_be_bytes(), &720u32.to_be_bytes()].concat();
        let gif = b"GIF89a\x40\x01\xc8\x00".to_vec();
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
            assert_eq!(kind(&encode(&bytes)), Some(Kind { name, pixels }));
        }
        assert_eq!(kind(&encode(b"plain words of somebody")), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded_and_none_break_it(bytes: Vec<u8>) {
            prop_assert_eq!(decode(&encode(&bytes), usize::MAX), bytes.clone());
            for start in [&b"\xff\xd8\xff"[..], b"RIFF\0\0\0\0WEBPVP8X", b""] {
                kind(&encode(&[start, &bytes].concat()));
            }
        }
    }
}
