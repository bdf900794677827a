/** The end of a game on its page: the fog rolls back, the hidden last move is shown, the card tells the rest. */

import { get } from '../api.ts';
import { fetchReview } from '../reviews.ts';
import type { Game } from '../state/game.ts';
import { itemsOf } from '../state/replay.ts';
import type { Side } from '../state/squares.ts';
import { movesIn, nameOf, type Item } from '../state/turns.ts';
import { darkness, readView, type View } from '../state/view.ts';
import type { RecordAnswer, RecordRow, ReviewDto } from '../state/wire.ts';
import { reduced, type Scene } from '../ui/board.ts';
import { EndCard } from '../ui/end-card.ts';

/** Duration of each stage, in milliseconds. */
const VEIL = 1100;
const SLIDE = 900;

interface Hooks {
  /** Something to draw has changed. */
  changed: () => void;
  rematch: () => void;
}

export class Finish {
  readonly card: EndCard;
  private rows: RecordRow[] = [];
  /** `veil`: the fog rolls back; `slide`: the hidden move is shown; `done`: all is seen. */
  private stage: 'none' | 'veil' | 'slide' | 'done' = 'none';
  private seen: View | null = null;
  private review: ReviewDto | string = '';
  private closed = false;

  constructor(
    private readonly id: string,
    private readonly hooks: Hooks,
  ) {
    this.card = new EndCard(hooks.rematch);
  }

  close(): void {
    this.closed = true;
  }

  /** Uncovers the board, slowly if the game ends `now`, and has the game reviewed. */
  begin(game: Game, now: boolean): void {
    this.seen = game.view ?? darkness(game.info?.size);
    if (game.info?.game === 'fog') void this.uncover(now && !reduced());
    if (game.you) void this.judge(game.you, game.end?.reason ?? null);
  }

  private async uncover(slowly: boolean): Promise<void> {
    const record = await get<RecordAnswer>(`/api/games/${this.id}/record`).catch(() => null);
    if (!record) return;
    this.rows = record.rows;
    if (!slowly) return this.enter('done');
    this.enter('veil');
    setTimeout(() => this.enter('slide'), VEIL);
    setTimeout(() => this.enter('done'), VEIL + SLIDE);
  }

  private enter(stage: 'veil' | 'slide' | 'done'): void {
    this.stage = stage;
    if (!this.closed) this.hooks.changed();
  }

  private async judge(side: Side, reason: string | null): Promise<void> {
    const tell = (review: ReviewDto | string): void => {
      this.review = review;
      if (!this.closed) this.hooks.changed();
    };
    tell('Analysing…');
    const review = await fetchReview(this.id, side, reason, tell, () => !this.closed);
    tell(review ?? 'No review of this game.');
  }

  /** The full board: first as it was before a last move of the opponent, then after it. Null before the end. */
  scene({ you, end }: Game, bottom: Side): Scene | null {
    const last = this.rows.at(-1);
    if (this.stage === 'none' || !last) return null;
    const before = this.stage === 'veil' && last.by !== you ? this.rows.at(-2) : undefined;
    const row = before ?? last;
    return {
      view: readView(row.truth),
      bottom,
      last: row.move ? [row.move.slice(0, 2), row.move.slice(2, 4)] : [],
      alarm: !before && end?.reason === 'king_captured' ? (row.move?.slice(2, 4) ?? null) : null,
      veil: this.stage === 'veil' ? this.seen : null,
      slow: this.stage !== 'done',
    };
  }

  /** Draws the card; `items` is the player's move list. */
  show({ end, you, ratings, rematch }: Game, items: readonly Item[]): void {
    if (!end) return this.card.show(null);
    this.card.show({
      id: this.id,
      end,
      you,
      moves: movesIn(this.rows.length > 0 ? itemsOf(this.rows) : items),
      rating: (you && ratings?.[you]) || null,
      review: this.review,
      nameOf: (ply) => nameOf(items, ply),
      rematch: !rematch || !you ? 'none' : rematch.by === you ? 'offered' : 'wanted',
    });
  }
}
