/** The rules of each game, with examples that the server computes from its rules. */

import { get } from '../api.ts';
import { kindOf, rulesName, titleOf } from '../state/options.ts';
import { readView } from '../state/view.ts';
import type { RulesExample, Rules, RulesPage } from '../state/wire.ts';
import { Board } from '../ui/board.ts';
import { a, h } from '../ui/dom.ts';
import type { Page, Shell } from '../ui/shell.ts';

const nameOf = (page: RulesPage): string => (page.game === 'fog' && page.rules ? `fog-${page.rules}` : page.game);

function example(page: RulesPage, item: RulesExample): HTMLElement {
  const board = new Board({}, item.title, true);
  const truth = new Board({}, `${item.title}: full board`, true);
  const view = readView(item.board);
  const foggy = [...view.cells.values()].includes('?');
  board.show({ view, bottom: item.side });
  if (foggy) truth.show({ view: readView(item.fen), bottom: item.side });
  return h(
    'article',
    { class: 'panel example' },
    h('h2', { class: 'h3' }, item.title),
    h('p', null, item.text),
    h(
      'div',
      { class: foggy ? 'pair-boards' : 'lone-board' },
      h(
        'figure',
        null,
        board.root,
        h(
          'figcaption',
          { class: 'small muted' },
          foggy ? `What ${item.side === 'white' ? 'White' : 'Black'} sees` : 'The position',
        ),
      ),
      foggy ? h('figure', null, truth.root, h('figcaption', { class: 'small muted' }, 'Full board')) : null,
    ),
    a(
      `/study?${new URLSearchParams({ game: page.game, rules: page.rules ?? '', fen: item.fen })}`,
      'Open in the analysis board',
      { class: 'small' },
    ),
  );
}

export async function rules(_: Shell, name: string): Promise<Page> {
  const { pages } = await get<Rules>('/api/rules');
  const page = pages.find((p) => nameOf(p) === name) ?? pages[0];
  const tabs = h(
    'nav',
    { class: 'tabs', 'aria-label': 'Rule sets' },
    pages.map((p) =>
      a(
        `/rules/${nameOf(p)}`,
        p.game === 'fog' && p.rules ? `Fog: ${rulesName(p.rules)}` : titleOf(p.game),
        p === page ? { 'aria-current': 'page' } : {},
      ),
    ),
  );
  const title = page?.game === 'fog' ? kindOf(page) : (page?.title ?? 'Rules');
  const element = h(
    'div',
    { class: 'rules stack' },
    h('h1', null, title),
    tabs,
    h(
      'ul',
      { class: 'points' },
      (page?.points ?? []).map((point) => h('li', null, point)),
    ),
    h('div', { class: 'examples' }, page ? page.examples.map((item) => example(page, item)) : null),
    h('p', { class: 'small muted' }, 'Dice can be verified after each game: ', a('/fair', 'provably fair dice'), '.'),
  );
  return { title, element };
}
