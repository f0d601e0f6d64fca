//! Floor 2: is this text here? Exact and normalised; three-valued.
