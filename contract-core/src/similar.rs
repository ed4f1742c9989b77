//! The nearest right word to a wrong one.

/// The word of `known` that differs from `word` by the fewest edits, if it is near enough to have
/// been meant: a third of the letters, at least one.
#[must_use]
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let most = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|known| (distance(word, known), known))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised() {
        let known = ["max_retries", "initial_delay", "max_delay"];
        assert_eq!(nearest("max_retires", known), Some("max_retries"));
        assert_eq!(nearest("initial", known), None);
        assert_eq!(nearest("maxdelay", known), Some("max_delay"));
        assert_eq!(nearest("bnid", ["bind"]), Some("bind"));
        assert_eq!(nearest("", known), None);
    }
}
