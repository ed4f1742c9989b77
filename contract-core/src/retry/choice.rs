//! Which of a jittered retry's buckets a message waits in.

/// A number that depends on the message and the retry alone, the same in every version and on
/// every machine: FNV-1a 64 over the identity and the retry number (u32, big-endian), finished by
/// the mixer of splitmix64. Without the mixer neighbouring retries would choose alike.
pub(super) fn choice(identity: &[u8], retry: u32) -> u64 {
    let fnv1a = identity
        .iter()
        .chain(&retry.to_be_bytes())
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let mixed = (fnv1a ^ (fnv1a >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frozen: another value would send a message to another bucket after an upgrade.
    #[test]
    fn the_choice_is_the_same_in_every_version() {
        let id = [0x11; 16];
        assert_eq!(
            [1, 2, 3].map(|retry| choice(&id, retry)),
            [
                0xd4b8_1a53_5490_c5ba,
                0xb77c_f5da_87c3_5d83,
                0x0f0b_8eba_d79f_24ea
            ]
        );
        assert_eq!(choice(b"", 1), 0x6160_0e56_e10f_f2da);
    }
}
