//! What the documentation says of the code, held against the code.

use std::fs;
use std::path::{Path, PathBuf};

use contract_runtime::contract_core::finding::Rule;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Lines that say something: no comments, no blank ones, and no imports of the file, which an
/// editor writes.
fn count(code: &str) -> usize {
    let says = |line: &&str| {
        let text = line.trim_start();
        !text.is_empty() && !text.starts_with("//") && !line.starts_with("use ")
    };
    code.lines().filter(says).count()
}

/// The module marked `#[contract]`, and what is around it.
fn split_contract(program: &str) -> (&str, String) {
    let start = program.find("#[contract]").expect("a contract");
    let length = program[start..].find("\n}\n").expect("its end") + 3;
    let (contract, after) = program[start..].split_at(length);
    (contract, format!("{}{after}", &program[..start]))
}

#[test]
fn the_short_form_is_short() {
    let program = read("examples/examples/short.rs");
    let (contract, rest) = split_contract(&program);
    let (contract, rest) = (count(contract), count(&rest));
    assert!(contract <= 28, "the contract has {contract} lines");
    assert!(rest <= 15, "the rest has {rest} lines");
}

#[test]
fn the_readme_shows_the_short_form() {
    let program = read("examples/examples/short.rs");
    let code: Vec<&str> = program
        .lines()
        .filter(|line| !line.starts_with("//!"))
        .collect();
    assert!(read("README.md").contains(code.join("\n").trim()));
}

#[test]
fn the_contract_reads_the_same_everywhere() {
    let program = read("examples/examples/orders/contract.rs");
    let (contract, _) = split_contract(&program);
    for other in [
        "examples/examples/quickstart.rs",
        "docs/src/tutorial/first-contract.md",
    ] {
        assert!(read(other).contains(contract.trim()), "{other}");
    }
}

#[test]
fn every_rule_is_in_the_reference_in_its_order() {
    let page = read("docs/src/reference/rules.md");
    let described: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`'))
        .collect();
    let rules: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    assert_eq!(described, rules);
}

/// The targets of a page's links to files, without their fragments.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .map(|link| link.split('#').next().unwrap_or_default())
        .filter(|link| !link.is_empty() && !link.contains("://"))
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    pages(&root().join("docs/src"), &mut found);
    for page in found {
        let text = fs::read_to_string(&page).expect("a page");
        for link in links(&text) {
            let target = page.parent().expect("a folder").join(link);
            assert!(target.exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = read("docs/src/SUMMARY.md");
    let book = root().join("docs/src");
    let mut found = Vec::new();
    pages(&book, &mut found);
    for page in found {
        let name = page.strip_prefix(&book).expect("a page of the book");
        let name = name.to_str().expect("a name in UTF-8");
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name}"
        );
    }
}
