/** Whole games: by mouse, by keyboard, two browsers, and through a crash of the server. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { choose, launch, Player, seeded, Server, soon } from './harness.ts';

const server = new Server();
let browser: Browser;

before(async () => {
  await server.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server.stop();
});

test('one click to a game, and a whole game by mouse against an agent', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto('/');
  await page.locator('.chips').waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await me.board();
  const random = seeded(3);
  let drag = false;
  while ((await me.turn()) === 'move') {
    const seen = me.observation()!;
    const move = choose(seen, random);
    drag = !drag;
    if (drag) await me.drag(move.slice(0, 2), move.slice(2, 4));
    else {
      await me.click(move.slice(0, 2));
      await me.click(move.slice(2, 4));
    }
    if (move[4]) await page.locator('.promotion button').first().click();
    await me.played(seen.ply);
  }
  assert.match(await me.status(), /^(You won|You lost|Draw): /);
  assert.ok(await page.locator('.move.dark-move').count(), 'moves that I did not see are marked');
  await page.getByRole('link', { name: 'Review' }).click();
  await page.locator('.trio').waitFor();
  await me.close();
});

test('a whole game by keyboard alone', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto('/');
  await page.locator('.chips').waitFor();
  for (let i = 0; i < 30 && !(await page.evaluate(() => document.activeElement?.matches('button[type=submit]'))); i++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await me.board();
  const random = seeded(11);
  assert.equal(await me.turn(), 'move');

  // The first move with the cursor on the board.
  const first = me.observation()!;
  const black = first.side === 'black';
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement?.matches('.board'))); i++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  const spoken = page.locator('[aria-live][role=status]');
  await soon(async () => /^(e2|e7), /.test(await spoken.innerText()));
  await page.keyboard.press('Enter');
  await soon(async () => /picked up/.test(await spoken.innerText()));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await me.played(first.ply);
  const entry = me.heard.flatMap((m) => (m.t === 'move' && m.d.entry.by === first.side ? [m.d.entry.move] : []))[0];
  assert.equal(entry, black ? 'e7e5' : 'e2e4');

  // The rest typed; `m` goes to the field.
  await page.keyboard.press('m');
  while ((await me.turn()) === 'move') {
    const seen = me.observation()!;
    await page.keyboard.type(choose(seen, random));
    await page.keyboard.press('Enter');
    await me.played(seen.ply);
  }
  assert.match(await me.status(), /^(You won|You lost|Draw): /);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await me.close();
});

test('two browsers play each other by link; a third one learns nothing', async () => {
  const [ada, bob, eve] = [
    await Player.open(browser, server.url),
    await Player.open(browser, server.url),
    await Player.open(browser, server.url),
  ];
  await ada.goto('/');
  await ada.page.getByText('Options', { exact: true }).click();
  await ada.page.getByLabel('White', { exact: true }).check({ force: true });
  await ada.page.getByRole('button', { name: 'Play with a friend' }).click();
  const link = await ada.page.locator('.share').innerText();
  await bob.page.goto(link);
  await bob.page.getByRole('button', { name: 'Join the game' }).click();
  await eve.page.goto(link);
  await bob.board();
  await ada.turn();
  for (const [player, move] of [
    [ada, 'e4'],
    [bob, 'f6'],
    [ada, 'Qh5'],
  ] as const) {
    assert.equal(await player.turn(), 'move');
    await player.type(move);
  }
  assert.equal(await bob.turn(), 'move');
  assert.equal(await eve.status(), 'Watching move 2. Board hidden until the game ends.');
  assert.equal(await eve.page.locator('.moves').innerText(), 'Moves are hidden until the game ends.');
  for (const message of eve.heard)
    assert.ok(!JSON.stringify(message).includes('"moves"'), 'a watcher is told no moves');
  assert.equal(await eve.page.locator('.under .fog').count(), 64);
  await bob.type('a6');
  await ada.turn();
  // The other's moves are unseen: a question mark each, until the queen sees the king.
  assert.equal(await ada.page.locator('.move.dark-move').first().innerText(), '?');
  await ada.drag('h5', 'e8');
  await soon(async () => (await ada.status()) === 'You won: the king was captured.');
  await soon(async () => (await bob.status()) === 'You lost: the king was captured.');
  await soon(async () => (await eve.status()) === 'White won: the king was captured.');
  await ada.page.getByRole('button', { name: 'Rematch' }).click();
  await bob.page.getByText('Your opponent would like a rematch.').waitFor();
  await bob.page.getByRole('button', { name: 'Rematch' }).click();
  await Promise.all([ada, bob].map((player) => player.page.waitForURL((url) => url.href !== link)));
  assert.equal(ada.page.url(), bob.page.url());
  await soon(async () => (await bob.status()) === 'Your move.');
  await Promise.all([ada.close(), bob.close(), eve.close()]);
});

test('draw offers and resignation', async () => {
  const [ada, bob] = [await Player.open(browser, server.url), await Player.open(browser, server.url)];
  const id = await ada.begin({ game: 'chess', color: 'white', opponent: { person: true } });
  await bob.goto(`/game/${id}`);
  await bob.page.getByRole('button', { name: 'Join the game' }).click();
  await ada.turn();
  await ada.page.getByRole('button', { name: 'Offer draw' }).click();
  await bob.page.getByText('Your opponent offers a draw.').waitFor();
  await bob.page.getByRole('button', { name: 'Decline' }).click();
  await ada.page.getByText('Your draw offer was declined.').waitFor();
  await ada.page.getByRole('button', { name: 'Offer draw' }).click();
  await bob.page.getByRole('button', { name: 'Accept' }).click();
  await soon(async () => (await ada.status()) === 'Draw: a draw was agreed.');
  await ada.begin({ game: 'fog', color: 'white', opponent: { agent: 'random' } });
  await ada.turn();
  await ada.page.getByRole('button', { name: 'Resign' }).click();
  await ada.page.getByRole('button', { name: 'Really resign?' }).click();
  await soon(async () => (await ada.status()) === 'You lost: resignation.');
  await Promise.all([ada.close(), bob.close()]);
});

test('a reload and a crash of the server in mid-game lose nothing', async (t) => {
  // A seed, for a game that is known to last: one in nine against `random` ends within six moves.
  const own = new Server('--seed', '3');
  t.after(() => own.stop());
  await own.start();
  const me = await Player.open(browser, own.url);
  await me.begin({ game: 'fog', color: 'white', clock: { base: 600, increment: 0 }, opponent: { agent: 'random' } });
  const random = seeded(5);
  const step = async (): Promise<void> => {
    assert.equal(await me.turn(), 'move');
    await me.type(choose(me.observation()!, random));
  };
  for (let i = 0; i < 3; i++) await step();
  assert.equal(await me.turn(), 'move');
  const before = me.observation()!;
  const list = await me.page.locator('.moves').innerText();
  await me.page.reload();
  await me.board();
  await soon(async () => (await me.page.locator('.moves').innerText()) === list);
  assert.deepEqual(me.observation(), before);
  await step();
  assert.equal(await me.turn(), 'move');
  const kept = me.observation()!;
  await own.kill();
  await soon(async () => (await me.status()) === 'Reconnecting…');
  await own.start();
  await soon(async () => (await me.status()).startsWith('Your move.'));
  assert.equal(me.observation()!.board, kept.board);
  await step();
  await step();
  await me.close();
});
