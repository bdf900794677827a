/** Entry point of the page: shell, routes, keys. */

import './style/base.css';
import './style/board.css';
import './style/parts.css';
import './style/pages.css';
import { Shell, type Page } from './ui/shell.ts';
import { commandOf } from './state/keys.ts';
import { routeOf, type Route } from './state/route.ts';

const shell = new Shell((path) => go(path));
let page: Page | null = null;
let turn = 0;

async function load(route: Route): Promise<Page> {
  switch (route.page) {
    case 'home':
      return (await import('./pages/home.ts')).home(shell);
    case 'game':
      return (await import('./pages/game.ts')).game(shell, route.id);
    case 'replay':
      return (await import('./pages/replay.ts')).replay(shell, route.id, route.query);
    case 'watch':
      return (await import('./pages/watch.ts')).watch(shell);
    case 'lab':
      return (await import('./pages/lab.ts')).lab(shell);
    case 'live':
      return (await import('./pages/live.ts')).live(shell, route.id);
    case 'tournament':
      return (await import('./pages/tournament.ts')).tournament(shell, route.id);
    case 'study':
      return (await import('./pages/study.ts')).study(shell, route.query);
    case 'rules':
      return (await import('./pages/rules.ts')).rules(shell, route.name);
    case 'fair':
      return (await import('./pages/fair.ts')).fair(shell, route.id);
    case 'leaderboard':
      return (await import('./pages/leaderboard.ts')).leaderboard(shell);
    case 'user-study':
      return (await import('./pages/user-study.ts')).userStudy(shell, route.id);
    case 'missing':
      return (await import('./pages/missing.ts')).missing();
  }
}

async function render(): Promise<void> {
  const mine = ++turn;
  const route = routeOf(location.pathname, location.search);
  page?.close?.();
  page = null;
  const next = await load(route).catch(async (error: unknown) => (await import('./pages/missing.ts')).failed(error));
  if (mine !== turn) return next.close?.();
  page = next;
  shell.show(next, route.page);
}

/** Navigates to an address inside the page. */
function go(path: string): void {
  history.pushState(null, '', path);
  void render().then(() => shell.focus());
  scrollTo(0, 0);
}

document.addEventListener('click', (event) => {
  const anchor = event.target instanceof Element ? event.target.closest('a') : null;
  if (!anchor || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const here = anchor.origin === location.origin && !anchor.target && !anchor.hasAttribute('download');
  if (!here || anchor.pathname.startsWith('/api/') || anchor.getAttribute('href')?.startsWith('#')) return;
  event.preventDefault();
  go(anchor.pathname + anchor.search);
});

/** Text fields keep their letters, and controls the keys that operate them. */
function typing(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'range')
    return event.key !== '?' && !/^[a-z0-9]$/.test(event.key);
  if (target.closest('input, textarea, select')) return true;
  return target.closest('button, a, summary, [role=tab]') !== null && (event.key === ' ' || event.key === 'Enter');
}

document.addEventListener('keydown', (event) => {
  const command = commandOf(event);
  if (!command || event.defaultPrevented || typing(event)) return;
  const done = command === 'help' ? shell.help() : shell.escape(command) || (page?.command?.(command) ?? false);
  if (done) event.preventDefault();
});

addEventListener('popstate', () => void render());
void render();
