/**
 * Messages between server and page. Generated from the Rust types by
 * `FOGLIGHT_WRITE=1 cargo test -p foglight-server --lib typescript`; a test
 * fails while this file is out of date.
 */

/** The rule sets of fog. */
export const RULES = ['chesscom', 'openspiel', 'pychess', 'thesis'] as const;

/** A move is stored. */
export type Ack = {
  /** The ply of the acknowledged message. */
  ply: number,
  token: string,
};

/** Answers given after the games. */
export type After = {
  /** The hardest phase: `opening`, `middle` or `end`. */
  hardest: string,
  hardest_why: string,
  easiest: string,
  easiest_why: string,
  /** Moves considered on average. */
  moves: number,
  /** Consecutive moves thought ahead. */
  depth: number,
  /** Risk taken, 1 none to 7 only risky moves. */
  risk: number,
};

/** An agent and its options. */
export type AgentInfo = {
  name: string,
  about: string,
  games: Array<GameKind>,
  options: Array<AgentOption>,
};

/** Everything that a client may request. */
export type AgentList = {
  agents: Array<AgentInfo>,
  levels: { [key in GameKind]?: Array<BotLevel> },
  games: Array<BotOffer>,
};

/** An option of an agent. */
export type AgentOption = {
  name: string,
  values: string,
  default: string | null,
  about: string,
};

/** A game as shown to the requesting user. */
export type AskedGame = {
  /** The user's side if the request has a token; `null` for a spectator. */
  you?: SideColor | null,
  /** Random id, independent of the position. */
  id: string,
  game: GameKind,
  /** Fog rule set; `null` in other games. */
  rules: string | null,
  /** The public start: a FEN or `startpos`. */
  start: string,
  /** Board size, such as `8x8`. */
  size: string,
  /** How much each side sees; known to both. */
  sight: Sights,
  /** Progress of the game. */
  status: Status,
  white: Seat,
  black: Seat,
  /** The clock, if there is one. */
  clock: ClockTerms | null,
  /** Whether the result changes ratings. */
  rated: boolean,
  /** Whether the person may request hints. */
  practice: boolean,
  /** Whether spectators see the true state during the game. */
  live: boolean,
  /** Creation time, in milliseconds since 1970. */
  created: number,
  ply: number,
  /** The result, once the game is over. */
  result: Result | null,
  reason: string | null,
  /** Id of its tournament, if any. */
  tournament: string | null,
  /** Id of the rematch, if any. */
  rematch: string | null,
};

/** Answers given before the games. */
export type Before = {
  /** Hours of chess in the last month. */
  hours: number,
  /** Knowledge of openings, 1 none to 7 expert. */
  openings: number,
  tactics: number,
  /** Knowledge of positional play. */
  positional: number,
};

/** Id of a started game or tournament. */
export type Begun = {
  id: string,
};

/**
 * Number of positions consistent with a view, and the heat map of enemy
 * pieces.
 */
export type BeliefAnswer = {
  count: number,
  exact: boolean,
  heat: HeatMap,
};

/** A range of plies of a line. */
export type BeliefPart = {
  rows: Array<BeliefStep>,
  /** First ply of the next range. */
  next: number | null,
  /**
   * The ply from which the bounded belief lost the true position; it has no
   * rows from there on.
   */
  lost_at: number | null,
};

/** A side's belief at a ply. */
export type BeliefStep = {
  ply: number,
  count: number,
  exact: boolean,
  /** Whether the true position is in the belief. */
  truth: boolean,
  heat: HeatMap,
};

/** A preset opponent for people who do not know the agents. */
export type BotLevel = {
  /** From 1, the weakest. */
  level: number,
  /** Name shown to players. */
  name: string,
  agent: string,
};

/** A game with its rule sets and the starts valid for it. */
export type BotOffer = {
  name: GameKind,
  title: string,
  rules: Array<string>,
  starts: Array<StartInfo>,
};

/** A captured piece and its square. */
export type CapturedPiece = {
  square: string,
  piece: string,
};

/** A possible capturer and the square it came from. */
export type CapturerDto = {
  piece: string,
  from: string,
  chance: number,
};

