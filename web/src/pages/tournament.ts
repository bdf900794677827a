/** A running tournament: cross table, ratings, and their history. */

import { get } from '../api.ts';
import { kindOf } from '../state/options.ts';
import { shown } from '../state/names.ts';
import { cell, halves, lines } from '../state/tournament.ts';
import type { RunningTournament } from '../state/wire.ts';
import { a, fill, h, s } from '../ui/dom.ts';
import { plot } from '../ui/plot.ts';
import type { Page, Shell } from '../ui/shell.ts';

class TournamentPage {
  readonly element = h('div', { class: 'tournament stack' });
  private timer = 0;

  constructor(
    private readonly id: string,
    first: RunningTournament,
  ) {
    this.draw(first);
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async refresh(): Promise<void> {
    const now = await get<RunningTournament>(`/api/tournaments/${this.id}`).catch(() => null);
    if (now) this.draw(now);
  }

  private draw(t: RunningTournament): void {
    fill(
      this.element,
      h(
        'div',
        { class: 'headline' },
        h('h1', { class: 'name' }, shown(t.name, 'Tournament')),
        h(
          'p',
          { class: 'muted' },
          `${kindOf(t)} · ${t.played} of ${t.of} games`,
          t.now ? ' · ' : '',
          t.now ? a(`/watch/${t.now}`, 'watch the game that runs now') : null,
        ),
        progress(t.played / Math.max(1, t.of)),
      ),
      h(
        'div',
        { class: 'split' },
        h('section', { class: 'panel' }, h('h2', null, 'Ratings'), standings(t)),
        h('section', { class: 'panel' }, h('h2', null, 'Cross table'), cross(t)),
      ),
      t.history.length > 1
        ? h(
            'section',
            { class: 'panel' },
            h('h2', null, 'Ratings, game by game'),
            plot(
              lines(t).map((line, index) => ({ ...line, look: `hue${index % 8}` })),
              'Ratings after each game',
              { span: 50 },
            ),
          )
        : null,
      h('section', { class: 'stack tight' }, h('h2', null, 'Games'), games(t)),
    );
    clearTimeout(this.timer);
    if (t.status === 'running') this.timer = window.setTimeout(() => void this.refresh(), 1500);
  }
}

const progress = (share: number): HTMLElement => {
  const bar = h('progress', { max: 1, 'aria-label': 'Games played' });
  bar.value = share;
  return bar;
};

/** Ratings with error bars. */
function standings(t: RunningTournament): HTMLElement {
  const reach = Math.max(50, ...t.table.map((row) => Math.abs(row.rating) + row.error));
  const x = (v: number): number => 50 + (50 * Math.max(-reach, Math.min(reach, v))) / reach;
  const rows = t.table.map((row) =>
    h(
      'tr',
      null,
      h('td', null, row.agent),
      h('td', { class: 'n' }, `${halves(row.points)} / ${row.games}`),
      h('td', { class: 'n' }, `${Math.round(row.rating)} ± ${Math.round(row.error)}`),
      h(
        'td',
        { class: 'whisker' },
        s(
          'svg',
          { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
          s('path', { class: 'axis', d: 'M50 0V10' }),
          s('path', {
            class: 'error',
            d: `M${x(row.rating - row.error)} 5H${x(row.rating + row.error)}`,
          }),
          s('path', { class: 'mean', d: `M${x(row.rating)} 1V9` }),
        ),
      ),
    ),
  );
  return h(
    'div',
    { class: 'scroll-x' },
    h(
      'table',
      null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('th', null, 'Bot'),
          h('th', { class: 'n' }, 'Points'),
          h('th', { class: 'n' }, 'Elo'),
          h('th', null, ''),
        ),
      ),
      h('tbody', null, rows),
    ),
  );
}

function cross(t: RunningTournament): HTMLElement {
  const head = h(
    'tr',
    null,
    h('th', null, ''),
    t.agents.map((_, index) => h('th', { class: 'n' }, String(index + 1))),
  );
  const rows = t.agents.map((agent, index) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row' }, `${index + 1} ${agent}`),
      (t.cross[index] ?? []).map((tally, column) => h('td', { class: index === column ? 'n self' : 'n' }, cell(tally))),
    ),
  );
  return h(
    'div',
    { class: 'scroll-x' },
    h('table', { class: 'cross' }, h('thead', null, head), h('tbody', null, rows)),
  );
}

function games(t: RunningTournament): HTMLElement {
  const rows = [...t.history].reverse().slice(0, 60);
  return h(
    'ul',
    { class: 'results' },
    rows.map((game) =>
      h(
        'li',
        null,
        a(`/replay/${game.game}`, `${t.agents[game.white]} – ${t.agents[game.black]}  ${game.result ?? ''}`),
      ),
    ),
  );
}

export async function tournament(_: Shell, id: string): Promise<Page> {
  const page = new TournamentPage(id, await get<RunningTournament>(`/api/tournaments/${id}`));
  return { title: 'Tournament', element: page.element, close: () => page.close() };
}
