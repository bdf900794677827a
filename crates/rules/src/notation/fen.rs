//! FEN for every board size, with a seventh field for dice, and the fog FEN.

use std::{fmt, str::FromStr};

use shakmaty::{Bitboard, Color, Piece, Square};

use crate::{
    action::quoted,
    board::Board,
    castling::{Castling, CastlingRights},
    dice::Dice,
    games::{Game, PositionError},
    moves::en_passant_pawn,
    position::{Position, Setup},
    size::Size,
    view::View,
};

/// Maximum length of input: more than any FEN of an 8x8 board.
pub const MAX_LENGTH: usize = 128;

/// Error of a text that is not a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text is empty.
    #[error("the FEN is empty; expected at least placement, side to move, castling and en passant")]
    Empty,
    /// The text exceeds [`MAX_LENGTH`].
    #[error("the FEN has {0} bytes; at most {MAX_LENGTH} are expected")]
    TooLong(usize),
    /// The text has characters that are not ASCII.
    #[error(
        "the FEN has characters that are not ASCII; expected letters, digits, '/', '-' and spaces"
    )]
    NotAscii,
    /// Too few or too many fields.
    #[error("the FEN has {0} fields; expected 4 to 6, and a seventh for dice")]
    Fields(usize),
    /// An unsupported board size.
    #[error("the board is {files} by {ranks}; expected 4 to 8 files and ranks")]
    Size {
        /// Width of the widest rank.
        files: usize,
        /// Number of ranks found.
        ranks: usize,
    },
    /// A rank longer or shorter than the others.
    #[error("rank {rank} has {found} squares; expected {expected} like the others")]
    RankWidth {
        /// The rank's number, from 1.
        rank: usize,
        /// Number of its squares.
        found: usize,
        /// Number of squares in the other ranks.
        expected: usize,
    },
    /// A character of the placement that is neither piece nor digit.
    #[error("'{0}' in the placement; expected one of PNBRQKpnbrqk, a digit from 1 to 8 or '/'")]
    Letter(char),
    /// A hidden square in the FEN of a full position.
    #[error(
        "'{0}' in the placement: a fog FEN tells only what one side sees; expected the whole position"
    )]
    Fog(char),
    /// A field with an invalid value.
    #[error("{field} {found}; expected {expected}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// The value that was found, quoted.
        found: String,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// A well-formed FEN that is not a valid position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
}

struct Fields<'a> {
    placement: &'a str,
    turn: &'a str,
    castling: &'a str,
    passed: &'a str,
    counters: Option<(&'a str, &'a str)>,
    dice: Option<&'a str>,
}

impl<'a> Fields<'a> {
    fn split(text: &'a str) -> Result<Fields<'a>, FenError> {
        if text.trim().is_empty() {
            return Err(FenError::Empty);
        }
        if text.len() > MAX_LENGTH {
            return Err(FenError::TooLong(text.len()));
        }
        if !text.is_ascii() {
            return Err(FenError::NotAscii);
        }
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (counters, dice) = match fields[..] {
            [_, _, _, _] => (None, None),
            [_, _, _, _, half] => (Some((half, "1")), None),
            [_, _, _, _, half, full] => (Some((half, full)), None),
            [_, _, _, _, half, full, dice] => (Some((half, full)), Some(dice)),
            _ => return Err(FenError::Fields(fields.len())),
        };
        Ok(Fields {
            placement: fields[0],
            turn: fields[1],
            castling: fields[2],
            passed: fields[3],
            counters,
            dice,
        })
    }
}

enum Cell {
    Empty,
    Piece(Piece),
    Unseen,
}

/// Parses one rank, from the a-file on.
fn parse_rank(text: &str) -> Result<Vec<Cell>, FenError> {
    let mut cells = Vec::with_capacity(8);
    for c in text.chars() {
        match c {
            '1'..='8' => {
                let run = c as usize - '0' as usize;
                cells.extend((0..run).map(|_| Cell::Empty));
            }
            '?' | '*' | 'f' => cells.push(Cell::Unseen),
            _ => cells.push(Cell::Piece(Piece::from_char(c).ok_or(FenError::Letter(c))?)),
        }
    }
    Ok(cells)
}

/// Parses size, pieces and hidden squares of a placement.
fn parse_placement(text: &str) -> Result<(Size, Board, Bitboard), FenError> {
    let rows: Vec<Vec<Cell>> = text.split('/').map(parse_rank).collect::<Result<_, _>>()?;
    let (files, ranks) = (rows[0].len(), rows.len());
    let size = Size::new(files, ranks).ok_or(FenError::Size { files, ranks })?;
    let mut board = Board::EMPTY;
    let mut unseen = Bitboard::EMPTY;
    for (i, row) in rows.iter().enumerate() {
        let rank = ranks - 1 - i;
        if row.len() != files {
            return Err(FenError::RankWidth {
                rank: rank + 1,
                found: row.len(),
                expected: files,
            });
        }
        for (file, cell) in row.iter().enumerate() {
            let square = size.square(file, rank).expect("inside the board");
            match cell {
                Cell::Empty => {}
                Cell::Piece(piece) => board.set(square, *piece),
                Cell::Unseen => unseen.add(square),
            }
        }
    }
    Ok((size, board, unseen))
}

fn field_error(field: &'static str, found: &str, expected: &'static str) -> FenError {
    FenError::Field {
        field,
        found: quoted(found),
        expected,
    }
}

fn parse_turn(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(field_error("side to move", text, "'w' or 'b'")),
    }
}