/** A message from a client. */
export type ClientMessage = {
  "t": "hello",
  "d": { token: string | null, v: number | null, }
} | {
  "t": "move",
  "d": { game: string | null, ply: number, move: string, token: string, }
} | {
  "t": "roll",
  "d": { game: string | null, ply: number, }
} | {
  "t": "seed",
  "d": { seed: string, }
} | {
  "t": "resign",
  "d": Record<symbol, never>
} | {
  "t": "draw",
  "d": { answer: DrawAnswer, }
} | {
  "t": "rematch",
  "d": Record<symbol, never>
} | {
  "t": "practice",
  "d": { on: boolean, heat: boolean, mix: boolean, }
} | {
  "t": "past",
  "d": Record<symbol, never>
} | {
  "t": "ping",
  "d": Record<symbol, never>
};

/** The seeds of both sides; empty if a side sent none. */
export type Clients = {
  white: string,
  black: string,
};

/** A requested clock, in seconds. */
export type ClockRequest = {
  base: number,
  increment: number,
};

/** The clock of a game, in milliseconds. */
export type ClockTerms = {
  /** Initial time of each side. */
  base: number,
  /** Time added after each move. */
  increment: number,
};

/** The state of both clocks. */
export type Clocks = {
  /** White's remaining time, in milliseconds. */
  white: number,
  black: number,
  running: SideColor | null,
};

/** Result of the check of the dice. */
export type DiceCheck = {
  ok: boolean,
  problems: Array<string>,
};

/** A reveal, the game it belongs to, and what a player knew before. */
export type DiceCheckRequest = {
  reveal: Reveal,
  /** The line of `GET /api/games/{id}/json`. */
  record: unknown,
  known: KnownBefore,
};

/** A client's action concerning a draw. */
export type DrawAnswer = "offer" | "accept" | "decline";

/** A draw was offered or declined. */
export type DrawEvent = {
  by: SideColor,
  /** Status of the draw offer. */
  state: DrawState,
};

/** Status of a draw offer. */
export type DrawState = "offered" | "declined";

export type Empty = Record<symbol,
  never>;

/** The game is over. */
export type EndEvent = {
  /** The final observation; `null` for spectators. */
  observation: Observation | null,
  clocks: Clocks | null,
  /** Rating changes, if the game is rated. */
  ratings: Ratings | null,
  /** The dice, for verification. */
  reveal: Reveal | null,
  result: Result,
  winner: SideColor | null,
  reason: string,
};

/** Public information about a game. */
export type GameInfo = {
  /** Random id, independent of the position. */
  id: string,
  game: GameKind,
  /** Fog rule set; `null` in other games. */
  rules: string | null,
  /** The public start: a FEN or `startpos`. */
  start: string,
  /** Board size, such as `8x8`. */
  size: string,
  /** How much each side sees; known to both. */
  sight: Sights,
  /** Progress of the game. */
  status: Status,
  white: Seat,
  black: Seat,
  /** The clock, if there is one. */
  clock: ClockTerms | null,
  /** Whether the result changes ratings. */
  rated: boolean,
  /** Whether the person may request hints. */
  practice: boolean,
  /** Whether spectators see the true state during the game. */
  live: boolean,
  /** Creation time, in milliseconds since 1970. */
  created: number,
  ply: number,
  /** The result, once the game is over. */
  result: Result | null,
  reason: string | null,
  /** Id of its tournament, if any. */
  tournament: string | null,
  /** Id of the rematch, if any. */
  rematch: string | null,
};

/** A game, without its rule set. */
export type GameKind = "fog" | "dice1" | "dice3" | "chess";

/** Request for a game. */
export type GameRequest = {
  game: string,
  rules?: string | null,
  fen?: string | null,
  sight?: string | null,
  color: string,
  clock?: ClockRequest | null,
  opponent?: Opponent | null,
  rated: boolean,
  practice: boolean,
  name?: string | null,
};

/** Probability of each enemy piece on each square, `a1` first. */
export type HeatMap = {
  [key in string]: Array<number>
};

/** Ids of the imported games. */
export type Imported = {
  games: Array<string>,
};

export type JoinRequest = {
  name?: string | null,
};

/** A player joined the game. */
export type Joined = {
  info: GameInfo,
};

/** What a player knew before the first roll. */
export type KnownBefore = {
  /** The commitment that the player stored. */
  commit: string,
  /** White's seed, if White asks. */
  white?: string | null,
  /** Black's seed, if Black asks. */
  black?: string | null,
};

