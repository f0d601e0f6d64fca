//! Files that are there whole or not at all, also after a crash.

use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Who may read a new file. One that was there keeps its permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Its owner alone.
    Owner,
    /// Whoever may read the files that its owner makes.
    AsUsual,
}

/// Puts `bytes` at `path`, for its owner alone: see [`write_by`].
///
/// # Errors
/// It cannot be written. Then what was there is there still.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(path, Readers::Owner, &mut |out| out.write_all(bytes))
}

/// Puts at `path` what `fill` writes: a temporary file beside it, its bytes on disk, its name, the folder on disk.
///
/// # Errors
/// It cannot be written. Then what was there is there still.
pub fn write_by(path: &Path, readers: Readers, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link keeps leading to what it leads to.
    let real = fs::canonicalize(path);
    let path = real.as_deref().unwrap_or(path);
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        // A device or a pipe takes what is written, and stays what it is.
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        fill(&mut out)?;
        return out.flush();
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Else the error would name the temporary file.
    fs::metadata(folder)?;
    let mut out = BufWriter::new(new_file(folder, readers)?);
    fill(&mut out)?;
    let file = out.into_inner().map_err(IntoInnerError::into_error)?;
    if let Ok(before) = fs::metadata(path) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync(folder)
}

#[cfg(unix)]
fn new_file(folder: &Path, readers: Readers) -> io::Result<NamedTempFile> {
    let mode = match readers {
        Readers::Owner => 0o600,
        Readers::AsUsual => 0o666,
    };
    tempfile::Builder::new().permissions(std::os::unix::fs::PermissionsExt::from_mode(mode)).tempfile_in(folder)
}

#[cfg(not(unix))]
fn new_file(folder: &Path, _: Readers) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}

/// Takes a file away; one that is not there is away already.
///
/// # Errors
/// It cannot be taken away.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("nowhere/a"), b"x").is_err());
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_stays_what_it_is() {
        use std::os::unix::fs::FileTypeExt;
        write(Path::new("/dev/null"), b"one").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_its_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "one").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        write(&link, b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!((fs::read(&real).unwrap(), fs::metadata(&real).unwrap().permissions().mode() & 0o777), (b"two".to_vec(), 0o640));
    }
}
