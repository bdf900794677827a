/** The practice panel: number of possible positions, heat map, and the engine's choice. */

import { grouped } from '../state/heat.ts';
import type { Wish } from '../state/hints.ts';
import { percent } from '../state/review.ts';
import type { PracticeEvent } from '../state/wire.ts';
import { select, toggle } from './controls.ts';
import { fill, h } from './dom.ts';

export const KINDS: readonly (readonly [string, string])[] = [
  ['all', 'Any piece'],
  ['k', 'King'],
  ['q', 'Queen'],
  ['r', 'Rooks'],
  ['b', 'Bishops'],
  ['n', 'Knights'],
  ['p', 'Pawns'],
];

export class PracticePanel {
  readonly root = h('section', { class: 'practice panel', 'aria-label': 'Hints' });
  private readonly facts = h('div', { class: 'facts' });
  private readonly tools = h('div', { class: 'row' });

  constructor(
    private wish: Wish,
    private readonly change: (wish: Wish) => void,
  ) {
    this.root.append(h('h2', { class: 'h3' }, 'Hints'), this.facts, this.tools);
    this.controls();
  }

  set(wish: Wish): void {
    this.wish = wish;
    this.controls();
  }

  private controls(): void {
    const set = (part: Partial<Wish>): void => {
      this.wish = { ...this.wish, ...part };
      this.change(this.wish);
    };
    fill(
      this.tools,
      toggle('Heat map: where pieces may be (b)', this.wish.heat, (heat) => set({ heat })),
      toggle('Engine suggestions', this.wish.mix, (mix) => set({ mix })),
      select('Show', KINDS, this.wish.kind, (kind) => set({ kind })),
    );
  }

  show(practice: PracticeEvent | null, san: (uci: string) => string): void {
    if (!practice) return fill(this.facts, h('p', { class: 'muted' }, 'Counting…'));
    if (practice.count === null)
      return fill(this.facts, h('p', { class: 'muted' }, 'Hints can no longer follow this game.'));
    const mix = (practice.mix ?? []).filter((m) => m.p >= 0.01).slice(0, 5);
    fill(
      this.facts,
      h(
        'p',
        { class: 'count' },
        h('strong', null, (practice.exact ? '' : '≥ ') + grouped(practice.count)),
        practice.count === 1 ? ' possible position' : ' possible positions',
      ),
      this.wish.mix && mix.length > 0
        ? h('p', { class: 'small' }, 'Engine suggests: ', mix.map((m) => `${san(m.move)} ${percent(m.p)}`).join(', '))
        : null,
    );
  }
}
