/** The action bar of a board: on a phone a row of icons at the bottom of the screen. */

import type { Command } from '../state/keys.ts';
import { a, button, h } from './dom.ts';
import { icon, lamp } from './icons.ts';

export const homeLink = (): HTMLElement =>
  a('/', lamp(), { class: 'tool home-link', 'aria-label': 'Foglight, to the first page' });

/** Buttons to step through a game and to flip the board. */
export function stepButtons(step: (command: Command) => void): HTMLElement {
  const made = (name: Command, label: string): HTMLElement =>
    button(icon(name), () => step(name), { class: `tool ${name}`, 'aria-label': label, title: label });
  return h(
    'div',
    { class: 'steps', role: 'group', 'aria-label': 'Step through the game' },
    made('first', 'First move (Home)'),
    made('back', 'Previous move (←)'),
    made('forward', 'Next move (→)'),
    made('last', 'Last move (End)'),
    made('flip', 'Flip board (f)'),
  );
}

/** A button with an icon, and a label that phones hide. */
export function barButton(
  name: string,
  label: string,
  act: () => void,
  props: Record<string, unknown> = {},
): HTMLButtonElement {
  return button([icon(name), h('span', null, label)], act, {
    'aria-label': label,
    title: label,
    ...props,
    class: `button slim ${String(props['class'] ?? '')}`,
  });
}
