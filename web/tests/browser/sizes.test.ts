/** Every size of screen, by mouse, touch and keyboard: play, the end of a game, its review; and axe in both themes. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { launch, Player, Server, soon } from './harness.ts';

const web = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const axe = readFileSync(join(web, 'node_modules/axe-core/axe.min.js'), 'utf8');

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

const SIZES = [
  { width: 360, height: 640, touch: true },
  { width: 390, height: 844, touch: true },
  { width: 820, height: 1180, touch: true },
  { width: 1440, height: 900, touch: false },
];
type Size = (typeof SIZES)[number];

const device = ({ width, height, touch }: Size): Parameters<typeof Player.open>[2] => ({
  viewport: { width, height },
  hasTouch: touch,
  isMobile: touch,
});

/** White loses its king to a queen that it does not see. */
const AMBUSH = '4k3/4q3/8/8/8/8/P7/4K3 w - - 0 1';

/** A fog game in which White is to lose its king with Black's next move. */
async function ambush(options: Parameters<typeof Player.open>[2]): Promise<[Player, Player, string]> {
  const [ada, bob] = [await Player.open(browser, server.url, options), await Player.open(browser, server.url)];
  const id = await ada.begin({ game: 'fog', color: 'white', opponent: { person: true }, fen: AMBUSH });
  await bob.goto(`/game/${id}`);
  await bob.page.getByRole('button', { name: 'Join the game' }).click();
  await ada.turn();
  return [ada, bob, id];
}

async function inSight(page: Page, part: Locator, what: string): Promise<void> {
  await part.waitFor();
  // What is drawn again, as the card with its review, has no box for a moment.
  let box = await part.boundingBox();
  for (let tries = 0; !box && tries < 40; tries++) {
    await page.waitForTimeout(50);
    box = await part.boundingBox();
  }
  const { width, height } = page.viewportSize()!;
  assert.ok(box, `${what} is there`);
  const inside = box.x >= -1 && box.y >= -1 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1;
  assert.ok(inside, `${what} is in sight on ${width} x ${height}: ${JSON.stringify(box)}`);
}

/** In sight, and under nothing: a press in its middle and at its foot reaches it. */
async function inReach(page: Page, part: Locator, what: string): Promise<void> {
  await inSight(page, part, what);
  const reached = await part.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const at = (y: number): boolean => element.contains(document.elementFromPoint(box.x + box.width / 2, y));
    return at(box.y + box.height / 2) && at(box.bottom - 3);
  });
  assert.ok(reached, `${what} is under nothing`);
}

async function notWider(page: Page, what: string): Promise<void> {
  // Not `innerWidth`: a phone widens its window for what does not fit.
  const { width } = page.viewportSize()!;
  const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, innerWidth));
  assert.ok(wide <= width, `${what} is ${wide} wide on a screen of ${width}`);
}

for (const size of SIZES)
  test(`a game, its end and its review at ${size.width} px`, async () => {
    const [ada, bob, id] = await ambush(device(size));
    const { page } = ada;
    for (const part of ['.table .board', '.status', '.moves', '.bar']) await inSight(page, page.locator(part), part);
    if (size.touch) {
      await ada.tap('a2');
      await ada.tap('a3');
    } else {
      await ada.click('a2');
      await ada.click('a3');
    }
    await bob.turn();
    await bob.type('Qxe1');
    const card = page.locator('.end-card');
    await card.getByRole('heading', { name: 'You lost' }).waitFor();
    await card.getByText(/^\d+%$|^no choice$/).waitFor({ timeout: 60_000 });
    assert.equal(await page.evaluate(() => scrollY), 0);
    await inSight(page, card, 'the card');
    for (const name of ['Rematch', 'New game'])
      await inReach(page, card.getByRole(name === 'Rematch' ? 'button' : 'link', { name }), name);
    await notWider(page, 'the end');
    const review = card.getByRole('link', { name: 'Review' });
    await inReach(page, review, 'Review');
    if (size.touch) await review.tap();
    else await review.press('Enter');
    await page.locator('.trio').waitFor();
    await inSight(page, page.locator('.one.large .board'), 'the large board');
    await inReach(page, page.getByRole('button', { name: 'Next move' }), 'the steps');
    assert.equal(await page.locator('.one:visible').count(), 3, 'one large board and two thumbnails');
    await notWider(page, 'the replay');
    assert.ok(page.url().includes(id));
    await Promise.all([ada.close(), bob.close()]);
  });

test('the fog rolls back, then the hidden capturer slides out', async () => {
  const [ada, bob] = await ambush({ reducedMotion: 'no-preference' });
  await ada.type('a3');
  assert.equal(await ada.page.locator('.table piece.black.q-piece').count(), 0);
  const [e7, e1] = [await ada.at('e7'), await ada.at('e1')];
  // Every frame is looked at in the page: from here a loaded machine would miss some.
  await ada.page.evaluate(
    (squares) => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const look = (): void => {
        const queen = document.querySelector('.table piece.black.q-piece')?.getBoundingClientRect();
        const at = squares.find(
          ({ x, y }) =>
            queen && Math.hypot(queen.x + queen.width / 2 - x, queen.y + queen.height / 2 - y) < queen.width / 8,
        );
        const now = `${document.querySelector('.veil') ? 'veil ' : ''}${queen ? (at?.name ?? 'between') : 'hidden'}`;
        if (seen.at(-1) !== now) seen.push(now);
        requestAnimationFrame(look);
      };
      look();
    },
    [
      { name: 'e7', ...e7 },
      { name: 'e1', ...e1 },
    ],
  );
  await bob.turn();
  await bob.type('Qxe1');
  const seen = (): Promise<string[]> => ada.page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  await soon(async () => (await seen()).at(-1) === 'e1');
  const stages = (await seen()).join(', ');
  assert.match(stages, /^hidden, (veil hidden, )?veil e7, .*e1$/, 'the veil lifts over the queen where it came from');
  assert.match(stages, /between/, 'then it slides');
  await Promise.all([ada.close(), bob.close()]);
});

