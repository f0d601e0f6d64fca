//! File systems that tell nobody when another machine writes to them.

use std::path::Path;

/// Kinds of file system on which a watch is accepted and stays silent: what another machine, or the host of a guest, writes is
/// not announced.
const SILENT: &[&str] = &[
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "drvfs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "prl_fs",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
    "vmhgfs",
];

/// The kind of the file system that `path` lies on, if it is one that announces nothing. `mounts` is the text of
/// `/proc/self/mountinfo`; where a system has none, it is empty and every file system is trusted.
#[must_use]
pub fn silent<'a>(mounts: &'a str, path: &Path) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for line in mounts.lines() {
        let Some((front, back)) = line.split_once(" - ") else { continue };
        let (Some(point), Some(kind)) = (front.split(' ').nth(4), back.split(' ').next()) else { continue };
        let point = unescape(point);
        // The longest mount point above the path holds it; of two at one point, the later covers the earlier.
        if path.starts_with(&point) && best.is_none_or(|(length, _)| point.len() >= length) {
            best = Some((point.len(), kind));
        }
    }
    best.map(|(_, kind)| kind).filter(|kind| SILENT.contains(kind))
}

/// The kernel writes blanks in a mount point as octal.
fn unescape(point: &str) -> String {
    point.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/root rw
40 22 0:35 / /mnt/c rw,noatime - 9p drvfs rw,dirsync
41 22 0:36 / /home rw,relatime shared:2 - nfs4 server:/home rw
42 41 0:37 / /home/ann/local\\040disk rw - xfs /dev/sdb rw
";

    #[test]
    fn the_innermost_mount_decides() {
        for (path, kind) in [
            ("/var/tmp/s.jsonl", None),
            ("/mnt/c/Users/ann/.claude/projects", Some("9p")),
            ("/home/ann/.codex/sessions", Some("nfs4")),
            ("/home/ann/local disk/s.jsonl", None),
            ("/homestead/s.jsonl", None),
        ] {
            assert_eq!(silent(MOUNTS, Path::new(path)), kind, "{path}");
        }
        assert_eq!(silent("", Path::new("/home")), None);
    }
}
