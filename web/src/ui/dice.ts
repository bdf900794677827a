/** The dice of the game page: rolls them and shows which are unused. */

import { nameOf, type Side } from '../state/squares.ts';
import { a, button, fill, h } from './dom.ts';
import { pips } from './icons.ts';
import { pieceImage } from './piece.ts';

export interface Tray {
  /** Unused dice, or the last roll. */
  dice: string;
  by: Side;
  /** Whether this player may roll now. */
  mine: boolean;
  commit: string | null;
  id: string;
  count: number;
}

export class DiceTray {
  readonly root = h('section', { class: 'dice', 'aria-label': 'Dice' });
  private key = '';

  constructor(private readonly roll: () => void) {}

  show(tray: Tray): void {
    const key = JSON.stringify(tray);
    if (key === this.key) return;
    const rolled = tray.dice !== '' && !this.key.includes(`"dice":"${tray.dice}"`);
    this.key = key;
    const faces = tray.dice ? [...tray.dice].map((letter) => face(letter, tray.by)) : blanks(tray.count);
    fill(
      this.root,
      h('div', { class: `faces ${rolled ? 'rolled' : ''}` }, faces),
      tray.mine
        ? button(tray.count > 1 ? 'Roll the dice' : 'Roll the die', this.roll, {
            class: 'button primary',
            'aria-keyshortcuts': 'Space',
          })
        : null,
      tray.commit
        ? h(
            'p',
            { class: 'small muted' },
            a(`/fair/${tray.id}`, 'Provably fair: verify', { title: `Commitment ${tray.commit}` }),
          )
        : null,
    );
  }
}

const face = (letter: string, side: Side): HTMLElement => {
  const piece = side === 'white' ? letter.toUpperCase() : letter.toLowerCase();
  return h('span', { class: 'die', title: nameOf(piece) }, pieceImage(piece), pips(letter));
};

const blanks = (count: number): HTMLElement[] =>
  Array.from({ length: count }, () => h('span', { class: 'die blank', role: 'img', 'aria-label': 'not rolled' }, '?'));