fn parse_castling(text: &str) -> Result<CastlingRights, FenError> {
    if text == "-" {
        return Ok(CastlingRights::NONE);
    }
    text.chars()
        .try_fold(CastlingRights::NONE, |rights, letter| {
            let castling = Castling::ALL
                .iter()
                .find(|c| c.letter == letter && !rights.has(c));
            let wrong = || field_error("castling", text, "'-' or letters of KQkq, each once");
            Ok(rights.with(castling.ok_or_else(wrong)?))
        })
}

fn parse_passed(text: &str) -> Result<Bitboard, FenError> {
    let wrong = || field_error("en passant", text, "'-' or a square such as e3");
    if text == "-" {
        return Ok(Bitboard::EMPTY);
    }
    if text.is_empty() || !text.len().is_multiple_of(2) {
        return Err(wrong());
    }
    let mut passed = Bitboard::EMPTY;
    for pair in text.as_bytes().chunks(2) {
        passed.add(Square::from_ascii(pair).map_err(|_| wrong())?);
    }
    Ok(passed)
}

fn parse_counters(half: &str, full: &str) -> Result<(u16, u16), FenError> {
    let halfmoves = half
        .parse()
        .ok()
        .filter(|&n| n <= crate::packed::MAX_HALFMOVES)
        .ok_or_else(|| field_error("half-move clock", half, "a number from 0 to 1023"))?;
    let fullmoves: u16 = full
        .parse()
        .map_err(|_| field_error("move number", full, "a number from 1 to 65535"))?;
    Ok((halfmoves, fullmoves.max(1)))
}

fn parse_dice(text: Option<&str>) -> Result<Dice, FenError> {
    match text {
        None | Some("-") => Ok(Dice::NONE),
        Some(text) => Dice::parse(text)
            .ok_or_else(|| field_error("dice", text, "'-' or one to three letters of PNBRQK")),
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let fields = Fields::split(text)?;
        let (size, board, unseen) = parse_placement(fields.placement)?;
        if unseen.any() {
            let c = fields.placement.chars().find(|c| "?*f".contains(*c));
            return Err(FenError::Fog(c.unwrap_or('?')));
        }
        let (halfmoves, fullmoves) = match fields.counters {
            Some((half, full)) => parse_counters(half, full)?,
            None => (0, 1),
        };
        Ok(Setup {
            size,
            board,
            turn: parse_turn(fields.turn)?,
            castling: parse_castling(fields.castling)?,
            ep_squares: parse_passed(fields.passed)?,
            dice: parse_dice(fields.dice)?,
            halfmoves,
            fullmoves,
        })
    }
}

impl Game {
    /// Parses the FEN of a position in this game.
    pub fn parse_fen(&self, text: &str) -> Result<Position, FenError> {
        Ok(self.position(text.parse()?)?)
    }

    /// Writes the FEN of a position, in dice games with the dice as a seventh
    /// field.
    pub fn fen(&self, position: &Position) -> String {
        match self.has_dice() {
            true => format!("{position} {}", position.dice().field(position.turn())),
            false => position.to_string(),
        }
    }

