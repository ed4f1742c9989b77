//! `retry(none)`, `retry(immediate_requeue, ..)`, `retry(ttl_backoff, ..)`

use contract_core::Millis;
use contract_core::model::{Backoff, Retry, Schedule};
use contract_core::similar::nearest;
use proc_macro2::TokenStream;
use syn::{Ident, Lit};

use super::argument::Argument;
use super::option::{Choice, Written, duration, known_options, once};
use crate::sink::Sink;
use crate::symbol;
use crate::tree::Words;

const DEFAULT_MAX_RETRIES: u32 = 3;
const DEFAULT_INITIAL_DELAY: Millis = Millis(1_000);
const DEFAULT_MAX_DELAY: Millis = Millis(60_000);
const DEFAULT_MULTIPLIER: f64 = 2.0;

static NO_OPTIONS: &[Choice] = &[];
static REQUEUE: &[Choice] = &[once(symbol::MAX_RETRIES, "max_retries = 3")];
static BACKOFF: &[Choice] = &[
    once(symbol::MAX_RETRIES, "max_retries = 3"),
    once(symbol::INITIAL_DELAY, "initial_delay = \"1s\""),
    once(symbol::MAX_DELAY, "max_delay = \"60s\""),
    once(symbol::MULTIPLIER, "multiplier = 2"),
    once(symbol::DELAYS, "delays(\"1s\", \"5s\", \"1m\")"),
    once(symbol::JITTER, "jitter = 0.2"),
    once(symbol::BUCKET_MAX_LENGTH, "bucket_max_length = 10000"),
];
const MODES: [&str; 3] = [symbol::NONE, symbol::IMMEDIATE_REQUEUE, symbol::TTL_BACKOFF];

/// Reads the mode and its options, and where these stand.
pub fn parse_retry(written: Written, words: &mut Words, sink: &mut Sink) -> Option<Retry> {
    let at = written.at();
    let mut arguments = written.list(sink)?;
    let Some(mode) = arguments.first().and_then(Argument::word).cloned() else {
        sink.error(
            at,
            "expected the mode: `retry(none)`, `retry(immediate_requeue)` or `retry(ttl_backoff)`",
        );
        return None;
    };
    let mode_at = arguments.remove(0);
    if !matches!(mode_at, Argument::Path(_)) {
        sink.error(
            mode_at,
            format!(
                "the mode comes first, alone: `retry({}, ..)`",
                meant(&mode).unwrap_or(symbol::TTL_BACKOFF)
            ),
        );
        return None;
    }
    if mode == symbol::NONE {
        known_options("`retry(none)`", NO_OPTIONS, arguments, sink);
        Some(Retry::None)
    } else if mode == symbol::IMMEDIATE_REQUEUE {
        Some(parse_requeue(arguments, words, sink))
    } else if mode == symbol::TTL_BACKOFF {
        parse_backoff(arguments, words, sink).map(Retry::TtlBackoff)
    } else {
        let help = meant(&mode).map_or_else(String::new, |near| {
            format!("\nhelp: did you mean `{near}`?")
        });
        sink.error(
            &mode,
            format!(
                "`{mode}` is not a mode of retry [unknown-option]\n\
                 expected `none`, `immediate_requeue`, `ttl_backoff`{help}"
            ),
        );
        None
    }
}

fn meant(mode: &Ident) -> Option<&'static str> {
    nearest(&mode.to_string(), MODES)
}

fn parse_requeue(arguments: Vec<Argument>, words: &mut Words, sink: &mut Sink) -> Retry {
    let mut max_retries = DEFAULT_MAX_RETRIES;
    for written in known_options("`retry(immediate_requeue)`", REQUEUE, arguments, sink) {
        words.push(written.place());
        max_retries = written.integer(0, sink).unwrap_or(max_retries);
    }
    Retry::ImmediateRequeue { max_retries }
}

fn parse_backoff(arguments: Vec<Argument>, words: &mut Words, sink: &mut Sink) -> Option<Backoff> {
    let (mut max_retries, mut multiplier) = (DEFAULT_MAX_RETRIES, DEFAULT_MULTIPLIER);
    let (mut initial, mut max) = (DEFAULT_INITIAL_DELAY, None);
    let (mut jitter, mut bucket_max_length) = (0.0, None);
    let mut delays = None;
    let mut exponential: Option<(&'static str, TokenStream)> = None;
    for written in known_options("`retry(ttl_backoff)`", BACKOFF, arguments, sink) {
        words.push(written.place());
        if !matches!(
            written.word,
            symbol::DELAYS | symbol::JITTER | symbol::BUCKET_MAX_LENGTH
        ) {
            exponential.get_or_insert((written.word, written.word_at()));
        }
        match written.word {
            symbol::MAX_RETRIES => max_retries = written.integer(0, sink)?,
            symbol::INITIAL_DELAY => initial = written.duration(sink)?,
            symbol::MAX_DELAY => max = Some(written.duration(sink)?),
            symbol::MULTIPLIER => multiplier = written.float(sink)?,
            symbol::JITTER => jitter = written.float(sink)?,
            symbol::BUCKET_MAX_LENGTH => bucket_max_length = Some(written.integer(1, sink)?),
            _ => delays = Some(parse_delays(written, sink)?),
        }
    }
    let schedule = match (delays, exponential) {
        (Some(_), Some((word, at))) => {
            let message = format!(
                "`delays(..)` says every delay, `{word}` would change them [conflicting-options]\n\
                 help: keep one of the two"
            );
            sink.error(at, message);
            return None;
        }
        (Some(delays), None) => Schedule::Delays(delays),
        (None, _) => Schedule::Exponential {
            max_retries,
            initial,
            max: max.unwrap_or(DEFAULT_MAX_DELAY),
            multiplier,
        },
    };
    let mut backoff = Backoff::new(schedule);
    backoff.jitter = jitter;
    backoff.bucket_max_length = bucket_max_length;
    Some(backoff)
}

fn parse_delays(written: Written, sink: &mut Sink) -> Option<Vec<Millis>> {
    let at = written.at();
    let before = sink.count();
    let mut delays = Vec::new();
    for argument in written.list(sink)? {
        match &argument {
            Argument::Literal(Lit::Str(lit)) => delays.extend(duration(lit, sink)),
            other => sink.error(
                other,
                "expected a duration: `\"250ms\"`, `\"1s\"`, `\"5m\"`, `\"1h\"`",
            ),
        }
    }
    if delays.is_empty() && sink.count() == before {
        sink.error(
            at,
            "no delays\nhelp: write them, `delays(\"1s\", \"5s\", \"1m\")`, or `retry(none)`",
        );
    }
    (sink.count() == before).then_some(delays)
}
