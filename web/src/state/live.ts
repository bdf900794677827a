/** Rows of a game that spectators see while it runs. */

import type { LiveRow } from './wire.ts';

/** The move number of a row: its FEN counts on after Black's turn. */
export function numberOf(row: LiveRow): number {
  const next = Number(row.fen.split(' ')[5] ?? 1);
  return row.by === 'black' && row.turn === 'white' ? next - 1 : next;
}
