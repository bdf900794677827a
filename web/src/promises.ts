/** What this browser knew of the dice of its games before the first roll. */

import type { KnownBefore } from './state/wire.ts';

const KEPT = 'foglight.promises';
/** Number of games remembered. */
const MOST = 200;

type Promises = [id: string, known: KnownBefore][];

function all(): Promises {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(kept) ? (kept as Promises) : [];
  } catch {
    return [];
  }
}

export const promiseOf = (id: string): KnownBefore | null => all().find(([known]) => known === id)?.[1] ?? null;

/** Remembers a promise; the first of a game stays. */
export function keepPromise(id: string, known: KnownBefore): void {
  if (promiseOf(id)) return;
  localStorage.setItem(KEPT, JSON.stringify([[id, known], ...all()].slice(0, MOST)));
}

/** A seed for the dice, which the server could not know when it made its promise. */
export const freshSeed = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
