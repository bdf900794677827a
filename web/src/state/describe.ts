/** The view in words, for a screen reader: "fog: a5 to c8; seen: knight f6". */

import { fileOf, keyAt, nameOf, other, rankOf, sideOf, type Key, type Side } from './squares.ts';
import { cellAt, fogOf, piecesOf, type View } from './view.ts';

interface Block {
  low: Key;
  high: Key;
  squares: Key[];
}

/** Covers squares with few rectangles: greedily, the largest remaining one first. */
export function blocks(keys: readonly Key[]): Block[] {
  const left = new Set(keys);
  const found: Block[] = [];
  while (left.size > 0) {
    const best = largest(left);
    for (const key of best.squares) left.delete(key);
    found.push(best);
  }
  return found;
}

function largest(keys: ReadonlySet<Key>): Block {
  let best: Block | undefined;
  for (const low of keys)
    for (const high of keys) {
      if (fileOf(high) < fileOf(low) || rankOf(high) < rankOf(low)) continue;
      const area = (fileOf(high) - fileOf(low) + 1) * (rankOf(high) - rankOf(low) + 1);
      if (best && area <= best.squares.length) continue;
      const squares = rectangle(low, high);
      if (squares.every((key) => keys.has(key))) best = { low, high, squares };
    }
  if (!best) throw new Error('no square to cover');
  return best;
}

function rectangle(low: Key, high: Key): Key[] {
  const squares: Key[] = [];
  for (let rank = rankOf(low); rank <= rankOf(high); rank++)
    for (let file = fileOf(low); file <= fileOf(high); file++) squares.push(keyAt(file, rank));
  return squares;
}

const spoken = (block: Block): string => (block.low === block.high ? block.low : `${block.low} to ${block.high}`);

function listed(pieces: Map<Key, string>): string {
  return [...pieces].map(([key, piece]) => `${nameOf(piece)} ${key}`).join(', ') || 'nothing';
}

/** Describes a player's view: fog as rectangles, then the visible enemy pieces. */
export function describe(view: View, me: Side): string {
  const fog = blocks(fogOf(view)).map(spoken).join(', ') || 'none';
  return `fog: ${fog}; seen: ${listed(piecesOf(view, other(me)))}`;
}

/** The own pieces in words. */
export const describeOwn = (view: View, me: Side): string => `yours: ${listed(piecesOf(view, me))}`;

/** One square in words. */
export function describeSquare(view: View, key: Key): string {
  const cell = cellAt(view, key);
  if (cell === '?') return `${key}, fog`;
  if (cell === '.') return `${key}, empty`;
  return `${key}, ${sideOf(cell)} ${nameOf(cell)}`;
}
