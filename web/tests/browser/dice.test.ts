/** Dice: thrown by the space bar, sealed before, checked after. */

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

for (const game of ['dice1', 'dice3']) {
  test(`a whole game of ${game}, and its dice checked`, async () => {
    const me = await Player.open(browser, server.url);
    const id = await me.begin({ game, color: 'white', opponent: { agent: 'greedy' } });
    await me.turn();
    const sealed = me.page.getByRole('link', { name: 'Provably fair: verify' });
    assert.match((await sealed.getAttribute('title')) ?? '', /^Commitment [0-9a-f]{64}$/);
    const random = seeded(7);
    await me.page.locator('.status').click();
    for (let turn = await me.turn(); turn !== 'over'; turn = await me.turn()) {
      const seen = me.observation()!;
      if (turn === 'roll') {
        // A roll may allow nothing: then the next one can be due before the page has
        // shown the last, and a key pressed for that one does nothing.
        await soon(async () => {
          await me.page.keyboard.press(' ');
          return (
            me.observation()!.ply !== seen.ply || (await me.page.locator('.game:not([data-turn=roll])').count()) > 0
          );
        });
        continue;
      }
      const move = choose(seen, random);
      await me.click(move.slice(0, 2));
      await me.click(move.slice(2, 4));
      if (seen.moves.filter((m) => m.startsWith(move.slice(0, 4))).length > 1)
        await me.page.locator('.promotion button').first().click();
      await me.played(seen.ply);
    }
    assert.match(await me.status(), /^(You won|You lost|Draw): /);
    await me.goto(`/fair/${id}`);
    await me.page.getByRole('heading', { name: 'All rolls verified' }).waitFor();
    assert.ok((await me.page.locator('.checks .ok').count()) > 5);
    assert.equal(await me.page.locator('.checks .bad').count(), 0);
    await me.close();
  });
}

test('while a dice game runs its seed stays sealed', async () => {
  const me = await Player.open(browser, server.url);
  const id = await me.begin({ game: 'dice1', color: 'white', opponent: { agent: 'random' } });
  await me.turn();
  await me.goto(`/fair/${id}`);
  await me.page.getByText('the seed stays secret until it is over').waitFor();
  await me.close();
});
