/** Set up a position, analyse it with an agent, and step through its line. */

import { get, post } from '../api.ts';
import { clear, put, readFen, rights, START, writeFen, type Editor } from '../state/editor.ts';
import { grouped, warmth } from '../state/heat.ts';
import type { Command } from '../state/keys.ts';
import { san, sanLine } from '../state/moves.ts';
import { GAMES, RULE_SETS } from '../state/options.ts';
import { percent, worth } from '../state/review.ts';
import { ROLES, nameOf, type Key, type Side } from '../state/squares.ts';
import { readView } from '../state/view.ts';
import type {
  AgentList,
  GameKind,
  LineRequest,
  PositionAnswer,
  Report,
  StudyAnswer,
  StudyRequest,
} from '../state/wire.ts';
import { agentField } from '../ui/agentpicker.ts';
import { Board, type Scene } from '../ui/board.ts';
import { choices, select } from '../ui/controls.ts';
import { button, fill, h, say } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { importer } from '../ui/importer.ts';
import { pieceImage } from '../ui/piece.ts';
import type { Page, Shell } from '../ui/shell.ts';

type Face = 'edit' | 'view';

class StudyPage {
  readonly element = h('div', { class: 'study' });
  private editor: Editor;
  private game: GameKind = 'fog';
  private rules = 'chesscom';
  private agent: string;
  private brush: string | null = null;
  private answer: StudyAnswer | null = null;
  private face: Face = 'edit';
  private map = true;
  private step = 0;
  private stepFen: string | null = null;
  private flipped = false;
  private readonly board = new Board(
    {
      move: (from, to) => this.moved(from, to),
      click: (key) => this.clicked(key),
      say: (text) => this.shell.say(text),
    },
    'Position to analyse',
  );
  private readonly palette = h('div', { class: 'palette', role: 'toolbar', 'aria-label': 'Piece palette' });
  private readonly field = h('input', {
    type: 'text',
    class: 'mono',
    spellcheck: 'false',
    'aria-label': 'FEN',
    maxlength: 128,
  });
  private readonly problem = h('p', { class: 'small problem', role: 'alert' });
  private readonly setup = h('section', { class: 'panel' });
  private readonly result = h('section', { class: 'panel', 'aria-live': 'polite' });

  constructor(
    private readonly shell: Shell,
    private readonly agents: AgentList,
    query: URLSearchParams,
  ) {
    const wanted = GAMES.find((g) => g.name === query.get('game'))?.name;
    this.game = wanted ?? 'fog';
    this.agent = this.strongest;
    this.rules = RULE_SETS.find(([rules]) => rules === query.get('rules'))?.[0] ?? 'chesscom';
    this.editor = readFen(query.get('fen') ?? START);
    this.field.addEventListener('change', () => this.typed());
    this.element.append(
      h(
        'div',
        { class: 'table' },
        h('h1', { class: 'hidden-text' }, 'Analysis and board editor'),
        this.palette,
        this.board.root,
        h(
          'div',
          { class: 'fen-row' },
          this.field,
          button(icon('flip'), () => void this.command('flip'), { class: 'tool', 'aria-label': 'Flip board (f)' }),
        ),
        this.problem,
      ),
      h(
        'aside',
        { class: 'side' },
        this.setup,
        this.result,
        importer((id) => shell.go(`/replay/${id}`)),
      ),
    );
    this.render();
  }

  close(): void {
    this.board.destroy();
  }

  private get dicey(): boolean {
    return this.game.startsWith('dice');
  }

  private get fen(): string {
    return writeFen(this.editor, this.dicey);
  }

  private get side(): Side {
    return this.editor.turn;
  }

  private render(): void {
    this.board.show(this.scene());
    if (document.activeElement !== this.field) this.field.value = this.stepFen ?? this.fen;
    this.drawPalette();
    this.drawSetup();
    this.drawResult();
  }

  private scene(): Scene {
    const bottom = this.flipped ? 'black' : 'white';
    if (this.stepFen) return { view: readView(this.stepFen), bottom, last: this.lastOfLine() };
    if (this.face === 'view' && this.answer) {
      const view = readView(this.answer.observation.board);
      const heat = this.map && this.answer.belief?.heat ? warmth(this.answer.belief.heat, view.size) : null;
      return { view, bottom, heat, arrows: this.arrows() };
    }
    return { view: this.editor.view, bottom, free: this.brush === null, turn: this.side, arrows: this.arrows() };
  }

  private lastOfLine(): Key[] {
    const move = this.answer?.report.line?.[this.step - 1];
    return move ? [move.slice(0, 2), move.slice(2, 4)] : [];
  }

  private arrows(): Scene['arrows'] {
    const { answer } = this;
    if (!answer) return [];
    const mix = answer.report.mix?.length ? answer.report.mix : answer.move ? [{ move: answer.move, p: 0.8 }] : [];
    return mix
      .filter((m) => m.p >= 0.03)
      .map((m) => ({
        from: m.move.slice(0, 2),
        to: m.move.slice(2, 4),
        weight: m.p,
        kind: m.move === answer.move ? 'good' : 'mix',
      }));
  }

