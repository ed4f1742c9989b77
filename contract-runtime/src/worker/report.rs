//! What a worker did.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident: $text:literal,)*) => {
        /// What a worker did from its start to its shutdown, in deliveries.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Report {
            $($(#[$doc])* pub $name: u64,)*
        }

        /// The counts of a worker that runs.
        #[derive(Debug, Default)]
        pub(crate) struct Counters {
            $($name: AtomicU64,)*
        }

        /// What can be counted.
        #[derive(Debug, Clone, Copy)]
        #[allow(non_camel_case_types)]
        pub(crate) enum Count {
            $($name,)*
        }

        impl Counters {
            pub(crate) fn add(&self, count: Count) {
                let counter = match count { $(Count::$name => &self.$name,)* };
                counter.fetch_add(1, Ordering::Relaxed);
            }

            pub(crate) fn report(&self) -> Report {
                Report { $($name: self.$name.load(Ordering::Relaxed),)* }
            }
        }

        /// `12 handled, 1 dead-lettered`: what is zero is left out.
        impl fmt::Display for Report {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let counts = [$((self.$name, $text),)*];
                let shown: Vec<String> = counts
                    .iter()
                    .filter(|(count, _)| *count > 0)
                    .map(|(count, text)| format!("{count} {text}"))
                    .collect();
                if shown.is_empty() { f.write_str("nothing came") } else { f.write_str(&shown.join(", ")) }
            }
        }
    };
}

counts! {
    /// Handled and acknowledged.
    handled: "handled",
    /// Failed and put back or aside for another try.
    retried: "retried",
    /// Failed and handed to the dead-letter exchange.
    dead_lettered: "dead-lettered",
    /// Failed and left to the broker to dead-letter, because the message's own headers leave no room
    /// for the failure.
    rejected: "dead-lettered without the reason",
    /// Failed and dropped, on a queue that is `lossy(poison)`.
    dropped: "dropped",
    /// Failed and left in its queue, because there is nowhere further to go.
    kept: "kept",
    /// Decided, but the copy could not be handed on: given back to the queue.
    not_handed_on: "not handed on",
    /// Decided, but the settlement did not reach the broker: it hands the delivery out again.
    settlements_lost: "settlements lost",
    /// Never handled, given back at shutdown.
    given_back: "given back",
    /// Still running when the shutdown's time was over: the broker hands them out again.
    abandoned: "abandoned",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_happened_is_shown() {
        assert_eq!(Report::default().to_string(), "nothing came");
        let counters = Counters::default();
        counters.add(Count::handled);
        counters.add(Count::handled);
        counters.add(Count::dead_lettered);
        assert_eq!(counters.report().to_string(), "2 handled, 1 dead-lettered");
    }
}
