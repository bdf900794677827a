/**
 * Starts the real program on a port of its own with an empty data folder, and
 * Debian's Chromium in front of it. `FOGLIGHT` names another binary.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Message, Observation } from '../../src/state/wire.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..');

/** The program under test; built first unless it is named. */
function binary(): string {
  const named = process.env['FOGLIGHT'];
  if (named) return named;
  const built = spawnSync('cargo', ['build', '--quiet'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) throw new Error('cargo build failed');
  return join(process.env['CARGO_TARGET_DIR'] ?? join(root, 'target'), 'debug/foglight');
}

export class Server {
  url = '';
  private child: ChildProcess | null = null;
  private readonly data = mkdtempSync(join(tmpdir(), 'foglight-browser-'));
  private readonly program = binary();
  private readonly flags: string[];

  /** More of `foglight serve`'s flags, as `--seed`, with which its agents repeat their games. */
  constructor(...flags: string[]) {
    this.flags = flags;
  }

  /** Starts, or starts again on the same port and data. */
  async start(): Promise<void> {
    const port = this.url ? new URL(this.url).port : '0';
    const child = spawn(
      this.program,
      ['serve', '--port', port, '--data', this.data, '--requests', '100000', ...this.flags],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.child = child;
    this.url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const found = /http:\/\/[\w.:[\]]+/.exec(text);
        if (found) resolve(found[0]);
      });
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    });
  }

  /** The operator's secret. */
  get secret(): string {
    return readFileSync(join(this.data, 'operator'), 'utf8').trim();
  }

  /** As a power cut: nothing is said, nothing is flushed. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.data, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }
}

/** Chromium's flags for a closed network and for root (`--no-sandbox`). */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
];

const installed = (): string | undefined =>
  ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** Installs Debian's browser where it is missing and we may. */
function install(): string | undefined {
  const apt = ['apt-get', 'install', '--yes', '--no-install-recommends', 'chromium'];
  const [program = 'apt-get', ...rest] = process.getuid?.() === 0 ? apt : ['sudo', '--non-interactive', ...apt];
  spawnSync(program, rest, { stdio: 'inherit' });
  return installed();
}

