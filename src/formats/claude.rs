//! claude
