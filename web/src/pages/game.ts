/** The page of a running game: board, players, moves, and the connection to the server. */

import { get, identify, keepToken, post, token } from '../api.ts';
import { describe, describeOwn } from '../state/describe.ts';
import { captured, checkedKing, empty, lastSquares, occupation, receive, turnFor, type Game } from '../state/game.ts';
import { heatOf, suggestions, type Wish } from '../state/hints.ts';
import type { Command } from '../state/keys.ts';
import { load, mark, nextMark, save } from '../state/memory.ts';
import { afterMove, promotions, san, typed } from '../state/moves.ts';
import { shown } from '../state/names.ts';
import { line, loss, spoken, verdict } from '../state/notation.ts';
import { termsOf } from '../state/terms.ts';
import { seesAll } from '../state/sight.ts';
import { soundOf } from '../state/sound.ts';
import { other, type Key, type Side } from '../state/squares.ts';
import { nameOf, type Item } from '../state/turns.ts';
import { darkness, readView, type View } from '../state/view.ts';
import type { AskedGame, GameInfo, Message, Seated, StateEvent } from '../state/wire.ts';
import { freshSeed, keepPromise } from '../promises.ts';
import { Socket } from '../socket.ts';
import { Board, type Scene } from '../ui/board.ts';
import { DiceTray } from '../ui/dice.ts';
import { h, say } from '../ui/dom.ts';
import { Actions } from '../ui/actions.ts';
import { Coach } from '../ui/coach.ts';
import { MoveList } from '../ui/movelist.ts';
import { PracticePanel } from '../ui/practice.ts';
import { askPromotion } from '../ui/promotion.ts';
import type { Page, Shell } from '../ui/shell.ts';
import { Finish } from './finish.ts';
import { play } from '../ui/sounds.ts';
import { PlayerBar } from '../ui/player-bar.ts';
import { TypedMove } from '../ui/typed.ts';

class GamePage {
  readonly element = h('div', { class: 'game' });
  private state: Game;
  private readonly socket: Socket;
  private readonly board = new Board(
    {
      move: (from, to) => void this.chosen(from, to),
      pencil: (key) => this.pencil(key),
      click: (key) => this.tapped(key),
      say: (text) => this.shell.say(text),
    },
    'Board: arrow keys move a cursor, Enter picks up and puts down',
  );
  private readonly them = new PlayerBar();
  private readonly me = new PlayerBar();
  private readonly moves = new MoveList((ply) => this.step(ply));
  private readonly status = h('p', { class: 'status', 'aria-live': 'polite' });
  private readonly terms = h('p', { class: 'terms muted small' });
  private readonly coach = new Coach();
  private readonly finish: Finish;
  private readonly dice = new DiceTray(() => this.roll());
  private readonly actions: Actions;
  private readonly typed = new TypedMove((text) => this.type(text));
  private readonly practice: PracticePanel;
  private wish: Wish = { heat: true, mix: true, kind: 'all' };
  private shownPly: number | null = null;
  private flipped = false;
  private penciling = false;
  private connected = false;
  private final: string | null = null;
  private ticking = 0;

  constructor(
    private readonly shell: Shell,
    private readonly id: string,
    info: AskedGame,
  ) {
    this.state = { ...empty(load(sessionStorage.getItem(this.memoryKey))), info, you: info.you ?? null };
    this.practice = new PracticePanel(this.wish, (wish) => this.wished(wish));
    this.actions = new Actions({
      step: (to) => this.command(to),
      resign: () => this.socket.send({ t: 'resign', d: {} }),
      draw: (answer) => this.socket.send({ t: 'draw', d: { answer } }),
      pencil: () => this.togglePencil(),
      join: () => void this.join(),
      copy: () => void this.copy(),
    });
    this.finish = new Finish(id, {
      changed: () => this.render(),
      rematch: () => this.socket.send({ t: 'rematch', d: {} }),
    });
    this.layout();
    this.socket = new Socket(id, {
      message: (message) => this.receive(message),
      status: (connected, final) => this.linked(connected, final),
      version: () => this.state.v,
    });
    this.ticking = window.setInterval(() => this.tick(), 100);
    this.render();
  }

  close(): void {
    this.finish.close();
    clearInterval(this.ticking);
    this.socket.close();
    this.board.destroy();
  }

  private get memoryKey(): string {
    return `foglight.memory.${this.id}`;
  }

