/** The review of a game in plain words: what captured my pieces, accuracy, luck, key moments. */

import { accuracy, counts, endOf, explanation, fate, keyMoments, luck, plyAfter, sentence } from '../state/review.ts';
import { nameOf as pieceName, type Side } from '../state/squares.ts';
import type { GameKind, LostPieceDto, MoveReviewDto, ReviewDto } from '../state/wire.ts';
import { choices } from './controls.ts';
import { button, fill, h } from './dom.ts';

export interface Reviewed {
  game: GameKind;
  side: Side;
  you: Side | null;
  review: ReviewDto | string;
  /** The reviewed move at the current ply, and the piece lost there. */
  move: MoveReviewDto | undefined;
  loss: LostPieceDto | undefined;
  /** The name of a move: `12. Qh5`. */
  nameOf: (ply: number) => string | null;
}

interface Hooks {
  go: (ply: number) => void;
  side: (side: Side) => void;
}

export class ReviewPanel {
  readonly root = h('section', { class: 'panel review', 'aria-label': 'Game review' });
  private readonly captured = h('div', { class: 'stack tight captured' });
  private readonly body = h('div', { class: 'stack tight' });

  constructor(private readonly hooks: Hooks) {
    this.root.append(this.captured, this.body);
  }

  /** Moves the keyboard focus to the choice of the side. */
  focusSide(): void {
    this.body.querySelector<HTMLInputElement>('input:checked')?.focus();
  }

  show(now: Reviewed): void {
    const { review } = now;
    this.captured.hidden = typeof review === 'string' || review.losses.length === 0;
    if (typeof review === 'string') {
      fill(this.body, this.head(now), h('p', { class: 'muted', role: 'status' }, review));
      return;
    }
    this.showCaptured(review, now);
    const end = endOf(review, now.nameOf);
    fill(
      this.body,
      this.head(now),
      summary(review, now.game),
      this.judged(now),
      this.moments(review, now),
      end && h('p', { class: 'small muted' }, end),
    );
  }

  private showCaptured(review: ReviewDto, { loss, you, side }: Reviewed): void {
    fill(
      this.captured,
      h('h2', { class: 'h3' }, you === side ? 'What captured my piece? (w)' : 'What captured the piece? (w)'),
      h(
        'div',
        { class: 'row' },
        review.losses.map((lost) =>
          button(`${pieceName(lost.piece)} ${lost.square}`, () => this.hooks.go(lost.ply + 1), {
            class: `button slim ${lost === loss ? 'primary' : ''}`,
          }),
        ),
      ),
      loss ? explanation(loss).map((text, i) => h('p', { class: i === 0 ? 'actual' : 'small' }, text)) : null,
    );
  }

  private head({ side }: Reviewed): HTMLElement {
    const picker = choices(
      'judged',
      'Whose moves',
      [
        { value: 'white', label: 'White' },
        { value: 'black', label: 'Black' },
      ],
      side,
      this.hooks.side,
      'segments mini',
    );
    return h('div', { class: 'row spread' }, h('h2', { class: 'h3' }, 'Game review'), picker);
  }

  private judged({ move, game }: Reviewed): HTMLElement | null {
    if (!move) return null;
    return h(
      'div',
      { class: `verdict ${move.verdict}`, role: 'status' },
      [sentence(move, game), fate(move, game)].filter(Boolean).map((text) => h('p', null, text)),
    );
  }

  private moments(review: ReviewDto, { game, nameOf, move }: Reviewed): HTMLElement | null {
    const list = keyMoments(review);
    if (list.length === 0) return h('p', null, 'No mistakes: nothing clearly better was to be found.');
    const item = (moment: MoveReviewDto): HTMLElement =>
      h(
        'li',
        { class: moment.verdict },
        button(nameOf(plyAfter(moment)) ?? moment.san, () => this.hooks.go(plyAfter(moment)), {
          class: 'move',
          'aria-current': moment === move ? 'step' : null,
        }),
        h('span', { class: 'small' }, sentence(moment, game)),
      );
    return h(
      'div',
      { class: 'stack tight' },
      h('h3', null, 'Key moments'),
      h('ol', { class: 'moments' }, list.map(item)),
    );
  }
}

function summary(review: ReviewDto, game: GameKind): HTMLElement {
  const whole = accuracy(review);
  const chance = luck(review, game);
  return h(
    'div',
    { class: 'summary' },
    h('p', { class: 'accuracy' }, h('strong', null, whole === null ? '–' : `${whole}%`), ' accuracy'),
    h('p', { class: 'small muted' }, counts(review)),
    chance && bar(chance.share),
    chance && h('p', { class: 'small' }, chance.text),
  );
}

/** A bar from the middle: to the right for good luck, to the left for bad. */
function bar(share: number): HTMLElement {
  const meter = h('div', { class: `luck ${share < 0 ? 'bad' : 'good'}`, 'aria-hidden': 'true' }, h('span', null));
  meter.style.setProperty('--share', String(Math.abs(share)));
  return meter;
}
