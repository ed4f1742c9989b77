//! Headers of any type and value are read without a panic, and a count is never out of range.

#![no_main]

use contract_core::header::{self, Field, cut};
use contract_core::retry::MAX_RETRIES;
use libfuzzer_sys::fuzz_target;

type Raw = Option<(u8, i64, String)>;

fn field(raw: &Raw) -> Option<Field<'_>> {
    let (kind, number, text) = raw.as_ref()?;
    Some(match kind % 3 {
        0 => Field::Int(*number),
        1 => Field::Text(text),
        _ => Field::Other,
    })
}

fuzz_target!(|input: (Raw, Raw, String, bool, u8)| {
    let (count, queue, text, redelivered, most) = input;
    if let Ok(count) = header::read_retry_count(field(&count), field(&queue), &text) {
        assert!(count <= MAX_RETRIES);
    }
    let _ = header::read_delivery_count(field(&count), redelivered);
    if let Ok(Some(version)) = header::read_schema_version(field(&count)) {
        assert!(version >= 1);
    }
    let most = usize::from(most).max(6);
    assert!(cut(&text, most).len() <= most);
});
