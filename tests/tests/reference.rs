//! The reference names every error and every state that the library has.

use std::fs::{read_dir, read_to_string};
use std::path::Path;

/// The sources of the runtime, one after the other.
fn sources(folder: &Path, all: &mut String) {
    let entries = read_dir(folder).expect("tests run in their package's folder");
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            sources(&path, all);
        } else {
            all.push_str(&read_to_string(&path).expect("a source"));
        }
    }
}

/// The variants of the public enum at the start of `text`: what stands alone at the first level.
fn variants(text: &str) -> Vec<&str> {
    let body = text.lines().take_while(|line| *line != "}");
    let first_level = body.filter_map(|line| line.strip_prefix("    "));
    let names = first_level.filter(|line| line.starts_with(|first: char| first.is_uppercase()));
    names
        .map(|line| {
            let end = line.find(|one: char| !one.is_alphanumeric());
            &line[..end.unwrap_or(line.len())]
        })
        .collect()
}

/// What users meet: errors, what is said of them, and states.
fn is_met(name: &str) -> bool {
    ["Error", "State", "Outcome", "Kind"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// Its own section, or the one that speaks of it.
fn section<'r>(reference: &'r str, name: &str) -> Option<&'r str> {
    let name = format!("`{name}`");
    let sections = || reference.split("\n## ");
    sections()
        .find(|section| section.starts_with(&name))
        .or_else(|| sections().find(|section| section.contains(&name)))
}

#[test]
fn every_error_and_state_is_in_the_reference() {
    let mut all = String::new();
    sources(Path::new("../contract-runtime/src"), &mut all);
    let exported = read_to_string("../contract-runtime/src/lib.rs").expect("a source");
    let reference = read_to_string("../docs/src/reference/errors.md").expect("the reference");

    let mut count = 0;
    for text in all.split("\npub enum ").skip(1) {
        let (name, text) = text.split_once(" {\n").expect("an enum has a body");
        if !is_met(name) || !exported.contains(name) {
            continue;
        }
        count += 1;
        let section = section(&reference, name);
        let section = section.unwrap_or_else(|| panic!("`{name}` is not in the reference"));
        let variants = variants(text);
        assert!(!variants.is_empty(), "{name}");
        for variant in variants {
            assert!(
                section.contains(&format!("`{variant}`")),
                "`{name}::{variant}` is not in the reference"
            );
        }
    }
    assert!(count >= 9, "only {count} enums were found");
}
