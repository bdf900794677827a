/** Moves: UCI texts, their SAN, and typed input. */

import { fileOf, keyAt, rankOf, sideOf, type Key, type Piece } from './squares.ts';
import { pieceAt, type View } from './view.ts';

export const fromOf = (uci: string): Key => uci.slice(0, 2);
export const toOf = (uci: string): Key => uci.slice(2, 4);
export const promotionOf = (uci: string): string | undefined => uci[4];

/** The destinations of each piece. */
export function targets(moves: readonly string[]): Map<Key, Key[]> {
  const found = new Map<Key, Key[]>();
  for (const uci of moves) {
    const list = found.get(fromOf(uci)) ?? [];
    if (!list.includes(toOf(uci))) list.push(toOf(uci));
    found.set(fromOf(uci), list);
  }
  return found;
}

/** The promotions of one move, queen first; empty if it is not a promotion. */
export function promotions(moves: readonly string[], from: Key, to: Key): string[] {
  const letters = moves.filter((m) => m.startsWith(from + to)).map((m) => m[4] ?? '');
  return ['q', 'r', 'b', 'n'].filter((letter) => letters.includes(letter));
}

/** Castling: the king moves two files on its own rank. */
export function castling(view: View, uci: string): 'O-O' | 'O-O-O' | undefined {
  const king = pieceAt(view, fromOf(uci))?.toUpperCase() === 'K';
  const files = fileOf(toOf(uci)) - fileOf(fromOf(uci));
  if (!king || Math.abs(files) !== 2 || rankOf(fromOf(uci)) !== rankOf(toOf(uci))) return undefined;
  return files > 0 ? 'O-O' : 'O-O-O';
}

/** The own pieces after an own move, until the server answers. Newly visible squares are not known yet. */
export function afterMove(view: View, uci: string): View {
  const cells = new Map(view.cells);
  const piece = pieceAt(view, fromOf(uci));
  if (!piece) return view;
  const rise = promotionOf(uci);
  const white = sideOf(piece) === 'white';
  const castle = castling(view, uci);
  cells.set(fromOf(uci), '.');
  cells.set(toOf(uci), rise ? (white ? rise.toUpperCase() : rise) : piece);
  if (castle) {
    const rank = rankOf(toOf(uci));
    cells.set(keyAt(castle === 'O-O' ? view.size.files - 1 : 0, rank), '.');
    cells.set(keyAt(fileOf(toOf(uci)) + (castle === 'O-O' ? -1 : 1), rank), white ? 'R' : 'r');
  }
  return { size: view.size, cells };
}

/** SAN of one of the mover's own moves, unambiguous among all of them. */
export function san(view: View, moves: readonly string[], uci: string): string {
  const castle = castling(view, uci);
  if (castle) return castle;
  const from = fromOf(uci);
  const to = toOf(uci);
  const role = (pieceAt(view, from) ?? 'P').toUpperCase();
  const takes = pieceAt(view, to) !== undefined || (role === 'P' && from[0] !== to[0]);
  const rise = promotionOf(uci);
  const tail = to + (rise ? '=' + rise.toUpperCase() : '');
  if (role === 'P') return (takes ? from[0] + 'x' : '') + tail;
  return role + distinguish(view, moves, role, from, to) + (takes ? 'x' : '') + tail;
}

function distinguish(view: View, moves: readonly string[], role: Piece, from: Key, to: Key): string {
  const rivals = moves
    .filter((m) => toOf(m) === to && fromOf(m) !== from)
    .map(fromOf)
    .filter((key) => pieceAt(view, key)?.toUpperCase() === role);
  if (rivals.length === 0) return '';
  if (rivals.every((key) => key[0] !== from[0])) return from[0] ?? '';
  if (rivals.every((key) => key[1] !== from[1])) return from[1] ?? '';
  return from;
}

/** A line of moves in SAN; `?f6` is a move of a piece that is not known. */
export function sanLine(view: View, line: readonly string[]): string[] {
  let now = view;
  return line.map((uci) => {
    const text = pieceAt(now, fromOf(uci)) ? san(now, [uci], uci) : `?${toOf(uci)}`;
    now = afterMove(now, uci);
    return text;
  });
}

export type Typed = { kind: 'move'; uci: string } | { kind: 'many' } | { kind: 'none' };

/** Parses typed input: `e2e4`, `e4`, `Nf3`, `exd5`, `e8=N`, `e8n`, `0-0`. The default promotion is a queen. */
export function typed(text: string, view: View, moves: readonly string[]): Typed {
  const plain = text
    .trim()
    .replace(/[+#!?\s]/g, '')
    .replace(/0/g, 'O');
  if (plain === '') return { kind: 'none' };
  const lower = plain.toLowerCase();
  const exact = moves.filter((m) => m === lower || m === lower + 'q');
  if (exact[0]) return { kind: 'move', uci: exact[0] };
  const strip = (s: string): string => s.replace(/[x=-]/g, '');
  const want = strip(plain);
  const hits = (same: (written: string) => boolean): string[] => moves.filter((m) => same(strip(san(view, moves, m))));
  let found = hits((written) => written === want || written === want + 'Q');
  if (found.length === 0) found = hits((written) => caseless(written, want));
  if (found.length === 0) found = loose(want, view, moves);
  const queen = found.find((m) => m.endsWith('q')) ?? found[0];
  if (!queen) return { kind: 'none' };
  return new Set(found.map((m) => m.slice(0, 4))).size === 1 ? { kind: 'move', uci: queen } : { kind: 'many' };
}

/** `nf3` is a knight move; `bxc3` is a pawn move if such a move exists. */
const caseless = (written: string, want: string): boolean =>
  written.toLowerCase() === want.toLowerCase() || written.toLowerCase() === want.toLowerCase() + 'q';

/** Accepts over-specified moves: `Ngf3`, `Ng1f3` where `Nf3` would do. */
function loose(want: string, view: View, moves: readonly string[]): string[] {
  const parts = /^([NBRQK]?)([a-h]?)([1-8]?)([a-h][1-8])([qrbnQRBN]?)$/.exec(want);
  if (!parts) return [];
  const [, role, file, rank, to, rise] = parts;
  return moves.filter((m) => {
    const from = fromOf(m);
    return (
      toOf(m) === to &&
      (pieceAt(view, from)?.toUpperCase() ?? '') === (role || 'P') &&
      (!file || from[0] === file) &&
      (!rank || from[1] === rank) &&
      (!rise || m[4] === rise.toLowerCase())
    );
  });
}
