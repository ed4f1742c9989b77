//! What the compiler says: contracts that compile, and mistakes with their messages.
//!
//! Each mistake stands in a file of its own, in a folder for its rule or its subject, and the file
//! also uses what the contract gives rise to, so that its `.stderr` shows that nobody else complains.
//! `TRYBUILD=overwrite` writes them anew.
//!
//! Contracts that keep a rule by little stand in its folder's `works`; see `near_misses.rs`.

use std::fs;

// Without a case that must pass, trybuild checks all of them in one run of cargo.
#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    for folder in fs::read_dir("ui").expect("tests run in their package's folder") {
        let folder = folder.expect("a readable folder").path();
        if folder.is_dir() && !folder.ends_with("pass") {
            cases.compile_fail(folder.join("*.rs"));
        }
    }
}

#[test]
fn passes() {
    trybuild::TestCases::new().pass("ui/pass/*.rs");
}
