/** The page for unknown addresses. */

import { Refusal } from '../api.ts';
import { a, h } from '../ui/dom.ts';
import type { Page } from '../ui/shell.ts';

function note(title: string, text: string): Page {
  return {
    title,
    element: h(
      'section',
      { class: 'note' },
      h('h1', null, title),
      h('p', null, text),
      a('/', 'To the first page', { class: 'button' }),
    ),
  };
}

export const missing = (): Page => note('Page not found', 'Lost in the fog: there is no page at this address.');

export function failed(error: unknown): Page {
  if (error instanceof Refusal && error.status === 404)
    return note('Page not found', `Lost in the fog: ${error.message}.`);
  return note('That did not work', error instanceof Error ? error.message : String(error));
}
