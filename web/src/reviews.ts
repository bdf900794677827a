/** Fetches the review of a game, which the server computes on request. */

import { ask } from './api.ts';
import type { Side } from './state/squares.ts';
import { progressOf, settled } from './state/review.ts';
import type { ReviewAnswer, ReviewDto } from './state/wire.ts';

/** Time between two questions, in milliseconds. */
const PAUSE = 700;

/**
 * Asks until the review is done or `wanted` says no. `reason` is why
 * the game ended, `progress` gets the text to show meanwhile. Null if there is no
 * review.
 */
export async function fetchReview(
  id: string,
  side: Side,
  reason: string | null,
  progress: (text: string) => void,
  wanted: () => boolean,
): Promise<ReviewDto | null> {
  while (wanted()) {
    const answer = await ask<ReviewAnswer>(`/api/games/${id}/review?side=${side}`).catch(() => null);
    if (!answer) return null;
    if (answer.body.status === 'done') return settled(answer.body, reason);
    progress(progressOf(answer.body));
    await new Promise((later) => setTimeout(later, PAUSE));
  }
  return null;
}
