//! Placeholder for the seams.
pub(crate) async fn declare(
    _l: &crate::connection::Link,
    _c: &contract_core::Contract,
    _s: &contract_core::declaration::Scope,
) -> Result<(), crate::error::DeclareError> {
    unimplemented!()
}
