/** Hints on the board: the heat map and the engine's suggestions, while they belong to the present ply. */

import { turnFor, type Game } from './game.ts';
import { warmth, type Warmth } from './heat.ts';
import type { Key } from './squares.ts';
import type { View } from './view.ts';
import type { PracticeEvent } from './wire.ts';

/** What the player wishes to see; `kind` is a piece type or `all`. */
export interface Wish {
  heat: boolean;
  mix: boolean;
  kind: string;
}

const current = ({ practice, observation }: Game): PracticeEvent | null =>
  practice && practice.ply === observation?.ply ? practice : null;

export function heatOf(game: Game, wish: Wish, view: View): ReadonlyMap<Key, Warmth> | null {
  const heat = current(game)?.heat;
  if (!wish.heat || !heat || game.end) return null;
  return warmth(heat, view.size, wish.kind === 'all' ? undefined : [wish.kind]);
}

export function suggestions(game: Game, wish: Wish): { from: Key; to: Key; weight: number; kind: 'mix' }[] {
  const mix = turnFor(game) === 'move' && wish.mix ? current(game)?.mix : null;
  return (mix ?? [])
    .filter((m) => m.p >= 0.05)
    .map((m) => ({ from: m.move.slice(0, 2), to: m.move.slice(2, 4), weight: m.p, kind: 'mix' as const }));
}