/** A row of a leaderboard. */
export type LeaderboardRow = {
  name: string,
  kind: string,
  rating: number,
  games: number,
  wins: number,
  draws: number,
  losses: number,
  /** Whether the rating rests on too few games. */
  provisional: boolean,
};

/** Every leaderboard, best player first. */
export type Leaderboards = {
  ladders: { [key in string]: Array<LeaderboardRow> },
};

/** A sequence of moves from a start. */
export type LineRequest = {
  game: string,
  rules?: string | null,
  start?: string | null,
  moves: Array<string>,
  side?: string | null,
  /** First ply of the response. */
  from?: number,
};

export type LiveReports = {
  white: Report | null,
  black: Report | null,
};

/** Full information about a game that hides nothing from spectators. */
export type LiveRow = {
  ply: number,
  move: string | null,
  san: string | null,
  by: SideColor | null,
  roll: string | null,
  fen: string,
  white: string,
  black: string,
  truth: string,
  turn: SideColor,
  report: LiveReports,
  clocks: Clocks | null,
};

/** The move list of each side, as far as it could see the moves. */
export type Logs = {
  white: Array<MoveLogEntry>,
  black: Array<MoveLogEntry>,
};

/** A lost piece with its possible capturers. */
export type LostPieceDto = {
  /** Plies played before the capture. */
  ply: number,
  square: string,
  piece: string,
  /** Probability before the capture that the piece could be captured. */
  danger: number,
  /** Possible capturers, most likely first. */
  takers: Array<CapturerDto>,
  really: CapturerDto,
};

/** Response to the creation of a game. */
export type Made = {
  id: string,
  you: SideColor,
  /** Address of the game on the page. */
  link: string,
  /** Commitment to the dice. */
  commit: string | null,
  info: GameInfo,
  /** Token of a newly created account. */
  token?: string,
};

/** Class of a move. */
export type Mark = "forced" | "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/** Information about the user's account. */
export type Me = {
  id: string,
  name: string,
  ratings: { [key in string]: Rating },
  games: Array<GameInfo>,
};

/** A ply was played. */
export type MoveEvent = {
  /** The viewer's new observation. */
  observation: Observation,
  /** The move list entry of the ply. */
  entry: MoveLogEntry,
  clocks: Clocks | null,
};

/**
 * One ply as seen by one side, derived from its observations before and after.
 * The move itself is not an input, so that the entry cannot contain more than
 * the two observations.
 */
export type MoveLogEntry = {
  ply: number,
  by: SideColor,
  move: string | null,
  san: string | null,
  kind: VisibilityName | null,
  from: Array<string>,
  to: Array<string>,
  piece: string | null,
  promotion: string | null,
  took: CapturedPiece | null,
  lost: CapturedPiece | null,
  roll: string | null,
  clock: number | null,
};

/**
 * Review of a move, or of a turn in three-dice chess, on the player's
 * information.
 */
export type MoveReviewDto = {
  /** Plies played before the move. */
  ply: number,
  /** UCI; the moves of a turn are separated by spaces. */
  played: string,
  san: string,
  /** The best move found, if another one. */
  best: string | null,
  best_san: string | null,
  /**
   * In fog, the share of the possible positions in which the enemy could
   * capture neither the moved piece nor the king.
   */
  safety: SafetyDto | null,
  /** Value of the best move on the player's information. */
  value: number,
  /** Expected value lost by the move on the player's information. */
  loss: number,
  /** Standard error of the loss. */
  error: number,
  verdict: Mark,
  /** Change in value until the next own move that the player could not foresee. */
  luck: number,
  /** Number of positions consistent with the observations. */
  count: number,
  exact: boolean,
  /** Value of the true position after the move. */
  truth: number,
};

/** The user's account after the request. */
export type NewAccount = {
  token?: string,
  id: string,
  name: string,
};

/**
 * Everything that one side may know now. It can be built only from an
 * [`Observation`].
 */
export type Observation = {
  side: SideColor,
  ply: number,
  turn: SideColor,
  over: boolean,
  board: string,
  fen: string,
  moves: Array<string>,
  roll: boolean,
  dice: string | null,
  mine: string | null,
  took: CapturedPiece | null,
  lost: CapturedPiece | null,
  result: OutcomeDto | null,
};

/** Connected sides; agents always are. */
export type Online = {
  white: boolean,
  black: boolean,
};

