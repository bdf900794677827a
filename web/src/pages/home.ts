/** The first page: one click to a game; everything else is folded away. */

import { get, identify, keepToken, post, Refusal, token } from '../api.ts';
import { shown } from '../state/names.ts';
import { CLOCKS, GAMES, request, restore, RULE_SETS, SIGHTS, tidy, titleOf, type Choice } from '../state/options.ts';
import type { Perspective } from '../state/replay.ts';
import { readView } from '../state/view.ts';
import type { AgentList, GameInfo, GameKind, BotLevel, Made, Me, StartInfo } from '../state/wire.ts';
import { Board, reduced } from '../ui/board.ts';
import { choices, select, textField, toggle } from '../ui/controls.ts';
import { a, button, fill, h } from '../ui/dom.ts';
import type { Page, Shell } from '../ui/shell.ts';

const KEPT = 'foglight.choice';

/** One position in three views (`foglight observe`, chess.com's rules). */
const SHOWCASE: Record<Perspective, string> = {
  truth: 'r3r1k1/pp1q1ppp/2nb4/3p3n/3P2b1/2NBPN2/PP1BQPPP/2R2RK1',
  white: '????????/???????p/1?????1?/?1?p3?/3P1??1/2NBPN2/PP1BQPPP/2R2RK1',
  black: 'r3r1k1/pp1q1ppp/2nb4/3p3n/?1?P2b?/1???PN2/???????P/????????',
};

/** Time for which the first page shows each view, in milliseconds. */
const LOOK = 3500;

class Home {
  readonly element = h('div', { class: 'home' });
  private readonly showcase = new Showcase();
  private readonly form = h('form', { class: 'start', on: { submit: (event: Event) => this.submit(event) } });
  private readonly setup = h('div', { class: 'stack' });
  private readonly extra = h('div', { class: 'options' });
  private readonly mine = h('section', { class: 'mine', hidden: true });
  private choice: Choice = restore(localStorage.getItem(KEPT));
  private agents: AgentList = { agents: [], levels: {}, games: [] };
  private busy = false;

  constructor(private readonly shell: Shell) {
    const fold = h('details', { class: 'fold' }, h('summary', null, 'Options'), this.extra);
    this.form.append(
      this.setup,
      h(
        'div',
        { class: 'row go' },
        h('button', { class: 'button primary huge', type: 'submit' }, 'Play'),
        button('Play with a friend', () => void this.start({ ...this.choice, opponent: { kind: 'person' } }), {
          class: 'quiet',
        }),
      ),
      fold,
    );
    this.element.append(
      h(
        'div',
        { class: 'pitch' },
        h('h1', null, 'Play Fog of War and Dice Chess'),
        h(
          'p',
          { class: 'lead' },
          'In the fog you see only the squares that your pieces can reach. Somewhere stands a king: capture it before yours is found.',
        ),
        this.form,
        this.mine,
      ),
      this.showcase.root,
    );
    this.draw();
    void this.load();
  }

  close(): void {
    this.showcase.close();
  }

  private async load(): Promise<void> {
    this.agents = await get<AgentList>('/api/agents').catch(() => this.agents);
    this.choice = tidy(this.choice, this.levels(), this.starts());
    this.draw();
    if (!token()) return;
    const me = await get<Me>('/api/me').catch(() => null);
    this.continued(me?.games.filter((game) => game.status !== 'over').slice(0, 5) ?? []);
  }

  private levels(): BotLevel[] {
    return this.agents.levels[this.choice.game] ?? [];
  }

  private starts(): StartInfo[] {
    return this.agents.games.find((g) => g.name === this.choice.game)?.starts ?? [];
  }

  private set(part: Partial<Choice>): void {
    this.choice = { ...this.choice, ...part };
    this.choice = tidy(this.choice, this.levels(), this.starts());
    localStorage.setItem(KEPT, JSON.stringify(this.choice));
    const focus = document.activeElement instanceof HTMLInputElement ? document.activeElement : null;
    this.draw();
    if (focus?.name) this.form.querySelector<HTMLInputElement>(`input[name="${focus.name}"]:checked`)?.focus();
  }

  private draw(): void {
    const { choice } = this;
    const about = GAMES.find((g) => g.name === choice.game)?.about ?? '';
    fill(
      this.setup,
      choices(
        'game',
        'Game',
        GAMES.map((g) => ({ value: g.name, label: g.title })),
        choice.game,
        (game: GameKind) => this.set({ game }),
      ),
      h('p', { class: 'muted about' }, about),
      this.opponents(),
    );
    fill(this.extra, this.options());
  }

  private opponents(): HTMLElement | null {
    const levels = this.levels();
    if (levels.length === 0) return null;
    const at = this.choice.opponent.kind === 'level' ? String(this.choice.opponent.level) : '';
    const now = levels.find((l) => String(l.level) === at);
    return h(
      'div',
      { class: 'levels' },
      choices(
        'level',
        'Opponent',
        levels.map((l) => ({ value: String(l.level), label: String(l.level), hint: `${l.name} (${l.agent})` })),
        at,
        (level) => this.set({ opponent: { kind: 'level', level: Number(level) } }),
        'chips',
      ),
      h(
        'p',
        { class: 'muted small' },
        now ? `Level ${now.level}: ${now.name}${localStorage.getItem(KEPT) ? '' : ', a gentle start'}` : '',
      ),
    );
  }

