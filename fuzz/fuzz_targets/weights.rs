//! Law: a file of weights is refused, or written again as it was.
#![no_main]

use foglight_engine::{
    belief::network::BeliefWeights,
    eval::{classic::ClassicWeights, network::NetworkWeights},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(Ok(weights)) = std::str::from_utf8(bytes).map(ClassicWeights::parse) {
        let again = ClassicWeights::parse(&weights.text());
        assert_eq!(again.map(|weights| weights.text()).ok(), Some(weights.text()));
    }
    if let Ok(weights) = NetworkWeights::from_bytes(bytes) {
        assert_eq!(weights.to_bytes(), bytes);
    }
    if let Ok(weights) = BeliefWeights::from_bytes(bytes) {
        assert_eq!(weights.to_bytes().len(), bytes.len());
    }
});
