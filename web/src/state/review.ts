/** The judgement of a finished game: each move by what was known when it was made. */

import { grouped } from './heat.ts';
import { nameOf, type Key, type Side } from './squares.ts';

export type Mark = 'good' | 'inaccuracy' | 'mistake' | 'blunder';

export interface Judged {
  /** The ply before the move. */
  ply: number;
  move: string;
  count: number;
  exact: boolean;
  value: number;
  best: string;
  best_value: number;
  loss: number;
  noise: number;
  mark: Mark;
  luck: number;
  truth: { value: number; best: string } | null;
  options: { move: string; value: number }[];
}

export interface Review {
  status: 'done';
  side: Side;
  moves: Judged[];
  curve: { ply: number; known: number | null; truth: number | null }[];
  summary: {
    moves: number;
    skill: number;
    luck: number;
    good: number;
    inaccuracies: number;
    mistakes: number;
    blunders: number;
  };
}

export interface Working {
  status: 'working';
  done: number;
  of: number;
}

export interface Loss {
  ply: number;
  square: Key;
  piece: string;
  danger: number;
  takers: { from: Key | null; piece: string; p: number }[];
  other: number;
  count: number;
  exact: boolean;
  truth: { move: string; piece: string } | null;
}

const percent = (p: number): string => `${Math.round(100 * p)} %`;
const points = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(2)}`;

/** One move in words: first what could be known, then luck. */
export function judgement(move: Judged): string[] {
  const fits = `${move.exact ? '' : 'at least '}${grouped(move.count)} position${move.count === 1 ? '' : 's'} fitted what was seen.`;
  const verdict =
    move.mark === 'good'
      ? `${move.move} was a good move by what was known (${points(move.value)}).`
      : `${move.move} was ${move.mark === 'inaccuracy' ? 'an inaccuracy' : `a ${move.mark}`} by what was known: ${points(move.value)}; ${move.best} promised ${points(move.best_value)}.`;
  const fate = Math.abs(move.luck) < 0.02 ? 'What followed was as expected.' : `What followed was ${move.luck > 0 ? 'lucky' : 'unlucky'}: ${points(move.luck)}.`;
  return [capital(fits), verdict, fate];
}

/** Why a piece was lost: what was possible, then what was so. */
export function explanation(loss: Loss): string[] {
  const piece = `the ${nameOf(loss.piece)} on ${loss.square}`;
  const head = `Before it happened, ${piece} could be taken in ${percent(loss.danger)} of the ${loss.exact ? '' : 'sampled '}${grouped(loss.count)} positions that fitted.`;
  const takers = loss.takers.map((t) => `${nameOf(t.piece)}${t.from ? ` from ${t.from}` : ', place unknown'}: ${percent(t.p)}`);
  const list = takers.length > 0 ? `Possible takers: ${takers.join('; ')}${loss.other > 0.005 ? `; others: ${percent(loss.other)}` : ''}.` : 'No taker could be seen coming.';
  const truth = loss.truth ? `In truth: the ${nameOf(loss.truth.piece)} from ${loss.truth.move.slice(0, 2)}.` : '';
  return [head, list, truth].filter((s) => s !== '');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Marks by the ply after the move, as move lists count. */
export const marksOf = (review: Review): Map<number, Mark> => new Map(review.moves.map((m) => [m.ply + 1, m.mark]));

/** Skill and luck in a sentence. */
export function summary(review: Review): string {
  const s = review.summary;
  return `${s.moves} moves: ${s.good} good, ${s.inaccuracies} inaccurate, ${s.mistakes} mistaken, ${s.blunders} blundered. Skill ${points(s.skill)}, luck ${points(s.luck)}.`;
}
