/** The review of a finished game in plain words: each move judged on what the player could see. */

import { nameOf } from './squares.ts';
import type { GameKind, LostPieceDto, Mark, MoveReviewDto, ReviewDto, ReviewProgress } from './wire.ts';

export const percent = (p: number): string => `${Math.round(100 * p)}%`;
const plural = (n: number, one: string, more = `${one}s`): string => `${n} ${n === 1 ? one : more}`;

const FAULTS: readonly Mark[] = ['inaccuracy', 'mistake', 'blunder'];
export const isFault = (mark: Mark): boolean => FAULTS.includes(mark);

/** Winning chances of a value from -1 to +1. */
export const chances = (value: number): string => percent((1 + Math.max(-1, Math.min(1, value))) / 2);

/** A value as players of the game write it: pawns in plain chess, winning chances elsewhere. */
export const worth = (value: number, game: GameKind): string => (game === 'chess' ? pawns(value) : chances(value));

/** A value in pawns, by the server's scale: the Elo curve on which four pawns are ten to one. */
function pawns(value: number): string {
  const bounded = Math.max(-0.99, Math.min(0.99, value));
  const amount = 4 * Math.log10((1 + bounded) / (1 - bounded));
  return `${amount < 0 ? '−' : '+'}${Math.abs(amount).toFixed(1)}`;
}

/** How far a review is, or its place in the queue. */
export function progressOf({ done, of, queue }: ReviewProgress): string {
  if (queue) return `Waiting: ${plural(queue, 'analysis', 'analyses')} before yours`;
  return `Analysing… ${Math.floor((100 * done) / Math.max(1, of))}%`;
}

/** Ends that no move on the board brought about. */
const OFF_BOARD = ['resign', 'timeout', 'agreement', 'disconnect', 'stall', 'illegal_move', 'move_limit'];

/** A review of a game with this end: a resignation is no bad luck after the last move. */
export function settled(review: ReviewDto, reason: string | null): ReviewDto {
  const last = review.moves.at(-1);
  if (!last || !reason || !OFF_BOARD.includes(reason)) return review;
  const moves = [...review.moves.slice(0, -1), { ...last, luck: 0 }];
  return { ...review, moves, luck: review.luck - last.luck };
}

/** Accuracy of one move, 0 to 100, by the formula of lila, from the winning chances it gave away. */
function accuracyOf(loss: number): number {
  const drop = 50 * Math.max(0, loss);
  return Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * drop) - 3.1669));
}

/** Mean accuracy of the moves that were a choice, in whole percent; null if there was none. */
export function accuracy(review: ReviewDto): number | null {
  const chosen = review.moves.filter((move) => move.verdict !== 'forced');
  if (chosen.length === 0) return null;
  return Math.round(chosen.reduce((sum, move) => sum + accuracyOf(move.loss), 0) / chosen.length);
}

/** The three moves that cost most, in the order of the game. */
export const keyMoments = (review: ReviewDto): MoveReviewDto[] =>
  review.moves
    .filter((move) => isFault(move.verdict))
    .sort((a, b) => b.loss - a.loss)
    .slice(0, 3)
    .sort((a, b) => a.ply - b.ply);

/** The move that changed the game most: the costliest fault, or else the greatest turn of luck. */
export function turningPoint(review: ReviewDto): MoveReviewDto | null {
  const swing = (move: MoveReviewDto): number => (isFault(move.verdict) ? 1 + move.loss : Math.abs(move.luck) / 2);
  return review.moves.reduce<MoveReviewDto | null>(
    (best, move) => (swing(move) > (best ? swing(best) : 0.1) ? move : best),
    null,
  );
}

const NAMES: Record<Mark, string> = {
  forced: 'the only move',
  best: 'the best move',
  good: 'a good move',
  inaccuracy: 'an inaccuracy',
  mistake: 'a mistake',
  blunder: 'a blunder',
};

/** Least gain in safety that is worth saying. */
const SAFER = 0.1;

/** One move in one sentence. */
export function sentence(move: MoveReviewDto, game: GameKind): string {
  const after = worth(move.value - move.loss, game);
  const name = `${move.san} was ${NAMES[move.verdict]}`;
  if (!isFault(move.verdict)) return `${name} (${after}).`;
  const cost = `${worth(move.value, game)} to ${after}`;
  if (!move.best_san) return `${name}: ${cost}.`;
  const { safety } = move;
  if (safety && safety.best - safety.played >= SAFER)
    return `${name} (${cost}): best was ${move.best_san}, it was safe in ${percent(safety.best)} of the positions you could be in, ${move.san} in ${percent(safety.played)}.`;
  return `${name} (${cost}): best was ${move.best_san}.`;
}

/** What happened after a move that the player could not foresee; empty if it was little. */
export function fate(move: MoveReviewDto, game: GameKind): string {
  const share = Math.round(50 * move.luck);
  if (Math.abs(share) < 2) return '';
  // Nothing is hidden in chess: what a move gains afterwards, the opponent gave.
  if (game === 'chess') return share > 0 ? `Your opponent then gave back ${share}%.` : '';
  return share > 0 ? `Then luck helped: +${share}%.` : `Then luck went against you: −${-share}%.`;
}

/** Luck of the whole game as a share of winning chances, from -1 to +1, and in words; chess has none. */
export function luck(review: ReviewDto, game: GameKind): { share: number; text: string } | null {
  if (game === 'chess') return null;
  const share = Math.max(-1, Math.min(1, review.luck / 2));
  const whole = Math.round(100 * Math.abs(share));
  const dice = review.dice === null ? '' : `, the dice alone ${signed(review.dice / 2)}`;
  if (whole === 0) return { share, text: `Luck was even${dice}.` };
  return { share, text: `Luck ${share > 0 ? 'for you' : 'against you'}: ${whole}%${dice}.` };
}

const signed = (share: number): string => `${share < 0 ? '−' : '+'}${Math.round(100 * Math.abs(share))}%`;

/** "24 moves: 2 inaccuracies, 1 mistake, no blunders." */
export function counts(review: ReviewDto): string {
  const count = (mark: Mark): number => review.moves.filter((move) => move.verdict === mark).length;
  return [
    plural(count('inaccuracy'), 'inaccuracy', 'inaccuracies'),
    plural(count('mistake'), 'mistake'),
    plural(count('blunder'), 'blunder'),
  ].join(', ');
}

/** Where a review ends that could not follow the whole game; `nameOf` names a move. */
export function endOf(review: ReviewDto, nameOf: (ply: number) => string | null): string | null {
  if (review.lost_at === null) return null;
  const where = nameOf(review.lost_at) ?? 'there';
  return `Reviewed up to ${where}: beyond it too many positions were possible.`;
}

/** Explains a lost piece: the likely capturers as the player could know, then the actual one. */
export function explanation(loss: LostPieceDto): string[] {
  const likely = loss.takers.slice(0, 3).map((t) => `${nameOf(t.piece)} from ${t.from} (${percent(t.chance)})`);
  return [
    `Captured by: ${nameOf(loss.really.piece)} from ${loss.really.from}.`,
    likely.length === 1 && loss.takers.length === 1
      ? 'You could know it.'
      : `As far as you could see: ${likely.join(', ')}.`,
    `Before, your ${nameOf(loss.piece)} on ${loss.square} was in danger in ${percent(loss.danger)} of the possible positions.`,
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
