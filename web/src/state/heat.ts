/** Heat map: the probability of an enemy piece on each square. */

import { keysOf, type Key, type Size } from './squares.ts';
import type { HeatMap } from './wire.ts';

export interface Warmth {
  /** Probability of any enemy piece of the chosen types. */
  p: number;
  /** The most likely piece type and its probability. */
  kind: string;
  top: number;
}

/** Sums the piece types on each square; `kinds` restricts them, such as to the king. */
export function warmth(heat: HeatMap, size: Size, kinds: readonly string[] = Object.keys(heat)): Map<Key, Warmth> {
  const found = new Map<Key, Warmth>();
  keysOf(size).forEach((key, index) => {
    const all = kinds.map((kind) => [kind, heat[kind]?.[index] ?? 0] as const);
    const p = all.reduce((sum, [, chance]) => sum + chance, 0);
    const best = all.reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as const);
    if (p > 0.005) found.set(key, { p: Math.min(1, p), kind: best[0], top: best[1] });
  });
  return found;
}

/** A count with thin spaces: 48 213. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, '\u2009');
