/**
 * What server and page say to each other. Made of the Rust types by
 * `FOGLIGHT_WRITE=1 cargo test -p foglight-server --lib typescript`; a test
 * fails while it is not what they say.
 */

/** The rule sets of fog. */
export const RULES = ['chesscom', 'openspiel', 'pychess', 'thesis'] as const;

/** A move is on disk. */
export type Ack = {
  /** The ply that it was sent for. */
  ply: number,
  token: string,
};

/** The questions after the games. */
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

/** An agent and what may be set. */
export type AgentInfo = {
  name: string,
  about: string,
  games: Array<GameKind>,
  options: Array<AgentOption>,
};

/** All that may be asked for. */
export type AgentList = {
  agents: Array<AgentInfo>,
  levels: { [key in GameKind]?: Array<BotLevel> },
  games: Array<BotOffer>,
};

/** Something that may be set. */
export type AgentOption = {
  name: string,
  values: string,
  default: string | null,
  about: string,
};

/** A game, for who asks. */
export type AskedGame = {
  /** The side of who asks with a token; nobody's for a watcher. */
  you?: SideColor | null,
  /** A random name, never made of the position. */
  id: string,
  game: GameKind,
  /** The rule set, in fog. */
  rules: string | null,
  /** The start that both sides know: a FEN or `startpos`. */
  start: string,
  /** Size of the board. */
  size: string,
  /** How much each side sees. Both are told. */
  sight: Sights,
  /** How far it is. */
  status: Status,
  white: Seat,
  black: Seat,
  /** The clock, if there is one. */
  clock: ClockTerms | null,
  /** Does it count on the ladder? */
  rated: boolean,
  /** May the person ask for its belief? */
  practice: boolean,
  /** May everybody see everything as it happens? */
  live: boolean,
  /** When it was made, in milliseconds since 1970. */
  created: number,
  ply: number,
  /** The result, once it is over. */
  result: Result | null,
  reason: string | null,
  /** The tournament that it belongs to. */
  tournament: string | null,
  /** The game that followed it. */
  rematch: string | null,
};

/** The questions before the games. */
export type Before = {
  /** Hours of chess in the last month. */
  hours: number,
  /** Knowledge of openings, 1 none to 7 expert. */
  openings: number,
  tactics: number,
  /** Knowledge of positional play. */
  positional: number,
};

/** Something that has begun. */
export type Begun = {
  id: string,
};

/** The positions that fit a view, and where the enemy may be. */
export type BeliefAnswer = {
  count: number,
  exact: boolean,
  heat: HeatMap,
};

/** Some plies of a line. */
export type BeliefPart = {
  rows: Array<BeliefStep>,
  /** Where the following ones begin. */
  next: number | null,
};

/** What a side may believe at a ply. */
export type BeliefStep = {
  ply: number,
  count: number,
  exact: boolean,
  /** Is the true position among them? */
  truth: boolean,
  heat: HeatMap,
};

/** An opponent for people who do not know the agents. */
export type BotLevel = {
  /** From 1, the weakest. */
  level: number,
  /** A name for it. */
  name: string,
  agent: string,
};

/** A game with its rule sets and the starts that fit it. */
export type BotOffer = {
  name: GameKind,
  title: string,
  rules: Array<string>,
  starts: Array<StartInfo>,
};

/** A piece that left the board, and where. */
export type CapturedPiece = {
  square: string,
  piece: string,
};

/** A piece that may have been the taker, and where it came from. */
export type CapturerDto = {
  piece: string,
  from: string,
  chance: number,
};

/** What a client may say. */
export type ClientMessage = {
  "t": "hello",
  "d": { token: string | null, v: number | null, }
} | {
  "t": "move",
  "d": { game: string | null, ply: number, move: string, token: string, }
} | {
  "t": "roll",
  "d": { game: string | null, ply: number, seed: string, }
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
  "t": "ping",
  "d": Record<symbol, never>
};

/** The sides' own seeds; empty for who named none. */
export type Clients = {
  white: string,
  black: string,
};

/** A clock as it is asked for, in seconds. */
export type ClockRequest = {
  base: number,
  increment: number,
};

