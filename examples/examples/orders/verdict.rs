//! Whether what happened is what should have happened.

use std::time::Duration;

use crate::case::Expected;
use crate::letter::Letter;
use crate::story::{Part, Story};

/// What a busy machine may add to a pause.
const LATE: Duration = Duration::from_secs(3);
/// Clocks are read in milliseconds.
const EARLY: Duration = Duration::from_millis(2);

/// Everything that is not as it should be.
pub(crate) fn differences(story: &Story<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for part in &story.parts {
        let mut say = |what: String| found.push(format!("{}: {what}", part.case.name));
        check_runs(part, &mut say);
        check_pauses(part, &story.pauses, &mut say);
        check_letter(part, &mut say);
    }
    found
}

fn check_runs(part: &Part<'_>, say: &mut impl FnMut(String)) {
    let expected = part.case.answers;
    if part.runs.len() != expected.len() {
        let (ran, due) = (part.runs.len(), expected.len());
        say(format!("the handler ran {ran} times, not {due}"));
    }
    for ((run, answer), attempt) in part.runs.iter().zip(expected).zip(1..) {
        if run.attempt != attempt {
            say(format!("run {attempt} was called attempt {}", run.attempt));
        }
        if run.answer != *answer {
            say(format!("run {attempt} came to {:?}", run.answer));
        }
    }
}

fn check_pauses(part: &Part<'_>, pauses: &[Duration], say: &mut impl FnMut(String)) {
    for (runs, pause) in part.runs.windows(2).zip(pauses) {
        let waited = runs[1].began - runs[0].ended;
        if waited + EARLY < *pause || waited > *pause + LATE {
            say(format!("a retry came after {waited:?}, not {pause:?}"));
        }
    }
}

fn check_letter(part: &Part<'_>, say: &mut impl FnMut(String)) {
    match (&part.case.letter, &part.letters[..]) {
        (None, []) => {}
        (Some(expected), [(letter, _)]) => check_text(part, expected, letter, say),
        (expected, letters) => {
            let due = usize::from(expected.is_some());
            say(format!("{} dead letters, not {due}", letters.len()));
        }
    }
}

fn check_text(part: &Part<'_>, expected: &Expected, letter: &Letter, say: &mut impl FnMut(String)) {
    let mut check = |what: &str, is: &str, should: &str| {
        if is != should {
            say(format!(
                "its dead letter's {what} is `{is}`, not `{should}`"
            ));
        }
    };
    check("kind", &letter.kind, expected.kind);
    check("handler", &letter.handler, "process_order");
    check("failed queue", &letter.failed_queue, "order-processing");
    check("exchange", &letter.exchange, "orders");
    check("routing key", &letter.routing_key, "order.created");
    if expected.schema.is_empty() {
        check("error", &letter.error, expected.error);
    } else if !letter.error.starts_with(expected.error) {
        check("error", &letter.error, &format!("{}..", expected.error));
    }
    let attempts = letter.attempts.unwrap_or(0).to_string();
    check("attempts", &attempts, &expected.attempts.to_string());
    if let Some(body) = part.case.raw_body {
        check("body", &letter.body, body);
    } else if !letter.body.contains(&part.case.order_id.to_string()) {
        check("body", &letter.body, "the order that was published");
    }
    let mut places: Vec<_> = letter
        .schema
        .iter()
        .map(|error| (error.pointer.as_str(), error.keyword.as_str()))
        .collect();
    places.sort_unstable();
    if places != expected.schema {
        let (is, should) = (format!("{places:?}"), format!("{:?}", expected.schema));
        check("schema errors", &is, &should);
    }
    if letter.first_failure == 0 || letter.last_failure < letter.first_failure {
        let times = format!("{} to {}", letter.first_failure, letter.last_failure);
        check("time", &times, "the first before the last");
    }
}
