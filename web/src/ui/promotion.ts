/** Promotion dialog: four pieces over the pawn's square. */

import { fileOf, nameOf, place, type Key, type Side, type Size } from '../state/squares.ts';
import { button, h } from './dom.ts';
import { pieceImage } from './piece.ts';

/** Resolves to the piece letter, or to null if the move is cancelled. */
export function askPromotion(
  host: HTMLElement,
  letters: readonly string[],
  to: Key,
  side: Side,
  size: Size,
  bottom: Side,
): Promise<string | null> {
  return new Promise((resolve) => {
    const { x, y } = place(to, size, bottom);
    const box = h('div', {
      class: `promotion ${y === 0 ? 'from-top' : 'from-bottom'}`,
      role: 'dialog',
      'aria-label': 'Promote to',
    });
    const done = (letter: string | null): void => {
      cover.remove();
      resolve(letter);
    };
    for (const letter of letters) {
      const piece = side === 'white' ? letter.toUpperCase() : letter;
      box.append(button(pieceImage(piece), () => done(letter), { 'aria-label': nameOf(piece), title: nameOf(piece) }));
    }
    const cover = h(
      'div',
      { class: 'cover', on: { click: (event: MouseEvent) => event.target === cover && done(null) } },
      box,
    );
    cover.addEventListener('keydown', (event) => {
      const hit = letters.find((letter) => letter === event.key);
      if (hit || event.key === 'Escape') {
        done(hit ?? null);
        event.preventDefault();
        event.stopPropagation();
      }
    });
    box.style.left = `${(100 * x) / size.files}%`;
    box.style.width = `${100 / size.files}%`;
    host.append(cover);
    box.querySelector('button')?.focus();
    box.dataset['file'] = String(fileOf(to));
  });
}
