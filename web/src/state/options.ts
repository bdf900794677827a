/** The player's choices on the first page, and the resulting request. */

import { RULES, type BotLevel, type ClockRequest, type GameKind, type GameRequest, type StartInfo } from './wire.ts';

export interface Choice {
  game: GameKind;
  rules: string;
  fen: string;
  color: 'white' | 'black' | 'random';
  clock: string;
  opponent: { kind: 'level'; level: number } | { kind: 'agent'; agent: string } | { kind: 'person' };
  rated: boolean;
  practice: boolean;
  /** The side with full sight, known to both. */
  sight: 'fog' | 'me' | 'opponent';
}

export const GAMES: readonly { name: GameKind; title: string; about: string }[] = [
  { name: 'fog', title: 'Fog of War', about: 'You see only where your pieces can go. Capture the king.' },
  { name: 'dice1', title: 'One die', about: 'The die says which kind of piece moves. Capture the king.' },
  { name: 'dice3', title: 'Three dice', about: 'Up to three moves a turn, one for each die. Capture the king.' },
  { name: 'chess', title: 'Chess', about: 'Everything in sight. Checkmate.' },
];

export const titleOf = (game: string): string => GAMES.find((g) => g.name === game)?.title ?? game;

/** The rule sets of fog by the names of the sites and programs they come from. */
const RULE_NAMES: Record<string, string> = {
  chesscom: 'Chess.com',
  openspiel: 'Dark chess (OpenSpiel)',
  pychess: 'PyChess',
  thesis: 'Thesis (Mellemseter 2017)',
};
export const rulesName = (rules: string): string => RULE_NAMES[rules] ?? rules;
export const RULE_SETS: readonly [string, string][] = RULES.map((rules) => [rules, rulesName(rules)]);

/** `Fog of War · Chess.com rules`, `Chess`. */
export const kindOf = (info: { game: string; rules: string | null }): string =>
  info.game === 'fog' && info.rules ? `${titleOf(info.game)} · ${rulesName(info.rules)} rules` : titleOf(info.game);

export const SIGHTS: readonly [Choice['sight'], string][] = [
  ['fog', 'No odds'],
  ['me', 'Full vision for me'],
  ['opponent', 'Full vision for my opponent'],
];

export const CLOCKS: readonly [string, string][] = [
  ['none', 'Unlimited'],
  ['60+1', '1 + 1'],
  ['180+2', '3 + 2'],
  ['300+3', '5 + 3'],
  ['600+5', '10 + 5'],
  ['1800+20', '30 + 20'],
];

/** `5 + 3`, `Unlimited`. */
export const clockName = (clock: { base: number; increment: number } | null): string =>
  clock ? `${clock.base / 60_000} + ${clock.increment / 1000}` : 'Unlimited';

/** A newcomer's first game: White against the gentlest bot. */
export const first = (): Choice => ({ ...initial(), color: 'white', opponent: { kind: 'level', level: 1 } });

export const initial = (): Choice => ({
  game: 'fog',
  rules: 'chesscom',
  fen: '',
  color: 'random',
  clock: 'none',
  opponent: { kind: 'level', level: 2 },
  rated: false,
  practice: false,
  sight: 'fog',
});

/** Drops incompatible choices: ratings need the usual start and normal sight, practice an agent. */
export function tidy(choice: Choice, levels: readonly BotLevel[], starts: readonly StartInfo[]): Choice {
  const fen = starts.some((start) => start.fen === choice.fen) && choice.fen !== 'startpos' ? choice.fen : '';
  const person = choice.opponent.kind === 'person';
  const practice = choice.practice && !person && choice.game === 'fog';
  const known =
    choice.opponent.kind !== 'level' || levels.some((l) => l.level === (choice.opponent as { level: number }).level);
  const opponent = known ? choice.opponent : { kind: 'level' as const, level: levels[0]?.level ?? 1 };
  const sight = choice.game === 'fog' ? choice.sight : 'fog';
  return {
    ...choice,
    fen,
    practice,
    opponent,
    sight,
    rated: choice.rated && fen === '' && !practice && sight === 'fog',
  };
}

function clockOf(text: string): ClockRequest | null {
  const [base, increment] = text.split('+').map(Number);
  return base && Number.isFinite(base) ? { base, increment: increment ?? 0 } : null;
}

/** The body of `POST /api/games`. */
export function request(choice: Choice): GameRequest {
  const { opponent } = choice;
  return {
    game: choice.game,
    ...(choice.game === 'fog' ? { rules: choice.rules } : {}),
    fen: choice.fen || null,
    ...(choice.sight === 'fog' ? {} : { sight: choice.sight }),
    color: choice.color,
    clock: clockOf(choice.clock),
    opponent:
      opponent.kind === 'person'
        ? { person: true }
        : opponent.kind === 'agent'
          ? { agent: opponent.agent }
          : { level: opponent.level },
    rated: choice.rated,
    practice: choice.practice,
  };
}

/** Parses stored choices; an invalid one falls back to the first option. */
export function restore(text: string | null): Choice {
  if (text === null) return first();
  try {
    const raw = JSON.parse(text) as Partial<Choice>;
    const base = initial();
    return GAMES.some((g) => g.name === raw.game) && raw.opponent?.kind ? { ...base, ...raw } : base;
  } catch {
    return initial();
  }
}
