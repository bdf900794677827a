//! Law: no message of a socket brings its reader down.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = foglight_server::reads_message(text);
});
