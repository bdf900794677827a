/** A finished game to step through: ply, perspective, and a link to both. */

import type { Side } from './squares.ts';
import type { RecordAnswer, RecordRow } from './wire.ts';

export type Perspective = 'white' | 'black' | 'truth';
/** One large board, or three beside each other. */
export type Layout = 'one' | 'three';

export interface Replay {
  rows: RecordRow[];
  ply: number;
  eye: Perspective;
  layout: Layout;
}

export function open(record: RecordAnswer, query: URLSearchParams): Replay {
  const wanted = query.get('view');
  const eye: Perspective = wanted === 'white' || wanted === 'black' ? wanted : 'truth';
  const ply = query.has('ply') ? Number(query.get('ply')) : record.rows.length - 1;
  const three = wanted === null || wanted === 'three';
  return { rows: record.rows, ply: clamp(record.rows, ply), eye, layout: three ? 'three' : 'one' };
}

const clamp = (rows: readonly RecordRow[], ply: number): number =>
  Number.isFinite(ply) ? Math.max(0, Math.min(rows.length - 1, Math.trunc(ply))) : rows.length - 1;

export const go = (replay: Replay, ply: number): Replay => ({ ...replay, ply: clamp(replay.rows, ply) });
export const look = (replay: Replay, eye: Perspective): Replay => ({ ...replay, eye, layout: 'one' });

export const rowOf = (replay: Replay): RecordRow => {
  const row = replay.rows[replay.ply];
  if (!row) throw new Error('a replay has at least the row of the start');
  return row;
};

/** The address of this ply and view. */
export function link(id: string, replay: Replay): string {
  const view = replay.layout === 'three' ? 'three' : replay.eye;
  return `/replay/${encodeURIComponent(id)}?ply=${replay.ply}&view=${view}`;
}

/** `12. Nf3`, `12… Nf6`: counts full moves by turns, since a dice turn has several plies. */
export function numbered(rows: readonly RecordRow[]): { ply: number; number: number; by: Side; text: string }[] {
  const list: { ply: number; number: number; by: Side; text: string }[] = [];
  let number = 0;
  let last: Side | null = null;
  for (const row of rows) {
    if (!row.by || !row.move) continue;
    if (row.by === 'white' && last !== 'white') number++;
    else if (last === null) number = 1;
    last = row.by;
    list.push({ ply: row.ply, number, by: row.by, text: row.san ?? row.move });
  }
  return list;
}
