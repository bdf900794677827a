//! The stream of tickets and its consumers.

use std::time::Duration;

use async_nats::{
    HeaderMap,
    jetstream::{
        self, AckKind,
        consumer::{AckPolicy, PullConsumer, pull},
        stream::{Config, DiscardPolicy, RetentionPolicy, StorageType},
    },
};
use futures_util::StreamExt as _;

use super::connection::{ClusterError, Connection};
use crate::protocol::{STREAM, TICKETS, UnitId, decode, encode, tickets};

/// Time for which a pull waits for a ticket.
const PULL: Duration = Duration::from_secs(3);
/// Time after which an unanswered ticket is delivered again.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// Tickets that nobody wants any more are gone after this time.
const MAX_AGE: Duration = Duration::from_secs(24 * 3600);
/// Pauses before a stream is created again.
const PAUSES: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_millis(500),
    Duration::from_millis(2000),
];
/// Tickets that may be claimed at the same time.
const MAX_PENDING: i64 = 100_000;

/// Result of storing a ticket.
pub(super) enum Published {
    Stored,
    /// To be tried again.
    Failed,
    Full(ClusterError),
}

impl Connection {
    /// Creates the stream, if it is missing.
    pub(super) async fn ensure_stream(&self) -> Result<(), ClusterError> {
        let config = Config {
            name: STREAM.to_owned(),
            description: Some("units of work of foglight".to_owned()),
            subjects: vec![TICKETS.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            max_age: MAX_AGE,
            num_replicas: 1,
            ..Config::default()
        };
        let created = self.jetstream.get_or_create_stream(config).await;
        created.map(drop).map_err(|error| self.failed(error))
    }

    /// The consumer of the workers of one build, created if it is missing.
    pub(super) async fn consumer(&self, signature: &str) -> Result<PullConsumer, ClusterError> {
        self.ensure_stream().await?;
        let stream = self.jetstream.get_stream_no_info(STREAM).await;
        let stream = stream.map_err(|error| self.failed(error))?;
        let name = format!("workers-{signature}");
        let config = pull::Config {
            durable_name: Some(name),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_ack_pending: MAX_PENDING,
            filter_subject: tickets(signature, "*"),
            ..pull::Config::default()
        };
        let created = stream.create_consumer(config).await;
        created.map_err(|error| self.failed(error))
    }

    /// Creates what is missing; and the consumer anew, if it hangs. Servers have
    /// been seen that lose the folder of a stream which was deleted and created
    /// again: then the whole stream is, and callers store their tickets again.
    pub(super) async fn renew(&self, signature: &str, consumer: bool) -> Result<(), ClusterError> {
        self.ensure_stream().await?;
        if consumer && let Ok(stream) = self.jetstream.get_stream_no_info(STREAM).await {
            // It may be gone already.
            let _ = stream
                .delete_consumer(&format!("workers-{signature}"))
                .await;
        }
        for pause in PAUSES {
            match self.consumer(signature).await {
                Err(ClusterError::Server { .. }) => {
                    // It may be gone already.
                    let _ = self.jetstream.delete_stream(STREAM).await;
                    tokio::time::sleep(pause).await;
                }
                created => return created.map(drop),
            }
        }
        self.consumer(signature).await.map(drop)
    }

    /// Puts the ticket of a unit on the stream.
    pub(super) async fn publish_ticket(
        &self,
        signature: &str,
        unit: &UnitId,
        attempt: u32,
    ) -> Published {
        let UnitId { job, epoch, number } = unit;
        let mut headers = HeaderMap::new();
        // Retries of the client are one message; ours are not.
        let id = format!("{job}-{epoch}-{number}-{attempt}");
        headers.insert("Nats-Msg-Id", id);
        let sent = self.jetstream.publish_with_headers(
            tickets(signature, job),
            headers,
            encode(unit).into(),
        );
        let error = match sent.await {
            Ok(stored) => match stored.await {
                Ok(_) => return Published::Stored,
                Err(error) => error,
            },
            Err(error) => error,
        };
        match self.failed(with_cause(&error)) {
            full @ ClusterError::Full { .. } => Published::Full(full),
            _ => Published::Failed,
        }
    }

    /// Removes the tickets of a job.
    pub(super) async fn purge(&self, signature: &str, job: &str) {
        if let Ok(stream) = self.jetstream.get_stream_no_info(STREAM).await {
            // Workers drop what is left.
            let _ = stream.purge().filter(tickets(signature, job)).await;
        }
    }
}

/// The text of an error with that of its cause.
fn with_cause(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// A ticket that was taken off the stream.
pub(super) struct Ticket {
    pub(super) unit: UnitId,
    message: jetstream::Message,
}

impl Ticket {
    /// Asks the stream for a ticket; `None` if there is none for a while.
    pub(super) async fn pull(consumer: &PullConsumer) -> Result<Option<Ticket>, async_nats::Error> {
        let fetch = consumer.fetch().max_messages(1).expires(PULL).messages();
        let waited = tokio::time::timeout(2 * PULL, async {
            let mut messages = fetch.await?;
            messages.next().await.transpose()
        });
        let Some(message) = waited.await?? else {
            return Ok(None);
        };
        let Some(unit) = decode(&message.payload) else {
            message.ack_with(AckKind::Term).await?;
            return Ok(None);
        };
        Ok(Some(Ticket { unit, message }))
    }

    pub(super) async fn ack(&self) {
        // Without it the ticket comes again and its claim is refused.
        let _ = self.message.ack().await;
    }
}
