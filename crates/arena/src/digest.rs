//! FNV-1a digest with 64 bits, the same on every machine.

/// Digest of the data added so far.
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    pub fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// Adds a number, eight bytes.
    pub fn number(&mut self, number: u64) {
        number.to_le_bytes().into_iter().for_each(|b| self.byte(b));
    }

    /// Adds a text and a terminator.
    pub fn text(&mut self, text: &str) {
        text.bytes().for_each(|b| self.byte(b));
        self.byte(0);
    }

    pub fn value(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from the authors' list of test vectors.
    #[test]
    fn published_values() {
        for (text, value) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            let mut digest = Digest::default();
            text.bytes().for_each(|byte| digest.byte(byte));
            assert_eq!(digest.value(), value);
        }
    }
}