  private drawPalette(): void {
    const tool = (cell: string, label: string, picture: HTMLElement | string): HTMLElement =>
      button(
        picture,
        () => {
          this.brush = this.brush === cell ? null : cell;
          this.render();
        },
        { class: 'brush', 'aria-pressed': String(this.brush === cell), 'aria-label': label, title: label },
      );
    const men = (white: boolean): HTMLElement[] =>
      ROLES.map((role) =>
        tool(
          white ? role : role.toLowerCase(),
          `${white ? 'white' : 'black'} ${nameOf(role)}`,
          pieceImage(white ? role : role.toLowerCase(), { alt: '' }),
        ),
      );
    fill(
      this.palette,
      men(true),
      men(false),
      tool('.', 'empty square', '×'),
      this.game === 'fog' ? tool('?', 'fog', '?') : null,
    );
  }

  private drawSetup(): void {
    const change = (editor: Editor): void => this.edit(editor);
    fill(
      this.setup,
      choices(
        'study-game',
        'Game',
        GAMES.map((g) => ({ value: g.name, label: g.title })),
        this.game,
        (game: GameKind) => {
          this.game = game;
          this.agent = this.strongest;
          this.edit(this.editor);
        },
      ),
      h(
        'div',
        { class: 'columns' },
        this.game === 'fog'
          ? select('Rules', RULE_SETS, this.rules, (rules) => ((this.rules = rules), this.edit(this.editor)))
          : null,
        select(
          'To move',
          [
            ['white', 'White'],
            ['black', 'Black'],
          ] as const,
          this.editor.turn,
          (turn: Side) => change({ ...this.editor, turn }),
        ),
      ),
      h(
        'div',
        { class: 'row' },
        button('Starting position', () => change(readFen(START)), { class: 'button slim' }),
        button('Clear board', () => change(clear(this.editor)), { class: 'button slim' }),
        this.castlingSwitch(),
      ),
      this.dicey ? this.diceField() : null,
      this.botField(),
      button('Analyse', () => void this.ask(), { class: 'button primary' }),
      this.advanced(),
    );
  }

  private get strongest(): string {
    return this.agents.levels[this.game]?.at(-1)?.agent ?? 'random';
  }

  /** The bot that analyses: one of the levels, or the one spelled out below. */
  private botField(): HTMLElement {
    const levels = this.agents.levels[this.game] ?? [];
    const bots = levels.map((l): [string, string] => [l.agent, `Level ${l.level}: ${l.name}`]);
    if (!levels.some((l) => l.agent === this.agent)) bots.push([this.agent, this.agent]);
    return select('Bot', bots, this.agent, (agent) => ((this.agent = agent), this.render()));
  }

  private advanced(): HTMLElement {
    const field = agentField('Bot with options', this.agents.agents, this.game, this.agent, (agent) => {
      this.agent = agent;
      this.render();
    });
    return h('details', { class: 'fold' }, h('summary', null, 'Bot (advanced)'), field);
  }

  /** Selects the rolled dice: an agent can analyse only after the roll. */
  private diceField(): HTMLElement {
    const most = this.game === 'dice3' ? 3 : 1;
    const tick = (letter: string): HTMLElement =>
      button(
        `+ ${nameOf(letter)}`,
        () =>
          this.edit({
            ...this.editor,
            dice: sorted(this.editor.dice.length >= most ? letter : this.editor.dice + letter),
          }),
        { class: 'button slim' },
      );
    return h(
      'fieldset',
      null,
      h('legend', null, `Dice rolled: ${this.editor.dice || 'none'}`),
      h(
        'div',
        { class: 'row' },
        ROLES.map(tick),
        button('none', () => this.edit({ ...this.editor, dice: '' }), { class: 'button slim' }),
      ),
    );
  }

  private castlingSwitch(): HTMLElement {
    const all = rights(this.editor.view, 'KQkq');
    return button(
      `Castling: ${this.editor.castling}`,
      () => this.edit({ ...this.editor, castling: this.editor.castling === '-' ? all : '-' }),
      { class: 'button slim', disabled: all === '-' },
    );
  }

