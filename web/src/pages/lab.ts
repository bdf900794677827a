/** The Lab: bots with all their options, against each other, against you, and in tournaments. */

import { get, identify, keepToken, post } from '../api.ts';
import { shown } from '../state/names.ts';
import { GAMES, RULE_SETS, titleOf } from '../state/options.ts';
import type {
  AgentList,
  Begun,
  GameKind,
  GameRequest,
  Made,
  TournamentInfo,
  TournamentRequest,
  Watched,
  WatchRequest,
} from '../state/wire.ts';
import { agentField } from '../ui/agentpicker.ts';
import { choices, select } from '../ui/controls.ts';
import { a, button, fill, h } from '../ui/dom.ts';
import type { Page, Shell } from '../ui/shell.ts';

const FIRST: Record<GameKind, [string, string]> = {
  fog: ['pbsa', 'thesis'],
  dice1: ['dice:nodes=20000', 'mcts:nodes=2000'],
  dice3: ['dice:nodes=20000', 'goal'],
  chess: ['classic:nodes=20000', 'ensemble'],
};

const SEERS: readonly ['fog' | 'white' | 'black', string][] = [
  ['fog', 'Nobody'],
  ['white', 'White'],
  ['black', 'Black'],
];

class LabPage {
  readonly element = h('div', { class: 'watch' });
  private readonly list = h('div', { class: 'stack tight' });
  private readonly forms = h('div', { class: 'split even' });
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
    this.element.append(
      h('h1', null, 'Lab'),
      h('p', { class: 'muted' }, 'Every bot with all its options, and tournaments between bots.'),
      this.forms,
      this.list,
    );
    this.drawForms();
    void this.refresh();
    this.timer = window.setInterval(() => void this.refresh(), 3000);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async refresh(): Promise<void> {
    const found = await get<Watched>('/api/watch').catch(() => null);
    if (found) fill(this.list, tournaments(found.tournaments));
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
        h('h2', null, 'Bots with options'),
        choices(
          'lab-game',
          'Game',
          GAMES.map((g) => ({ value: g.name, label: g.title })),
          this.game,
          setGame,
        ),
        this.game === 'fog' ? select('Rules', RULE_SETS, this.rules, (rules) => (this.rules = rules)) : null,
        this.game === 'fog'
          ? select('Odds: full vision for', SEERS, this.sight, (sight) => (this.sight = sight))
          : null,
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
        h(
          'div',
          { class: 'row' },
          button('Start the game', () => void this.startGame(), { class: 'button primary' }),
          button('Play White myself', () => void this.play(), { class: 'button' }),
        ),
      ),
      h(
        'section',
        { class: 'panel' },
        h('h2', null, 'Tournament'),
        h('p', { class: 'small muted' }, 'Every pair plays two games a round, colours changed.'),
        h(
          'fieldset',
          { class: 'ticks' },
          h('legend', null, 'Bots'),
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
        sight: this.seer,
      },
      '/watch/',
    );
  }

  private async startTournament(): Promise<void> {
    const able = this.agents.agents.filter((agent) => agent.games.includes(this.game)).map((agent) => agent.name);
    const agents = [...this.entrants].filter((name) => able.includes(name));
    await this.attempt(
      '/api/tournaments',
      { ...this.setting, name: `${titleOf(this.game)}, ${agents.length} bots`, agents, rounds: this.rounds, pause: 0 },
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

  /** A game of the visitor, who plays White, against the bot of Black. */
  private async play(): Promise<void> {
    try {
      await identify();
      const made = await post<Made>('/api/games', {
        ...this.setting,
        color: 'white',
        opponent: { agent: this.sides[1] },
        sight: this.seer === null ? null : this.seer === 'white' ? 'me' : 'opponent',
        rated: false,
        practice: false,
      } satisfies GameRequest);
      keepToken(made.token);
      this.shell.go(`/game/${made.id}`);
    } catch (error) {
      this.shell.toast(error instanceof Error ? error.message : String(error));
    }
  }

  private get seer(): 'white' | 'black' | null {
    return this.game === 'fog' && this.sight !== 'fog' ? this.sight : null;
  }
}

function tournaments(list: readonly TournamentInfo[]): (HTMLElement | null)[] {
  const line = (t: TournamentInfo): HTMLElement =>
    h(
      'li',
      null,
      a(
        `/tournament/${t.id}`,
        [
          h('strong', { class: 'name' }, shown(t.name, 'Tournament')),
          h(
            'span',
            { class: 'muted small' },
            `${titleOf(t.game)}, ${t.agents.length} bots · ${t.played} of ${t.of} games`,
          ),
        ],
        { class: 'card' },
      ),
    );
  return [
    h('h2', null, 'Tournaments'),
    list.length ? h('ul', { class: 'cards' }, list.map(line)) : h('p', { class: 'muted' }, 'No tournament yet.'),
  ];
}

export async function lab(shell: Shell): Promise<Page> {
  const page = new LabPage(shell, await get<AgentList>('/api/agents'));
  return { title: 'Lab', element: page.element, close: () => page.close() };
}