/** The clock that a game is played with, in milliseconds. */
export type ClockTerms = {
  /** Time at the start. */
  base: number,
  /** Time added after each move. */
  increment: number,
};

/** What the clocks show. */
export type Clocks = {
  /** White's time left, in milliseconds. */
  white: number,
  black: number,
  running: SideColor | null,
};

/** Whether dice were fair. */
export type DiceCheck = {
  ok: boolean,
  problems: Array<string>,
};

/** What is said about a draw. */
export type DrawAnswer = "offer" | "accept" | "decline";

/** A draw was offered or declined. */
export type DrawEvent = {
  by: SideColor,
  /** What became of it. */
  state: DrawState,
};

/** What became of a draw. */
export type DrawState = "offered" | "declined";

export type Empty = Record<symbol,
  never>;

/** The game is over. */
export type EndEvent = {
  /** What the viewer sees at the end; nothing for watchers. */
  observation: Observation | null,
  clocks: Clocks | null,
  /** Changes on the ladder: White's, Black's. */
  ratings: Ratings | null,
  /** The dice, to be checked. */
  reveal: Reveal | null,
  result: Result,
  winner: SideColor | null,
  reason: string,
};

/** What everybody may know of a game. */
export type GameInfo = {
  /** A random name, never made of the position. */
  id: string,
  game: GameKind,
  /** The rule set, in fog. */
  rules: string | null,
  /** The start that both sides know: a FEN or `startpos`. */
  start: string,
  /** Size of the board. */
  size: string,
  /** How much each side sees. Both are told. */
  sight: Sights,
  /** How far it is. */
  status: Status,
  white: Seat,
  black: Seat,
  /** The clock, if there is one. */
  clock: ClockTerms | null,
  /** Does it count on the ladder? */
  rated: boolean,
  /** May the person ask for its belief? */
  practice: boolean,
  /** May everybody see everything as it happens? */
  live: boolean,
  /** When it was made, in milliseconds since 1970. */
  created: number,
  ply: number,
  /** The result, once it is over. */
  result: Result | null,
  reason: string | null,
  /** The tournament that it belongs to. */
  tournament: string | null,
  /** The game that followed it. */
  rematch: string | null,
};

/** A game, without its rule set. */
export type GameKind = "fog" | "dice1" | "dice3" | "chess";

/** What a game is asked for with. */
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

/** The probability of each enemy piece on each square, `a1` first. */
export type HeatMap = {
  [key in string]: Array<number>
};

/** Games that were brought, by id. */
export type Imported = {
  games: Array<string>,
};

export type JoinRequest = {
  name?: string | null,
};

/** A seat was taken. */
export type Joined = {
  info: GameInfo,
};

/** A place on a ladder. */
export type LeaderboardRow = {
  name: string,
  kind: string,
  rating: number,
  games: number,
  wins: number,
  draws: number,
  losses: number,
  /** Too few games to be sure? */
  provisional: boolean,
};

/** Every ladder, its best first. */
export type Leaderboards = {
  ladders: { [key in string]: Array<LeaderboardRow> },
};

/** Moves from a start. */
export type LineRequest = {
  game: string,
  rules?: string | null,
  start?: string | null,
  moves: Array<string>,
  side?: string | null,
  /** The first ply of the answer. */
  from?: number,
};

export type LiveReports = {
  white: Report | null,
  black: Report | null,
};

/** What everybody sees of a game between agents. */
export type LiveRow = {
  ply: number,
  move: string | null,
  roll: string | null,
  fen: string,
  white: string,
  black: string,
  truth: string,
  turn: SideColor,
  report: LiveReports,
  clocks: Clocks | null,
};

/** What each side could tell of the moves. */
export type Logs = {
  white: Array<MoveLogEntry>,
  black: Array<MoveLogEntry>,
};

/** A piece that was lost. */
export type LostPieceDto = {
  /** Single moves played before the capture. */
  ply: number,
  square: string,
  piece: string,
  /** How likely it was, before, that the piece could be taken at all. */
  danger: number,
  /** Who could have taken it, the likeliest first. */
  takers: Array<CapturerDto>,
  really: CapturerDto,
};

