/** Verification of the dice in the browser, without trust in the server. */

import { hex, hmac, sha256, utf8 } from './sha256.ts';
import type { KnownBefore, Reveal } from './wire.ts';

export interface Check {
  text: string;
  ok: boolean;
}

export const commitOf = (seed: string): string => hex(sha256(utf8(seed)));

/** The number in [0, 1) of roll `k`: 53 bits of HMAC-SHA256 under the seed. */
export function draw(seed: string, clients: Reveal['clients'], k: number): number {
  const bytes = hmac(utf8(seed), utf8(`${k}:${clients.white}:${clients.black}`));
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

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-12;

/** The ways in which three dice fall into this roll, of 216. */
function ways(roll: string): number {
  const different = new Set(roll).size;
  return different === 3 ? 6 : different === 2 ? 3 : 1;
}

/** Whether the chances are those of the rules: one die has even ones, three are counted. */
function usual(chances: Reveal['rolls'][number]['chances']): boolean {
  const share = ([roll]: [string, number]): number => (roll.length === 3 ? ways(roll) / 216 : 1 / chances.length);
  return chances.length > 0 && chances.every((row) => near(row[1], share(row)));
}

/**
 * Checks the dice of a game: `rolls` are those of its record, `known` is what this browser kept before the first one.
 */
export function check(reveal: Reveal, rolls: readonly string[] | null, known: KnownBefore | null): Check[] {
  const list: Check[] = [
    { text: 'The seed is the one that was promised before the game', ok: commitOf(reveal.seed) === reveal.commit },
  ];
  if (known) {
    list.push({ text: 'The commitment is the one that this browser kept', ok: reveal.commit === known.commit });
    for (const side of ['white', 'black'] as const) {
      const mine = known[side];
      if (mine) list.push({ text: 'Your seed is the one that you named', ok: reveal.clients[side] === mine });
    }
  }
  if (rolls) {
    const same = rolls.length === reveal.rolls.length && rolls.every((roll, k) => roll === reveal.rolls[k]?.roll);
    list.push({ text: `The game has these ${reveal.rolls.length} rolls and no other`, ok: same });
  }
  reveal.rolls.forEach((roll, index) => {
    const u = draw(reveal.seed, reveal.clients, index);
    const told = roll.number === index && near(u, roll.u) && usual(roll.chances);
    const ok = told && pick(u, roll.chances) === roll.roll;
    list.push({ text: `Roll ${index + 1}, ${roll.by}: ${u.toFixed(6)} gives ${roll.roll}`, ok });
  });
  return list;
}