export async function launch(): Promise<Browser> {
  const executablePath = installed() ?? install();
  if (!executablePath) throw new Error("Debian's chromium is missing: apt-get install chromium");
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A page with its socket's last words at hand, and every complaint of the browser. */
export class Player {
  readonly complaints: string[] = [];
  readonly heard: Message[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly url: string,
  ) {}

  static async open(
    browser: Browser,
    url: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Player> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const player = new Player(context, page, url);
    page.on('pageerror', (error) => player.complaints.push(error.message));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION|Failed to load resource/.test(text))
        player.complaints.push(text);
    });
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => player.heard.push(JSON.parse(String(payload)) as Message)),
    );
    return player;
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(this.url + path);
  }

  async close(): Promise<void> {
    await this.context.close();
    if (this.complaints.length > 0) throw new Error(`the browser complained: ${this.complaints.join(' | ')}`);
  }

  /** Makes a game over HTTP with this page's own token, and opens it. */
  async begin(body: Record<string, unknown>): Promise<string> {
    if (!this.page.url().startsWith(this.url)) await this.goto('/');
    const id = await this.page.evaluate(async (wanted) => {
      const name = 'foglight.token';
      if (!localStorage.getItem(name)) {
        const made = (await (await fetch('/api/token', { method: 'POST', body: '{}' })).json()) as { token: string };
        localStorage.setItem(name, made.token);
      }
      const answer = await fetch('/api/games', {
        method: 'POST',
        headers: { Authorization: `Bearer ${localStorage.getItem(name)}` },
        body: JSON.stringify(wanted),
      });
      const made = (await answer.json()) as { id?: string; error?: string };
      if (!made.id) throw new Error(made.error);
      return made.id;
    }, body);
    this.heard.length = 0;
    await this.goto(`/game/${id}`);
    await this.board();
    return id;
  }

  async board(): Promise<void> {
    await this.page.locator('.board .cg-wrap').first().waitFor();
  }

  /** The last observation that came over the socket. */
  observation(): Observation | null {
    for (const message of [...this.heard].reverse()) {
      const data = message.d as { observation?: Observation | null };
      if (data && typeof data === 'object' && data.observation) return data.observation;
    }
    return null;
  }

  /** Waits until the page lets this player move or throw, or says that the game is over. */
  async turn(): Promise<'move' | 'roll' | 'over'> {
    const ready = this.page.locator('.game:is([data-turn=move], [data-turn=roll], [data-turn=over])');
    await ready.waitFor({ timeout: 60_000 });
    return (await ready.getAttribute('data-turn')) as 'move' | 'roll' | 'over';
  }

  /** The middle of a square on the screen. */
  async at(square: string): Promise<{ x: number; y: number }> {
    // One look, so that a board being drawn anew is not seen in parts.
    const found = await this.page.waitForFunction(() => {
      const [board, wrap] = [document.querySelector<HTMLElement>('.board'), document.querySelector('.board .cg-wrap')];
      const [files, ranks] = ['--files', '--ranks'].map((name) => Number(board?.style.getPropertyValue(name)));
      const box = wrap?.getBoundingClientRect();
      if (!wrap || !box?.width || !files || !ranks) return null;
      return {
        x: box.x,
        y: box.y,
        width: box.width,
        height: box.height,
        black: wrap.classList.contains('orientation-black'),
        files,
        ranks,
      };
    });
    const box = await found.jsonValue();
    if (!box) throw new Error('no board');
    const { black, files, ranks } = box;
    const file = square.charCodeAt(0) - 97;
    const rank = square.charCodeAt(1) - 49;
    const column = black ? files - 1 - file : file;
    const row = black ? rank : ranks - 1 - rank;
    return { x: box.x + ((column + 0.5) * box.width) / files, y: box.y + ((row + 0.5) * box.height) / ranks };
  }

  async drag(from: string, to: string): Promise<void> {
    const [a, b] = [await this.at(from), await this.at(to)];
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
    await this.page.mouse.move(b.x, b.y);
    await this.page.mouse.up();
  }

  async click(square: string): Promise<void> {
    const { x, y } = await this.at(square);
    await this.page.mouse.click(x, y);
  }

  async tap(square: string): Promise<void> {
    const { x, y } = await this.at(square);
    await this.page.touchscreen.tap(x, y);
  }

  /** Waits until the page shows a later ply than this one. */
  async played(ply: number): Promise<void> {
    await this.page.waitForFunction((before) => {
      const game = document.querySelector<HTMLElement>('.game');
      return game?.dataset['turn'] === 'over' || Number(game?.dataset['ply']) > before;
    }, ply);
  }

  /** Types a move and waits for it. */
  async type(text: string): Promise<void> {
    const ply = this.observation()?.ply ?? 0;
    await this.page.fill('#typed-move', text);
    await this.page.press('#typed-move', 'Enter');
    await this.played(ply);
  }

  status(): Promise<string> {
    return this.page.locator('.status').innerText();
  }
}

/** A simple player for tests: takes the most valuable thing in sight, else goes forward; repeats exactly. */
export function choose(seen: Observation, random: () => number): string {
  const rows = seen.board.split('/');
  const value = (square: string): number => {
    const row = rows[rows.length - Number(square[1])] ?? '';
    const piece = row[square.charCodeAt(0) - 97] ?? '.';
    const own = seen.side === 'white' ? /[A-Z]/ : /[a-z]/;
    return own.test(piece) ? 0 : '.pnbrqk'.indexOf(piece.toLowerCase());
  };
  const up = seen.side === 'white' ? 1 : -1;
  const score = (move: string): number =>
    10 * Math.max(0, value(move.slice(2, 4))) +
    up * (Number(move[3]) - Number(move[1])) +
    (move.endsWith('q') ? 5 : 0) +
    3 * random();
  return [...seen.moves].sort((a, b) => score(b) - score(a))[0] ?? '';
}

/** A small generator with a seed (mulberry32), so that a test repeats. */
export function seeded(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Waits until something is so. */
export async function soon(so: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (await so().catch(() => false)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`it never became so: ${so.toString()}`);
}
