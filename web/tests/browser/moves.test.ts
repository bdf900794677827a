/** Special moves and what the board can do: promotion, castling, premove, arrows, pencil, sizes, practice. */

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

const cells = (board: string, square: string): string =>
  board.split('/')[8 - Number(square[1])]?.[square.charCodeAt(0) - 97] ?? '';

test('promotion: the picker asks, the piece stands', async () => {
  const me = await Player.open(browser, server.url);
  const start = { game: 'fog', color: 'white', opponent: { agent: 'random' }, fen: '7k/1P6/8/8/8/8/8/K7 w - - 0 1' };
  await me.begin(start);
  await me.turn();
  await me.drag('b7', 'b8');
  const picker = me.page.getByRole('dialog', { name: 'Promote to' });
  await picker.waitFor();
  assert.deepEqual(
    await picker.getByRole('button').evaluateAll((list) => list.map((b) => b.getAttribute('aria-label'))),
    ['queen', 'rook', 'bishop', 'knight'],
  );
  await me.page.keyboard.press('Escape');
  await picker.waitFor({ state: 'detached' });
  assert.equal(await me.turn(), 'move', 'taken back');
  await me.drag('b7', 'b8');
  await picker.getByRole('button', { name: 'knight' }).click();
  await me.played(0);
  assert.equal(cells(me.observation()!.board, 'b8'), 'N');
  await me.page.locator('piece.white.n-piece').waitFor();
  await me.begin(start);
  await me.turn();
  await me.type('b8=R');
  assert.equal(cells(me.observation()!.board, 'b8'), 'R');
  await me.close();
});

test('castling by the king, and typed', async () => {
  const me = await Player.open(browser, server.url);
  const start = {
    game: 'fog',
    opponent: { agent: 'random' },
    fen: 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1',
  };
  await me.begin({ ...start, color: 'white' });
  await me.turn();
  await me.drag('e1', 'g1');
  await me.played(0);
  assert.equal(me.observation()!.board.split('/')[7]!.slice(4), '.RK.');
  await me.begin({ ...start, color: 'black' });
  await me.turn();
  const ply = me.observation()!.ply;
  await me.type('O-O-O');
  assert.ok(me.observation()!.ply > ply);
  assert.equal(me.observation()!.board.split('/')[0]!.slice(2, 4), 'kr');
  await me.close();
});

test('a premove is played when its turn comes, and forgotten when it cannot be', async () => {
  const [ada, bob] = [await Player.open(browser, server.url), await Player.open(browser, server.url)];
  const id = await ada.begin({ game: 'fog', color: 'white', opponent: { person: true } });
  await bob.goto(`/game/${id}`);
  await bob.page.getByRole('button', { name: 'Join the game' }).click();
  await ada.turn();
  // Joining turns the board: nothing can be dragged before that.
  await bob.page.locator('.game[data-turn=wait] .orientation-black').waitFor();
  await bob.drag('e7', 'e5');
  await bob.page.locator('square.current-premove').first().waitFor();
  await ada.type('e4');
  await ada.turn();
  await bob.played(1);
  await bob.drag('e5', 'e4');
  await bob.page.locator('square.current-premove').first().waitFor();
  await ada.type('d4');
  await bob.played(2);
  assert.equal(await bob.turn(), 'move');
  await soon(async () => (await bob.page.locator('square.current-premove').count()) === 0);
  assert.equal(bob.observation()!.ply, 3, 'e4 is taken: no move was made');
  await Promise.all([ada.close(), bob.close()]);
});

test('arrows by right-drag, marks on fog, ghosts of what was seen', async () => {
  const me = await Player.open(browser, server.url);
  await me.begin({ game: 'fog', color: 'white', opponent: { agent: 'random' } });
  await me.turn();
  const [a, b] = [await me.at('g1'), await me.at('f3')];
  await me.page.mouse.move(a.x, a.y);
  await me.page.mouse.down({ button: 'right' });
  await me.page.mouse.move(b.x, b.y);
  await me.page.mouse.up({ button: 'right' });
  await me.page.locator('.cg-shapes line').waitFor({ state: 'attached' });
  const dark = await me.at('e8');
  await me.page.mouse.click(dark.x, dark.y, { button: 'right' });
  await me.page.locator('.pencil-piece').waitFor({ state: 'attached' });
  await me.page.getByRole('button', { name: 'Mark' }).click();
  await me.click('e8');
  await me.click('d8');
  await soon(async () => (await me.page.locator('.pencil-piece').count()) === 2);
  await me.page.reload();
  await soon(async () => (await me.page.locator('.pencil-piece').count()) === 2);
  const sent = JSON.stringify(me.heard);
  assert.ok(!sent.includes('pencil'), 'the pencil stays in this page');
  await me.close();
});

test('small boards', async () => {
  const me = await Player.open(browser, server.url);
  await me.begin({
    game: 'fog',
    color: 'black',
    opponent: { agent: 'random' },
    fen: 'rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1',
  });
  const random = seeded(2);
  for (let i = 0; i < 3 && (await me.turn()) === 'move'; i++) {
    const seen = me.observation()!;
    const move = choose(seen, random);
    await me.drag(move.slice(0, 2), move.slice(2, 4));
    if (move[4]) await me.page.locator('.promotion button').first().click();
    await me.played(seen.ply);
  }
  assert.equal(await me.page.locator('.under g rect:first-child').count(), 30);
  await me.close();
});

test('practice: the count, the belief map and the mix', async () => {
  const me = await Player.open(browser, server.url);
  await me.begin({ game: 'fog', color: 'white', opponent: { agent: 'random' }, practice: true });
  await me.turn();
  const count = me.page.locator('.practice .count');
  await soon(async () => (await count.innerText()) === '1 possible position');
  // A reply that is seen leaves one position: go on until one is not.
  const unsure = async () => /^[\d\u2009]+ possible positions$/.test(await count.innerText());
  for (const move of ['a3', 'a4', 'h3', 'h4', 'b3']) {
    await me.type(move);
    await me.turn();
    if (await unsure()) break;
  }
  await soon(unsure);
  await soon(async () => (await me.page.locator('.heat').count()) > 10);
  await me.page.locator('.status').click();
  await me.page.keyboard.press('b');
  await soon(async () => (await me.page.locator('.heat').count()) === 0);
  await me.close();
});

test('a screen reader hears the view', async () => {
  const me = await Player.open(browser, server.url);
  await me.begin({ game: 'fog', color: 'white', opponent: { agent: 'random' } });
  await me.turn();
  await me.page.locator('.status').click();
  await me.page.keyboard.press('v');
  const voice = me.page.locator('[aria-live][role=status]');
  await soon(async () => (await voice.innerText()).startsWith('fog: a5 to h8; seen: nothing; yours: '));
  await me.type('e4');
  await me.turn();
  await soon(async () => /fog: .*; seen: /.test(await voice.innerText()));
  await me.close();
});
