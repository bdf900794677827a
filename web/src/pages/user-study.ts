/** The user study of Mellemseter 2017 (5.2, 6.2.1): questions, two games, questions. */

import { get, keepToken, post, Refusal } from '../api.ts';
import { after, before, PHASES, type Answer } from '../state/survey.ts';
import type { Made, StudyState } from '../state/wire.ts';
import { a, button, fill, h, say, type Child } from '../ui/dom.ts';
import type { Page, Shell } from '../ui/shell.ts';

const KEPT = 'foglight.participant';

function scale(name: string, legend: string, low: string, high: string): HTMLElement {
  const points = [1, 2, 3, 4, 5, 6, 7].map((n) =>
    h('label', null, h('input', { type: 'radio', name, value: n }), h('span', null, String(n))),
  );
  return h(
    'fieldset',
    { class: 'chips scale' },
    h('legend', null, legend),
    h('span', { class: 'small muted' }, low),
    points,
    h('span', { class: 'small muted' }, high),
  );
}

function phases(name: string, legend: string): HTMLElement {
  return h(
    'fieldset',
    { class: 'segments' },
    h('legend', null, legend),
    PHASES.map(([value, text]) => h('label', null, h('input', { type: 'radio', name, value }), h('span', null, text))),
  );
}

const number = (name: string, label: string, props: Record<string, unknown> = {}): HTMLElement =>
  h(
    'label',
    { class: 'field' },
    h('span', null, label),
    h('input', { type: 'text', inputmode: 'decimal', name, autocomplete: 'off', ...props }),
  );

const words = (name: string, label: string): HTMLElement =>
  h('label', { class: 'field' }, h('span', null, label), h('textarea', { name, rows: 3, maxlength: 1000 }));

class TestPage {
  readonly element = h('div', { class: 'stack readable' });

  constructor(
    private readonly shell: Shell,
    state: StudyState | null,
  ) {
    this.draw(state);
  }

  private draw(state: StudyState | null): void {
    const done = state?.games.every((game) => game.status === 'over') ?? false;
    const part = !state
      ? this.first()
      : !done
        ? this.games(state)
        : state.after
          ? this.thanks(state)
          : this.last(state);
    fill(
      this.element,
      h(
        'div',
        { class: 'headline' },
        h('h1', null, 'User test'),
        h(
          'p',
          { class: 'muted' },
          state
            ? `Participant ${state.participant}`
            : 'Some questions, two games of fog chess, some questions. About half an hour.',
        ),
      ),
      part,
      h(
        'details',
        { class: 'fold' },
        h('summary', null, 'For the conductor'),
        h(
          'p',
          null,
          'Answers and games are exported with the secret in the file operator of the data folder: ',
          h('code', null, `curl -H "Authorization: Bearer SECRET" ${location.origin}/api/test/export.csv`),
          ' (or export.pgn).',
        ),
        h(
          'div',
          { class: 'row' },
          button('Next participant', () => this.next(), { class: 'button slim' }),
        ),
      ),
    );
  }

  private next(): void {
    localStorage.removeItem(KEPT);
    this.shell.go('/user-study');
  }

  private form<T>(
    parts: Child[],
    label: string,
    read: (get: (name: string) => string | null) => Answer<T>,
    send: (value: T) => Promise<StudyState>,
  ): HTMLElement {
    const problem = h('p', { class: 'problem', role: 'alert' });
    const form = h('form', { class: 'panel' });
    form.append(
      ...parts.filter((p): p is HTMLElement => p instanceof HTMLElement),
      problem,
      h('button', { class: 'button primary', type: 'submit' }, label),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const data = new FormData(form);
      const answer = read((name) => data.get(name)?.toString() ?? null);
      if (!answer.ok) return say(problem, answer.problem);
      send(answer.value)
        .then((state) => this.draw(state))
        .catch((error: Error) => say(problem, error.message));
    });
    return form;
  }

  private first(): HTMLElement {
    const parts = [
      number('participant', 'Participant id', { inputmode: 'numeric' }),
      number('hours', 'How many hours of chess have you played during the last month?'),
      scale('openings', 'How well do you know chess openings?', 'none', 'expert'),
      scale('tactics', 'How well do you know chess tactics?', 'none', 'expert'),
      scale('positional', 'How well do you play positional chess?', 'none', 'expert'),
    ];
    return this.form(parts, 'To the games', before, async (value) => {
      const state = await post<StudyState>('/api/test', value);
      keepToken(state.token);
      localStorage.setItem(KEPT, String(value.participant));
      history.replaceState(null, '', `/user-study/${value.participant}`);
      return state;
    });
  }

  private games(state: StudyState): HTMLElement {
    const rows = state.games.map((game) =>
      h(
        'li',
        null,
        h('strong', null, `Game ${game.number}`),
        ` as ${game.color}: `,
        game.status === 'over'
          ? `${game.result}`
          : game.status === 'running' && game.id
            ? a(`/game/${game.id}`, 'go on')
            : 'to be played',
      ),
    );
    const running = state.games.find((game) => game.status === 'running');
    return h(
      'section',
      { class: 'panel' },
      h('h2', null, 'Two games'),
      h(
        'p',
        null,
        'You play fog chess against a program. You see only where your pieces can go; take the king to win. Come back to this page after each game.',
      ),
      h('p', null, a(`/rules/fog-${state.rules}`, 'The rules')),
      h('ul', { class: 'plain' }, rows),
      running?.id
        ? a(`/game/${running.id}`, 'Go on with the game', { class: 'button primary' })
        : button('Start the next game', () => void this.start(state), { class: 'button primary' }),
    );
  }

  private async start(state: StudyState): Promise<void> {
    try {
      const made = await post<Made>(`/api/test/${state.participant}/games`);
      keepToken(made.token);
      this.shell.go(`/game/${made.id}`);
    } catch (error) {
      this.shell.toast(error instanceof Error ? error.message : String(error));
    }
  }

  private last(state: StudyState): HTMLElement {
    const parts = [
      phases('hardest', 'Which phase of the game was the hardest?'),
      words('hardest_why', 'Why?'),
      phases('easiest', 'Which phase was the easiest?'),
      words('easiest_why', 'Why?'),
      number('moves', 'How many moves did you consider before you made one, on average?', { inputmode: 'numeric' }),
      number('depth', 'How many moves did you look ahead?', { inputmode: 'numeric' }),
      scale('risk', 'How risky did you play?', 'only safe moves', 'only risky moves'),
    ];
    return this.form(parts, 'Send', after, (value) => post<StudyState>(`/api/test/${state.participant}/after`, value));
  }

  private thanks(state: StudyState): HTMLElement {
    return h(
      'section',
      { class: 'panel' },
      h('h2', null, 'Thank you'),
      h('p', null, 'Your answers and both games are kept.'),
      h(
        'ul',
        { class: 'plain' },
        state.games.map((game) =>
          h('li', null, game.id ? a(`/replay/${game.id}`, `See what happened in game ${game.number}`) : ''),
        ),
      ),
    );
  }
}

export async function userStudy(shell: Shell, id: string | null): Promise<Page> {
  const known = id ?? localStorage.getItem(KEPT);
  const state = known
    ? await get<StudyState>(`/api/test/${known}`).catch((error: unknown) => {
        if (error instanceof Refusal && error.status >= 400 && error.status < 500) return null;
        throw error;
      })
    : null;
  return { title: 'User test', element: new TestPage(shell, state).element };
}
