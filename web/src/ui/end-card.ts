/** The card at the end of a game: result, accuracy, turning point, and what to do next. */

import { headline, reason } from '../state/notation.ts';
import { accuracy, plyAfter, turningPoint } from '../state/review.ts';
import type { OutcomeDto, RatingChange, ReviewDto } from '../state/wire.ts';
import type { Side } from '../state/squares.ts';
import { a, button, fill, h } from './dom.ts';
import { icon } from './icons.ts';

export interface Ending {
  id: string;
  end: OutcomeDto;
  you: Side | null;
  moves: number;
  rating: RatingChange | null;
  /** The review, or the text that stands for it. */
  review: ReviewDto | string;
  /** The name of a move: `12. Qh5`. */
  nameOf: (ply: number) => string | null;
  rematch: 'none' | 'offered' | 'wanted';
}

export class EndCard {
  readonly root = h('section', { class: 'end-card', 'aria-label': 'Result', hidden: true });
  private key = '';

  constructor(private readonly rematch: () => void) {}

  show(ending: Ending | null): void {
    this.root.hidden = ending === null;
    if (!ending) return;
    const key = JSON.stringify([ending.end, ending.rating, ending.review, ending.rematch]);
    if (key === this.key) return;
    this.key = key;
    const { end, you, moves, rating } = ending;
    const facts = [reason(end.reason), `${moves} ${moves === 1 ? 'move' : 'moves'}`];
    if (rating) facts.push(`rating ${Math.round(rating.before)} → ${Math.round(rating.after)}`);
    fill(
      this.root,
      h('h2', null, headline(end, you)),
      h('p', { class: 'muted facts' }, facts.join(' · ')),
      you ? this.judged(ending) : null,
      ending.rematch === 'wanted' ? h('p', null, 'Your opponent would like a rematch.') : null,
      this.deeds(ending),
    );
  }

  private judged({ review, nameOf }: Ending): HTMLElement {
    if (typeof review === 'string') return h('p', { class: 'muted', 'aria-live': 'polite' }, review);
    const whole = accuracy(review);
    const turn = turningPoint(review);
    const name = turn && (nameOf(plyAfter(turn)) ?? turn.san);
    return h(
      'dl',
      { class: 'judged-facts' },
      fact('Accuracy', whole === null ? 'no choice' : `${whole}%`),
      fact('Turning point', name ?? 'none'),
    );
  }

  private deeds({ id, you, rematch }: Ending): HTMLElement {
    return h(
      'div',
      { class: 'row' },
      you
        ? button([icon('again'), rematch === 'offered' ? 'Rematch offered' : 'Rematch'], this.rematch, {
            class: 'button primary',
            disabled: rematch === 'offered',
          })
        : null,
      a(`/replay/${id}`, [icon('eye'), 'Review'], { class: you ? 'button' : 'button primary' }),
      a('/', 'New game', { class: 'button' }),
    );
  }
}

const fact = (name: string, value: string): HTMLElement => h('div', null, h('dt', null, name), h('dd', null, value));