test('reduced motion: the end is there at once', async () => {
  const [ada, bob] = await ambush({ reducedMotion: 'reduce' });
  await ada.type('a3');
  await bob.turn();
  await bob.type('Qxe1');
  await ada.page.locator('.table piece.black.q-piece').waitFor();
  assert.equal(await ada.page.locator('.veil').count(), 0);
  await Promise.all([ada.close(), bob.close()]);
});

test('a newcomer is taught in place, once', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto('/');
  await page.getByText('Level 1: Beginner, a gentle start').waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await me.turn();
  assert.equal(me.observation()!.side, 'white');
  const hint = page.locator('.hint');
  for (const move of ['a3', 'h3', 'b3', 'g3']) {
    await me.type(move);
    await me.turn();
    if (await hint.isVisible()) break;
  }
  await hint.getByText(/could not see|may not see|memory|captured/).waitFor();
  await hint.getByRole('button', { name: 'Got it' }).click();
  assert.equal(await hint.isVisible(), false);
  const given = await page.evaluate(() => localStorage.getItem('foglight.hints'));
  assert.ok(given, 'it is remembered');
  await me.close();
});

test('the first page shows the three views by itself', async () => {
  const me = await Player.open(browser, server.url, { reducedMotion: 'no-preference' });
  await me.goto('/');
  await me.page.locator('.showcase .cg-wrap').waitFor();
  assert.ok((await me.page.locator('.showcase .fog').count()) > 0);
  await me.page.locator('.showcase input[value=truth]:checked').waitFor({ state: 'attached', timeout: 15_000 });
  assert.equal(await me.page.locator('.showcase .fog').count(), 0);
  await me.close();
});

test('small phones and phones on their side', async () => {
  const me = await Player.open(browser, server.url, device({ width: 320, height: 568, touch: true }));
  const { page } = me;
  const id = await me.begin({ game: 'dice3', color: 'white', opponent: { agent: 'random' } });
  await me.turn();
  await inSight(page, page.getByRole('button', { name: 'Roll the dice' }), 'the dice');
  assert.ok(!(await me.status()).includes('space'), 'a phone has no space bar');
  await notWider(page, '/game');
  await page.setViewportSize({ width: 844, height: 390 });
  const [board, bar] = [await page.locator('.table .board').boundingBox(), await page.locator('.bar').boundingBox()];
  assert.ok(bar!.x >= board!.x + board!.width - 1, 'the actions stand beside the board');
  await inSight(page, page.locator('.table .board'), 'the board');
  await page.getByRole('button', { name: 'Resign' }).tap();
  await page.getByRole('button', { name: 'Really resign?' }).tap();
  for (const [width, height] of [
    [844, 390],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    await inReach(page, page.locator('.end-card').getByRole('button', { name: 'Rematch' }), 'Rematch');
  }
  for (const path of [
    '/',
    '/watch',
    '/lab',
    '/study',
    '/rules',
    '/leaderboard',
    '/user-study',
    '/fair',
    `/replay/${id}`,
  ])
    for (const [width, height] of [
      [320, 568],
      [360, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      await me.goto(path);
      await page.locator('main h1, main .board').first().waitFor({ state: 'attached' });
      await notWider(page, `${path} at ${width}`);
      const header = await page.locator('.top').boundingBox();
      assert.ok((header?.height ?? 0) < 56, `${path} at ${width}: one row of links, or none`);
    }
  await me.close();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing on any page in the ${colorScheme} theme`, async () => {
    const [ada, bob, id] = await ambush({ colorScheme });
    const { page } = ada;
    const check = async (what: string): Promise<void> => {
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        type Found = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
        const { violations } = await (window as unknown as { axe: { run: () => Promise<Found> } }).axe.run();
        return violations.map((v) => `${v.id}: ${v.nodes[0]?.html} ${v.nodes[0]?.failureSummary}`);
      });
      assert.deepEqual(found, [], what);
    };
    await check('a game');
    await ada.type('a3');
    await bob.turn();
    await bob.type('Qxe1');
    await page.locator('.end-card .judged-facts').waitFor({ timeout: 60_000 });
    await check('the end of a game');
    for (const path of [
      '/',
      '/watch',
      '/lab',
      '/study',
      '/rules',
      '/fair',
      '/leaderboard',
      '/user-study',
      '/nowhere',
      `/replay/${id}?ply=2`,
    ]) {
      await ada.goto(path);
      await page.locator('main h1').first().waitFor({ state: 'attached' });
      if (path.startsWith('/replay')) await page.locator('.accuracy').waitFor({ timeout: 60_000 });
      await check(path);
    }
    await Promise.all([ada.close(), bob.close()]);
  });
