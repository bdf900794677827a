/** Hints for a first game of fog, each at the moment it matters and never again. */

import type { Game } from './game.ts';

export type Hint = 'hidden' | 'lost' | 'ghost' | 'capture';

export const HINTS: Record<Hint, string> = {
  hidden: 'A “?” in the list is a move you could not see. Your opponent does not see yours either.',
  lost: 'You lost a piece to one you may not see. After the game, the review shows what captured it.',
  ghost: 'The pale piece is a memory: it was last seen there and may have moved on.',
  capture: 'You captured a piece. There is no check: capture the king to win, and keep yours safe.',
};

/** The hint that the change from one state to the next calls for; null if none or already given. */
export function hintFor(before: Game, now: Game, given: ReadonlySet<Hint>): Hint | null {
  if (now.info?.game !== 'fog' || !now.you || now.end || now.log.length <= before.log.length) return null;
  const entry = now.log.at(-1);
  if (!entry) return null;
  const mine = entry.by === now.you;
  const due: [Hint, boolean][] = [
    ['lost', entry.lost !== null],
    ['capture', mine && entry.took !== null],
    ['ghost', now.memory.ghosts.size > before.memory.ghosts.size],
    ['hidden', !mine && entry.move === null && entry.to.length + entry.from.length === 0],
  ];
  return due.find(([hint, is]) => is && !given.has(hint))?.[0] ?? null;
}

export const readHints = (text: string | null): Set<Hint> =>
  new Set((text ?? '').split(',').filter((word): word is Hint => word in HINTS));
export const writeHints = (given: ReadonlySet<Hint>): string => [...given].join(',');
