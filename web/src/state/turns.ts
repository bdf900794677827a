/** Plies grouped into numbered moves, as players count them. */

import { other, type Side } from './squares.ts';

/** A ply of a move list. */
export interface Item {
  ply: number;
  by: Side;
  text: string;
  /** Move class or visibility, shown as a CSS class. */
  mark?: string;
  title?: string;
  /** The move number, where the list does not begin with the game. */
  number?: number;
  /** The roll with which the turn began; null for its later plies, and without dice. */
  roll?: string | null;
}

export interface Turn {
  number: number;
  white: Item[];
  black: Item[];
  /** The side that rolled nothing it could use. */
  passed?: Side;
}

/**
 * Groups plies into full moves; a turn of dice chess has several plies. A side
 * that begins two turns in a row, or Black with a roll the first, shows that the
 * other one had to pass.
 */
export function turns(items: readonly Item[]): Turn[] {
  const list: Turn[] = [];
  let last: Side | null = null;
  for (const item of items) {
    const before = list.at(-1);
    const begins = item.roll || (item.number ?? before?.number) !== before?.number;
    const first = !before && item.by === 'black' && item.roll;
    const passed = first || (item.by === last && begins) ? other(item.by) : null;
    if (before && passed === 'black') before.passed = passed;
    if (!before || passed || (item.by === 'white' && last === 'black'))
      list.push({ number: item.number ?? (before ? before.number + 1 : 1), white: [], black: [] });
    const turn = list.at(-1)!;
    if (passed === 'white') turn.passed = passed;
    turn[item.by].push(item);
    last = item.by;
  }
  return list;
}

/** `12. Nf3` or `12… Nf6`; null if the list has no such ply. */
export function nameOf(items: readonly Item[], ply: number): string | null {
  for (const turn of turns(items))
    for (const side of ['white', 'black'] as const) {
      const found = turn[side].find((item) => item.ply === ply);
      if (found) return `${turn.number}${side === 'white' ? '.' : '…'} ${found.text}`;
    }
  return null;
}

/** The number of full moves. */
export const movesIn = (items: readonly Item[]): number => turns(items).at(-1)?.number ?? 0;