/** Opponent of a requested game. */
export type Opponent = {
  level: number,
} | {
  agent: string,
} | {
  person: boolean,
};

/** The outcome of a game. */
export type OutcomeDto = {
  result: Result,
  winner: SideColor | null,
  reason: string,
};

/**
 * What a player saw after each ply so far, index 0 at the start: the player's
 * own observations, for a page that was not open at the time.
 */
export type PastEvent = {
  boards: Array<string>,
};

/** A row of the table. */
export type Place = {
  agent: string,
  games: number,
  points: number,
  rating: number,
  error: number,
};

/** A position with the views of both sides. */
export type PositionAnswer = {
  fen: string,
  white: Observation,
  black: Observation,
  legal: Array<string>,
  turn: SideColor,
  result: OutcomeDto | null,
};

/** Hints for a player in practice after a ply. */
export type PracticeEvent = {
  ply: number,
  /** Number of possible positions; `null` if they can no longer be followed. */
  count: number | null,
  exact: boolean,
  heat: HeatMap | null,
  mix: Array<Share> | null,
  value: number | null,
};

/** A message was refused. */
export type ProblemEvent = {
  error: string,
  /** The ply of the message, if given. */
  ply?: number,
  /** The token of the message, if given. */
  token?: string,
};

/**
 * The agent to move waits for a processor, or starts again after a failure.
 * Its clock stands meanwhile.
 */
export type QueueEvent = {
  by: SideColor,
  /** Number of jobs that came earlier and wait too; `null` after a failure. */
  place: number | null,
  clocks: Clocks | null,
};

/** A rating and its number of games. */
export type Rating = {
  rating: number,
  games: number,
};

/** Change of one rating by a game. */
export type RatingChange = {
  before: number,
  after: number,
};

/** Rating changes of both players. */
export type Ratings = {
  white: RatingChange,
  black: RatingChange,
};

/** A finished game: the true position and both views at every ply. */
export type RecordAnswer = {
  info: GameInfo,
  rows: Array<RecordRow>,
  logs: Logs,
  reveal: Reveal | null,
  result: Result | null,
  reason: string | null,
  /** Reports of the agents, in the record format of matches. */
  telemetry: unknown[],
};

/** The true position after one ply, both views of it, and the move. */
export type RecordRow = {
  ply: number,
  fen: string,
  truth: string,
  white: string,
  black: string,
  turn: SideColor,
  roll: string | null,
  dice: string | null,
  move: string | null,
  san: string | null,
  by: SideColor | null,
  took: string | null,
  sighting: VisibilityName | null,
  clock: number | null,
};

/** Body of an error response. */
export type Refused = {
  error: string,
};

/** A rematch was offered or started. */
export type RematchEvent = {
  by: SideColor,
  /** Status of the rematch offer. */
  state: RematchState,
  game: string | null,
};

/** Status of a rematch offer. */
export type RematchState = "offered" | "started";

/** An agent's report as sent to clients. */
export type Report = {
  value: number | null,
  centipawns: number | null,
  mix: Array<Share>,
  nodes: number,
  depth: number,
  line: Array<string>,
  figures: { [key in string]: number },
};

/** The result in PGN notation. */
export type Result = "1-0" | "0-1" | "1/2-1/2";

/** Everything needed to verify the dice of a game. */
export type Reveal = {
  /** The commitment published before the game. */
  commit: string,
  seed: string,
  /** The seeds of both sides. */
  clients: Clients,
  rolls: Array<RevealedRoll>,
};

/** A revealed roll to verify. */
export type RevealedRoll = {
  /** Index of the roll in the game, from 0. */
  number: number,
  by: SideColor,
  /** The number that decides the roll. */
  u: number,
  roll: string,
  chances: Array<[string, number]>,
};

/** Response to a request for a review. */
export type ReviewAnswer = {
  "status": "working"
} & ReviewProgress | {
  "status": "done"
} & ReviewDto;

/** Review of a game for one of its players. */
export type ReviewDto = {
  side: SideColor,
  moves: Array<MoveReviewDto>,
  /** Lost pieces with their possible capturers. */
  losses: Array<LostPieceDto>,
  /**
   * Plies played when the possible positions could no longer be followed:
   * later moves are not reviewed.
   */
  lost_at: number | null,
  luck: number,
  given: number,
  dice: number | null,
  result: number | null,
};

