/** Faults that players met, each as they met it. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch, Player, Server, soon } from './harness.ts';

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

/** A game of two people and their pages. */
async function pair(
  body: Record<string, unknown>,
  viewport = { width: 1280, height: 860 },
): Promise<[Player, Player, string]> {
  const [ada, bob] = [await Player.open(browser, server.url, { viewport }), await Player.open(browser, server.url)];
  const id = await ada.begin({ color: 'white', opponent: { person: true }, ...body });
  await bob.goto(`/game/${id}`);
  await bob.page.getByRole('button', { name: 'Join the game' }).click();
  await ada.turn();
  return [ada, bob, id];
}

async function play(ada: Player, bob: Player, moves: string[]): Promise<void> {
  for (const [ply, move] of moves.entries()) {
    const player = ply % 2 === 0 ? ada : bob;
    await player.turn();
    await player.type(move);
  }
}

test('a second tab shows the past as its player saw it', async () => {
  const [ada, bob, id] = await pair({ game: 'fog' });
  await play(ada, bob, ['e4', 'd5', 'exd5']);
  await bob.turn();
  const tab = await ada.context.newPage();
  await tab.goto(`${server.url}/game/${id}`);
  await tab.locator('piece.white.p-piece').first().waitFor();
  await tab.locator('.status').click();
  await tab.keyboard.press('Home');
  // At the start eight white pawns stand, and nothing of Black is seen.
  await tab.locator('.status').getByText('Viewing the start').waitFor();
  await soon(async () => (await tab.locator('.under .fog').count()) === 32);
  assert.equal(await tab.locator('piece.black').count(), 0);
  await tab.keyboard.press('ArrowRight');
  await tab.keyboard.press('ArrowRight');
  await tab.locator('.status').getByText('Viewing 1… d5').waitFor();
  await soon(async () => (await tab.locator('piece.black').count()) === 1);
  await Promise.all([ada.close(), bob.close()]);
});

test('the list follows the game, and the last move stays marked through a hidden reply', async () => {
  const [ada, bob] = await pair({ game: 'fog' }, { width: 390, height: 844 });
  await play(ada, bob, ['a3', 'a6', 'Nf3', 'Nf6', 'Ng1', 'Ng8', 'h3', 'b6', 'g3', 'h6']);
  await ada.turn();
  assert.equal(await ada.page.locator('.under .last').count(), 2, 'my own move is still marked');
  const seen = await ada.page.evaluate(() => {
    const [list, here] = [document.querySelector('.moves')!, document.querySelector('.move.here')!];
    const [box, at] = [list.getBoundingClientRect(), here.getBoundingClientRect()];
    return at.left >= box.left - 1 && at.right <= box.right + 1 && list.scrollLeft > 0;
  });
  assert.ok(seen, 'the current move is in sight');
  await Promise.all([ada.close(), bob.close()]);
});

test('check is shown in plain chess, and a spectator sees the board', async () => {
  const [ada, bob, id] = await pair({ game: 'chess' });
  const eve = await Player.open(browser, server.url);
  await eve.goto(`/game/${id}`);
  await eve.page.locator('.one').waitFor();
  assert.equal(await eve.page.locator('.one').count(), 1, 'one board where nothing is hidden');
  assert.equal(await eve.page.locator('.fog').count(), 0);
  await play(ada, bob, ['e4', 'f6', 'Qh5']);
  await bob.turn();
  for (const player of [ada, bob, eve]) await player.page.locator('.under .check').waitFor({ state: 'attached' });
  await eve.page.reload();
  await eve.page.locator('.move').getByText('Qh5+').waitFor();
  assert.equal(await eve.page.locator('.pair .number').first().innerText(), '2.', 'a late spectator counts on');
  assert.equal(await eve.page.locator('.half').first().locator('.move').count(), 1, "in White's column");
  await Promise.all([ada.close(), bob.close(), eve.close()]);
});