  private layout(): void {
    this.element.append(
      h('h1', { class: 'hidden-text' }, 'Game'),
      h('div', { class: 'table' }, this.them.root, this.board.root, this.me.root),
      h(
        'aside',
        { class: 'side' },
        this.finish.card.root,
        this.terms,
        this.status,
        this.actions.banner,
        this.coach.root,
        this.dice.root,
        this.moves.root,
        this.typed.root,
        this.practice.root,
        this.actions.root,
      ),
    );
  }

  private receive(message: Message): void {
    const before = this.state;
    this.state = receive(before, message, performance.now());
    const sound = soundOf(message, this.state.you);
    if (sound) play(sound);
    if (message.t === 'error') this.refused(message.d.error);
    if (message.t === 'state') this.nameSeed(message.d);
    if (message.t === 'rematch' && message.d.game) return this.shell.go(`/game/${message.d.game}`);
    const { info, you, end } = this.state;
    if (info?.live && info.status === 'running' && !you) return this.shell.go(`/watch/${this.id}`);
    if (this.state.observation !== before.observation) this.observed(message);
    this.coach.watch(before, this.state);
    if (end && !before.end) this.finish.begin(this.state, message.t === 'end');
    this.render();
    if (message.t === 'move' || message.t === 'roll') this.tryPremove();
  }

  /** Preserves the page's memory across reloads, and announces changes. */
  private observed(message: Message): void {
    this.shownPly = null;
    sessionStorage.setItem(this.memoryKey, save(this.state.memory));
    const { view, you } = this.state;
    if (message.t !== 'move' || !view || !you) return;
    const words = spoken(message.d.entry, you);
    this.shell.say(this.hidden ? `${words}. ${describe(view, you)}` : words);
  }

  private refused(text: string): void {
    this.shell.toast(text);
    this.board.cancelPremove();
  }

  private linked(connected: boolean, final: string | null): void {
    this.connected = connected;
    this.final = final;
    const { pending, info } = this.state;
    if (connected && pending) this.sendMove(pending.ply, pending.uci, pending.token);
    if (connected && info?.practice) this.askPractice();
    this.render();
  }

  private get bottom(): Side {
    const side = this.state.you ?? 'white';
    return this.flipped ? other(side) : side;
  }

  private get hidden(): boolean {
    const { info, you } = this.state;
    return info?.game === 'fog' && !(you && seesAll(info, you));
  }

  private get dicey(): boolean {
    return this.state.info?.game.startsWith('dice') ?? false;
  }

  private tick(): void {
    const now = performance.now();
    this.them.tick(this.state.clocks, other(this.bottom), now);
    this.me.tick(this.state.clocks, this.bottom, now);
  }

  private render(): void {
    const { state } = this;
    if (!state.info) return;
    this.strips(state.info);
    this.board.show(this.scene());
    const none = state.you ? undefined : 'Moves are hidden until the game ends.';
    this.moves.show(this.items(), this.shownPly ?? state.observation?.ply ?? state.info.ply, none);
    say(this.status, this.statusText());
    say(this.terms, termsOf(state.info, state.you, this.canJoin));
    this.finish.show(state, this.items());
    this.actions.show({
      state,
      turn: turnFor(state),
      penciling: this.penciling,
      canJoin: this.canJoin,
      link: `${location.origin}/game/${this.id}`,
    });
    this.typed.show(turnFor(state) === 'move');
    this.typed.root.hidden = !state.you || turnFor(state) === 'over';
    this.dice.root.hidden = !this.dicey || turnFor(state) === 'open';
    if (this.dicey) this.showDice();
    this.practice.root.hidden = !state.info.practice || state.info.status === 'over';
    this.practice.show(state.practice?.ply === state.observation?.ply ? state.practice : null, (uci) =>
      state.view && state.observation ? san(state.view, state.observation.moves, uci) : uci,
    );
    const mine = turnFor(state) === 'move' || turnFor(state) === 'roll';
    this.shell.setTitle(mine ? 'Your turn' : state.end ? 'Game over' : 'Game');
    // State of the page, for style sheets and tests.
    this.element.dataset['ply'] = String(state.observation?.ply ?? state.info.ply);
    this.element.dataset['turn'] = turnFor(state);
    this.tick();
  }

  private strips(info: GameInfo): void {
    const { state } = this;
    const men = captured(state.log);
    const turn = turnFor(state) === 'over' ? null : (state.observation?.turn ?? state.watch?.turn ?? null);
    for (const [strip, side] of [
      [this.them, other(this.bottom)],
      [this.me, this.bottom],
    ] as const) {
      strip.seat(info[side], side, side === state.you, state.online?.[side] ?? null, seesAll(info, side));
      strip.taken(state.you === side ? men.took : state.you ? men.lost : []);
      strip.turn(turn === side);
    }
  }

