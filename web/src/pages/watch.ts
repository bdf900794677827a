/** Current and finished games, and a game between two bots at one click. */

import { get, post } from '../api.ts';
import { shown } from '../state/names.ts';
import { reason } from '../state/notation.ts';
import { GAMES, kindOf } from '../state/options.ts';
import { sightOf } from '../state/sight.ts';
import type { AgentList, Begun, GameInfo, GameKind, Watched, WatchRequest } from '../state/wire.ts';
import { choices, select } from '../ui/controls.ts';
import { a, button, fill, h } from '../ui/dom.ts';
import type { Page, Shell } from '../ui/shell.ts';

class WatchPage {
  readonly element = h('div', { class: 'watch' });
  private readonly lists = h('div', { class: 'lists stack' });
  private readonly form = h('section', { class: 'panel' });
  private readonly timer: number;
  private game: GameKind = 'fog';
  private levels: [number, number] = [4, 3];

  constructor(
    private readonly shell: Shell,
    private readonly agents: AgentList,
  ) {
    this.element.append(h('h1', null, 'Watch'), h('div', { class: 'split' }, this.lists, this.form));
    this.drawForm();
    void this.refresh();
    this.timer = window.setInterval(() => void this.refresh(), 3000);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async refresh(): Promise<void> {
    const found = await get<Watched>('/api/watch').catch(() => null);
    if (!found) return;
    fill(
      this.lists,
      section('Current games', found.running, 'Nothing is being played. Let two bots play.'),
      section('Finished games', found.recent, 'No finished games yet.'),
    );
  }

  private drawForm(): void {
    const levels = this.agents.levels[this.game] ?? [];
    const names = levels.map((l): [string, string] => [String(l.level), `Level ${l.level}: ${l.name}`]);
    const side = (label: string, at: 0 | 1): HTMLElement =>
      select(label, names, String(Math.min(this.levels[at], levels.length)), (level) => {
        this.levels[at] = Number(level);
      });
    fill(
      this.form,
      h('h2', null, 'Watch bots play'),
      choices(
        'watch-game',
        'Game',
        GAMES.map((g) => ({ value: g.name, label: g.title })),
        this.game,
        (game: GameKind) => {
          this.game = game;
          this.drawForm();
        },
      ),
      side('White', 0),
      side('Black', 1),
      button('Start the game', () => void this.start(), { class: 'button primary' }),
      h('p', { class: 'small muted' }, 'Bots with options and tournaments are in the ', a('/lab', 'Lab'), '.'),
    );
  }

  private async start(): Promise<void> {
    const levels = this.agents.levels[this.game] ?? [];
    const agent = (at: 0 | 1): string => levels[Math.min(this.levels[at], levels.length) - 1]?.agent ?? 'random';
    const body: WatchRequest = { game: this.game, white: agent(0), black: agent(1), pause: 700 };
    try {
      const { id } = await post<Begun>('/api/watch', body);
      this.shell.go(`/watch/${id}`);
    } catch (error) {
      this.shell.toast(error instanceof Error ? error.message : String(error));
    }
  }
}

function section(title: string, games: readonly GameInfo[], none: string): HTMLElement {
  return h(
    'section',
    { class: 'stack tight' },
    h('h2', null, title),
    games.length === 0 ? h('p', { class: 'muted' }, none) : h('ul', { class: 'cards' }, games.map(card)),
  );
}

function card(game: GameInfo): HTMLElement {
  const over = game.status === 'over';
  const href = over ? `/replay/${game.id}` : game.live ? `/watch/${game.id}` : `/game/${game.id}`;
  const facts = [kindOf(game), sightOf(game)];
  if (over) facts.push(game.result ?? '', reason(game.reason));
  else if (!game.live) facts.push('board hidden until the game ends');
  return h(
    'li',
    null,
    a(
      href,
      [
        h(
          'strong',
          { class: 'name' },
          h('bdi', null, shown(game.white.name)),
          ' – ',
          h('bdi', null, shown(game.black.name)),
        ),
        h('span', { class: 'muted small' }, facts.filter(Boolean).join(' · ')),
      ],
      { class: 'card' },
    ),
  );
}

export async function watch(shell: Shell): Promise<Page> {
  const agents = await get<AgentList>('/api/agents');
  const page = new WatchPage(shell, agents);
  return { title: 'Watch', element: page.element, close: () => page.close() };
}
