//! The supported formats: one row each.