  private scene(): Scene {
    const { state } = this;
    const past = this.shownPly !== null ? state.boards.get(this.shownPly) : undefined;
    if (past) {
      const log = state.log.filter((entry) => entry.ply <= this.shownPly!);
      const view = readView(past);
      return { view, bottom: this.bottom, last: lastSquares(log), check: checkedKing(log, view) };
    }
    const uncovered = this.shownPly === null ? this.finish.scene(state, this.bottom) : null;
    if (uncovered) return uncovered;
    const view = this.current();
    const turn = turnFor(state);
    const playing = state.you !== null && turn !== 'over' && turn !== 'open';
    return {
      view,
      bottom: this.bottom,
      turn: turn === 'move' ? (state.you ?? 'white') : state.you ? other(state.you) : 'white',
      last: state.pending ? [] : lastSquares(state.log),
      alarm: state.log.at(-1)?.lost?.square ?? null,
      check: state.pending ? null : checkedKing(state.log, view),
      ghosts: state.memory.ghosts,
      pencil: state.memory.pencil,
      heat: heatOf(state, this.wish, view),
      arrows: suggestions(state, this.wish),
      player: playing && !this.penciling ? state.you : null,
      moves: turn === 'move' ? (state.observation?.moves ?? []) : [],
      premove: playing && !this.dicey,
    };
  }

  private current(): View {
    const { state } = this;
    const view = state.view ?? darkness(state.info?.size);
    return state.pending ? afterMove(view, state.pending.uci) : view;
  }

  private items(): Item[] {
    const { state } = this;
    return state.log.map((entry) => ({
      ply: entry.ply,
      by: entry.by,
      text: line(entry),
      roll: entry.roll,
      mark: entry.move ? '' : 'dark-move',
      title: spoken(entry, state.you),
    }));
  }

  private statusText(): string {
    const { state } = this;
    if (this.final) return this.final;
    if (!this.connected) return 'Reconnecting…';
    if (this.shownPly !== null && this.shownPly !== state.observation?.ply)
      return `Viewing ${nameOf(this.items(), this.shownPly) ?? 'the start'}`;
    if (state.end) return verdict(state.end, state.you);
    switch (turnFor(state)) {
      case 'open':
        return this.canJoin ? 'Join the game' : 'Send this link to a friend.';
      case 'roll':
        return state.info?.game === 'dice1' ? 'Roll the die.' : 'Roll the dice.';
      case 'move':
        return ['Your move.', ...state.log.slice(-1).map(loss)].join(' ').trim();
      case 'wait':
        return this.waiting();
      default:
        return 'The game is over.';
    }
  }

  private waiting(): string {
    const { you, info, watch } = this.state;
    if (!you) return `Watching move ${Math.floor((watch?.ply ?? 0) / 2) + 1}. Board hidden until the game ends.`;
    const them = info?.[other(you)];
    return them?.kind === 'agent'
      ? `${shown(them.name)} ${occupation(this.state.queue)}…`
      : `${shown(them?.name)} to move.`;
  }

  private showDice(): void {
    const { state } = this;
    const seen = state.observation;
    this.dice.show({
      dice: seen?.dice ?? '',
      by: seen?.turn ?? 'white',
      mine: turnFor(state) === 'roll',
      commit: state.commit,
      id: this.id,
      count: state.info?.game === 'dice3' ? 3 : 1,
    });
  }

  private async chosen(from: Key, to: Key): Promise<void> {
    const { observation, you, view } = this.state;
    if (!observation || !you || !view || turnFor(this.state) !== 'move') return this.render();
    const rises = promotions(observation.moves, from, to);
    let uci = from + to + (rises.length === 1 ? rises[0] : '');
    if (rises.length > 1) {
      const letter = await askPromotion(this.board.root, rises, to, you, view.size, this.bottom);
      if (!letter) return this.render();
      uci = from + to + letter;
    }
    this.submit(uci);
  }

  private submit(uci: string): void {
    const { observation } = this.state;
    if (!observation || turnFor(this.state) !== 'move' || !observation.moves.includes(uci)) return this.render();
    const key = crypto.getRandomValues(new Uint32Array(3)).join('-');
    this.shownPly = null;
    this.state = { ...this.state, pending: { ply: observation.ply, uci, token: key } };
    this.sendMove(observation.ply, uci, key);
    this.render();
  }

  private sendMove(ply: number, move: string, key: string): void {
    this.socket.send({ t: 'move', d: { game: this.id, ply, move, token: key } });
  }

  private tryPremove(): void {
    if (turnFor(this.state) !== 'move' || !this.board.hasPremove) return;
    this.board.playPremove();
  }