test("Black's board is never drawn from White's side", async () => {
  const me = await Player.open(browser, server.url);
  await me.goto('/');
  await me.page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = (): void => {
      const wrap = document.querySelector('.game .cg-wrap');
      if (wrap) seen.push(wrap.classList.contains('orientation-white') ? 'white' : 'black');
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  await me.page.locator('.chips').waitFor();
  await me.page.getByText('Options', { exact: true }).click();
  await me.page.getByLabel('Black', { exact: true }).check({ force: true });
  await me.page.getByRole('button', { name: 'Play', exact: true }).click();
  await me.turn();
  const seen = await me.page.evaluate(() => new Set((window as unknown as { seen: string[] }).seen).size);
  assert.equal(seen, 1);
  await me.close();
});

test('a lost piece is named, and so is who is gone and who thinks', async () => {
  const [ada, bob] = await pair({ game: 'fog' });
  await play(ada, bob, ['e4', 'd5', 'a3', 'dxe4']);
  await soon(async () => (await ada.status()) === 'Your move. You lost a pawn on e4.');
  assert.equal(await ada.page.locator('.move').last().innerText(), '?xe4');
  await bob.close();
  await ada.page.getByText(/lost the connection\./).waitFor();
  const me = await Player.open(browser, server.url);
  await me.begin({ game: 'fog', color: 'white', opponent: { agent: 'pbsa:nodes=200000' } });
  await me.turn();
  await me.page.fill('#typed-move', 'e4');
  await me.page.press('#typed-move', 'Enter');
  await me.page.locator('.status').getByText('pbsa:nodes=200000 is thinking…').waitFor();
  await Promise.all([ada.close(), me.close()]);
});

test('your turn is in the title', async () => {
  const [ada, bob] = await pair({ game: 'fog' });
  await soon(async () => (await ada.page.title()) === 'Your turn · Foglight');
  assert.equal(await bob.page.title(), 'Game · Foglight');
  await Promise.all([ada.close(), bob.close()]);
});

test('terms are told before joining and during a game', async () => {
  const [ada, bob] = [await Player.open(browser, server.url), await Player.open(browser, server.url)];
  const body = { game: 'fog', rules: 'pychess', color: 'white', clock: { base: 300, increment: 3 } };
  const id = await ada.begin({ ...body, opponent: { person: true } });
  await bob.goto(`/game/${id}`);
  const terms = 'Fog of War · PyChess rules · 5 + 3 · Casual';
  await bob.page.getByText(`${terms} · you play Black`).waitFor();
  await bob.page.getByRole('button', { name: 'Join the game' }).click();
  await ada.turn();
  await ada.page.getByText(terms, { exact: true }).waitFor();
  await Promise.all([ada.close(), bob.close()]);
});

test('long names do not move the board', async () => {
  const me = await Player.open(browser, server.url, { viewport: { width: 360, height: 640 } });
  await me.goto('/');
  await me.page.evaluate(async () => {
    const answer = await fetch('/api/token', { method: 'POST', body: JSON.stringify({ name: 'W'.repeat(30) }) });
    localStorage.setItem('foglight.token', ((await answer.json()) as { token: string }).token);
  });
  await me.begin({ game: 'fog', color: 'white', opponent: { agent: 'random' } });
  await me.turn();
  const heights = await me.page.locator('.strip').evaluateAll((list) => list.map((strip) => strip.clientHeight));
  assert.equal(heights[0], heights[1]);
  const fits = await me.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(fits);
  await me.close();
});

test('an imported win is no agreed draw, and chess has one board in its replay', async () => {
  const me = await Player.open(browser, server.url);
  await me.goto('/study');
  await me.page.getByText('Import game (PGN)').click();
  await me.page.getByLabel('PGN').fill('[Result "1-0"]\n\n1. e4 e5 2. Qh5 1-0\n');
  await me.page.getByRole('button', { name: 'Review game' }).click();
  await me.page.getByText('Chess · 1-0 · resignation · 2 moves').waitFor();
  assert.equal(await me.page.locator('.one').count(), 1);
  await me.close();
});

test('curve and slider share their scale', async () => {
  const me = await Player.open(browser, server.url);
  const id = await me.begin({ game: 'chess', color: 'white', opponent: { agent: 'random' } });
  for (const move of ['e4', 'd4', 'Nf3']) {
    await me.turn();
    await me.type(move);
  }
  await me.page.getByRole('button', { name: 'Resign' }).click();
  await me.page.getByRole('button', { name: 'Really resign?' }).click();
  await me.page.locator('.end-card').waitFor();
  await me.goto(`/replay/${id}?ply=0`);
  await me.page.locator('.plot').waitFor({ timeout: 120_000 });
  const [plot, slider] = [await me.page.locator('.plot').boundingBox(), await me.page.locator('.slider').boundingBox()];
  const knob = 0.6 * 16;
  assert.ok(Math.abs(plot!.x - (slider!.x + knob)) < 2, 'the same left end');
  assert.ok(Math.abs(plot!.x + plot!.width - (slider!.x + slider!.width - knob)) < 2, 'the same right end');
  await me.close();
});
