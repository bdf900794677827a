//! File format of solutions: a header of parameters, then the vectors,
//! little-endian.

use foglight_rules::{Color, Piece, Size};

use super::{Placements, Qmdp, QmdpSettings, SolveError};

const MAGIC: &[u8; 8] = b"qmdp v1\n";

/// Consumes bytes from the front of a slice.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SolveError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(SolveError::Bytes)?;
        self.0 = rest;
        Ok(*head)
    }

    fn number(&mut self) -> Result<f64, SolveError> {
        Ok(f64::from_le_bytes(self.take()?))
    }

    fn count(&mut self) -> Result<usize, SolveError> {
        Ok(u32::from_le_bytes(self.take()?) as usize)
    }
}

impl Qmdp {
    /// The solution as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let settings = &self.settings;
        for figure in [
            settings.gamma,
            settings.reward,
            settings.illegal,
            settings.iterations as f64,
            settings.floor,
        ] {
            bytes.extend(figure.to_le_bytes());
        }
        let size = self.size();
        let pieces: String = self.pieces().iter().map(|piece| piece.char()).collect();
        bytes.extend([
            u8::from(self.side.is_black()),
            size.files() as u8,
            size.ranks() as u8,
            pieces.len() as u8,
        ]);
        bytes.extend(pieces.as_bytes());
        bytes.extend((self.offsets.len() as u32).to_le_bytes());
        bytes.extend(self.offsets.iter().flat_map(|offset| offset.to_le_bytes()));
        for (m, value) in &self.values {
            bytes.extend(m.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    /// Parses the output of [`Qmdp::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Qmdp, SolveError> {
        let mut reader = Reader(bytes);
        if reader.take::<8>()? != *MAGIC {
            return Err(SolveError::Bytes);
        }
        let settings = QmdpSettings {
            gamma: reader.number()?,
            reward: reader.number()?,
            illegal: reader.number()?,
            iterations: reader.number()? as usize,
            floor: reader.number()?,
        };
        let [side, files, ranks, count] = reader.take::<4>()?;
        let size = Size::new(files.into(), ranks.into()).ok_or(SolveError::Bytes)?;
        let mut pieces = Vec::new();
        for _ in 0..count {
            let [letter] = reader.take::<1>()?;
            pieces.push(Piece::from_char(letter.into()).ok_or(SolveError::Bytes)?);
        }
        let placements = Placements::of(size, pieces)?;
        if reader.count()? != placements.count() + 1 {
            return Err(SolveError::Bytes);
        }
        let offsets = (0..=placements.count()).map(|_| Ok(reader.count()? as u32));
        let offsets: Vec<u32> = offsets.collect::<Result<_, SolveError>>()?;
        let last = *offsets.last().ok_or(SolveError::Bytes)? as usize;
        if !offsets.is_sorted() || reader.0.len() != last * 6 {
            return Err(SolveError::Bytes);
        }
        let values = (0..last).map(|_| {
            let m = u16::from_le_bytes(reader.take()?);
            Ok((m, f32::from_le_bytes(reader.take()?)))
        });
        let values = values.collect::<Result<_, SolveError>>()?;
        Ok(Qmdp {
            side: Color::from_black(side == 1),
            settings,
            placements,
            offsets,
            values,
        })
    }
}
