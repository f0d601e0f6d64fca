//! Input that can be read only once, kept where it can be read again: a temporary file without a name.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// Copies all of `input` into an unlinked temporary file. The file is gone when the last handle of it is.
///
/// # Errors
/// The input cannot be read, or the temporary folder cannot hold it.
pub fn spool(input: &mut dyn Read) -> io::Result<Arc<File>> {
    let mut file = tempfile::tempfile()?;
    io::copy(input, &mut file)?;
    file.flush()?;
    Ok(Arc::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::file::read_at;

    #[test]
    fn what_was_spooled_can_be_read_again_anywhere() {
        let file = spool(&mut &b"0123456789"[..]).unwrap();
        let mut buffer = [0; 4];
        for offset in [6, 2, 6] {
            assert_eq!(read_at(&file, &mut buffer, offset).unwrap(), 4);
            assert_eq!(buffer[0], b'0' + u8::try_from(offset).unwrap());
        }
        assert_eq!(read_at(&file, &mut buffer, 8).unwrap(), 2, "a file may end early");
    }
}
