/** A list of moves in two columns; a click goes to the move. */

import type { Side } from '../state/squares.ts';
import { button, fill, h } from './dom.ts';

export interface Item {
  ply: number;
  by: Side;
  text: string;
  /** Move class or visibility, shown as a CSS class. */
  mark?: string;
  title?: string;
}

export class MoveList {
  readonly root = h('div', { class: 'moves', role: 'region', 'aria-label': 'Moves', tabindex: '0' });
  private key = '';
  private readonly buttons = new Map<number, HTMLButtonElement>();

  constructor(private readonly go: (ply: number) => void) {}

  show(items: readonly Item[], current: number): void {
    const key = items.map((i) => `${i.ply}${i.text}${i.mark ?? ''}`).join('|');
    if (key !== this.key) this.rebuild(items);
    this.key = key;
    for (const [ply, made] of this.buttons) {
      const here = ply === current;
      made.classList.toggle('here', here);
      if (here) {
        made.setAttribute('aria-current', 'step');
        this.reveal(made);
      } else made.removeAttribute('aria-current');
    }
    if (items.length === 0) fill(this.root, h('p', { class: 'muted small' }, 'No move yet.'));
  }

  private rebuild(items: readonly Item[]): void {
    this.buttons.clear();
    const rows: HTMLElement[] = [];
    for (const turn of turns(items)) {
      rows.push(
        h(
          'div',
          { class: 'pair' },
          h('span', { class: 'number' }, `${turn.number}`),
          this.cell(turn.white),
          this.cell(turn.black),
        ),
      );
    }
    fill(this.root, rows);
  }

  private cell(items: readonly Item[]): HTMLElement {
    return h(
      'span',
      { class: 'half' },
      items.map((item) => {
        const made = button(item.text, () => this.go(item.ply), {
          class: `move ${item.mark ?? ''}`,
          title: item.title,
        });
        this.buttons.set(item.ply, made);
        return made;
      }),
    );
  }

  /** Scrolls the list only, never the page. */
  private reveal(made: HTMLElement): void {
    const list = this.root;
    const top = made.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + made.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 2;
  }
}

interface Turn {
  number: number;
  white: Item[];
  black: Item[];
}

/** Groups plies into full moves; a turn of dice chess has several plies. */
export function turns(items: readonly Item[]): Turn[] {
  const list: Turn[] = [];
  let last: Side | null = null;
  for (const item of items) {
    const fresh = list.length === 0 || (item.by === 'white' && last === 'black');
    if (fresh) list.push({ number: list.length + 1, white: [], black: [] });
    list.at(-1)?.[item.by].push(item);
    last = item.by;
  }
  return list;
}
