/** Squares, sides and pieces as short texts: `e4`, `white`, `N` (upper case is White). */

import type { SideColor } from './wire.ts';

export type { SideColor as Side };
/** A square such as `e4`. */
export type Key = string;
/** A piece letter; upper case is White. */
export type Piece = string;
export interface Size {
  files: number;
  ranks: number;
}

export const ROLES = ['P', 'N', 'B', 'R', 'Q', 'K'] as const;
const NAMES: Record<string, string> = {
  P: 'pawn',
  N: 'knight',
  B: 'bishop',
  R: 'rook',
  Q: 'queen',
  K: 'king',
};

export const other = (side: SideColor): SideColor => (side === 'white' ? 'black' : 'white');
export const sideOf = (piece: Piece): SideColor => (piece === piece.toUpperCase() ? 'white' : 'black');
export const nameOf = (piece: Piece): string => NAMES[piece.toUpperCase()] ?? 'piece';
export const fileOf = (key: Key): number => key.charCodeAt(0) - 97;
export const rankOf = (key: Key): number => key.charCodeAt(1) - 49;
export const keyAt = (file: number, rank: number): Key =>
  String.fromCharCode(97 + file) + String.fromCharCode(49 + rank);
export const isLight = (key: Key): boolean => (fileOf(key) + rankOf(key)) % 2 === 1;

/** All squares, a1 first, rank by rank. */
export function keysOf(size: Size): Key[] {
  const keys: Key[] = [];
  for (let rank = 0; rank < size.ranks; rank++)
    for (let file = 0; file < size.files; file++) keys.push(keyAt(file, rank));
  return keys;
}

/** Column and row on the screen, from the upper left corner. */
export function place(key: Key, size: Size, bottom: SideColor): { x: number; y: number } {
  const file = fileOf(key);
  const rank = rankOf(key);
  return bottom === 'white' ? { x: file, y: size.ranks - 1 - rank } : { x: size.files - 1 - file, y: rank };
}

/** The square one step away on the screen, or the same one at the edge. */
export function step(key: Key, dx: number, dy: number, size: Size, bottom: SideColor): Key {
  const turn = bottom === 'white' ? 1 : -1;
  const clamp = (n: number, max: number): number => Math.max(0, Math.min(max - 1, n));
  return keyAt(clamp(fileOf(key) + dx * turn, size.files), clamp(rankOf(key) - dy * turn, size.ranks));
}