/** Progress of a review. */
export type ReviewProgress = {
  done: number,
  of: number,
  /** Number of jobs that wait and came earlier; `null` once it has begun. */
  queue: number | null,
};

export type RollEvent = {
  /** The viewer's new observation. */
  observation: Observation,
  roll: string,
  /** Index of the roll in the game, from 0. */
  number: number,
  by: SideColor,
  clocks: Clocks | null,
};

/** The rules of every game. */
export type Rules = {
  pages: Array<RulesPage>,
};

/** A position that illustrates a rule. */
export type RulesExample = {
  title: string,
  text: string,
  fen: string,
  side: SideColor,
  board: string,
  moves: Array<string>,
  /** Squares mentioned in the text, and their contents in the view. */
  shows: Array<[string, string]>,
  /** Legal and illegal moves mentioned in the text. */
  allows: Array<string>,
  forbids: Array<string>,
};

/** The page of one game and rule set. */
export type RulesPage = {
  game: GameKind,
  rules: string | null,
  title: string,
  points: Array<string>,
  examples: Array<RulesExample>,
};

/** A running game with its clocks. */
export type RunningGame = {
  clocks: Clocks | null,
  /** Random id, independent of the position. */
  id: string,
  game: GameKind,
  /** Fog rule set; `null` in other games. */
  rules: string | null,
  /** The public start: a FEN or `startpos`. */
  start: string,
  /** Board size, such as `8x8`. */
  size: string,
  /** How much each side sees; known to both. */
  sight: Sights,
  /** Progress of the game. */
  status: Status,
  white: Seat,
  black: Seat,
  /** The clock, if there is one. */
  clock: ClockTerms | null,
  /** Whether the result changes ratings. */
  rated: boolean,
  /** Whether the person may request hints. */
  practice: boolean,
  /** Whether spectators see the true state during the game. */
  live: boolean,
  /** Creation time, in milliseconds since 1970. */
  created: number,
  ply: number,
  /** The result, once the game is over. */
  result: Result | null,
  reason: string | null,
  /** Id of its tournament, if any. */
  tournament: string | null,
  /** Id of the rematch, if any. */
  rematch: string | null,
};

/** State of a tournament: cross table, ratings and their history. */
export type RunningTournament = {
  /** Score of each agent against each other; `null` on the diagonal. */
  cross: Array<Array<TournamentScore | null>>,
  table: Array<Place>,
  /** Finished games in order. */
  history: Array<TournamentGame>,
  games: Array<GameInfo>,
  /** Id of the running game. */
  now: string | null,
  id: string,
  name: string,
  game: string,
  rules: string | null,
  status: TournamentStatus,
  agents: Array<string>,
  /** Number of finished games. */
  played: number,
  of: number,
};

/** Safety of the played and of the best move. */
export type SafetyDto = {
  played: number,
  best: number,
};

/** A seat and its occupant. */
export type Seat = {
  /** Name of the occupant, if any. */
  name: string | null,
  /** Person, agent or none. */
  kind: SeatKind,
  agent?: string,
  /** Leaderboard rating before the game. */
  rating?: number,
};

/** Occupant type of a seat. */
export type SeatKind = "open" | "person" | "agent";

/** Response to joining a game. */
export type Seated = {
  you: SideColor,
  /** Token of a newly created account. */
  token?: string,
};

/** A move and its probability in a mixed strategy. */
export type Share = {
  move: string,
  p: number,
};

export type SideColor = "white" | "black";

/** The name of a [`Sight`]. */
export type SightName = "normal" | "full";

/** How much each side sees: `normal` by the rules, `full` everything. */
export type Sights = {
  white: SightName,
  black: SightName,
};

/** A start position and its name. */
export type StartInfo = {
  name: string,
  fen: string,
  size: string,
};

/**
 * The full state for a viewer, sent on connection or after too many missed
 * events.
 */
export type StateEvent = {
  info: GameInfo,
  /** The viewer's side; `null` for a spectator. */
  you: SideColor | null,
  /** The viewer's current observation. */
  observation: Observation | null,
  /** The viewer's move list so far. */
  log: Array<MoveLogEntry>,
  clocks: Clocks | null,
  /** The side with an open draw offer. */
  draw: SideColor | null,
  /** Commitment to the dice. */
  commit: string | null,
  /** The viewer's own seed of the dice, once it is named. */
  seed: string | null,
  online: Online,
  end: OutcomeDto | null,
  /** For spectators of a game with a person in it. */
  watch: WatchEvent | null,
  /** For spectators of a game between agents. */
  live: LiveRow | null,
  /** The dice, once the game is over. */
  reveal: Reveal | null,
};

