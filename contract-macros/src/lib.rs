//! Placeholder for the seams.

use proc_macro::TokenStream;

macro_rules! placeholder {
    ($($name:ident)*) => { $(
        /// Placeholder.
        #[proc_macro_attribute]
        pub fn $name(_: TokenStream, item: TokenStream) -> TokenStream { item }
    )* };
}
placeholder! { contract exchange queue message payload publisher publish handlers consume }
