/** Declared full sight: a game in which one side sees through the fog, and both know it. */

import { shown } from './names.ts';
import type { Side } from './squares.ts';
import type { GameInfo } from './wire.ts';

export const seesAll = (info: Pick<GameInfo, 'sight'> | null, side: Side): boolean => info?.sight[side] === 'full';

/** The declaration in words for one side; empty if both sides have normal sight. */
export function sightOf(info: GameInfo, you: Side | null = null): string {
  const [white, black] = [seesAll(info, 'white'), seesAll(info, 'black')];
  if (white && black) return 'Declared: both see everything';
  if (!white && !black) return '';
  const seer: Side = white ? 'white' : 'black';
  if (you === seer) return 'Declared: you see everything, your opponent does not';
  if (you) return 'Declared: your opponent sees everything, you do not';
  return `Declared: ${white ? 'White' : 'Black'} (${shown(info[seer].name)}) sees everything`;
}
