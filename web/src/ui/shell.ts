/** The frame of every page: header, footer, help, theme, and announcements for screen readers. */

import { HELP, type Command } from '../state/keys.ts';
import { a, button, fill, h, say } from './dom.ts';
import { icon, lamp } from './icons.ts';
import { mute, muted } from './sounds.ts';

export interface Page {
  title: string;
  element: HTMLElement;
  /** Runs a key's command; true if the page handles it. */
  command?: (command: Command) => boolean;
  close?: () => void;
}

const LINKS: readonly [string, string, readonly string[]][] = [
  ['/', 'Play', ['home', 'game']],
  ['/watch', 'Watch', ['watch', 'live']],
  ['/study', 'Analysis', ['study']],
  ['/rules', 'Rules', ['rules', 'fair']],
  ['/leaderboard', 'Leaderboard', ['leaderboard']],
  ['/lab', 'Lab', ['lab', 'tournament']],
];

const THEME = 'foglight.theme';

export class Shell {
  private readonly main = h('main', { id: 'main', tabindex: '-1' });
  private readonly voice = h('div', { class: 'hidden-text', 'aria-live': 'polite', role: 'status' });
  private readonly toasts = h('div', { class: 'toasts', role: 'alert' });
  private readonly nav = h('nav', { 'aria-label': 'Pages' });
  private readonly dialog = this.helpDialog();

  constructor(readonly go: (path: string) => void) {
    theme(localStorage.getItem(THEME));
    const header = h(
      'header',
      { class: 'top' },
      a('#main', 'Skip to the content', { class: 'skip' }),
      a('/', [lamp(), h('span', null, 'Foglight')], { class: 'brand', 'aria-label': 'Foglight, to the first page' }),
      this.nav,
      h('div', { class: 'tools' }, this.soundButton(), this.themeButton(), this.helpButton()),
    );
    const foot = h(
      'footer',
      { class: 'links' },
      a('/rules', 'Rules'),
      a('/fair', 'Fair dice'),
      h('span', { class: 'muted' }, 'Free software, GPL-3.0-or-later'),
      h('div', { class: 'tools' }, this.soundButton(), this.themeButton()),
    );
    document.body.append(header, this.main, foot, this.voice, this.toasts, this.dialog);
  }

  /** Shows a page and closes the previous one. */
  show(page: Page, name: string): void {
    this.setTitle(page.title);
    document.body.dataset['page'] = name;
    fill(
      this.nav,
      LINKS.map(([href, label, names]) => a(href, label, names.includes(name) ? { 'aria-current': 'page' } : {})),
    );
    fill(this.main, page.element);
  }

  /** Names the page in the browser's tab. */
  setTitle(title: string): void {
    document.title = title === 'Foglight' ? title : `${title} · Foglight`;
  }

  /** Moves keyboard focus and screen reader to the top of the new page. */
  focus(): void {
    this.main.focus({ preventScroll: true });
  }

  /** Announces a text to screen readers. */
  say(text: string): void {
    say(this.voice, text);
  }

  /** Shows a short message that disappears by itself. */
  toast(text: string): void {
    const note = h('div', { class: 'toast' }, text);
    this.toasts.append(note);
    setTimeout(() => note.remove(), 5000);
  }

  help(): boolean {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
    return true;
  }

  /** Escape closes the topmost overlay. */
  escape(command: Command): boolean {
    if (this.dialog.open) {
      if (command === 'escape') this.dialog.close();
      return true;
    }
    return false;
  }

  private helpDialog(): HTMLDialogElement {
    const rows = HELP.map(([key, what]) => h('div', { class: 'help-row' }, h('dt', null, key), h('dd', null, what)));
    const dialog = h('dialog', { class: 'help', 'aria-label': 'Keyboard shortcuts' });
    dialog.append(
      h(
        'div',
        { class: 'row spread' },
        h('h2', null, 'Keyboard shortcuts'),
        button('Close', () => dialog.close(), { class: 'button slim' }),
      ),
      h('dl', null, rows),
      h(
        'p',
        { class: 'muted' },
        'Drag a piece, or click it and then its square. While you wait, the same sets a premove.',
      ),
    );
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    return dialog;
  }

  private soundButton(): HTMLButtonElement {
    const made = button(
      icon(muted() ? 'mute' : 'sound'),
      () => {
        mute(!muted());
        fill(made, icon(muted() ? 'mute' : 'sound'));
        made.setAttribute('aria-pressed', String(!muted()));
      },
      { class: 'tool', 'aria-label': 'Sound', title: 'Sound', 'aria-pressed': String(!muted()) },
    );
    return made;
  }

  private themeButton(): HTMLButtonElement {
    return button(
      icon('theme'),
      () => {
        const dark = getComputedStyle(document.documentElement).colorScheme.includes('dark') && isDark();
        const next = dark ? 'light' : 'dark';
        localStorage.setItem(THEME, next);
        theme(next);
      },
      { class: 'tool', 'aria-label': 'Dark or light', title: 'Dark or light' },
    );
  }

  private helpButton(): HTMLButtonElement {
    return button(icon('help'), () => void this.help(), { class: 'tool', 'aria-label': 'Help', title: 'Keys (?)' });
  }
}

function isDark(): boolean {
  const set = document.documentElement.dataset['theme'];
  return set ? set === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function theme(name: string | null): void {
  if (name === 'dark' || name === 'light') document.documentElement.dataset['theme'] = name;
}
