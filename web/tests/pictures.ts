/**
 * Takes the pictures of `docs/`, and those of the page itself (`icons`, the
 * preview of links): `npm run pictures`, or some of them: `npm run pictures -- game study`.
 */

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { choose, launch, Player, seeded, Server, soon } from './browser/harness.ts';
import { typed } from '../src/state/moves.ts';
import { pieceAt, readView } from '../src/state/view.ts';

const docs = join(dirname(fileURLToPath(import.meta.url)), '../../../docs');
const OPENING = ['e4', 'Nf3', 'd4', 'Nc3', 'Bd3', 'O-O', 'Re1', 'Bf4', 'Qd2', 'e5', 'Rad1', 'h3'];

const server = new Server();
await server.start();
const browser = await launch();

async function shot(me: Player, name: string): Promise<void> {
  await me.page.waitForTimeout(400);
  await me.page.screenshot({ path: join(docs, `web-${name}.png`) });
  console.log(name);
}

/** Plays sensible moves as long as they can be played. */
async function play(me: Player, plies: number): Promise<void> {
  const random = seeded(4);
  const plan = [...OPENING];
  while ((await me.turn()) === 'move' && me.observation()!.ply < plies) {
    const seen = me.observation()!;
    let move = choose(seen, random);
    const takes = pieceAt(readView(seen.board), move.slice(2, 4)) !== undefined;
    for (const text of takes ? [] : plan) {
      const meant = typed(text, readView(seen.board), seen.moves);
      if (meant.kind !== 'move') continue;
      plan.splice(plan.indexOf(text), 1);
      move = meant.uci;
      break;
    }
    await me.type(move);
  }
}

const dark = { colorScheme: 'dark' as const, viewport: { width: 1280, height: 800 } };
const light = { ...dark, colorScheme: 'light' as const };
const phone = { colorScheme: 'dark' as const, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function name(me: Player, text: string): Promise<void> {
  await me.goto('/');
  await me.page.getByText('Options', { exact: true }).click();
  await me.page.getByLabel('Your name, as others see it').fill(text);
  await me.page.getByLabel('Your name, as others see it').press('Tab');
  await me.page.waitForTimeout(300);
}

const PICTURES: Record<string, [Parameters<Browser['newContext']>[0], (me: Player) => Promise<void>]> = {
  home: [
    dark,
    async (me) => {
      await me.goto('/');
      await me.page.locator('.chips').waitFor();
    },
  ],
  game: [
    light,
    async (me) => {
      await name(me, 'Ada');
      await me.begin({
        game: 'fog',
        color: 'white',
        clock: { base: 600, increment: 5 },
        opponent: { level: 2 },
      });
      await play(me, 20);
      await me.page.locator('.status').click();
    },
  ],
  replay: [
    light,
    async (me) => {
      await name(me, 'Ada');
      const id = await me.begin({ game: 'fog', color: 'white', opponent: { level: 3 } });
      await play(me, 12);
      if ((await me.turn()) !== 'over') {
        await me.page.getByRole('button', { name: 'Resign' }).click();
        await me.page.getByRole('button', { name: 'Really resign?' }).click();
      }
      await me.goto(`/replay/${id}?ply=4`);
      await me.page.locator('.accuracy').waitFor({ timeout: 600_000 });
      await me.page.locator('.headline').click();
      await me.page.keyboard.press('w');
    },
  ],
  practice: [
    light,
    async (me) => {
      await me.begin({ game: 'fog', color: 'white', opponent: { level: 3 }, practice: true });
      await play(me, 8);
      await soon(async () => (await me.page.locator('.cg-shapes line').count()) > 0);
    },
  ],
  dice: [
    light,
    async (me) => {
      await me.begin({ game: 'dice3', color: 'white', opponent: { level: 2 } });
      await me.page.locator('.status').click();
      // A throw that nothing can use is a pass: throw until a piece can move.
      while ((await me.turn()) === 'roll') {
        await me.page.keyboard.press(' ');
        await me.page.locator('.game:not([data-turn=roll])').waitFor();
      }
    },
  ],
  rules: [
    light,
    async (me) => {
      await me.goto('/rules/fog-chesscom');
      await me.page.locator('.example').first().waitFor();
    },
  ],
  study: [
    dark,
    async (me) => {
      await me.goto(
        '/study?fen=' + encodeURIComponent('r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2N1PN2/PP2BPPP/R2Q1RK1 w - - 0 10'),
      );
      await me.page.getByRole('button', { name: 'Analyse' }).click();
      await me.page.getByRole('heading', { name: /Best move/ }).waitFor({ timeout: 120_000 });
    },
  ],
  tournament: [
    dark,
    async (me) => {
      await me.goto('/lab');
      for (const agent of ['thesis', 'metaposition'])
        await me.page.locator('.ticks').getByText(agent, { exact: true }).click();
      await me.page.getByRole('button', { name: 'Start the tournament' }).click();
      await me.page.getByText(/ ([89]|1[0-9]|2[0-9]) of 24 games/).waitFor({ timeout: 600_000 });
    },
  ],
  end: [
    phone,
    async (me) => {
      await name(me, 'Ada');
      await me.begin({ game: 'fog', color: 'white', opponent: { level: 2 } });
      await play(me, 200);
      await me.page.locator('.end-card .judged-facts').waitFor({ timeout: 600_000 });
    },
  ],
  phone: [
    phone,
    async (me) => {
      await me.begin({
        game: 'fog',
        color: 'white',
        clock: { base: 300, increment: 3 },
        opponent: { level: 2 },
      });
      await play(me, 12);
      await me.page.locator('.status').click();
      await me.page.evaluate(() => window.scrollTo(0, 0));
    },
  ],
};

/** The page's icons and the picture of shared links, from the icon and the first page. */
async function icons(): Promise<void> {
  const folder = join(docs, '../web/public');
  const page = await browser.newPage();
  for (const size of [192, 512]) {
    await page.setViewportSize({ width: size, height: size });
    await page.goto(`${server.url}/icon.svg`);
    await page.screenshot({ path: join(folder, `icon-${size}.png`), omitBackground: true });
  }
  await page.setViewportSize({ width: 1200, height: 630 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto(server.url);
  await page.locator('.chips').waitFor();
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(folder, 'preview.png') });
  await page.close();
  console.log('icons');
}

const wanted = process.argv.slice(2);
if (wanted.length === 0 || wanted.includes('icons')) await icons();
for (const [picture, [options, pose]] of Object.entries(PICTURES)) {
  if (wanted.length > 0 && !wanted.includes(picture)) continue;
  const me = await Player.open(browser, server.url, options);
  await pose(me);
  await shot(me, picture);
  await me.close();
}

await browser.close();
await server.stop();