  private roll(): void {
    const { observation } = this.state;
    if (!observation || turnFor(this.state) !== 'roll') return;
    this.socket.send({ t: 'roll', d: { game: this.id, ply: observation.ply } });
  }

  /** Keeps the promise of the dice, and names a seed for them unless that is done. */
  private nameSeed({ you, commit, seed, end }: StateEvent): void {
    if (!you || !commit || end) return;
    const named = seed ?? freshSeed();
    keepPromise(this.id, { commit, [you]: named });
    if (seed === null) this.socket.send({ t: 'seed', d: { seed: named } });
  }

  private type(text: string): string | null {
    const { observation, view } = this.state;
    if (!observation || !view || turnFor(this.state) !== 'move') return 'It is not your turn.';
    const meant = typed(text, view, observation.moves);
    if (meant.kind === 'many') return 'More than one piece can do that: name its square.';
    if (meant.kind === 'none') return 'No such move here.';
    this.submit(meant.uci);
    return null;
  }

  private pencil(key: Key): void {
    const { memory, view, you } = this.state;
    if (!view || !you || !this.hidden) return;
    this.state = { ...this.state, memory: mark(memory, view, key, nextMark(you, memory.pencil.get(key))) };
    sessionStorage.setItem(this.memoryKey, save(this.state.memory));
    this.render();
  }

  private tapped(key: Key): void {
    if (this.penciling) this.pencil(key);
  }

  private togglePencil(): void {
    this.penciling = !this.penciling;
    this.render();
  }

  private wished(wish: Wish): void {
    this.wish = wish;
    this.askPractice();
    this.render();
  }

  private askPractice(): void {
    this.socket.send({ t: 'practice', d: { on: true, heat: this.wish.heat, mix: this.wish.mix } });
  }

  private get canJoin(): boolean {
    return this.state.info?.status === 'open' && !this.state.you;
  }

  private async join(): Promise<void> {
    try {
      await identify();
      keepToken((await post<Seated>(`/api/games/${this.id}/join`)).token);
      this.shell.go(`/game/${this.id}`);
    } catch (error) {
      this.shell.toast(error instanceof Error ? error.message : String(error));
    }
  }

  private async copy(): Promise<void> {
    await navigator.clipboard?.writeText(`${location.origin}/game/${this.id}`).catch(() => undefined);
    this.shell.toast('The link is copied.');
  }

  private step(ply: number): void {
    const last = this.state.observation?.ply ?? 0;
    this.shownPly = ply >= last ? null : Math.max(0, ply);
    if (this.shownPly !== null && !this.state.boards.has(this.shownPly)) this.socket.send({ t: 'past', d: {} });
    this.render();
  }

  command(command: Command): boolean {
    const last = this.state.observation?.ply ?? 0;
    const at = this.shownPly ?? last;
    switch (command) {
      case 'back':
        return (this.step(at - 1), true);
      case 'forward':
        return (this.step(at + 1), true);
      case 'first':
        return (this.step(0), true);
      case 'last':
        return (this.step(last), true);
      case 'flip':
        this.flipped = !this.flipped;
        return (this.render(), true);
      case 'roll':
        return turnFor(this.state) === 'roll' && (this.roll(), true);
      case 'type':
        return (this.typed.focus(), true);
      case 'belief':
        this.wish = { ...this.wish, heat: !this.wish.heat };
        this.practice.set(this.wish);
        return (this.wished(this.wish), true);
      case 'read':
        return (this.read(), true);
      case 'escape':
        return (this.board.cancelPremove(), true);
      case 'why':
      case 'white':
      case 'black':
      case 'truth':
        if (this.state.end) this.shell.go(`/replay/${this.id}`);
        return this.state.end !== null;
      default:
        return false;
    }
  }

  private read(): void {
    const { view, you } = this.state;
    if (view && you) this.shell.say(`${describe(view, you)}; ${describeOwn(view, you)}`);
  }
}

export async function game(shell: Shell, id: string): Promise<Page> {
  if (!token()) await identify().catch(() => undefined);
  const info = await get<AskedGame>(`/api/games/${id}`);
  // Spectators of a game that hides nothing see its board.
  if (info.live && info.status === 'running' && !info.you) return (await import('./live.ts')).live(shell, id);
  // A finished game is shown to non-players as a replay.
  if (info.status === 'over' && !info.you)
    return (await import('./replay.ts')).replay(shell, id, new URLSearchParams());
  const page = new GamePage(shell, id, info);
  return {
    title: 'Game',
    element: page.element,
    command: (command) => page.command(command),
    close: () => page.close(),
  };
}