/** Status of a game. */
export type Status = "open" | "running" | "over";

/** An agent's analysis of a view. */
export type StudyAnswer = {
  observation: Observation,
  /** The opponent's view, if the request gave the true position. */
  other: Observation | null,
  move: string,
  report: Report,
  /** The side's belief, if anything is hidden. */
  belief: BeliefAnswer | null,
};

/** A game of a participant. */
export type StudyGame = {
  number: number,
  color: SideColor,
  id: string | null,
  status: StudyStatus,
  result: Result | null,
};

/** Request to analyse a view with an agent. */
export type StudyRequest = {
  game: string,
  rules?: string | null,
  fen: string,
  side?: string | null,
  agent: string,
};

/** Progress of a participant. */
export type StudyState = {
  participant: number,
  before: Before | null,
  after: After | null,
  games: Array<StudyGame>,
  agent: string,
  rules: string,
  /** Token of a newly created account. */
  token?: string,
};

/** Progress of a participant's game. */
export type StudyStatus = "next" | "running" | "over";

/** A participant and the answers given before the games. */
export type TestRequest = {
  participant: number,
  before: Before,
};

/** Request for a token or for another name. */
export type TokenRequest = {
  name?: string | null,
};

/** A finished game: the list indices of its agents, and all ratings after it. */
export type TournamentGame = {
  game: string,
  white: number,
  black: number,
  result: Result,
  ratings: Array<number>,
};

/** Summary of a tournament for lists. */
export type TournamentInfo = {
  id: string,
  name: string,
  game: string,
  rules: string | null,
  status: TournamentStatus,
  agents: Array<string>,
  /** Number of finished games. */
  played: number,
  of: number,
};

/** Configuration of a tournament. */
export type TournamentRequest = {
  name: string,
  game: string,
  rules?: string | null,
  agents: Array<string>,
  rounds: number,
  pause: number,
};

/** Games won, drawn and lost. */
export type TournamentScore = {
  w: number,
  d: number,
  l: number,
};

/** Status of a tournament. */
export type TournamentStatus = "running" | "over";

export type Tournaments = {
  tournaments: Array<TournamentInfo>,
};

/** Visibility of a move to the opponent (Mellemseter 2017). */
export type VisibilityName = "known" | "retreat" | "surprise" | "dark" | "semi-retreat" | "adverse surprise";

/** Information for spectators of a game with a person in it. */
export type WatchEvent = {
  ply: number,
  /** The side to act. */
  turn: SideColor,
  clocks: Clocks | null,
};

/** Request for a game between agents. */
export type WatchRequest = {
  game: string,
  rules?: string | null,
  white: string,
  black: string,
  fen?: string | null,
  sight?: string | null,
  pause: number,
};

/** The games that can be watched. */
export type Watched = {
  running: Array<RunningGame>,
  recent: Array<GameInfo>,
  tournaments: Array<TournamentInfo>,
};

/** Explanations of lost pieces. */
export type Why = {
  losses: Array<LostPieceDto>,
};

/** Messages of the server on a socket. */
export type Message =
  | { t: 'state'; v: number; d: StateEvent }
  | { t: 'move'; v: number; d: MoveEvent }
  | { t: 'roll'; v: number; d: RollEvent }
  | { t: 'draw'; v: number; d: DrawEvent }
  | { t: 'joined'; v: number; d: Joined }
  | { t: 'online'; v: number; d: Online }
  | { t: 'end'; v: number; d: EndEvent }
  | { t: 'rematch'; v: number; d: RematchEvent }
  | { t: 'queue'; v: number; d: QueueEvent }
  | { t: 'watch'; v: number; d: WatchEvent }
  | { t: 'live'; v: number; d: LiveRow }
  | { t: 'ack'; d: Ack }
  | { t: 'error'; d: ProblemEvent }
  | { t: 'practice'; d: PracticeEvent }
  | { t: 'past'; d: PastEvent }
  | { t: 'pong'; d: Empty };
