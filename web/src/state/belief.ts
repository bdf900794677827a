/** The belief of a side over a whole game, fetched in parts on demand. */

import { grouped } from './heat.ts';
import type { Side } from './squares.ts';
import type { BeliefStep } from './wire.ts';

/** Plies per part, as on the server. */
export const PART = 100;

/** The fetched rows by ply, and the requested parts. */
export interface Beliefs {
  rows: ReadonlyMap<number, BeliefStep>;
  asked: ReadonlySet<number>;
}

export const noBeliefs: Beliefs = { rows: new Map(), asked: new Set() };

const partOf = (ply: number): number => ply - (ply % PART);

/** The part to request for this ply; null if already requested. */
export function wanted(beliefs: Beliefs, ply: number): number | null {
  const part = partOf(ply);
  return beliefs.asked.has(part) ? null : part;
}

export const asking = (beliefs: Beliefs, part: number): Beliefs => ({
  ...beliefs,
  asked: new Set([...beliefs.asked, part]),
});

export const arrived = (beliefs: Beliefs, rows: readonly BeliefStep[]): Beliefs => ({
  ...beliefs,
  rows: new Map([...beliefs.rows, ...rows.map((row) => [row.ply, row] as const)]),
});

/** Describes the belief at a ply. */
export function told(beliefs: Beliefs, ply: number, side: Side, loading: boolean): string {
  const who = side === 'white' ? 'White' : 'Black';
  const row = beliefs.rows.get(ply);
  if (row)
    return `${row.exact ? '' : 'At least '}${grouped(row.count)} ${row.count === 1 ? 'position was' : 'positions were'} possible for ${who}.`;
  if (loading) return `Counting the positions possible for ${who}…`;
  return `Too many positions were possible for ${who} to follow them all: there is no heat map from here on.`;
}