  private options(): HTMLElement[] {
    const { choice } = this;
    const boards = this.starts().map((start): [string, string] => [
      start.fen === 'startpos' ? '' : start.fen,
      `${start.size.replace('x', ' × ')}, ${start.name}`,
    ]);
    const list: HTMLElement[] = [
      choices(
        'color',
        'You play',
        [
          { value: 'random', label: 'Random side' },
          { value: 'white', label: 'White' },
          { value: 'black', label: 'Black' },
        ],
        choice.color,
        (color) => this.set({ color }),
      ),
      select('Time control', CLOCKS, choice.clock, (clock) => this.set({ clock })),
    ];
    if (boards.length > 1) list.push(select('Board', boards, choice.fen, (fen) => this.set({ fen })));
    if (choice.game === 'fog') list.push(select('Rules', RULE_SETS, choice.rules, (rules) => this.set({ rules })));
    if (choice.game === 'fog')
      list.push(
        select('Odds (told to both)', SIGHTS, choice.sight, (sight) => this.set({ sight: sight as Choice['sight'] })),
      );
    list.push(
      h(
        'div',
        { class: 'row' },
        toggle(
          'Rated',
          choice.rated,
          (rated) => this.set({ rated }),
          choice.fen !== '' || choice.practice || choice.sight !== 'fog',
        ),
        toggle('Hints on (casual only)', choice.practice, (practice) => this.set({ practice }), choice.game !== 'fog'),
      ),
      this.nameField(),
      h('p', { class: 'small muted' }, 'Every bot and its options are in the ', a('/lab', 'Lab'), '.'),
    );
    return list;
  }

  private nameField(): HTMLElement {
    const field = textField('Your name, as others see it', {
      maxlength: 30,
      placeholder: 'Anonymous',
      value: localStorage.getItem('foglight.name') ?? '',
    });
    field.querySelector('input')?.addEventListener('change', (event) => {
      const name = (event.target as HTMLInputElement).value.trim();
      localStorage.setItem('foglight.name', name);
      identify(name || 'Anonymous').catch((error: Error) => this.shell.toast(error.message));
    });
    return field;
  }

  private submit(event: Event): void {
    event.preventDefault();
    void this.start(this.choice);
  }

  private async start(choice: Choice): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await identify();
      const made = await post<Made>('/api/games', request(choice));
      keepToken(made.token);
      this.shell.go(`/game/${made.id}`);
    } catch (error) {
      this.shell.toast(error instanceof Refusal ? error.message : String(error));
    } finally {
      this.busy = false;
    }
  }

  private continued(games: readonly GameInfo[]): void {
    this.mine.hidden = games.length === 0;
    fill(
      this.mine,
      h('h2', null, 'Your games'),
      h(
        'ul',
        { class: 'plain' },
        games.map((game) =>
          h(
            'li',
            null,
            a(`/game/${game.id}`, [`${titleOf(game.game)}, ${shown(game.white.name)} – ${shown(game.black.name)}`]),
            h(
              'span',
              { class: 'muted small' },
              game.status === 'open' ? ' waiting for an opponent' : ` move ${Math.floor(game.ply / 2) + 1}`,
            ),
          ),
        ),
      ),
    );
  }
}

/** A demonstration of fog: three views of one position, by turns until the visitor chooses one. */
class Showcase {
  private readonly board = new Board(
    {},
    'An example: the same position as White sees it, as Black sees it, and in full',
    true,
  );
  private readonly tabs = h('div');
  readonly root = h('figure', { class: 'showcase' }, this.board.root, this.tabs);
  private readonly timer: number;
  private eye: Perspective = 'white';

  constructor() {
    this.show();
    this.timer = reduced() ? 0 : window.setInterval(() => this.next(), LOOK);
  }

  close(): void {
    clearInterval(this.timer);
    this.board.destroy();
  }

  private next(): void {
    if (this.root.matches(':hover, :focus-within')) return;
    this.eye = this.eye === 'white' ? 'black' : this.eye === 'black' ? 'truth' : 'white';
    this.show();
  }

  private show(): void {
    this.board.show({ view: readView(SHOWCASE[this.eye]), bottom: 'white' });
    fill(
      this.tabs,
      choices(
        'eye',
        'One position, three views',
        [
          { value: 'white', label: 'White sees' },
          { value: 'black', label: 'Black sees' },
          { value: 'truth', label: 'Full board' },
        ],
        this.eye,
        (eye: Perspective) => {
          clearInterval(this.timer);
          this.eye = eye;
          this.show();
          this.tabs.querySelector<HTMLInputElement>('input:checked')?.focus();
        },
      ),
    );
  }
}

export function home(shell: Shell): Page {
  const page = new Home(shell);
  return { title: 'Foglight', element: page.element, close: () => page.close() };
}
