/** The state of a game on this page: a pure function of the received messages. */

import type { Clocks } from './clock.ts';
import { enemyMaterial } from './material.ts';
import { blank, remember, type Memory } from './memory.ts';
import { shown } from './names.ts';
import { nameOf, other, type Key, type Side } from './squares.ts';
import { piecesOf, readView, type View } from './view.ts';
import type {
  Clocks as WireClocks,
  EndEvent,
  MoveLogEntry,
  GameInfo,
  LiveRow,
  Message,
  Observation,
  Online,
  PracticeEvent,
  QueueEvent,
  Ratings,
  StateEvent,
  OutcomeDto,
  WatchEvent,
} from './wire.ts';

export interface Pending {
  ply: number;
  uci: string;
  token: string;
}

export interface Game {
  /** Version of the last event that is included. */
  v: number | null;
  info: GameInfo | null;
  you: Side | null;
  observation: Observation | null;
  view: View | null;
  log: MoveLogEntry[];
  /** Boards shown so far, by ply, to step back to. */
  boards: Map<number, string>;
  clocks: Clocks | null;
  draw: Side | null;
  commit: string | null;
  online: Online | null;
  end: OutcomeDto | null;
  ratings: Ratings | null;
  rematch: { by: Side; game: string | null } | null;
  live: LiveRow[];
  watch: WatchEvent | null;
  practice: PracticeEvent | null;
  memory: Memory;
  /** A move that was sent and is not yet acknowledged. */
  pending: Pending | null;
  /** The last roll and its side. */
  roll: { by: Side; dice: string } | null;
  notice: string | null;
  /** What happened besides the moves: a turn without a move, a declined draw, a lost connection. */
  news: string | null;
  /** What the bot to move waits for, until it moves. */
  queue: QueueEvent | null;
}

export const empty = (memory: Memory = blank()): Game => ({
  v: null,
  info: null,
  you: null,
  observation: null,
  view: null,
  log: [],
  boards: new Map(),
  clocks: null,
  draw: null,
  commit: null,
  online: null,
  end: null,
  ratings: null,
  rematch: null,
  live: [],
  watch: null,
  practice: null,
  memory,
  pending: null,
  roll: null,
  notice: null,
  news: null,
  queue: null,
});

const clocksAt = (clocks: WireClocks | null, now: number): Clocks | null => (clocks ? { ...clocks, at: now } : null);

/** Applies one message. `now` is the browser's time, for the clocks. */
export function receive(game: Game, message: Message, now: number): Game {
  // The socket preserves order; a known event is a repetition after a reconnect.
  if ('v' in message && message.t !== 'state' && game.v !== null && message.v <= game.v) return game;
  const next = apply(game, message, now);
  return 'v' in message && typeof message.v === 'number' ? { ...next, v: message.v } : next;
}

function apply(game: Game, message: Message, now: number): Game {
  switch (message.t) {
    case 'state':
      return restart(game, message.d, now);
    case 'move': {
      const clocks = clocksAt(message.d.clocks, now);
      const log = [...game.log.filter((e) => e.ply !== message.d.entry.ply), message.d.entry];
      const next = { ...game, log, clocks, draw: null, roll: null, news: null };
      return observe(next, message.d.observation, message.d.entry);
    }
    case 'roll': {
      const { by, roll } = message.d;
      const clocks = clocksAt(message.d.clocks, now);
      const news = message.d.observation.turn === by ? null : passed(game, by, roll);
      return observe({ ...game, clocks, roll: { by, dice: roll }, news }, message.d.observation);
    }
    case 'draw':
      return {
        ...game,
        draw: message.d.state === 'offered' ? message.d.by : null,
        news: message.d.state === 'declined' ? declined(game, message.d.by) : null,
      };
    case 'joined':
      return { ...game, info: message.d.info };
    case 'online':
      return { ...game, online: message.d, news: connection(game, message.d) ?? game.news };
    case 'end':
      return finish(game, message.d, now);
    case 'rematch':
      return { ...game, rematch: { by: message.d.by, game: message.d.game } };
    case 'queue':
      return { ...game, clocks: clocksAt(message.d.clocks, now), queue: message.d };
    case 'watch':
      return { ...game, watch: message.d, clocks: clocksAt(message.d.clocks, now) };
    case 'live':
      return addLive({ ...game, clocks: clocksAt(message.d.clocks, now) }, message.d);
    case 'ack':
      return game.pending?.token === message.d.token ? { ...game, pending: null } : game;
    case 'error':
      return { ...game, pending: null, notice: message.d.error };
    case 'past':
      return { ...game, boards: new Map(message.d.boards.map((board, ply) => [ply, board])) };
    case 'practice':
      return { ...game, practice: merge(game.practice, message.d) };
    case 'pong':
      return game;
  }
}

function passed(game: Game, by: Side, roll: string): string {
  const dice = [...roll].map(nameOf).join(', ');
  return by === game.you
    ? `You rolled ${dice}: no legal move, your turn passes.`
    : `${by === 'white' ? 'White' : 'Black'} rolled ${dice}: no legal move. Your turn.`;
}

