/** A list of moves in two columns, or in one line on a phone; a click goes to the move. */

import { turns, type Item } from '../state/turns.ts';
import { button, fill, h } from './dom.ts';

export class MoveList {
  readonly root = h('div', { class: 'moves', role: 'region', 'aria-label': 'Moves', tabindex: '0' });
  private key = '';
  private readonly buttons = new Map<number, HTMLButtonElement>();

  constructor(private readonly go: (ply: number) => void) {}

  /** `none` stands for an empty list. */
  show(items: readonly Item[], current: number, none = 'No moves yet.'): void {
    const key = items.map((i) => `${i.ply}${i.text}${i.mark ?? ''}`).join('|');
    if (key !== this.key) this.rebuild(items);
    this.key = key;
    // A turn may pass without a move: then the last move before it is current.
    const at = items.findLast((item) => item.ply <= current)?.ply;
    for (const [ply, made] of this.buttons) {
      made.classList.toggle('here', ply === at);
      if (ply === at) {
        made.setAttribute('aria-current', 'step');
        this.reveal(made);
      } else made.removeAttribute('aria-current');
    }
    if (at === undefined) this.root.scrollTo(0, 0);
    if (items.length === 0) fill(this.root, h('p', { class: 'muted small' }, none));
  }

  private rebuild(items: readonly Item[]): void {
    this.buttons.clear();
    const rows = turns(items).map((turn) =>
      h(
        'div',
        { class: 'pair' },
        h('span', { class: 'number' }, `${turn.number}.`),
        this.cell(turn.white, turn.passed === 'white'),
        this.cell(turn.black, turn.passed === 'black'),
      ),
    );
    fill(this.root, rows);
  }

  private cell(items: readonly Item[], passed: boolean): HTMLElement {
    return h(
      'span',
      { class: 'half' },
      passed ? h('span', { class: 'passed', title: 'Rolled nothing that could move' }, 'pass') : null,
      items.map((item) => {
        const content = item.roll ? [h('span', { class: 'rolled' }, item.roll), item.text] : item.text;
        const made = button(content, () => this.go(item.ply), {
          class: `move ${item.mark ?? ''}`,
          title: item.title,
        });
        this.buttons.set(item.ply, made);
        return made;
      }),
    );
  }

  /** Scrolls the list only, never the page: down in columns, sideways in one line. */
  private reveal(made: HTMLElement): void {
    const [box, list] = [made.getBoundingClientRect(), this.root.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom)
      this.root.scrollTop += (box.top + box.bottom - list.top - list.bottom) / 2;
    if (box.left < list.left || box.right > list.right)
      this.root.scrollLeft += (box.left + box.right - list.left - list.right) / 2;
  }
}
