/** Imports games from PGN. */

import { post } from '../api.ts';
import type { Imported } from '../state/wire.ts';
import { a, button, fill, h } from './dom.ts';

/** A folded form; `open` gets the id of a single imported game, of several it lists the links. */
export function importer(open: (id: string) => void): HTMLElement {
  const out = h('div', null);
  const area = h('textarea', { rows: 4, 'aria-label': 'PGN', placeholder: '[Variant "Fog of War"] …' });
  const send = async (): Promise<void> => {
    try {
      const { games } = await post<Imported>('/api/import', area.value);
      const [first] = games;
      if (first && games.length === 1) return open(first);
      const links = games.map((id, i) => h('li', null, a(`/replay/${id}`, `Game ${i + 1}`)));
      fill(out, h('ul', { class: 'plain' }, links));
    } catch (error) {
      fill(out, h('p', { class: 'problem' }, error instanceof Error ? error.message : String(error)));
    }
  };
  return h(
    'details',
    { class: 'fold' },
    h('summary', null, 'Import game (PGN)'),
    h(
      'div',
      { class: 'stack' },
      area,
      button('Review game', () => void send(), { class: 'button' }),
      out,
    ),
  );
}
