/** Games to watch, and forms to start games between agents. */

import { get, post } from '../api.ts';
import { shown } from '../state/names.ts';
import { reason } from '../state/notation.ts';
import { GAMES, RULES } from '../state/options.ts';
import type {
  AgentList,
  Begun,
  GameInfo,
  GameKind,
  TournamentInfo,
  TournamentRequest,
  Watched,
  WatchRequest,
} from '../state/wire.ts';
import { agentField } from '../ui/agentpicker.ts';
import { choices, select } from '../ui/controls.ts';
import { a, button, fill, h } from '../ui/dom.ts';
import { sightOf } from '../state/sight.ts';
import type { Page, Shell } from '../ui/shell.ts';

const FIRST: Record<GameKind, [string, string]> = {
  fog: ['pbsa', 'thesis'],
  dice1: ['dice:nodes=20000', 'mcts:nodes=2000'],
  dice3: ['dice:nodes=20000', 'goal'],
  chess: ['classic:nodes=20000', 'ensemble'],
};

const SEERS: readonly ['fog' | 'white' | 'black', string][] = [
  ['fog', 'Fog for both'],
  ['white', 'White sees everything'],
  ['black', 'Black sees everything'],
];

class WatchPage {
  readonly element = h('div', { class: 'watch' });
  private readonly lists = h('div', { class: 'lists stack' });
  private readonly forms = h('div', { class: 'stack' });
  private readonly timer: number;
  private game: GameKind = 'fog';
  private sight: 'fog' | 'white' | 'black' = 'fog';
  private rules = 'chesscom';
  private sides: [string, string] = FIRST.fog;
  private entrants = new Set<string>(['random', 'greedy']);
  private rounds = 2;

  constructor(
    private readonly shell: Shell,
    private readonly agents: AgentList,
  ) {
    this.element.append(h('h1', null, 'Watch'), h('div', { class: 'split' }, this.lists, this.forms));
    this.drawForms();
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
      this.section('Running', found.running, 'Nothing is being played. Start a game between two agents.'),
      this.tournaments(found.tournaments),
      this.section('Finished', found.recent, 'No finished game yet.'),
    );
  }

  private section(title: string, games: readonly GameInfo[], none: string): HTMLElement {
    return h(
      'section',
      { class: 'stack tight' },
      h('h2', null, title),
      games.length === 0 ? h('p', { class: 'muted' }, none) : h('ul', { class: 'cards' }, games.map(card)),
    );
  }

  private tournaments(list: readonly TournamentInfo[]): HTMLElement | null {
    if (list.length === 0) return null;
    const line = (t: TournamentInfo): HTMLElement =>
      h(
        'li',
        null,
        a(
          `/tournament/${t.id}`,
          [
            h('strong', { class: 'name' }, shown(t.name, 'Tournament')),
            h('span', { class: 'muted small' }, `${t.game}, ${t.agents.length} agents · ${t.played} of ${t.of} games`),
          ],
          { class: 'card' },
        ),
      );
    return h(
      'section',
      { class: 'stack tight' },
      h('h2', null, 'Tournaments'),
      h('ul', { class: 'cards' }, list.map(line)),
    );
  }

  private drawForms(): void {
    const setGame = (game: GameKind): void => {
      this.game = game;
      this.sides = FIRST[game];
      this.drawForms();
    };
    const able = this.agents.agents.filter((agent) => agent.games.includes(this.game));
    fill(
      this.forms,
      h(
        'section',
        { class: 'panel' },
        h('h2', null, 'Let agents play'),
        choices(
          'watch-game',
          'Game',
          GAMES.map((g) => ({ value: g.name, label: g.title })),
          this.game,
          setGame,
        ),
        this.game === 'fog'
          ? select(
              'Rule set',
              RULES.map((r): [string, string] => [r, r]),
              this.rules,
              (rules) => (this.rules = rules),
            )
          : null,
        this.game === 'fog' ? select('Sight', SEERS, this.sight, (sight) => (this.sight = sight)) : null,
        agentField(
          'White',
          this.agents.agents,
          this.game,
          this.sides[0],
          (agent) => (this.sides = [agent, this.sides[1]]),
        ),
        agentField(
          'Black',
          this.agents.agents,
          this.game,
          this.sides[1],
          (agent) => (this.sides = [this.sides[0], agent]),
        ),
        button('Start the game', () => void this.startGame(), { class: 'button primary' }),
      ),
      h(
        'section',
        { class: 'panel' },
        h('h2', null, 'Tournament'),
        h('p', { class: 'small muted' }, 'Every pair plays two games a round, colours changed.'),
        h(
          'fieldset',
          { class: 'ticks' },
          h('legend', null, 'Agents'),
          able.map((agent) => this.tick(agent.name, agent.about)),
        ),
        select(
          'Rounds',
          ['1', '2', '5', '10'].map((n): [string, string] => [n, n]),
          String(this.rounds),
          (n) => (this.rounds = Number(n)),
        ),
        button('Start the tournament', () => void this.startTournament(), { class: 'button' }),
      ),
    );
  }

  private tick(name: string, about: string): HTMLElement {
    const input = h('input', {
      type: 'checkbox',
      on: { change: () => (input.checked ? this.entrants.add(name) : this.entrants.delete(name)) },
    });
    input.checked = this.entrants.has(name);
    return h('label', { class: 'switch', title: about }, input, h('span', null, name));
  }

  private get setting(): { game: GameKind; rules?: string } {
    return { game: this.game, ...(this.game === 'fog' ? { rules: this.rules } : {}) };
  }

  private async startGame(): Promise<void> {
    await this.attempt(
      '/api/watch',
      {
        ...this.setting,
        white: this.sides[0],
        black: this.sides[1],
        fen: null,
        pause: 700,
        sight: this.game === 'fog' && this.sight !== 'fog' ? this.sight : null,
      },
      '/watch/',
    );
  }

  private async startTournament(): Promise<void> {
    const able = this.agents.agents.filter((agent) => agent.games.includes(this.game)).map((agent) => agent.name);
    const agents = [...this.entrants].filter((name) => able.includes(name));
    await this.attempt(
      '/api/tournaments',
      { ...this.setting, name: `${this.game}, ${agents.length} agents`, agents, rounds: this.rounds, pause: 0 },
      '/tournament/',
    );
  }

  private async attempt(path: string, body: WatchRequest | TournamentRequest, goal: string): Promise<void> {
    try {
      const { id } = await post<Begun>(path, body);
      this.shell.go(goal + id);
    } catch (error) {
      this.shell.toast(error instanceof Error ? error.message : String(error));
    }
  }
}

function card(game: GameInfo): HTMLElement {
  const over = game.status === 'over';
  const href = over ? `/replay/${game.id}` : game.live ? `/watch/${game.id}` : `/game/${game.id}`;
  const kind = GAMES.find((g) => g.name === game.game)?.title ?? game.game;
  const declared = sightOf(game);
  const tail = over
    ? `${game.result} · ${reason(game.reason)}`
    : `ply ${game.ply}${game.live ? '' : ' · boards hidden until the end'}`;
  return h(
    'li',
    null,
    a(
      href,
      [
        h('strong', null, h('bdi', null, shown(game.white.name)), ' – ', h('bdi', null, shown(game.black.name))),
        h(
          'span',
          { class: 'muted small' },
          `${kind}${game.rules && game.game === 'fog' ? ` (${game.rules})` : ''}${declared ? ` · ${declared}` : ''} · ${tail}`,
        ),
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
