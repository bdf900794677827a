/** A player's actions other than moves: look back, offer, resign, join, share. */

import type { Game, Turn } from '../state/game.ts';
import type { Command } from '../state/keys.ts';
import { seesAll } from '../state/sight.ts';
import { barButton, homeLink, stepButtons } from './bar.ts';
import { button, fill, h } from './dom.ts';
import { icon } from './icons.ts';

export interface Callbacks {
  step: (command: Command) => void;
  resign: () => void;
  draw: (answer: 'offer' | 'accept' | 'decline') => void;
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
  private readonly own = h('div', { class: 'row actions' });
  readonly root: HTMLElement;
  readonly banner = h('div', { class: 'banner', hidden: true });
  private key = '';
  private sure = 0;
  private last: Moment | null = null;

  constructor(private readonly deeds: Callbacks) {
    this.root = h('div', { class: 'bar' }, homeLink(), stepButtons(deeds.step), this.own);
  }

  show(moment: Moment): void {
    this.last = moment;
    const { state, turn } = moment;
    const key = [
      turn === 'over',
      turn === 'open',
      state.draw,
      state.you,
      moment.penciling,
      moment.canJoin,
      this.sure > 0,
      state.info?.game,
      state.news,
    ].join();
    if (key === this.key) return;
    this.key = key;
    fill(this.own, turn === 'over' || turn === 'open' ? [] : this.during(moment));
    const news = this.news(moment);
    this.banner.hidden = news.length === 0;
    fill(this.banner, news);
  }

  private during({ state, penciling }: Moment): HTMLElement[] {
    if (!state.you) return [];
    const list = [
      barButton('draw', 'Offer draw', () => this.deeds.draw('offer'), { disabled: state.draw !== null }),
      barButton('flag', this.sure ? 'Really resign?' : 'Resign', () => this.resign(), {
        class: this.sure ? 'danger sure' : 'danger',
      }),
    ];
    if (state.info?.game === 'fog' && !seesAll(state.info, state.you))
      list.unshift(
        barButton('pencil', 'Mark', this.deeds.pencil, {
          'aria-pressed': String(penciling),
          title: 'Tap fog to mark what may stand there',
        }),
      );
    return list;
  }

  private news({ state, turn, canJoin, link }: Moment): (HTMLElement | string)[] {
    if (canJoin) return [button('Join the game', this.deeds.join, { class: 'button primary huge' })];
    if (turn === 'open')
      return [
        h('code', { class: 'share' }, link),
        button([icon('link'), 'Copy the link'], this.deeds.copy, { class: 'button' }),
      ];
    if (turn === 'over' || !state.you) return [];
    if (state.draw === state.you) return ['Your draw offer stands until a move is made.'];
    if (state.draw)
      return [
        'Your opponent offers a draw.',
        button('Accept', () => this.deeds.draw('accept'), { class: 'button slim primary' }),
        button('Decline', () => this.deeds.draw('decline'), { class: 'button slim' }),
      ];
    return state.news ? [state.news] : [];
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
