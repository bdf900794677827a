/** A tournament's tables as texts and lines. */

import type { TournamentScore, RunningTournament } from './wire.ts';

export const points = (tally: TournamentScore): number => tally.w + tally.d / 2;

/** `3½ / 4`, or a dash if the two have not met. */
export function cell(tally: TournamentScore | null): string {
  if (!tally) return '';
  const games = tally.w + tally.d + tally.l;
  return games === 0 ? '–' : `${halves(points(tally))} / ${games}`;
}

export function halves(n: number): string {
  const whole = Math.floor(n);
  return n === whole ? String(whole) : `${whole || ''}½`;
}

/** Ratings after each game, a line for each agent. */
export function lines(tournament: RunningTournament): { name: string; points: [number, number | null][] }[] {
  return tournament.agents.map((name, index) => ({
    name,
    points: tournament.history.map((game, at): [number, number | null] => [at + 1, game.ratings[index] ?? null]),
  }));
}
