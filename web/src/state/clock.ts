/** Clocks: the server's last times, extrapolated with the browser's clock. */

import type { Side } from './squares.ts';
import type { Clocks as WireClocks } from './wire.ts';

export interface Clocks extends WireClocks {
  /** The browser's time of arrival, in milliseconds. */
  at: number;
}

/** Milliseconds left, never below zero. */
export function left(clocks: Clocks, side: Side, now: number): number {
  const spent = clocks.running === side ? Math.max(0, now - clocks.at) : 0;
  return Math.max(0, clocks[side] - spent);
}

/** `5:03`, `1:00:00`, and tenths below ten seconds. */
export function written(ms: number): string {
  if (ms < 10_000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(ms / 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