/** A game that was made. */
export type Made = {
  id: string,
  you: SideColor,
  /** Where the page shows it. */
  link: string,
  /** The promise about the dice. */
  commit: string | null,
  info: GameInfo,
  /** Of a player that is new. */
  token?: string,
};

/** What a move was worth. */
export type Mark = "forced" | "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/** What is known of who asks. */
export type Me = {
  id: string,
  name: string,
  ratings: { [key in string]: Rating },
  games: Array<GameInfo>,
};

/** After a single move. */
export type MoveEvent = {
  /** What is seen now. */
  observation: Observation,
  /** What could be told of the move. */
  entry: MoveLogEntry,
  clocks: Clocks | null,
};

/**
 * One single move as one side could tell of it, worked out from what that
 * side saw before and after. The move itself is not looked at, so that the
 * entry can hold no more than the two observations do.
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

/** A move, or in three-dice chess a turn, as judged by what was known. */
export type MoveReviewDto = {
  /** Single moves played before it. */
  ply: number,
  /** UCI; several moves of one turn with spaces. */
  played: string,
  san: string,
  /** The best that was found, where it was another move. */
  best: string | null,
  /** The value of the best move by what was known. */
  value: number,
  /** What the move gave away by what was known. */
  loss: number,
  /** Standard error of the loss. */
  error: number,
  verdict: Mark,
  /** What changed until the next own move by what nobody could know. */
  luck: number,
  /** Positions that fitted all that had been seen. */
  count: number,
  exact: boolean,
  /** The value on the true board after the move. */
  truth: number,
};

/** Who asks is now this. */
export type NewAccount = {
  token?: string,
  id: string,
  name: string,
};

/**
 * All that one side may know now. There is no way to make one but from an
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

/** Who is connected; agents always are. */
export type Online = {
  white: boolean,
  black: boolean,
};

/** Who to play against. */
export type Opponent = {
  level: number,
} | {
  agent: string,
} | {
  person: boolean,
};

/** How a game ended. */
export type OutcomeDto = {
  result: Result,
  winner: SideColor | null,
  reason: string,
};

/** A line of the table. */
export type Place = {
  agent: string,
  games: number,
  points: number,
  rating: number,
  error: number,
};

/** A position with what both sides see of it. */
export type PositionAnswer = {
  fen: string,
  white: Observation,
  black: Observation,
  legal: Array<string>,
  turn: SideColor,
  result: OutcomeDto | null,
};

/** What a player in practice is told after a ply. */
export type PracticeEvent = {
  ply: number,
  count: number,
  exact: boolean,
  heat: HeatMap | null,
  mix: Array<Share> | null,
  value: number | null,
};

/** A message that could not be done. */
export type ProblemEvent = {
  error: string,
  /** The ply of the message, if it named one. */
  ply?: number,
  /** The token of the message, if it had one. */
  token?: string,
};

/** A rating, and how many games it rests on. */
export type Rating = {
  rating: number,
  games: number,
};

/** What a rated game did to a rating. */
export type RatingChange = {
  before: number,
  after: number,
};

/** Changes on the ladder. */
export type Ratings = {
  white: RatingChange,
  black: RatingChange,
};

/** A finished game: the truth of every position, and what each side saw. */
export type RecordAnswer = {
  info: GameInfo,
  rows: Array<RecordRow>,
  logs: Logs,
  reveal: Reveal | null,
  result: Result | null,
  reason: string | null,
  /** What the agents thought, in the words of matches. */
  telemetry: unknown[],
};

/** The position after one single move, all three ways to see it, and the move. */
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

/** What is told of it. */
export type Refused = {
  error: string,
};

/** Somebody wants to play again. */
export type RematchEvent = {
  by: SideColor,
  /** What became of it. */
  state: RematchState,
  game: string | null,
};

/** What became of a rematch. */
export type RematchState = "offered" | "started";

/** What an agent thought, as clients read it. */
export type Report = {
  value: number | null,
  centipawns: number | null,
  mix: Array<Share>,
  nodes: number,
  depth: number,
  line: Array<string>,
  figures: { [key in string]: number },
};

