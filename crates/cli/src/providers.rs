//! What agents get from outside: files, for now.

use std::sync::Arc;

use foglight_engine::Providers;

/// Everything that this program can provide.
pub fn all() -> Providers {
    Providers {
        read: Some(Arc::new(|path: &str| std::fs::read(path))),
    }
}
