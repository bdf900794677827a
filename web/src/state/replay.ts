/** A finished game to step through: ply, perspective, and a link to both. */

import type { Item } from './turns.ts';
import type { RecordAnswer, RecordRow } from './wire.ts';

export type Perspective = 'white' | 'black' | 'truth';

export interface Replay {
  rows: RecordRow[];
  ply: number;
  eye: Perspective;
}

export function open(record: RecordAnswer, query: URLSearchParams): Replay {
  const wanted = query.get('view');
  const eye: Perspective = wanted === 'white' || wanted === 'black' ? wanted : 'truth';
  const ply = query.has('ply') ? Number(query.get('ply')) : record.rows.length - 1;
  return { rows: record.rows, ply: clamp(record.rows, ply), eye };
}

const clamp = (rows: readonly RecordRow[], ply: number): number =>
  Number.isFinite(ply) ? Math.max(0, Math.min(rows.length - 1, Math.trunc(ply))) : rows.length - 1;

export const go = (replay: Replay, ply: number): Replay => ({ ...replay, ply: clamp(replay.rows, ply) });
export const look = (replay: Replay, eye: Perspective): Replay => ({ ...replay, eye });

export const rowOf = (replay: Replay): RecordRow => {
  const row = replay.rows[replay.ply];
  if (!row) throw new Error('a replay has at least the row of the start');
  return row;
};

/** The address of this ply and view. */
export const link = (id: string, replay: Replay): string =>
  `/replay/${encodeURIComponent(id)}?ply=${replay.ply}&view=${replay.eye}`;

/** The plies of a game as entries of a move list. */
export const itemsOf = (rows: readonly RecordRow[]): Item[] =>
  rows.flatMap((row) =>
    row.by && row.move ? [{ ply: row.ply, by: row.by, text: row.san ?? row.move, roll: row.roll }] : [],
  );