const declined = (game: Game, by: Side): string | null =>
  by === game.you ? 'You declined the draw.' : 'Your draw offer was declined.';

const LOST = 'lost the connection.';

/** The other side's connection, when it breaks and when it returns. */
function connection(game: Game, now: Online): string | null {
  const them = game.you && other(game.you);
  if (!them || !game.info || game.end) return null;
  const name = shown(game.info[them].name);
  if (game.online?.[them] && !now[them]) return `${name} ${LOST}`;
  return now[them] && game.news?.endsWith(LOST) ? `${name} is back.` : null;
}

/** A heat map or a mixed strategy may arrive after the count of the same ply. */
function merge(old: PracticeEvent | null, now: PracticeEvent): PracticeEvent {
  if (!old || old.ply !== now.ply) return now;
  return { ...now, heat: now.heat ?? old.heat, mix: now.mix ?? old.mix };
}

function restart(game: Game, data: StateEvent, now: number): Game {
  const next: Game = {
    ...game,
    info: data.info,
    you: data.you,
    log: data.log,
    clocks: clocksAt(data.clocks, now),
    draw: data.draw,
    commit: data.commit,
    online: data.online,
    end: data.end,
    watch: data.watch,
    rematch: data.info.rematch ? { by: 'white', game: data.info.rematch } : game.rematch,
  };
  const seen = data.live ? addLive(next, data.live) : next;
  return data.observation ? observe(seen, data.observation) : seen;
}

function addLive(game: Game, row: LiveRow): Game {
  return { ...game, live: [...game.live.filter((r) => r.ply < row.ply), row] };
}

function observe(game: Game, observation: Observation, entry: MoveLogEntry | null = null): Game {
  const view = readView(observation.board);
  const boards = new Map(game.boards).set(observation.ply, observation.board);
  const fresh = game.observation === null || observation.ply > game.observation.ply;
  const you = game.you ?? observation.side;
  const memory = fresh
    ? remember(game.memory, you, game.view, view, observation.ply, {
        taken: observation.took?.square ?? null,
        left: entry?.by === you ? [] : (entry?.from ?? []),
        arrived: entry?.by === you ? [] : (entry?.to ?? []),
        material: enemyMaterial(game.info?.start ?? 'startpos', you, game.log),
      })
    : game.memory;
  const sent = game.pending && observation.ply > game.pending.ply ? null : game.pending;
  return { ...game, observation, view, boards, memory, pending: sent, queue: null };
}

function finish(game: Game, end: EndEvent, now: number): Game {
  const over = end.observation ? observe(game, end.observation) : game;
  const info = over.info && { ...over.info, status: 'over' as const, result: end.result, reason: end.reason };
  const clocks = clocksAt(end.clocks, now) ?? over.clocks;
  return {
    ...over,
    info,
    end,
    ratings: end.ratings,
    draw: null,
    pending: null,
    clocks: clocks && { ...clocks, running: null },
  };
}

/** What the bot to move is doing. */
export function occupation(queue: QueueEvent | null): string {
  if (!queue) return 'is thinking';
  return queue.place === null ? 'is starting again' : `waits for a processor, ${queue.place} before it`;
}

/** State of the turn for this player: the action it may take, or why none. */
export type Turn = 'wait' | 'roll' | 'move' | 'over' | 'open';

export function turnFor(game: Game): Turn {
  if (game.end || game.info?.status === 'over') return 'over';
  if (game.info?.status === 'open') return 'open';
  const seen = game.observation;
  if (!seen || !game.you || game.pending || seen.turn !== game.you) return 'wait';
  return seen.roll ? 'roll' : 'move';
}

/** Captured pieces of both sides, as far as this player knows. */
export function captured(log: readonly MoveLogEntry[]): { lost: string[]; took: string[] } {
  return {
    lost: log.flatMap((e) => (e.lost ? [e.lost.piece] : [])),
    took: log.flatMap((e) => (e.took && !e.lost ? [e.took.piece] : [])),
  };
}

/** The squares to mark: those of the last ply of which anything was seen. */
export function lastSquares(log: readonly MoveLogEntry[]): Key[] {
  const squares = log.slice(-2).map(squaresOf);
  return squares.findLast((list) => list.length > 0) ?? [];
}

/** The own move, or the visible part of the opponent's. */
function squaresOf(entry: MoveLogEntry): Key[] {
  if (entry.move) return [entry.move.slice(0, 2), entry.move.slice(2, 4)];
  const squares = [...entry.from, ...entry.to];
  return entry.lost && !squares.includes(entry.lost.square) ? [...squares, entry.lost.square] : squares;
}

/** The square of the king in check after a move in SAN, which marks check in plain chess only. */
export function checkedAfter(san: string | null, by: Side | null, view: View): Key | null {
  if (!san || !by || !/[+#]$/.test(san)) return null;
  const pieces = [...piecesOf(view, other(by))];
  return pieces.find(([, piece]) => nameOf(piece) === 'king')?.[0] ?? null;
}

/** The square of the king in check after the last move of this log. */
export function checkedKing(log: readonly MoveLogEntry[], view: View): Key | null {
  const last = log.at(-1);
  return last ? checkedAfter(last.san, last.by, view) : null;
}
