//! The engine protocol: text and JSON lines to typed commands and back.
