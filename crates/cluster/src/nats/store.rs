//! Tasks and files in the object store, named by their content.

use std::{collections::BTreeMap, time::Duration};

use async_nats::jetstream::object_store::{Config, ObjectStore};
use foglight_arena::queue::Task;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncReadExt as _;

use super::connection::{ClusterError, Connection};
use crate::protocol::BUCKET;

/// The most bytes of a task's files.
const MAX_FILES: usize = 256 << 20;
/// Files that nobody has stored again are gone after this time.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// A task as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredTask {
    task: Task,
    /// Files by the name that the task uses, with the name of their content.
    files: BTreeMap<String, String>,
    /// Speed of the caller, to which limits in time refer.
    speed: f64,
}

/// A task with what it needs.
#[derive(Clone, Debug)]
pub struct FullTask {
    pub task: Task,
    pub files: BTreeMap<String, Vec<u8>>,
    pub speed: f64,
}

/// Name of a content: SHA-256 in hexadecimal digits.
fn name_of(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl FullTask {
    fn stored(&self) -> Vec<u8> {
        let files = self.files.iter();
        let stored = StoredTask {
            task: self.task.clone(),
            files: files
                .map(|(name, content)| (name.clone(), name_of(content)))
                .collect(),
            speed: self.speed,
        };
        serde_json::to_vec(&stored).expect("a task is always JSON")
    }

    /// Name of the job: the same for everybody who wants the same work of the
    /// same build, whatever the speed of the machine.
    pub fn job(&self, signature: &str) -> String {
        let any_speed = FullTask {
            speed: 0.0,
            ..self.clone()
        };
        let mut text = any_speed.stored();
        text.extend_from_slice(signature.as_bytes());
        name_of(&text)[..16].to_owned()
    }
}

impl Connection {
    async fn bucket(&self) -> Result<ObjectStore, ClusterError> {
        if let Ok(bucket) = self.jetstream.get_object_store(BUCKET).await {
            return Ok(bucket);
        }
        let config = Config {
            bucket: BUCKET.to_owned(),
            description: Some("tasks and files of foglight".to_owned()),
            max_age: MAX_AGE,
            num_replicas: 1,
            ..Config::default()
        };
        let created = self.jetstream.create_object_store(config).await;
        created.map_err(|error| self.failed(error))
    }

    async fn put(&self, bucket: &ObjectStore, content: &[u8]) -> Result<String, ClusterError> {
        let name = name_of(content);
        if bucket.info(&name).await.is_ok() {
            return Ok(name);
        }
        let stored = bucket.put(name.as_str(), &mut &content[..]).await;
        stored.map(|_| name).map_err(|error| self.failed(error))
    }

    /// Stores a task and its files and returns its name.
    pub(super) async fn put_task(&self, full: &FullTask) -> Result<String, ClusterError> {
        let bucket = self.bucket().await?;
        let mut left = MAX_FILES;
        for (file, content) in &full.files {
            left = left.checked_sub(content.len()).ok_or_else(|| {
                let why = format!("expected at most {} MiB of files", MAX_FILES >> 20);
                let file = file.clone();
                ClusterError::Task { file, why }
            })?;
            self.put(&bucket, content).await?;
        }
        self.put(&bucket, &full.stored()).await
    }

    /// Loads an object of at most `most` bytes.
    async fn get(
        &self,
        bucket: &ObjectStore,
        name: &str,
        most: usize,
    ) -> Result<Vec<u8>, ClusterError> {
        let mut object = bucket
            .get(name)
            .await
            .map_err(|error| self.failed(format!("object {name}: {error}")))?;
        if object.info().size > most {
            return Err(self.failed(format!("object {name}: larger than allowed")));
        }
        let mut content = Vec::new();
        let read = object.read_to_end(&mut content).await;
        read.map_err(|error| self.failed(error))?;
        match name_of(&content) == name {
            true => Ok(content),
            false => Err(self.failed(format!("object {name} has another content"))),
        }
    }

    /// Loads a task with its files; all of it is as its name says.
    pub(super) async fn get_task(&self, name: &str) -> Result<FullTask, ClusterError> {
        let bucket = self.bucket().await?;
        let stored = self.get(&bucket, name, MAX_FILES).await?;
        let stored: StoredTask =
            serde_json::from_slice(&stored).map_err(|error| self.failed(error))?;
        let (mut files, mut left) = (BTreeMap::new(), MAX_FILES);
        for (file, name) in stored.files {
            let content = self.get(&bucket, &name, left).await?;
            left -= content.len();
            files.insert(file, content);
        }
        Ok(FullTask {
            task: stored.task,
            files,
            speed: stored.speed,
        })
    }
}
