/**
 * Prints the weight of the page and how soon it answers on loopback:
 * `npm run measure`. A measurement, not a test: clocks on shared machines vary.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { launch, Player, Server } from './browser/harness.ts';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../../dist');

function weight(): number {
  const names = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names.reduce((sum, entry) => {
    const bytes = readFileSync(join(entry.parentPath ?? entry.path, entry.name));
    return sum + (entry.name.endsWith('.woff2') ? bytes.length : gzipSync(bytes).length);
  }, 0);
}

const median = (list: number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;

const server = new Server();
await server.start();
const browser = await launch();
const ready: number[] = [];
const moved: number[] = [];
for (let run = 0; run < 7; run++) {
  const me = await Player.open(browser, server.url);
  const start = performance.now();
  await me.goto('/');
  await me.page.locator('.chips input').first().waitFor({ state: 'attached' });
  await me.page.getByRole('button', { name: 'Play', exact: true }).click({ trial: true });
  ready.push(performance.now() - start);
  await me.page.evaluate(() =>
    localStorage.setItem(
      'foglight.choice',
      JSON.stringify({ game: 'chess', color: 'white', opponent: { kind: 'agent', agent: 'random' } }),
    ),
  );
  const again = performance.now();
  await me.goto('/');
  await me.page.getByRole('button', { name: 'Play', exact: true }).click();
  await me.board();
  await me.turn();
  await me.drag('e2', 'e4');
  await me.played(0);
  moved.push(performance.now() - again);
  await me.close();
}
console.log(`page, everything, gzipped: ${(weight() / 1000).toFixed(1)} kB`);
console.log(
  `first page, empty cache, until it can be clicked: median ${median(ready).toFixed(0)} ms of ${ready.map((ms) => ms.toFixed(0)).join(' ')}`,
);
console.log(
  `from opening the page to the first move on the server: median ${median(moved).toFixed(0)} ms of ${moved.map((ms) => ms.toFixed(0)).join(' ')}`,
);
await browser.close();
await server.stop();