/** How a game ended, as PGN writes it. */
export type Result = "1-0" | "0-1" | "1/2-1/2";

/** All that is needed to check the dice of a game. */
export type Reveal = {
  /** The promise made before the game. */
  commit: string,
  seed: string,
  /** The sides' own seeds. */
  clients: Clients,
  rolls: Array<RevealedRoll>,
};

/** A roll to be checked. */
export type RevealedRoll = {
  /** Which roll of the game, from 0. */
  number: number,
  by: SideColor,
  /** The number that decided. */
  u: number,
  roll: string,
  chances: Array<[string, number]>,
};

/** The answer to who asks for a review. */
export type ReviewAnswer = {
  "status": "working"
} & ReviewProgress | {
  "status": "done"
} & ReviewDto;

/** A game as one of its players should see it afterwards. */
export type ReviewDto = {
  side: SideColor,
  moves: Array<MoveReviewDto>,
  /** Pieces lost, with who could have taken them. */
  losses: Array<LostPieceDto>,
  luck: number,
  given: number,
  dice: number | null,
  result: number | null,
};

/** How far a review is. */
export type ReviewProgress = {
  done: number,
  of: number,
};

export type RollEvent = {
  /** What is seen now. */
  observation: Observation,
  roll: string,
  /** Which roll of the game, from 0. */
  number: number,
  by: SideColor,
  clocks: Clocks | null,
};

/** The rules of every game. */
export type Rules = {
  pages: Array<RulesPage>,
};

