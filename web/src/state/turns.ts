/** Plies grouped into numbered moves, as players count them. */

import type { Side } from './squares.ts';

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
}

export interface Turn {
  number: number;
  white: Item[];
  black: Item[];
}

/** Groups plies into full moves; a turn of dice chess has several plies. */
export function turns(items: readonly Item[]): Turn[] {
  const list: Turn[] = [];
  let last: Side | null = null;
  for (const item of items) {
    const before = list.at(-1);
    if (!before || (item.by === 'white' && last === 'black'))
      list.push({ number: item.number ?? (before ? before.number + 1 : 1), white: [], black: [] });
    list.at(-1)?.[item.by].push(item);
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
