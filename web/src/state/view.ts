/** A board as a viewer sees it, parsed from a FEN, a fog FEN, or a row of `replay`. */

import { keyAt, sideOf, type Key, type Piece, type Side, type Size } from './squares.ts';

/** Contents of a square: a piece letter, `.` visible and empty, `?` hidden. */
export type Cell = string;

export interface View {
  size: Size;
  cells: Map<Key, Cell>;
}

/** Parses the board field of a FEN: pieces, digits, `.`, and `?`, `*` or `f` for hidden squares. */
export function readView(text: string): View {
  const rows = (text.trim().split(/\s+/)[0] ?? '').split('/');
  const cells = new Map<Key, Cell>();
  let files = 0;
  rows.forEach((row, index) => {
    const rank = rows.length - 1 - index;
    let file = 0;
    for (const letter of row) {
      const empty = letter >= '1' && letter <= '9' ? Number(letter) : 0;
      if (empty > 0) {
        for (let i = 0; i < empty; i++) cells.set(keyAt(file++, rank), '.');
      } else {
        cells.set(keyAt(file++, rank), '?*f'.includes(letter) ? '?' : letter);
      }
    }
    files = Math.max(files, file);
  });
  return { size: { files, ranks: rows.length }, cells };
}

/** The side to move of a FEN. */
export const turnOf = (fen: string): Side => (fen.split(/\s+/)[1] === 'b' ? 'black' : 'white');

export const cellAt = (view: View, key: Key): Cell => view.cells.get(key) ?? '?';
export const isSeen = (view: View, key: Key): boolean => cellAt(view, key) !== '?';
export function pieceAt(view: View, key: Key): Piece | undefined {
  const cell = cellAt(view, key);
  return cell === '?' || cell === '.' ? undefined : cell;
}

export function piecesOf(view: View, side: Side): Map<Key, Piece> {
  const found = new Map<Key, Piece>();
  for (const [key, cell] of view.cells) if (cell !== '?' && cell !== '.' && sideOf(cell) === side) found.set(key, cell);
  return found;
}

export const fogOf = (view: View): Key[] => [...view.cells].filter(([, cell]) => cell === '?').map(([key]) => key);

/** The board field with hidden squares as `?`, or as empty squares for a board without fog. */
export function writeView(view: View, unseen: '?' | 'empty' = '?'): string {
  const rows: string[] = [];
  for (let rank = view.size.ranks - 1; rank >= 0; rank--) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < view.size.files; file++) {
      const cell = cellAt(view, keyAt(file, rank));
      if (cell === '.' || (cell === '?' && unseen === 'empty')) {
        empty++;
        continue;
      }
      if (empty > 0) row += empty;
      empty = 0;
      row += cell;
    }
    rows.push(row + (empty > 0 ? empty : ''));
  }
  return rows.join('/');
}

/** A copy with one square changed. */
export function withCell(view: View, key: Key, cell: Cell): View {
  const cells = new Map(view.cells);
  cells.set(key, cell);
  return { size: view.size, cells };
}

/** A fully hidden board of this size (`8x8`). */
export function darkness(size = '8x8'): View {
  const [files = 8, ranks = 8] = size.split('x').map(Number);
  return readView(Array.from({ length: ranks }, () => '?'.repeat(files)).join('/'));
}
