//! Law: what is read as a command or a reply of the engine protocol, in either
//! form, is written and read again as the same.
#![no_main]

use foglight_uci::Protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    if line.contains(['\n', '\r']) {
        return; // the protocol is read by lines
    }
    for protocol in [Protocol::Uci, Protocol::Jsonl] {
        if let Ok(command) = protocol.read_command(line) {
            let written = protocol.write_command(&command);
            assert_eq!(protocol.read_command(&written).ok(), Some(command));
        }
        if let Ok(reply) = protocol.read_reply(line) {
            let written = protocol.write_reply(&reply);
            assert_eq!(protocol.read_reply(&written).ok(), Some(reply));
        }
    }
});
