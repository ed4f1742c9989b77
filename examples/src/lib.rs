//! Runnable programs, in `examples/`; each starts with what it shows and how to run it.
//!
//! - `orders`: the main job, and every way in which it can fail
//! - `quickstart`: a contract and the program around it
//! - `short`: the same in as few lines as there can be
//!
//! The library itself holds nothing: it is where the documentation is compiled.

/// The README, and each page of the book that holds code: `cargo test --doc` compiles it.
#[cfg(doctest)]
mod documentation {
    macro_rules! pages {
        ($($page:ident: $path:literal,)*) => {
            $(#[doc = include_str!(concat!("../../", $path))] mod $page {})*
        };
    }

    pages! {
        readme: "README.md",
        first_contract: "docs/src/tutorial/first-contract.md",
        classify_a_failure: "docs/src/how-to/classify-a-failure.md",
        read_a_dead_letter: "docs/src/how-to/read-a-dead-letter.md",
        grammar: "docs/src/reference/grammar.md",
        retry_plan: "docs/src/reference/retry-plan.md",
    }
}
