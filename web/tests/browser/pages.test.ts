/** The other pages: replay with three views, watching, study, rules, user test; and all of them on a phone. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch, Player, Server, soon } from './harness.ts';

const server = new Server();
let browser: Browser;
/** A finished game to look at. */
let finished = '';

before(async () => {
  await server.start();
  browser = await launch();
  const [ada, bob] = [await Player.open(browser, server.url), await Player.open(browser, server.url)];
  finished = await ada.begin({ game: 'fog', color: 'white', opponent: { person: true } });
  await bob.goto(`/game/${finished}`);
  await bob.page.getByRole('button', { name: 'Join the game' }).click();
  for (const [player, move] of [
    [ada, 'e4'],
    [bob, 'd5'],
    [ada, 'Nc3'],
    [bob, 'dxe4'],
    [ada, 'Nxe4'],
    [bob, 'f5'],
    [ada, 'Qh5'],
    [bob, 'fxe4'],
    [ada, 'Qxe8'],
  ] as const) {
    await player.turn();
    await player.type(move);
  }
  await Promise.all([ada.close(), bob.close()]);
});
after(async () => {
  await browser?.close();
  await server.stop();
});

test('replay: three synchronised views, keys, slider, link, downloads', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto(`/replay/${finished}`);
  const fog = (eye: string): Promise<number> => page.locator(`.one[data-eye=${eye}] .fog`).count();
  const large = (): Promise<string | null> => page.locator('.one.large').getAttribute('data-eye');
  await page.locator('.trio .cg-wrap').nth(2).waitFor();
  assert.equal(await fog('truth'), 0);
  await page.keyboard.press('Home');
  assert.deepEqual([await fog('white'), await fog('black'), await fog('truth')], [32, 32, 0]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('j');
  await page.locator('.where').getByText('1… d5 · White saw only the arrival').waitFor();
  assert.ok((await fog('white')) < 32);
  await page.keyboard.press('2');
  assert.match(page.url(), /ply=2&view=black$/);
  assert.equal(await large(), 'black');
  await page.locator('.one[data-eye=white] .board').click();
  assert.equal(await large(), 'white', 'a thumbnail is enlarged by a click');
  await page.keyboard.press('3');
  assert.match(page.url(), /view=truth$/);
  const other = await Player.open(browser, server.url);
  await other.page.goto(page.url());
  await other.page.locator('.where').getByText('1… d5').waitFor();
  assert.equal(await other.page.locator('.one.large').getAttribute('data-eye'), 'truth');
  await page.locator('.slider').fill('5');
  await page.locator('.where').getByText('3. Nxe4').waitFor();
  for (const [kind, mark] of [
    ['pgn', '[Variant "Fog of War"]'],
    ['json', '"actions"'],
  ] as const) {
    const text = await page.evaluate(async (path) => (await fetch(path)).text(), `/api/games/${finished}/${kind}`);
    assert.ok(text.includes(mark), kind);
  }
  await Promise.all([me.close(), other.close()]);
});

test('review: the curve, judged moves, and why a piece was lost', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto(`/replay/${finished}?ply=0`);
  await page.locator('.accuracy').waitFor({ timeout: 120_000 });
  assert.match(await page.locator('.accuracy').innerText(), /^\d+% accuracy$/);
  assert.match(await page.locator('.moments li').first().innerText(), /(inaccuracy|mistake|blunder).*best was/s);
  assert.equal(await page.locator('.luck').count(), 1);
  assert.deepEqual(
    await page.locator('.review h2').allInnerTexts(),
    ['What captured the piece? (w)', 'Game review'],
    'what captured comes first',
  );
  await page.locator('.plot .curve').first().waitFor();
  await page.locator('.headline').click();
  await page.keyboard.press('w');
  await page.locator('.captured').getByText('Captured by: pawn from d5.').waitFor();
  await page.keyboard.press('w');
  await page.locator('.captured').getByText('Captured by: pawn from f5.').waitFor();
  await page.keyboard.press('b');
  await soon(async () => (await page.locator('.one[data-eye=white] .heat').count()) > 0);
  await page
    .locator('.believed')
    .getByText(/positions? (was|were) possible for White\./)
    .waitFor();
  await page.keyboard.press('b');
  await page.locator('.believed').waitFor({ state: 'hidden' });
  await me.close();
});

test('odds: chosen on the first page, shown to both, and lifted for one', async () => {
  const [ada, bob] = [await Player.open(browser, server.url), await Player.open(browser, server.url)];
  await ada.goto('/');
  await ada.page.getByText('Options', { exact: true }).click();
  await ada.page.getByLabel('Odds (told to both)').selectOption('me');
  assert.equal(await ada.page.getByLabel('Rated').isDisabled(), true);
  await ada.page.getByRole('button', { name: 'Play with a friend' }).click();
  await ada.page.locator('.share').waitFor();
  await bob.page.goto(ada.page.url());
  await bob.page.getByRole('button', { name: 'Join the game' }).click();
  await ada.page.locator('.terms').getByText('you see everything, your opponent does not').waitFor();
  await bob.page.locator('.terms').getByText('your opponent sees everything, you do not').waitFor();
  for (const player of [ada, bob]) await player.page.locator('.game:is([data-turn=move], [data-turn=wait])').waitFor();
  assert.deepEqual([await ada.page.locator('.fog').count(), await bob.page.locator('.fog').count()], [0, 32]);
  assert.equal(await bob.page.getByText('full vision', { exact: true }).count(), 1);
  await Promise.all([ada.close(), bob.close()]);
});

