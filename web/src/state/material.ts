/** The enemy's material: what it started with, without what I captured. */

import { START } from './editor.ts';
import { other, type Piece, type Side } from './squares.ts';
import { piecesOf, readView } from './view.ts';
import type { MoveLogEntry } from './wire.ts';

export function enemyMaterial(start: string, me: Side, log: readonly MoveLogEntry[]): Map<Piece, number> {
  const left = new Map<Piece, number>();
  const add = (piece: Piece, n: number): void => void left.set(piece, (left.get(piece) ?? 0) + n);
  for (const piece of piecesOf(readView(start === 'startpos' ? START : start), other(me)).values()) add(piece, 1);
  for (const entry of log) if (entry.by === me && entry.took) add(entry.took.piece, -1);
  return left;
}