  private drawResult(): void {
    const { answer } = this;
    this.result.hidden = !answer;
    if (!answer) return;
    const { report } = answer;
    const view = readView(answer.observation.board);
    const named = (uci: string): string => san(view, answer.observation.moves, uci);
    const facts: [string, string][] = [];
    if (this.game === 'chess' && report.centipawns != null) facts.push(['Evaluation', pawns(report.centipawns)]);
    else if (report.value !== null) facts.push(['Winning chances', worth(report.value, 'fog')]);
    if (answer.belief)
      facts.push(['Possible positions', (answer.belief.exact ? '' : '≥ ') + grouped(answer.belief.count)]);
    fill(
      this.result,
      h('h2', null, answer.move ? `Best move: ${named(answer.move)}` : 'No move'),
      report.mix && report.mix.length > 1
        ? h(
            'p',
            { class: 'small' },
            report.mix
              .filter((m) => m.p >= 0.01)
              .slice(0, 8)
              .map((m) => `${named(m.move)} ${percent(m.p)}`)
              .join(' · '),
          )
        : null,
      h(
        'dl',
        { class: 'facts-list' },
        facts.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))),
      ),
      this.lineSteps(report.line),
      details(report),
      answer.observation.board.includes('?')
        ? h(
            'div',
            { class: 'row' },
            button(this.face === 'view' ? 'Full board' : 'What the side to move sees', () => this.turnFace(), {
              class: 'button slim',
            }),
            answer.belief?.heat
              ? button([icon('heat'), 'Heat map (b)'], () => void this.command('belief'), {
                  class: 'button slim',
                  'aria-pressed': String(this.map),
                })
              : null,
          )
        : null,
    );
  }

  private turnFace(): void {
    this.face = this.face === 'view' ? 'edit' : 'view';
    this.stepFen = null;
    this.render();
  }

  private lineSteps(line: readonly string[]): HTMLElement | null {
    if (line.length === 0) return null;
    return h(
      'div',
      { class: 'row line' },
      h('span', { class: 'small muted' }, 'Best line:'),
      button('start', () => void this.goLine(0), { class: 'move' }),
      sanLine(this.editor.view, line).map((move, index) =>
        button(move, () => void this.goLine(index + 1), {
          class: `move ${this.step === index + 1 && this.stepFen ? 'here' : ''}`,
        }),
      ),
    );
  }

  private async goLine(step: number): Promise<void> {
    const line = this.answer?.report.line ?? [];
    this.step = Math.max(0, Math.min(line.length, step));
    if (this.step === 0) this.stepFen = null;
    else {
      try {
        this.stepFen = (
          await post<PositionAnswer>('/api/position', {
            ...this.setting,
            start: this.fen,
            moves: line.slice(0, this.step),
          } satisfies LineRequest)
        ).fen;
      } catch (error) {
        this.stepFen = null;
        this.shell.toast(error instanceof Error ? error.message : String(error));
      }
    }
    this.render();
  }

  private get setting(): { game: GameKind; rules: string | null } {
    return { game: this.game, rules: this.game === 'fog' ? this.rules : null };
  }

  private edit(editor: Editor): void {
    this.editor = editor;
    this.answer = null;
    this.stepFen = null;
    this.face = 'edit';
    say(this.problem, '');
    this.render();
  }

  private typed(): void {
    this.edit(readFen(this.field.value));
    this.field.value = this.fen;
  }

  private clicked(key: Key): void {
    if (this.brush === null) return;
    const now = this.editor.view.cells.get(key);
    this.edit(put(this.editor, key, now === this.brush ? '.' : this.brush));
  }

  /** A piece is dragged to another square. */
  private moved(from: Key, to: Key): void {
    const piece = this.editor.view.cells.get(from);
    if (!piece) return this.render();
    this.edit(put(put(this.editor, from, '.'), to, piece));
  }

  private async ask(): Promise<void> {
    try {
      this.answer = await post<StudyAnswer>('/api/study', {
        ...this.setting,
        fen: this.fen,
        side: this.side,
        agent: this.agent,
      } satisfies StudyRequest);
      this.step = 0;
      this.stepFen = null;
      this.face = this.answer.observation.board.includes('?') ? 'view' : 'edit';
      say(this.problem, '');
    } catch (error) {
      say(this.problem, error instanceof Error ? error.message : String(error));
    }
    this.render();
  }

  command(command: Command): boolean {
    switch (command) {
      case 'flip':
        this.flipped = !this.flipped;
        break;
      case 'belief':
        this.map = !this.map;
        break;
      case 'forward':
        void this.goLine(this.step + 1);
        return true;
      case 'back':
        void this.goLine(this.step - 1);
        return true;
      case 'escape':
        this.brush = null;
        break;
      default:
        return false;
    }
    this.render();
    return true;
  }
}

/** Centipawns as players write them: +1.3. */
const pawns = (centipawns: number): string => `${centipawns < 0 ? '−' : '+'}${(Math.abs(centipawns) / 100).toFixed(1)}`;

/** What only authors of bots read. */
function details(report: Report): HTMLElement | null {
  const facts = Object.entries(report.figures).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
  if (report.depth) facts.unshift(`depth ${report.depth}`);
  if (report.nodes) facts.unshift(`${grouped(report.nodes)} nodes`);
  if (facts.length === 0) return null;
  return h(
    'details',
    { class: 'fold' },
    h('summary', null, 'Engine details'),
    h('p', { class: 'small' }, facts.join(' · ')),
  );
}

const sorted = (dice: string): string =>
  [...dice].sort((a, b) => ROLES.join('').indexOf(a) - ROLES.join('').indexOf(b)).join('');

export async function study(shell: Shell, query: URLSearchParams): Promise<Page> {
  const page = new StudyPage(shell, await get<AgentList>('/api/agents'), query);
  return {
    title: 'Analysis',
    element: page.element,
    command: (command) => page.command(command),
    close: () => page.close(),
  };
}
