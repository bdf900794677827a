/** A running game whose boards spectators may see, and the reports of its bots. */

import { get } from '../api.ts';
import { checkedAfter, empty, receive, type Game } from '../state/game.ts';
import type { Command } from '../state/keys.ts';
import { shown } from '../state/names.ts';
import { verdict } from '../state/notation.ts';
import { numberOf } from '../state/live.ts';
import type { Perspective } from '../state/replay.ts';
import { percent } from '../state/review.ts';
import { seesAll } from '../state/sight.ts';
import type { Side } from '../state/squares.ts';
import { termsOf } from '../state/terms.ts';
import { nameOf, type Item } from '../state/turns.ts';
import { readView } from '../state/view.ts';
import type { AskedGame, GameInfo, LiveRow, Message, Report } from '../state/wire.ts';
import { Socket } from '../socket.ts';
import { homeLink, stepButtons } from '../ui/bar.ts';
import type { Arrow } from '../ui/board.ts';
import { a, fill, h, say } from '../ui/dom.ts';
import { MoveList } from '../ui/movelist.ts';
import type { Page, Shell } from '../ui/shell.ts';
import { play } from '../ui/sounds.ts';
import { PlayerBar } from '../ui/player-bar.ts';
import { TripleBoard } from '../ui/triple-board.ts';

class LivePage {
  readonly element = h('div', { class: 'replay live' });
  private state: Game;
  private eye: Perspective = 'truth';
  private at: number | null = null;
  /** The move number of each row as it first came: a turn that passes sends the row before it again. */
  private readonly numbers = new Map<number, number>();
  private flipped = false;
  private connected = true;
  private final: string | null = null;
  private readonly socket: Socket;
  private readonly trio: TripleBoard;
  private readonly list = new MoveList((ply) => this.go(ply));
  private readonly status = h('p', { class: 'status', 'aria-live': 'polite' });
  private readonly words = h('details', { class: 'fold panel' });
  private readonly review = h('div', { class: 'row' });
  private readonly strips: Record<Side, PlayerBar> = { white: new PlayerBar(), black: new PlayerBar() };
  private readonly ticking: number;

  constructor(
    shell: Shell,
    private readonly id: string,
    info: GameInfo,
  ) {
    this.state = { ...empty(), info };
    this.trio = new TripleBoard(info.game === 'fog', (eye) => this.look(eye));
    this.element.append(
      h('h1', { class: 'hidden-text' }, 'Watch'),
      h(
        'div',
        { class: 'stage' },
        h('div', { class: 'strips' }, this.strips.white.root, this.strips.black.root),
        this.trio.root,
      ),
      h(
        'div',
        { class: 'bar' },
        homeLink(),
        stepButtons((command) => void this.command(command)),
      ),
      h(
        'aside',
        { class: 'side' },
        h('p', { class: 'terms muted small' }, termsOf(info, null)),
        this.status,
        this.review,
        this.list.root,
        this.words,
      ),
    );
    this.socket = new Socket(id, {
      message: (message) => this.receive(message),
      status: (connected, final) => this.linked(connected, final),
      version: () => this.state.v,
    });
    this.ticking = window.setInterval(() => this.tick(), 100);
    if (!info.live) shell.go(`/game/${id}`);
  }

  close(): void {
    clearInterval(this.ticking);
    this.socket.close();
    this.trio.destroy();
  }

  private linked(connected: boolean, final: string | null): void {
    this.connected = connected;
    this.final = final;
    say(this.status, this.statusText());
  }

  private receive(message: Message): void {
    this.state = receive(this.state, message, performance.now());
    const last = this.state.live.at(-1);
    if (last && !this.numbers.has(last.ply)) this.numbers.set(last.ply, numberOf(last));
    if (message.t === 'live' || message.t === 'end') play(message.t === 'end' ? 'end' : 'other');
    this.render();
  }

  private tick(): void {
    for (const side of ['white', 'black'] as const) this.strips[side].tick(this.state.clocks, side, performance.now());
  }

  private get row(): LiveRow | undefined {
    const { live } = this.state;
    return live.find((row) => row.ply === this.at) ?? live.at(-1);
  }

