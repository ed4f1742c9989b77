//! Expansions, as a person would read them: `tests/expand/<name>.in.rs` to `<name>.out.rs`, which
//! `UPDATE_EXPECT=1` writes anew.

use expect_test::expect_file;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, Meta};

use crate::expand_contract;

/// Expands the contract in a file: the first item, with its `#[contract(..)]`.
fn expand(source: &str) -> TokenStream {
    let mut file = syn::parse_file(source).unwrap();
    let Item::Mod(module) = &mut file.items[0] else {
        panic!("the first item is the contract");
    };
    let is_contract = |attr: &mut Attribute| attr.path().is_ident("contract");
    let attr = module.attrs.extract_if(.., is_contract).next().unwrap();
    let arguments = match attr.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    expand_contract(&arguments, &module.to_token_stream())
}

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

macro_rules! snapshots {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            let source = include_str!(concat!("../tests/expand/", stringify!($name), ".in.rs"));
            expect_file![concat!("../tests/expand/", stringify!($name), ".out.rs")]
                .assert_eq(&pretty(expand(source)));
        }
    )* };
}

snapshots! { section_3 broken fields_and_aliases cfg }

/// Whoever renames the runtime has no crate of the default name.
#[test]
fn a_renamed_runtime_is_the_only_one() {
    let source = include_str!("../tests/expand/section_3.in.rs");
    let renamed = source.replace("#[contract]", "#[contract(crate = other::rabbit)]");
    let expansion = expand(&renamed.replace("use contract_runtime::prelude::*;", ""));
    assert!(!expansion.to_string().contains("contract_runtime"));
    assert!(
        expansion
            .to_string()
            .contains("other :: rabbit :: __private")
    );
}

/// The stream without one of its tokens, at any depth, or with one of them twice: each in turn.
fn slips(tokens: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut slips = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        let with = |replacement: &[TokenTree]| {
            let (before, after) = (&trees[..at], &trees[at + 1..]);
            before
                .iter()
                .chain(replacement)
                .chain(after)
                .cloned()
                .collect()
        };
        slips.push(with(&[]));
        slips.push(with(&[tree.clone(), tree.clone()]));
        if let TokenTree::Group(group) = tree {
            for inner in self::slips(&group.stream()) {
                slips.push(with(&[Group::new(group.delimiter(), inner).into()]));
            }
        }
    }
    slips
}

/// Whatever is typed, an editor gets an expansion, and the compiler errors.
#[test]
fn no_slip_is_a_panic() {
    let source = include_str!("../tests/expand/section_3.in.rs");
    let contract: TokenStream = source.parse().unwrap();
    let slips = slips(&contract);
    assert!(slips.len() > 300);
    for slip in slips {
        let _ = expand_contract(&TokenStream::new(), &slip).to_string();
    }
}
