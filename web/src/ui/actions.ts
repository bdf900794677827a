/** A player's actions other than moves: look back, offer, resign, rematch, share. */

import type { Game, Turn } from '../state/game.ts';
import type { Command } from '../state/keys.ts';
import { seesAll } from '../state/sight.ts';
import { a, button, fill, h } from './dom.ts';
import { icon } from './icons.ts';

export interface Callbacks {
  step: (command: Command) => void;
  resign: () => void;
  draw: (answer: 'offer' | 'accept' | 'decline') => void;
  rematch: () => void;
  pencil: () => void;
  join: () => void;
  copy: () => void;
}

interface Moment {
  state: Game;
  turn: Turn;
  penciling: boolean;
  canJoin: boolean;
  link: string;
}

/** Time in which a second press confirms, in milliseconds. */
const SURE = 4000;

export class Actions {
  readonly root = h('div', { class: 'row actions' });
  readonly steps = h('div', { class: 'steps', role: 'group', 'aria-label': 'Step through the game' });
  readonly banner = h('div', { class: 'banner', hidden: true });
  private key = '';
  private sure = 0;
  private last: Moment | null = null;

  constructor(private readonly deeds: Callbacks) {
    const step = (name: string, command: Command, label: string): HTMLElement =>
      button(icon(name), () => deeds.step(command), { class: 'tool', 'aria-label': label, title: label });
    this.steps.append(
      step('first', 'first', 'First ply (Home)'),
      step('back', 'back', 'One back (←)'),
      step('forward', 'forward', 'One on (→)'),
      step('last', 'last', 'Last ply (End)'),
      step('flip', 'flip', 'Turn the board (f)'),
    );
  }

  show(moment: Moment): void {
    this.last = moment;
    const { state, turn } = moment;
    const key = [
      turn === 'over',
      turn === 'open',
      state.draw,
      state.you,
      state.rematch?.by,
      state.ratings ? 1 : 0,
      moment.penciling,
      moment.canJoin,
      this.sure > 0,
      state.info?.game,
    ].join();
    if (key === this.key) return;
    this.key = key;
    fill(this.root, turn === 'over' ? this.after(state) : turn === 'open' ? [] : this.during(moment));
    const news = this.news(moment);
    this.banner.hidden = news.length === 0;
    fill(this.banner, news);
  }

  private during({ state, penciling }: Moment): HTMLElement[] {
    if (!state.you) return [];
    const list = [
      button([icon('draw'), 'Offer a draw'], () => this.deeds.draw('offer'), {
        class: 'button slim',
        disabled: state.draw !== null,
      }),
      button([icon('flag'), this.sure ? 'Really resign?' : 'Resign'], () => this.resign(), {
        class: 'button slim danger',
      }),
    ];
    if (state.info?.game === 'fog' && !seesAll(state.info, state.you))
      list.unshift(
        button([icon('pencil'), 'Pencil'], this.deeds.pencil, {
          class: 'button slim',
          'aria-pressed': String(penciling),
          title: 'Tap dark squares to note what may stand there',
        }),
      );
    return list;
  }

  private after(state: Game): HTMLElement[] {
    const id = state.info?.id ?? '';
    const list = [a(`/replay/${id}`, [icon('eye'), 'See what really happened'], { class: 'button primary' })];
    const asked = state.rematch?.by === state.you;
    if (state.you)
      list.push(
        button([icon('again'), asked ? 'Rematch offered' : 'Rematch'], this.deeds.rematch, {
          class: 'button',
          disabled: asked,
        }) as unknown as HTMLAnchorElement,
      );
    list.push(a('/', 'New game', { class: 'button' }));
    return list;
  }

  private news({ state, turn, canJoin, link }: Moment): (HTMLElement | string)[] {
    if (canJoin) return [button('Join the game', this.deeds.join, { class: 'button primary huge' })];
    if (turn === 'open')
      return [
        h('code', { class: 'share' }, link),
        button([icon('link'), 'Copy the link'], this.deeds.copy, { class: 'button' }),
      ];
    if (turn !== 'over' && state.draw && state.draw === state.you)
      return ['Your draw offer stands until a move is made.'];
    if (turn !== 'over' && state.draw && state.you)
      return [
        'A draw is offered.',
        button('Accept', () => this.deeds.draw('accept'), { class: 'button slim primary' }),
        button('Decline', () => this.deeds.draw('decline'), { class: 'button slim' }),
      ];
    const list: string[] = [];
    const rated = state.you && state.ratings?.[state.you];
    if (rated) list.push(`Your rating: ${Math.round(rated.before)} → ${Math.round(rated.after)}.`);
    if (turn === 'over' && state.rematch && state.rematch.by !== state.you && state.you)
      list.push('Your opponent would like a rematch.');
    return list;
  }

  private resign(): void {
    if (this.sure) {
      clearTimeout(this.sure);
      this.sure = 0;
      this.deeds.resign();
      return;
    }
    this.sure = window.setTimeout(() => {
      this.sure = 0;
      if (this.last) this.show(this.last);
    }, SURE);
    if (this.last) this.show(this.last);
  }
}