/** A position in which a rule shows. */
export type RulesExample = {
  title: string,
  text: string,
  fen: string,
  side: SideColor,
  board: string,
  moves: Array<string>,
  /** Squares that the text speaks of, and what is seen there. */
  shows: Array<[string, string]>,
  /** Moves that the text allows and forbids. */
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

/** A game that runs, with its clocks. */
export type RunningGame = {
  clocks: Clocks | null,
  /** A random name, never made of the position. */
  id: string,
  game: GameKind,
  /** The rule set, in fog. */
  rules: string | null,
  /** The start that both sides know: a FEN or `startpos`. */
  start: string,
  /** Size of the board. */
  size: string,
  /** How much each side sees. Both are told. */
  sight: Sights,
  /** How far it is. */
  status: Status,
  white: Seat,
  black: Seat,
  /** The clock, if there is one. */
  clock: ClockTerms | null,
  /** Does it count on the ladder? */
  rated: boolean,
  /** May the person ask for its belief? */
  practice: boolean,
  /** May everybody see everything as it happens? */
  live: boolean,
  /** When it was made, in milliseconds since 1970. */
  created: number,
  ply: number,
  /** The result, once it is over. */
  result: Result | null,
  reason: string | null,
  /** The tournament that it belongs to. */
  tournament: string | null,
  /** The game that followed it. */
  rematch: string | null,
};

/** The state of a tournament: cross table, ratings, and how they moved. */
export type RunningTournament = {
  /** What each made of each; nothing of itself. */
  cross: Array<Array<TournamentScore | null>>,
  table: Array<Place>,
  /** The finished games in order. */
  history: Array<TournamentGame>,
  games: Array<GameInfo>,
  /** The game that runs. */
  now: string | null,
  id: string,
  name: string,
  game: string,
  rules: string | null,
  status: TournamentStatus,
  agents: Array<string>,
  /** Games that are over. */
  played: number,
  of: number,
};

/** Who sits on a chair. */
export type Seat = {
  /** The name, if anybody sits there. */
  name: string | null,
  /** Person, agent or nobody. */
  kind: SeatKind,
  agent?: string,
  /** On our ladder, before the game. */
  rating?: number,
};

/** What sits on a chair. */
export type SeatKind = "open" | "person" | "agent";

/** Where somebody sat down. */
export type Seated = {
  you: SideColor,
  /** Of a player that is new. */
  token?: string,
};

/** A move of a mix. */
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

/** A start with its name. */
export type StartInfo = {
  name: string,
  fen: string,
  size: string,
};

/** Everything that a viewer may know: sent to who has missed too much. */
export type StateEvent = {
  info: GameInfo,
  /** The viewer's side; nobody's for a watcher. */
  you: SideColor | null,
  /** What the viewer sees. */
  observation: Observation | null,
  /** What it could tell of the moves so far. */
  log: Array<MoveLogEntry>,
  clocks: Clocks | null,
  /** Whose draw offer stands. */
  draw: SideColor | null,
  /** The promise about the dice. */
  commit: string | null,
  online: Online,
  end: OutcomeDto | null,
  /** For watchers of a game with a person in it. */
  watch: WatchEvent | null,
  /** For watchers of a game between agents. */
  live: LiveRow | null,
  /** The dice, once the game is over. */
  reveal: Reveal | null,
};

/** How far a game is. */
export type Status = "open" | "running" | "over";

/** What an agent says of a view. */
export type StudyAnswer = {
  observation: Observation,
  /** The other side's view, when the truth was given. */
  other: Observation | null,
  move: string,
  report: Report,
  /** What the side may believe, where anything is hidden. */
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

/** A view for an agent to look at. */
export type StudyRequest = {
  game: string,
  rules?: string | null,
  fen: string,
  side?: string | null,
  agent: string,
};

/** How far a participant is. */
export type StudyState = {
  participant: number,
  before: Before | null,
  after: After | null,
  games: Array<StudyGame>,
  agent: string,
  rules: string,
  /** Of a player that is new. */
  token?: string,
};

/** How far a game of a participant is. */
export type StudyStatus = "next" | "running" | "over";

/** A participant and its answers before the games. */
export type TestRequest = {
  participant: number,
  before: Before,
};

/** A name for who asks. */
export type TokenRequest = {
  name?: string | null,
};

/**
 * A finished game: the places of its agents in the list, and all ratings
 * after it.
 */
export type TournamentGame = {
  game: string,
  white: number,
  black: number,
  result: Result,
  ratings: Array<number>,
};

/** What lists show of a tournament. */
export type TournamentInfo = {
  id: string,
  name: string,
  game: string,
  rules: string | null,
  status: TournamentStatus,
  agents: Array<string>,
  /** Games that are over. */
  played: number,
  of: number,
};

/** What a tournament is played by. */
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

/** How far a tournament is. */
export type TournamentStatus = "running" | "over";

export type Tournaments = {
  tournaments: Array<TournamentInfo>,
};

/** How much of a move the other side saw. */
export type VisibilityName = "known" | "retreat" | "surprise" | "dark" | "semi-retreat" | "adverse surprise";

/** All that a watcher of a game with a person in it is told. */
export type WatchEvent = {
  ply: number,
  /** Whose turn it is. */
  turn: SideColor,
  clocks: Clocks | null,
};

/** A game between agents. */
export type WatchRequest = {
  game: string,
  rules?: string | null,
  white: string,
  black: string,
  fen?: string | null,
  sight?: string | null,
  pause: number,
};

/** What may be watched. */
export type Watched = {
  running: Array<RunningGame>,
  recent: Array<GameInfo>,
  tournaments: Array<TournamentInfo>,
};

/** Why pieces were lost. */
export type Why = {
  losses: Array<LostPieceDto>,
};

/** What the server says on a socket. */
export type Message =
  | { t: 'state'; v: number; d: StateEvent }
  | { t: 'move'; v: number; d: MoveEvent }
  | { t: 'roll'; v: number; d: RollEvent }
  | { t: 'draw'; v: number; d: DrawEvent }
  | { t: 'joined'; v: number; d: Joined }
  | { t: 'online'; v: number; d: Online }
  | { t: 'end'; v: number; d: EndEvent }
  | { t: 'rematch'; v: number; d: RematchEvent }
  | { t: 'watch'; v: number; d: WatchEvent }
  | { t: 'live'; v: number; d: LiveRow }
  | { t: 'ack'; d: Ack }
  | { t: 'error'; d: ProblemEvent }
  | { t: 'practice'; d: PracticeEvent }
  | { t: 'pong'; d: Empty };
