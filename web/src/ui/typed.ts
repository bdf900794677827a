/** The field for typed moves. */

import { h, say } from './dom.ts';

export class TypedMove {
  private readonly field = h('input', {
    type: 'text',
    id: 'typed-move',
    placeholder: 'Type a move: Nf3, e2e4',
    'aria-label': 'Type a move',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: 12,
  });
  private readonly problem = h('p', { class: 'small problem', role: 'alert' });
  readonly root = h('form', { class: 'typed' });

  /** `enter` returns a problem, or null if the move was made. */
  constructor(enter: (text: string) => string | null) {
    this.root.append(this.field, this.problem);
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      const wrong = enter(this.field.value);
      say(this.problem, wrong ?? '');
      if (!wrong) this.field.value = '';
    });
    this.field.addEventListener('keydown', (event) => event.key === 'Escape' && this.field.blur());
  }

  show(able: boolean): void {
    this.root.classList.toggle('ready', able);
    if (!able) say(this.problem, '');
  }

  focus(): void {
    this.field.focus();
  }
}
