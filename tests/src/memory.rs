//! How much memory the test's own process has.

/// What is resident, in bytes; none where the system does not say so.
#[must_use]
pub fn resident() -> Option<u64> {
    // Not `statm`: it counts in pages, and the standard library does not know their size.
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
