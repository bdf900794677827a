/** The leaderboards, a table for each game. */

import { get } from '../api.ts';
import { shown } from '../state/names.ts';
import { kindOf } from '../state/options.ts';
import type { LeaderboardRow, Leaderboards } from '../state/wire.ts';
import { h } from '../ui/dom.ts';
import type { Page, Shell } from '../ui/shell.ts';

function table(title: string, rungs: readonly LeaderboardRow[]): HTMLElement {
  const rows = rungs.map((rung, index) =>
    h(
      'tr',
      null,
      h('td', { class: 'n' }, String(index + 1)),
      h(
        'td',
        null,
        h('span', { class: 'name' }, shown(rung.name)),
        rung.kind === 'person' ? null : h('span', { class: 'badge' }, 'BOT'),
      ),
      h('td', { class: 'n' }, `${Math.round(rung.rating)}${rung.provisional ? '?' : ''}`),
      h('td', { class: 'n' }, String(rung.games)),
      h('td', { class: 'n' }, `${rung.wins} / ${rung.draws} / ${rung.losses}`),
    ),
  );
  const head = ['', 'Name', 'Rating', 'Games', 'Won / drawn / lost'].map((text, i) =>
    h('th', { class: i === 1 ? '' : 'n' }, text),
  );
  return h(
    'section',
    { class: 'panel' },
    h('h2', null, title),
    h('div', { class: 'scroll-x' }, h('table', null, h('thead', null, h('tr', null, head)), h('tbody', null, rows))),
  );
}

export async function leaderboard(_: Shell): Promise<Page> {
  const { ladders } = await get<Leaderboards>('/api/ladder');
  const filled = Object.entries(ladders).filter(([, rungs]) => rungs.length > 0);
  const element = h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'headline' },
      h('h1', null, 'Leaderboard'),
      h('p', { class: 'muted' }, 'Ratings of rated games, for people and bots. A question mark means few games.'),
    ),
    filled.length === 0
      ? h('p', null, 'Nobody has finished a rated game yet. Switch on “Rated” under the options of the first page.')
      : null,
    h(
      'div',
      { class: 'split even' },
      filled.map(([key, rungs]) =>
        table(kindOf({ game: key.split(':')[0] ?? '', rules: key.split(':')[1] ?? null }), rungs),
      ),
    ),
  );
  return { title: 'Leaderboard', element };
}
