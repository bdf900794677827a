/** The review of a finished game: each move evaluated on the player's information. */

import { grouped } from './heat.ts';
import { nameOf } from './squares.ts';
import type { MoveReviewDto, LostPieceDto, Mark, ReviewDto } from './wire.ts';

const percent = (p: number): string => `${Math.round(100 * p)} %`;
const points = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(2)}`;
const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

const FAULTS: readonly Mark[] = ['inaccuracy', 'mistake', 'blunder'];
export const isFault = (mark: Mark): boolean => FAULTS.includes(mark);

/** One move in words: first its evaluation on the player's information, then luck. */
export function judgement(move: MoveReviewDto): string[] {
  const fits =
    move.count > 1 || !move.exact
      ? `${move.exact ? '' : 'At least '}${grouped(move.count)} positions fitted what was seen.`
      : '';
  const fate =
    Math.abs(move.luck) < 0.02
      ? 'What followed was as expected.'
      : `What followed was ${move.luck > 0 ? 'lucky' : 'unlucky'}: ${points(move.luck)}.`;
  return [fits, opinion(move), fate].filter((text) => text !== '');
}

function opinion(move: MoveReviewDto): string {
  const after = points(move.value - move.loss);
  switch (move.verdict) {
    case 'forced':
      return `${move.san} was the only move (${after}).`;
    case 'best':
      return `${move.san}: nothing better was to be found (${after}).`;
    case 'good':
      return `${move.san} was a good move by what was known (${after}).`;
    default: {
      const name = move.verdict === 'inaccuracy' ? 'an inaccuracy' : `a ${move.verdict}`;
      return `${move.san} was ${name} by what was known: ${after}, where ${move.best ?? 'another move'} promised ${points(move.value)}.`;
    }
  }
}

/** Explains a lost piece: the possible capturers, then the actual one. */
export function explanation(loss: LostPieceDto): string[] {
  const likely = loss.takers.slice(0, 4).map((t) => `${nameOf(t.piece)} from ${t.from}: ${percent(t.chance)}`);
  const rest = 1 - loss.takers.slice(0, 4).reduce((sum, t) => sum + t.chance, 0);
  return [
    `Before it happened, the ${nameOf(loss.piece)} on ${loss.square} could be taken in ${percent(loss.danger)} of the positions that fitted.`,
    `By what was seen then, the taker was a ${likely.join('; a ')}${rest > 0.005 ? `; another: ${percent(rest)}` : ''}.`,
    `In truth: the ${nameOf(loss.really.piece)} from ${loss.really.from}.`,
  ];
}

/** The ply after a reviewed move, as move lists count; a turn of dice chess ends with its last move. */
export const plyAfter = (move: MoveReviewDto): number => move.ply + move.played.split(' ').length;
export const judgedAt = (review: ReviewDto, ply: number): MoveReviewDto | undefined =>
  review.moves.find((m) => plyAfter(m) >= ply && m.ply < ply);
export const marksOf = (review: ReviewDto): Map<number, Mark> =>
  new Map(review.moves.map((m) => [plyAfter(m), m.verdict]));
export const lossAt = (review: ReviewDto, ply: number): LostPieceDto | undefined =>
  review.losses.find((loss) => loss.ply + 1 === ply);

/** The expected value before each move, and the value of the true position after it. */
export function curves(review: ReviewDto): { known: [number, number][]; truth: [number, number][] } {
  return {
    known: review.moves.map((m) => [m.ply, m.value]),
    truth: review.moves.map((m) => [plyAfter(m), m.truth]),
  };
}

/** Skill and luck apart, in a sentence. */
export function summary(review: ReviewDto): string {
  const count = (mark: Mark): number => review.moves.filter((m) => m.verdict === mark).length;
  const faults = [
    plural(count('inaccuracy'), 'inaccurate move'),
    plural(count('mistake'), 'mistake'),
    plural(count('blunder'), 'blunder'),
  ];
  const dice = review.dice === null ? '' : `, of which the dice ${points(review.dice)}`;
  return `${plural(review.moves.length, 'move')}: ${faults.join(', ')}. Given away ${review.given.toFixed(2)}; luck ${points(review.luck)}${dice}.`;
}
