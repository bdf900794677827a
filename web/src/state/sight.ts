/** Declared full sight: a game in which one side sees through the fog, and both know it. */

import { shown } from './names.ts';
import type { Side } from './squares.ts';
import type { GameInfo } from './wire.ts';

export const seesAll = (info: Pick<GameInfo, 'sight'> | null, side: Side): boolean => info?.sight[side] === 'full';

/** The odds in words for one side; empty if both sides have normal sight. */
export function sightOf(info: GameInfo, you: Side | null = null): string {
  const [white, black] = [seesAll(info, 'white'), seesAll(info, 'black')];
  if (white && black) return 'Odds: full vision for both';
  if (!white && !black) return '';
  const seer: Side = white ? 'white' : 'black';
  if (you === seer) return 'Odds: you see everything, your opponent does not';
  if (you) return 'Odds: your opponent sees everything, you do not';
  return `Odds: full vision for ${white ? 'White' : 'Black'} (${shown(info[seer].name)})`;
}
