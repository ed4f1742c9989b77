//! Whether a consumer may take more: shut while a handoff of its is in trouble.

use std::sync::Arc;

use tokio::sync::watch;

/// Shut while at least one trouble lasts.
#[derive(Debug, Clone)]
pub(crate) struct Gate(Arc<watch::Sender<usize>>);

/// One trouble: it lasts until this is dropped.
#[derive(Debug)]
pub(crate) struct Trouble(Gate);

impl Gate {
    pub(crate) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }

    pub(crate) fn shut(&self) -> Trouble {
        self.0.send_modify(|troubles| *troubles += 1);
        Trouble(self.clone())
    }

    pub(crate) async fn opened(&self) {
        // The sender is held by self: there is always an answer.
        let _ = self.0.subscribe().wait_for(|troubles| *troubles == 0).await;
    }
}

impl Drop for Trouble {
    fn drop(&mut self) {
        self.0.0.send_modify(|troubles| *troubles -= 1);
    }
}
