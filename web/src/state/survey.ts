/** The questions of the user study (Mellemseter 2017, 5.2 and 6.2.1) and their validation. */

import type { After, TestRequest } from './wire.ts';

export const PHASES: readonly [string, string][] = [
  ['opening', 'Opening'],
  ['middle', 'Middle game'],
  ['end', 'Endgame'],
];

const whole = (text: string | null, low: number, high: number): number | null => {
  const n = text === null || text.trim() === '' ? NaN : Number(text);
  return Number.isInteger(n) && n >= low && n <= high ? n : null;
};

export type Answer<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Validates the answers before the games. */
export function before(get: (name: string) => string | null): Answer<TestRequest> {
  const participant = whole(get('participant'), 1, 99_999);
  if (participant === null) return { ok: false, problem: 'The participant id is a whole number from 1 to 99999.' };
  const hours = Number((get('hours') ?? '').replace(',', '.') || NaN);
  if (!(hours >= 0 && hours <= 744)) return { ok: false, problem: 'Hours played last month: a number from 0 to 744.' };
  const points = ['openings', 'tactics', 'positional'].map((name) => whole(get(name), 1, 7));
  const [openings, tactics, positional] = points;
  if (openings == null || tactics == null || positional == null)
    return { ok: false, problem: 'Please answer each of the three scales.' };
  return { ok: true, value: { participant, before: { hours, openings, tactics, positional } } };
}

/** Validates the answers after the games. */
export function after(get: (name: string) => string | null): Answer<After> {
  const phase = (name: string): string | undefined => PHASES.find(([id]) => id === get(name))?.[0];
  const hardest = phase('hardest');
  const easiest = phase('easiest');
  if (!hardest || !easiest) return { ok: false, problem: 'Please choose the hardest and the easiest phase.' };
  const moves = whole(get('moves'), 0, 100);
  const depth = whole(get('depth'), 0, 100);
  const risk = whole(get('risk'), 1, 7);
  if (moves === null || depth === null)
    return { ok: false, problem: 'Moves and depth are whole numbers from 0 to 100.' };
  if (risk === null) return { ok: false, problem: 'Please say how risky you played.' };
  const text = (name: string): string => (get(name) ?? '').trim().slice(0, 1000);
  return {
    ok: true,
    value: { hardest, hardest_why: text('hardest_why'), easiest, easiest_why: text('easiest_why'), moves, depth, risk },
  };
}
