/** What the server says, as `docs/http.md` writes it. */

import type { Key, Piece, Side } from './squares.ts';

export type GameName = 'fog' | 'dice1' | 'dice3' | 'chess';
export type Result = '1-0' | '0-1' | '1/2-1/2';

export interface Seat {
  name: string | null;
  kind: 'person' | 'agent' | 'bot' | 'open';
  agent?: string | null;
  rating?: number | null;
}

export interface GameInfo {
  id: string;
  game: GameName;
  rules: string | null;
  start: string;
  size: string;
  sight?: Record<Side, 'normal' | 'full'>;
  status: 'open' | 'running' | 'over';
  white: Seat;
  black: Seat;
  clock: { base: number; increment: number } | null;
  rated: boolean;
  practice: boolean;
  live: boolean;
  created: number;
  ply: number;
  result: Result | null;
  reason: string | null;
  tournament?: string | null;
  rematch?: string | null;
  you?: Side | null;
  clocks?: WireClocks | null;
}

export interface WireClocks {
  white: number;
  black: number;
  running: Side | null;
}

export interface Taken {
  square: Key;
  piece: Piece;
}

export interface Verdict {
  result: Result;
  winner: Side | null;
  reason: string;
}

export interface Observation {
  side: Side;
  ply: number;
  turn: Side;
  over: boolean;
  board: string;
  fen: string;
  moves: string[];
  roll: boolean;
  dice: string | null;
  took: Taken | null;
  lost: Taken | null;
  mine: string | null;
  result: Verdict | null;
}

export type Sighting = 'known' | 'retreat' | 'surprise' | 'dark' | 'semi-retreat' | 'adverse surprise';

export interface Entry {
  ply: number;
  by: Side;
  move: string | null;
  san?: string | null;
  kind: Sighting | null;
  from: Key[];
  to: Key[];
  piece: Piece | null;
  took: Taken | null;
  lost: Taken | null;
  promotion?: string | null;
  roll: string | null;
  clock: number | null;
}

export interface Report {
  value: number | null;
  centipawns?: number | null;
  mix: { move: string; p: number }[] | null;
  nodes: number | null;
  depth?: number | null;
  line?: string[] | null;
  figures?: Record<string, number> | null;
}

export interface LiveRow {
  ply: number;
  move: string | null;
  roll: string | null;
  fen: string;
  white: string;
  black: string;
  truth: string;
  turn: Side;
  report: { white: Report | null; black: Report | null } | null;
  clocks: WireClocks | null;
}

export interface WatchRow {
  ply: number;
  turn: Side;
  clocks: WireClocks | null;
}

export interface Reveal {
  commit: string;
  seed: string;
  clients: { white: string; black: string };
  rolls: { number: number; by: Side; u: number; roll: string; chances: [string, number][] }[];
}

export type Heat = Record<string, number[]>;

export interface Practice {
  ply: number;
  count: number | null;
  exact: boolean;
  heat: Heat | null;
  mix: { move: string; p: number }[] | null;
  value: number | null;
}

export interface StateData {
  info: GameInfo;
  you: Side | null;
  observation: Observation | null;
  log: Entry[];
  clocks: WireClocks | null;
  draw: Side | null;
  commit: string | null;
  online: { white: boolean; black: boolean } | null;
  end: EndData | null;
  watch?: WatchRow | null;
  live?: LiveRow | null;
}

export interface EndData extends Verdict {
  observation?: Observation | null;
  clocks?: WireClocks | null;
  ratings?: Record<Side, { before: number; after: number }> | null;
  reveal?: Reveal | null;
}

export interface Ack {
  ply: number;
  token: string;
}

export type Message =
  | { t: 'state'; v: number; d: StateData }
  | { t: 'move'; v: number; d: { observation: Observation; entry: Entry; clocks: WireClocks | null } }
  | {
      t: 'roll';
      v: number;
      d: { observation: Observation; roll: string; number: number; by: Side; clocks: WireClocks | null };
    }
  | { t: 'draw'; v: number; d: { by: Side; state: 'offered' | 'declined' } }
  | { t: 'joined'; v: number; d: { info: GameInfo } }
  | { t: 'online'; v: number; d: { white: boolean; black: boolean } }
  | { t: 'end'; v: number; d: EndData }
  | { t: 'rematch'; v: number; d: { by: Side; state: 'offered' | 'started'; game: string | null } }
  | { t: 'watch'; v: number; d: WatchRow }
  | { t: 'live'; v: number; d: LiveRow }
  | { t: 'ack'; d: Ack }
  | { t: 'error'; d: { error: string; ply?: number; token?: string } }
  | { t: 'practice'; d: Practice }
  | { t: 'pong'; d: unknown };

export interface RecordRow {
  ply: number;
  fen: string;
  truth: string;
  white: string;
  black: string;
  turn: Side;
  roll: string | null;
  dice: string | null;
  move: string | null;
  san: string | null;
  by: Side | null;
  took: Taken | null;
  sighting: Sighting | null;
  clock: number | null;
}

export interface GameRecord {
  info: GameInfo;
  rows: RecordRow[];
  logs: Record<Side, Entry[]>;
  reveal: Reveal | null;
  result: Result | null;
  reason: string | null;
}

export interface AgentOption {
  name: string;
  values: string;
  default: string | null;
  about: string;
}

export interface AgentInfo {
  name: string;
  about: string;
  games: GameName[];
  options: AgentOption[];
}

export interface Level {
  level: number;
  name: string;
  agent: string;
}

export interface Start {
  name: string;
  fen: string;
  size: string;
}

export interface Agents {
  games?: { name: GameName; title: string; rules: string[]; starts: Start[] }[];
  agents: AgentInfo[];
  levels: Partial<Record<GameName, Level[]>>;
}
