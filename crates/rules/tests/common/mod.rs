//! The project's test data, read from `data/`.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::{io::Read, path::PathBuf};

/// Reads a file under `data/`, decompressed if its name ends with `.gz`.
pub fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    if name.ends_with(".gz") {
        flate2::read::GzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .expect("gzipped text");
    } else {
        text = String::from_utf8(bytes).expect("text");
    }
    text
}