  private get items(): Item[] {
    return this.state.live.flatMap((row) =>
      row.move && row.by
        ? [{ ply: row.ply, by: row.by, text: row.san ?? row.move, number: this.numbers.get(row.ply) }]
        : [],
    );
  }

  private render(): void {
    const { state, row } = this;
    const info = state.info;
    if (!info || !row) return;
    for (const side of ['white', 'black'] as const) {
      this.strips[side].seat(info[side], side, false, state.online?.[side] ?? null, seesAll(info, side));
      this.strips[side].turn(!state.end && row.turn === side);
    }
    this.trio.show({
      white: row.white,
      black: row.black,
      truth: row.truth,
      eye: this.eye,
      bottom: this.flipped ? 'black' : 'white',
      last: row.move ? [row.move.slice(0, 2), row.move.slice(2, 4)] : [],
      check: info.game === 'chess' ? checkedAfter(row.san, row.by, readView(row.truth)) : null,
      you: null,
      arrows: this.arrows(row),
    });
    this.list.show(this.items, row.ply);
    this.tick();
    say(this.status, this.statusText());
    fill(this.review, state.end ? a(`/replay/${this.id}`, 'Review', { class: 'button primary' }) : null);
    const reports = [this.report('White', row.report.white), this.report('Black', row.report.black)].filter(Boolean);
    this.words.hidden = reports.length === 0;
    fill(this.words, h('summary', null, 'Engine details'), reports);
  }

  private statusText(): string {
    const { state, row } = this;
    if (this.final) return this.final;
    if (!this.connected) return 'Reconnecting…';
    if (state.end) return verdict(state.end, null);
    if (!state.info || !row) return '';
    if (this.at !== null) return `Viewing ${nameOf(this.items, row.ply) ?? 'the start'}`;
    const mover = state.info[row.turn];
    return `${shown(mover.name)} ${mover.kind === 'agent' ? 'is thinking…' : 'to move.'}`;
  }

  private arrows(row: LiveRow): Arrow[] {
    const mix = (row.by && row.report[row.by]?.mix) ?? [];
    return mix
      .filter((m) => m.p >= 0.1)
      .map((m) => ({ from: m.move.slice(0, 2), to: m.move.slice(2, 4), weight: 0.6 * m.p, kind: 'mix' }));
  }

  private report(who: string, report: Report | null): HTMLElement | null {
    if (!report) return null;
    const facts = [
      report.value === null ? '' : `winning chances ${percent((1 + report.value) / 2)}`,
      report.nodes ? `${report.nodes} nodes` : '',
      report.depth ? `depth ${report.depth}` : '',
      ...Object.entries(report.figures).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`),
    ].filter(Boolean);
    return h(
      'div',
      null,
      h('h3', null, who),
      h('p', { class: 'small' }, facts.join(' · ')),
      report.line.length ? h('p', { class: 'small mono' }, report.line.join(' ')) : null,
    );
  }

  private go(ply: number): void {
    const last = this.state.live.at(-1)?.ply ?? 0;
    const first = this.state.live[0]?.ply ?? 0;
    this.at = ply >= last ? null : Math.max(first, ply);
    this.render();
  }

  private look(eye: Perspective): void {
    this.eye = eye;
    this.render();
  }

  command(command: Command): boolean {
    const last = this.state.live.at(-1)?.ply ?? 0;
    const at = this.at ?? last;
    const goal: Partial<Record<Command, number>> = { back: at - 1, forward: at + 1, first: 0, last };
    const ply = goal[command];
    if (ply !== undefined) this.go(ply);
    else if (command === 'white' || command === 'black' || command === 'truth') this.look(command);
    else if (command === 'flip') {
      this.flipped = !this.flipped;
      this.render();
    } else return false;
    return true;
  }
}

export async function live(shell: Shell, id: string): Promise<Page> {
  const page = new LivePage(shell, id, await get<AskedGame>(`/api/games/${id}`));
  return {
    title: 'Watch',
    element: page.element,
    command: (command) => page.command(command),
    close: () => page.close(),
  };
}
