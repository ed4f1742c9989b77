//! What became of each order, shown as it happens.

use std::collections::HashMap;
use std::time::Duration;

use contract_runtime::Uuid;
use lapin::message::Delivery;
use tokio::time::Instant;

use crate::case::Case;
use crate::letter::Letter;
use crate::service::{ChargeError, Run};

/// Something that happened, as whoever did it tells it.
#[derive(Debug)]
pub(crate) enum Happening {
    Published { event_id: Uuid, by: &'static str },
    Ran(Run),
}

/// All orders of this program.
pub(crate) struct Story<'c> {
    began: Instant,
    /// The pauses that the contract's plan has before each retry.
    pub(crate) pauses: Vec<Duration>,
    pub(crate) parts: Vec<Part<'c>>,
    by_event: HashMap<Uuid, usize>,
    /// What an earlier program left in the queues.
    pub(crate) strangers: usize,
}

/// One order.
pub(crate) struct Part<'c> {
    pub(crate) case: &'c Case,
    pub(crate) runs: Vec<Run>,
    pub(crate) letters: Vec<(Letter, Delivery)>,
}

impl Part<'_> {
    fn is_over(&self) -> bool {
        self.runs.len() >= self.case.answers.len()
            && self.letters.len() >= usize::from(self.case.letter.is_some())
    }
}

impl<'c> Story<'c> {
    pub(crate) fn new(cases: &'c [Case], pauses: Vec<Duration>) -> Self {
        println!("    time  order                run  what happens");
        let by_event = cases
            .iter()
            .enumerate()
            .map(|(at, case)| (case.event_id, at));
        Self {
            began: Instant::now(),
            pauses,
            by_event: by_event.collect(),
            parts: cases
                .iter()
                .map(|case| Part {
                    case,
                    runs: Vec::new(),
                    letters: Vec::new(),
                })
                .collect(),
            strangers: 0,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.parts.iter().all(Part::is_over)
    }

    pub(crate) fn happened(&mut self, what: Happening) {
        match what {
            Happening::Published { event_id, by } => {
                if let Some(at) = self.known(Some(event_id)) {
                    self.line(at, Instant::now(), "", &format!("published by {by}"));
                }
            }
            Happening::Ran(run) => self.ran(run),
        }
    }

    fn ran(&mut self, run: Run) {
        let Some(at) = self.known(run.event_id) else {
            return;
        };
        let what = match run.answer {
            Ok(()) => "charged".to_owned(),
            Err(error @ ChargeError::Declined) => format!("{error}: permanent, no retry"),
            Err(error) => match self.pauses.get(run.attempt as usize - 1) {
                Some(pause) => format!("{error}: again in {pause:?}"),
                None => format!("{error}: that was the last retry"),
            },
        };
        self.line(at, run.ended, &run.attempt.to_string(), &what);
        self.parts[at].runs.push(run);
    }

    /// A letter lies in the dead-letter queue. It is held until the story is over.
    pub(crate) fn lies_dead(&mut self, delivery: Delivery) {
        let letter = Letter::read(&delivery);
        let Some(at) = self.known(letter.event_id) else {
            return;
        };
        let what = format!("in the dead-letter queue: {}", letter.kind);
        self.line(at, Instant::now(), "", &what);
        self.parts[at].letters.push((letter, delivery));
    }

    fn known(&mut self, event_id: Option<Uuid>) -> Option<usize> {
        let known = event_id.and_then(|id| self.by_event.get(&id).copied());
        if known.is_none() {
            self.strangers += 1;
        }
        known
    }

    fn line(&self, at: usize, when: Instant, run: &str, what: &str) {
        let time = (when - self.began).as_secs_f64();
        let name = self.parts[at].case.name;
        println!("{time:7.3}s  {name:<19} {run:>4}  {what}");
    }

    /// What lies in the dead-letter queue, and why.
    pub(crate) fn show_letters(&self, queue: &str) {
        println!("\nDead letters in `{queue}`, and why each is there\n");
        for part in &self.parts {
            for (letter, _) in &part.letters {
                println!("{}\n{letter}", part.case.name);
            }
        }
    }

    pub(crate) fn show_summary(&self) {
        println!("order                runs  in the end");
        for part in &self.parts {
            let end = match (&part.letters[..], part.runs.last()) {
                ([], Some(run)) if run.answer.is_ok() => "charged".to_owned(),
                ([], _) => "unfinished".to_owned(),
                ([(letter, _), ..], _) => format!("dead letter: {}", letter.kind),
            };
            println!("{:<19} {:>5}  {end}", part.case.name, part.runs.len());
        }
        if self.strangers > 0 {
            println!("(and {} events of other programs)", self.strangers);
        }
    }
}
