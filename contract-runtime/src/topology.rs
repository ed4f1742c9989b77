//! Placeholder for the seams.
