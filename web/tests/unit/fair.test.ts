import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { check, commitOf, draw, pick } from '../../src/state/fair.ts';
import { hex, hmac, sha256, unhex, utf8 } from '../../src/state/sha256.ts';
import type { KnownBefore, Reveal } from '../../src/state/wire.ts';

test('SHA-256 and HMAC agree with Node at every length round the block', () => {
  for (let n = 0; n < 200; n++) {
    const text = 'x'.repeat(n);
    assert.equal(hex(sha256(utf8(text))), createHash('sha256').update(text).digest('hex'));
    assert.equal(hex(hmac(utf8(text), utf8(`${n}`))), createHmac('sha256', text).update(`${n}`).digest('hex'));
  }
  assert.deepEqual(unhex('00ff'), Uint8Array.of(0, 255));
  assert.equal(unhex('0g'), null);
});

const seed = 'ab'.repeat(32);
const chances: [string, number][] = [
  ['P', 0.5],
  ['N', 0.5],
];

const known: KnownBefore = { commit: commitOf(seed), white: 'hello' };
const played = (r: Reveal): string[] => r.rolls.map((roll) => roll.roll);

function reveal(): Reveal {
  const clients = { white: 'hello', black: '' };
  const rolls = [0, 1, 2].map((number) => {
    const by = number % 2 ? ('black' as const) : ('white' as const);
    const u = draw(seed, clients, number);
    return { number, by, u, roll: pick(u, chances)!, chances };
  });
  return { commit: commitOf(seed), seed, clients, rolls };
}

test('an honest game passes', () => {
  assert.ok(check(reveal(), null, null).every((item) => item.ok));
  assert.ok(check(reveal(), played(reveal()), known).every((item) => item.ok));
});

test('the chances of three dice are counted', () => {
  const letters = [...'PNBRQK'];
  const sorted = letters.flatMap((a, i) =>
    letters.slice(i).flatMap((b, j) => letters.slice(i + j).map((c) => a + b + c)),
  );
  const ways = (roll: string): number => [0, 1, 3, 6][new Set(roll).size]!;
  const three = (bonus: number): Reveal => {
    const shares = sorted.map((roll, k): [string, number] => [roll, (ways(roll) + (k === 0 ? bonus : 0)) / 216]);
    const u = draw(seed, { white: '', black: '' }, 0);
    const rolls = [{ number: 0, by: 'white' as const, u, roll: pick(u, shares)!, chances: shares }];
    return { commit: commitOf(seed), seed, clients: { white: '', black: '' }, rolls };
  };
  assert.equal(sorted.length, 56);
  assert.ok(check(three(0), null, null).every((item) => item.ok));
  assert.ok(check(three(1), null, null).some((item) => !item.ok));
});

test('each way to cheat fails', () => {
  const ways: ((r: Reveal) => void)[] = [
    (r) => (r.seed = 'cd'.repeat(32)),
    (r) => (r.rolls[1]!.roll = r.rolls[1]!.roll === 'P' ? 'N' : 'P'),
    (r) => (r.clients.white = 'other'),
    (r) => (r.rolls[0]!.number = 5),
    (r) =>
      (r.rolls[2]!.chances = [
        ['P', 0.9],
        ['N', 0.1],
      ]),
    (r) => r.rolls.splice(0, 1),
    (r) => r.rolls.pop(),
    (r) => r.rolls.push(r.rolls[0]!),
    (r) => Object.assign(r, { seed: 'cd'.repeat(32), commit: commitOf('cd'.repeat(32)) }),
  ];
  for (const cheat of ways) {
    const bad = reveal();
    cheat(bad);
    assert.ok(
      check(bad, played(reveal()), known).some((item) => !item.ok),
      cheat.toString(),
    );
  }
});

test('numbers are even: a thousand draws fill ten bins', () => {
  const bins = new Array<number>(10).fill(0);
  for (let k = 0; k < 1000; k++) bins[Math.floor(10 * draw(seed, { white: '', black: '' }, k))]!++;
  for (const bin of bins) assert.ok(bin > 60 && bin < 140, String(bins));
});
