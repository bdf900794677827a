/** Verification of the dice, computed in the reader's browser. */

import { get, Refusal } from '../api.ts';
import { promiseOf } from '../promises.ts';
import { check } from '../state/fair.ts';
import type { AskedGame, KnownBefore, RecordAnswer, Reveal } from '../state/wire.ts';
import { a, button, fill, h } from '../ui/dom.ts';
import type { Page, Shell } from '../ui/shell.ts';

function verdicts(reveal: Reveal, rolls: readonly string[] | null, known: KnownBefore | null): HTMLElement {
  const list = check(reveal, rolls, known);
  const good = list.every((item) => item.ok);
  return h(
    'section',
    { class: 'panel' },
    h('h2', null, good ? 'All rolls verified' : 'A roll does not match'),
    h(
      'dl',
      { class: 'facts-list' },
      fact('Commitment', reveal.commit),
      fact('Seed', reveal.seed),
      fact("White's seed", reveal.clients.white || '(empty)'),
      fact("Black's seed", reveal.clients.black || '(empty)'),
    ),
    known
      ? null
      : h('p', { class: 'muted' }, 'This browser kept no commitment of this game: it believes the one shown.'),
    h(
      'ul',
      { class: 'checks' },
      list.map((item) => h('li', { class: item.ok ? 'ok' : 'bad' }, `${item.ok ? '✓' : '✗'} ${item.text}`)),
    ),
  );
}

const fact = (name: string, value: string): HTMLElement =>
  h('div', null, h('dt', null, name), h('dd', null, h('code', null, value)));

function explain(): HTMLElement {
  const steps = [
    'Before the game the server draws a secret seed and shows its SHA-256: the commitment. It cannot change the seed afterwards.',
    'Then each player names a seed, which the server could not know when it committed itself. No roll is made before.',
    'Roll number k is HMAC-SHA256 of “k:White’s seed:Black’s seed” under the seed of the server. Its first 53 bits are a number from 0 to 1, which falls into the share of one roll.',
    'After the game the seed is revealed, and this page repeats every step with the commitment that it kept. With one die it takes the chances from the server; examples/check_dice.py works them out from the moves.',
  ];
  return h(
    'ol',
    { class: 'points' },
    steps.map((text) => h('li', null, text)),
  );
}

function byHand(): HTMLElement {
  const out = h('div', null);
  const area = h('textarea', {
    rows: 5,
    'aria-label': 'A reveal as JSON',
    placeholder: '{"commit": …, "seed": …, "rolls": […]}',
  });
  const test = (): void => {
    try {
      fill(out, verdicts(JSON.parse(area.value) as Reveal, null, null));
    } catch {
      fill(
        out,
        h('p', { class: 'problem' }, 'This is not a reveal: JSON with commit, seed, clients and rolls is expected.'),
      );
    }
  };
  return h(
    'details',
    { class: 'fold' },
    h('summary', null, 'Verify a saved game'),
    h('div', { class: 'stack' }, area, button('Verify', test, { class: 'button' }), out),
  );
}

async function body(id: string | null): Promise<HTMLElement | null> {
  if (!id) return null;
  try {
    const record = await get<RecordAnswer>(`/api/games/${id}/record`);
    if (!record.reveal) return h('p', null, 'This game has no dice to check.');
    const { actions } = await get<{ actions: string[] }>(`/api/games/${id}/json`);
    const rolls = actions.filter((action) => action.startsWith('roll:')).map((action) => action.slice(5));
    return verdicts(record.reveal, rolls, promiseOf(id));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 403) throw error;
    const info = await get<AskedGame>(`/api/games/${id}`);
    return h(
      'p',
      { class: 'panel' },
      'This game is still being played; the seed stays secret until it is over. ',
      a(`/game/${info.id}`, 'Back to the game'),
    );
  }
}

export async function fair(_: Shell, id: string | null): Promise<Page> {
  const element = h(
    'div',
    { class: 'stack readable' },
    h('h1', null, 'Are the dice fair?'),
    explain(),
    await body(id),
    byHand(),
  );
  return { title: 'Fair dice', element };
}
