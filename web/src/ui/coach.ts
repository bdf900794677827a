/** The note that teaches a newcomer in place; each hint is given once in a browser. */

import { HINTS, hintFor, readHints, writeHints } from '../state/coach.ts';
import type { Game } from '../state/game.ts';
import { button, fill, h } from './dom.ts';

/** Where the given hints are remembered. */
const GIVEN = 'foglight.hints';

export class Coach {
  readonly root = h('div', { class: 'hint', 'aria-live': 'polite', hidden: true });

  /** Shows the hint that the change calls for; the next own move and the end take it away. */
  watch(before: Game, now: Game): void {
    const moved = now.log.length > before.log.length && now.log.at(-1)?.by === now.you;
    if (moved || now.end) this.root.hidden = true;
    const given = readHints(localStorage.getItem(GIVEN));
    const hint = hintFor(before, now, given);
    if (!hint) return;
    localStorage.setItem(GIVEN, writeHints(given.add(hint)));
    const close = button('Got it', () => (this.root.hidden = true), { class: 'button slim' });
    fill(this.root, h('p', null, HINTS[hint]), close);
    this.root.hidden = false;
  }
}
