//! Floor 3: files in, whole records out.
//!
//! **Invariants:** no unfinished record leaves this module; no file that another process writes is mapped into memory; nothing is
//! written beside a watched file.
