/** The position editor of the study page: a board, the side to move, and the FEN. */

import { keysOf, type Key, type Piece, type Side } from './squares.ts';
import { readView, withCell, writeView, type View } from './view.ts';

export interface Editor {
  view: View;
  turn: Side;
  castling: string;
  /** Fields that the editor preserves: en passant and counters. */
  tail: string;
  /** The unused dice, in capital letters; only for dice games. */
  dice: string;
}

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export function readFen(fen: string): Editor {
  const [board = '', turn, castling = '-', passed = '-', quiet = '0', number = '1', dice = '-'] = fen
    .trim()
    .split(/\s+/);
  return {
    view: readView(board),
    turn: turn === 'b' ? 'black' : 'white',
    castling,
    tail: `${passed} ${quiet} ${number}`,
    dice: dice.toUpperCase().replace(/[^PNBRQK]/g, ''),
  };
}

export function writeFen(editor: Editor, dicey = false): string {
  const white = editor.turn === 'white';
  const dice = white ? editor.dice : editor.dice.toLowerCase();
  return `${writeView(editor.view)} ${white ? 'w' : 'b'} ${editor.castling} ${editor.tail}${dicey ? ` ${dice || '-'}` : ''}`;
}

/** Puts a piece, `.` (empty) or `?` (fog) on a square. Clears the en passant square. */
export function put(editor: Editor, key: Key, cell: Piece): Editor {
  const view = withCell(editor.view, key, cell);
  return { ...editor, view, castling: rights(view, editor.castling), tail: editor.tail.replace(/^\S+/, '-') };
}

export function clear(editor: Editor): Editor {
  const cells = new Map(keysOf(editor.view.size).map((key) => [key, '.']));
  return { ...editor, view: { size: editor.view.size, cells }, castling: '-', tail: '- 0 1' };
}

/** Castling rights whose king and rook stand on their starting squares. */
export function rights(view: View, wanted: string): string {
  if (view.size.files !== 8 || view.size.ranks !== 8) return '-';
  const home: Record<string, [Key, Piece, Key, Piece]> = {
    K: ['e1', 'K', 'h1', 'R'],
    Q: ['e1', 'K', 'a1', 'R'],
    k: ['e8', 'k', 'h8', 'r'],
    q: ['e8', 'k', 'a8', 'r'],
  };
  const at = (key: Key): string => view.cells.get(key) ?? '?';
  const kept = [...wanted].filter((letter) => {
    const need = home[letter];
    return need && at(need[0]) === need[1] && at(need[2]) === need[3];
  });
  return kept.join('') || '-';
}