test('lab: a game between bots with options live, and a tournament with its tables', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto('/lab');
  await page.getByRole('combobox', { name: /^White / }).fill('greedy');
  await page.getByRole('combobox', { name: /^White / }).press('Tab');
  await page.getByRole('combobox', { name: /^Black / }).fill('random');
  await page.getByRole('combobox', { name: /^Black / }).press('Tab');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.status').getByText('is thinking…').waitFor();
  await page.locator('.move').nth(3).waitFor();
  assert.equal(await page.locator('.trio .cg-wrap').count(), 3);
  await me.goto('/lab');
  await page.getByRole('button', { name: 'Start the tournament' }).click();
  await page.getByText('4 of 4 games').waitFor({ timeout: 60_000 });
  await page.locator('.cross').waitFor();
  await page.locator('.plot .curve').nth(1).waitFor();
  await me.goto('/lab');
  await page.getByText('Fog of War, 2 bots · 4 of 4 games').first().waitFor();
  await me.close();
});

test('analysis: set up a position, ask a bot, follow its reasons', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto('/study');
  await page.getByLabel('FEN').fill('4k3/8/8/8/8/8/8/R3K3 w Q - 0 1');
  await page.getByLabel('FEN').press('Enter');
  await page.getByRole('button', { name: 'black queen' }).click();
  await me.click('a8');
  assert.equal(await page.getByLabel('FEN').inputValue(), 'q3k3/8/8/8/8/8/8/R3K3 w Q - 0 1');
  await page.getByText('Bot (advanced)').click();
  await page.getByLabel('Bot with options').fill('greedy');
  await page.getByLabel('Bot with options').press('Tab');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.getByRole('heading', { name: 'Best move: Rxa8' }).waitFor();
  await page.locator('.cg-shapes line').first().waitFor({ state: 'attached' });
  await page.getByLabel('FEN').fill('nonsense');
  await page.getByLabel('FEN').press('Enter');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await soon(async () => (await page.locator('.table .problem').innerText()) !== '');
  await me.close();
});

test('rules pages, leaderboard, and pages that are not there', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  for (const rules of ['fog-chesscom', 'fog-openspiel', 'fog-pychess', 'fog-thesis', 'dice1', 'dice3', 'chess']) {
    await me.goto(`/rules/${rules}`);
    await page.locator('.points li').first().waitFor();
    assert.ok((await page.locator('.tabs a[aria-current]').getAttribute('href'))?.endsWith(rules), rules);
  }
  await me.goto('/leaderboard');
  await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
  await me.goto('/game/nosuchgame');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await me.close();
});

test('the user test from the first question to the last', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto('/user-study');
  await page.getByRole('button', { name: 'To the games' }).click();
  await page.getByText('The participant id is a whole number from 1 to 99999.').waitFor();
  await page.getByLabel('Participant id').fill('7');
  await page.getByLabel(/hours of chess/).fill('3.5');
  for (const name of ['openings', 'tactics', 'positional'])
    await page.locator(`input[name=${name}][value="4"]`).check({ force: true });
  await page.getByRole('button', { name: 'To the games' }).click();
  for (const color of ['white', 'black']) {
    await page.getByRole('button', { name: 'Start the next game' }).click();
    await me.board();
    me.heard.length = 0;
    await me.page.reload();
    await me.turn();
    assert.equal(me.observation()!.side, color, 'odd ids play White first');
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await soon(async () => (await me.status()) === 'You lost: resignation.');
    me.heard.length = 0;
    await me.goto('/user-study');
  }
  await page.locator('input[name=hardest][value=middle]').check({ force: true });
  await page.locator('input[name=easiest][value=opening]').check({ force: true });
  await page.getByLabel(/How many moves did you consider/).fill('3');
  await page.getByLabel(/look ahead/).fill('2');
  await page.locator('input[name=risk][value="5"]').check({ force: true });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  const path = `${server.url}/api/test/export.csv`;
  assert.equal((await fetch(path)).status, 401, 'not without the secret');
  const csv = await (await fetch(path, { headers: { authorization: `Bearer ${server.secret}` } })).text();
  assert.ok(csv.includes('7'));
  await me.close();
});

test('names are text wherever they appear', async () => {
  const me = await Player.open(browser, server.url);
  const { page } = me;
  await me.goto('/');
  const name = '<img src=x onerror=alert(1)>';
  await page.getByText('Options', { exact: true }).click();
  await page.getByLabel('Your name, as others see it').fill(name);
  await page.getByLabel('Your name, as others see it').press('Tab');
  await soon(async () => (await page.evaluate(() => localStorage.getItem('foglight.token'))) !== null);
  await me.begin({ game: 'fog', color: 'white', opponent: { agent: 'random' } });
  await page.getByText(`${name} (you)`).waitFor();
  assert.equal(await page.locator('img[src=x]').count(), 0);
  await me.close();
});

test('the page keeps its own policy', async () => {
  const response = await fetch(server.url);
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'self'/);
  const html = await response.text();
  assert.ok(!/<script(?![^>]*\ssrc=)|\son\w+=|style=/.test(html), 'no inline script, handler or style');
});
