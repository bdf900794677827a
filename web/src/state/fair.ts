/** Verification of the dice in the browser, without trust in the server. */

import { hex, hmac, sha256, utf8 } from './sha256.ts';
import type { Reveal } from './wire.ts';

export interface Check {
  text: string;
  ok: boolean;
}

export const commitOf = (seed: string): string => hex(sha256(utf8(seed)));

/** The number in [0, 1) of roll `k` for a client seed: 53 bits of HMAC-SHA256. */
export function draw(seed: string, client: string, k: number): number {
  const bytes = hmac(utf8(seed), utf8(`${client}:${k}`));
  let bits = 0n;
  for (const byte of bytes.slice(0, 8)) bits = (bits << 8n) | BigInt(byte);
  return Number(bits >> 11n) / 2 ** 53;
}

/** The roll whose probability interval contains `u`. */
export function pick(u: number, chances: readonly (readonly [string, number])[]): string | null {
  let sum = 0;
  for (const [roll, chance] of chances) {
    sum += chance;
    if (u < sum) return roll;
  }
  return chances.at(-1)?.[0] ?? null;
}

/** Checks a revealed game; `commit` is the published commitment, if this page received it. */
export function check(reveal: Reveal, commit: string | null): Check[] {
  const promised = commit ?? reveal.commit;
  const list: Check[] = [
    { text: 'The seed is the one that was promised before the game', ok: commitOf(reveal.seed) === promised },
  ];
  reveal.rolls.forEach((roll, index) => {
    const u = draw(reveal.seed, reveal.clients[roll.by], roll.number);
    const sum = roll.chances.reduce((total, [, chance]) => total + chance, 0);
    const ok =
      roll.number === index &&
      Math.abs(sum - 1) < 1e-9 &&
      Math.abs(u - roll.u) < 1e-12 &&
      pick(u, roll.chances) === roll.roll;
    list.push({ text: `Roll ${index + 1}, ${roll.by}: ${u.toFixed(6)} gives ${roll.roll}`, ok });
  });
  return list;
}
