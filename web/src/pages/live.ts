/** A live game between agents: all three boards, and each agent's report. */

import { get } from '../api.ts';
import { empty, receive, type Game } from '../state/game.ts';
import type { Command } from '../state/keys.ts';
import { shown } from '../state/names.ts';
import { verdict } from '../state/notation.ts';
import type { Perspective, Layout } from '../state/replay.ts';
import { seesAll } from '../state/sight.ts';
import type { Side } from '../state/squares.ts';
import type { AskedGame, GameInfo, LiveRow, Message, Report } from '../state/wire.ts';
import { Socket } from '../socket.ts';
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
  private layout: Layout = 'three';
  private at: number | null = null;
  private readonly socket: Socket;
  private readonly trio = new TripleBoard((eye) => this.look(eye));
  private readonly list = new MoveList((ply) => this.go(ply));
  private readonly status = h('p', { class: 'status', 'aria-live': 'polite' });
  private readonly words = h('section', { class: 'panel', 'aria-label': 'What the agents say' });
  private readonly strips: Record<Side, PlayerBar> = { white: new PlayerBar(), black: new PlayerBar() };
  private readonly ticking: number;

  constructor(shell: Shell, id: string, info: GameInfo) {
    this.state = { ...empty(), info };
    this.element.append(
      h(
        'div',
        { class: 'stage' },
        h('div', { class: 'strips' }, this.strips.white.root, this.strips.black.root),
        this.trio.root,
        this.status,
      ),
      h('aside', { class: 'side' }, this.list.root, this.words),
    );
    this.socket = new Socket(id, {
      message: (message) => this.receive(message),
      status: (connected, final) => say(this.status, final ?? (connected ? '' : 'Looking for the server…')),
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

  private receive(message: Message): void {
    this.state = receive(this.state, message, performance.now());
    if (message.t === 'live' || message.t === 'end') play(message.t === 'end' ? 'end' : 'other');
    this.render();
  }

  private tick(): void {
    for (const side of ['white', 'black'] as const) this.strips[side].tick(this.state.clocks, side, performance.now());
  }

  private get row(): LiveRow | undefined {
    return this.at === null
      ? this.state.live.at(-1)
      : (this.state.live.find((r) => r.ply === this.at) ?? this.state.live.at(-1));
  }

  private render(): void {
    const { state, row } = this;
    const info = state.info;
    if (!info || !row) return;
    for (const side of ['white', 'black'] as const) {
      this.strips[side].seat(info[side], side, false, null, seesAll(info, side));
      this.strips[side].turn(!state.end && row.turn === side);
    }
    this.trio.show({
      white: row.white,
      black: row.black,
      truth: row.truth,
      layout: this.layout,
      eye: this.eye,
      bottom: 'white',
      last: row.move ? [row.move.slice(0, 2), row.move.slice(2, 4)] : [],
      you: null,
      arrows: this.arrows(row),
    });
    const mover = (index: number): Side => state.live[index - 1]?.turn ?? (row.turn === 'white' ? 'black' : 'white');
    this.list.show(
      state.live.flatMap((r, index) => (r.move ? [{ ply: r.ply, by: mover(index), text: r.move }] : [])),
      row.ply,
    );
    this.tick();
    say(
      this.status,
      state.end ? verdict(state.end, null) : `Ply ${row.ply}: ${shown(info[row.turn].name)} is thinking…`,
    );
    fill(
      this.words,
      state.end ? a(`/replay/${info.id}`, 'Replay and review', { class: 'button primary' }) : null,
      this.report('White', row.report?.white),
      this.report('Black', row.report?.black),
    );
  }

  private arrows(row: LiveRow): Arrow[] {
    const mix = row.report[row.turn === 'white' ? 'black' : 'white']?.mix ?? [];
    return mix
      .filter((m) => m.p >= 0.1)
      .map((m) => ({ from: m.move.slice(0, 2), to: m.move.slice(2, 4), weight: 0.6 * m.p, kind: 'mix' }));
  }

  private report(who: string, report: Report | null | undefined): HTMLElement | null {
    if (!report) return null;
    const facts = [
      report.value === null ? '' : `value ${report.value.toFixed(2)}`,
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
    this.at = ply >= last ? null : Math.max(0, ply);
    this.render();
  }

  private look(eye: Perspective): void {
    this.layout = this.layout === 'one' ? 'three' : 'one';
    this.eye = eye;
    this.render();
  }

  command(command: Command): boolean {
    const last = this.state.live.at(-1)?.ply ?? 0;
    const at = this.at ?? last;
    const goal: Partial<Record<Command, number>> = { back: at - 1, forward: at + 1, first: 0, last };
    const ply = goal[command];
    if (ply !== undefined) this.go(ply);
    else if (command === 'white' || command === 'black' || command === 'truth') {
      this.eye = command;
      this.layout = 'one';
      this.render();
    } else if (command === 'escape') {
      this.layout = 'three';
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