    /// Parses a fog FEN as the view of `side`.
    pub fn parse_fog_fen(&self, text: &str, side: Color) -> Result<View, FenError> {
        let fields = Fields::split(text)?;
        let (size, board, unseen) = parse_placement(fields.placement)?;
        let counters = match fields.counters {
            None | Some(("-", _)) => None,
            Some((half, full)) => Some(parse_counters(half, full)?),
        };
        let view = View {
            side,
            size,
            visible: size.mask() & !unseen,
            board,
            turn: parse_turn(fields.turn)?,
            castling: parse_castling(fields.castling)?,
            ep_squares: parse_passed(fields.passed)?,
            dice: parse_dice(fields.dice)?,
            counters,
        };
        self.check_view(&view)?;
        Ok(view)
    }

    /// Checks what holds for every position consistent with a view: at most one
    /// king and 16 pieces a side, no pawn on an edge rank, kings and rooks of its
    /// castling rights in place, and room for the double step of a pawn that may
    /// be taken en passant.
    fn check_view(&self, view: &View) -> Result<(), FenError> {
        let mut setup = Setup {
            size: view.size,
            board: view.board,
            turn: view.turn,
            castling: view.castling,
            ep_squares: Bitboard::EMPTY,
            dice: view.dice,
            halfmoves: 0,
            fullmoves: 1,
        };
        let mut unseen = view.size.mask() & !view.visible;
        if view.turn == view.side {
            setup.ep_squares = view.ep_squares;
            for passed in view.ep_squares {
                // The pawn that may be taken can be hidden, and so can the squares
                // that it crossed, which are empty.
                let pawn = en_passant_pawn(passed);
                if unseen.contains(pawn) {
                    setup.board.set(pawn, shakmaty::Role::Pawn.of(!view.side));
                }
                unseen &= !Bitboard::from_file(passed.file());
            }
        }
        // A king may be hidden: any other hidden square serves the check.
        for side in Color::ALL {
            if let (None, Some(square)) = (setup.board.king(side), unseen.first()) {
                setup.board.set(square, shakmaty::Role::King.of(side));
            }
        }
        self.position(setup)?;
        Ok(())
    }
}

/// Writes a placement with runs of empty squares as digits.
fn write_placement(
    f: &mut fmt::Formatter<'_>,
    size: Size,
    symbol: impl Fn(Square) -> Option<char>,
) -> fmt::Result {
    let mut empty = 0;
    for square in size.reading_order() {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        if let Some(c) = symbol(square) {
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            empty = 0;
            write!(f, "{c}")?;
        } else {
            empty += 1;
        }
        if file + 1 == size.files() {
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            empty = 0;
            if rank > 0 {
                write!(f, "/")?;
            }
        }
    }
    Ok(())
}

fn write_castling(f: &mut fmt::Formatter<'_>, rights: CastlingRights) -> fmt::Result {
    if rights.is_empty() {
        return write!(f, "-");
    }
    Castling::ALL
        .iter()
        .filter(|castling| rights.has(castling))
        .try_for_each(|castling| write!(f, "{}", castling.letter))
}

/// En passant squares in file order, `-` for none.
fn write_passed(f: &mut fmt::Formatter<'_>, passed: Bitboard) -> fmt::Result {
    if passed.is_empty() {
        return write!(f, "-");
    }
    let mut squares: Vec<Square> = passed.into_iter().collect();
    squares.sort_by_key(|square| (square.file(), square.rank()));
    squares.iter().try_for_each(|square| write!(f, "{square}"))
}

/// The six fields of the FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_placement(f, self.size(), |square| {
            self.board().piece_at(square).map(Piece::char)
        })?;
        write!(f, " {} ", self.turn().char())?;
        write_castling(f, self.castling())?;
        write!(f, " ")?;
        write_passed(f, self.ep_squares())?;
        write!(f, " {} {}", self.halfmoves(), self.fullmoves())
    }
}

/// The six fields of the fog FEN, with `-` for counters that are not public.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_placement(f, self.size, |square| match self.symbol(square) {
            '.' => None,
            c => Some(c),
        })?;
        write!(f, " {} ", self.turn.char())?;
        write_castling(f, self.castling)?;
        write!(f, " ")?;
        write_passed(f, self.ep_squares)?;
        match self.counters {
            Some((half, full)) => write!(f, " {half} {full}"),
            None => write!(f, " - -"),
        }
    }
}
