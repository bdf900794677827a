/** Verification of the dice, computed in the reader's browser. */

import { get, Refusal } from '../api.ts';
import { check } from '../state/fair.ts';
import type { AskedGame, RecordAnswer, Reveal } from '../state/wire.ts';
import { a, button, fill, h } from '../ui/dom.ts';
import type { Page, Shell } from '../ui/shell.ts';

function verdicts(reveal: Reveal): HTMLElement {
  const list = check(reveal, null);
  const good = list.every((item) => item.ok);
  return h(
    'section',
    { class: 'panel' },
    h('h2', null, good ? 'Every roll is as it was sealed' : 'Something does not fit'),
    h(
      'dl',
      { class: 'facts-list' },
      fact('Promise', reveal.commit),
      fact('Seed', reveal.seed),
      fact("White's text", reveal.clients.white || '(empty)'),
      fact("Black's text", reveal.clients.black || '(empty)'),
    ),
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
    'Before the game the server draws a secret seed and shows its SHA-256: the promise. It cannot change the seed afterwards.',
    'With its first throw each player adds a text of its own, which the server could not know when it promised.',
    'Roll number k is HMAC-SHA256 of “text:k” under the seed. Its first 53 bits are a number from 0 to 1, which falls into the share of one roll.',
    'After the game the seed is revealed, and this page repeats every step without asking the server.',
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
      fill(out, verdicts(JSON.parse(area.value) as Reveal));
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
    h('summary', null, 'Check a reveal from a file'),
    h('div', { class: 'stack' }, area, button('Check', test, { class: 'button' }), out),
  );
}

async function body(id: string | null): Promise<HTMLElement | null> {
  if (!id) return null;
  try {
    const record = await get<RecordAnswer>(`/api/games/${id}/record`);
    return record.reveal ? verdicts(record.reveal) : h('p', null, 'No dice were thrown in this game.');
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 403) throw error;
    const info = await get<AskedGame>(`/api/games/${id}`);
    return h(
      'p',
      { class: 'panel' },
      'This game still runs; the seed stays sealed until it is over. ',
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
