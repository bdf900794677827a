/** Three boards of one ply: White's view, Black's view, the true position. Or one of them, large. */

import type { Warmth } from '../state/heat.ts';
import type { Perspective, Layout } from '../state/replay.ts';
import type { Key, Side } from '../state/squares.ts';
import { isSeen, readView } from '../state/view.ts';
import { Board, type Arrow } from './board.ts';
import { h, say } from './dom.ts';

export interface Moment {
  white: string;
  black: string;
  truth: string;
  layout: Layout;
  eye: Perspective;
  bottom: Side;
  last: readonly Key[];
  alarm?: Key | null;
  /** The side that lost a piece on the `alarm` square. */
  loser?: Side | null;
  heat?: { eye: Perspective; map: ReadonlyMap<Key, Warmth> } | null;
  arrows?: readonly Arrow[];
  you: Side | null;
}

const EYES: readonly Perspective[] = ['white', 'black', 'truth'];

export class TripleBoard {
  readonly root = h('div', { class: 'trio' });
  private readonly boards = new Map<Perspective, { board: Board; figure: HTMLElement; caption: HTMLElement }>();

  constructor(choose: (eye: Perspective) => void) {
    for (const eye of EYES) {
      const board = new Board({ click: () => choose(eye) }, `Board: ${eye}`, true);
      const caption = h('figcaption', null);
      const figure = h('figure', { class: 'one', 'data-eye': eye }, caption, board.root);
      this.boards.set(eye, { board, figure, caption });
      this.root.append(figure);
    }
  }

  show(moment: Moment): void {
    this.root.dataset['layout'] = moment.layout;
    for (const [eye, { board, figure, caption }] of this.boards) {
      figure.hidden = moment.layout === 'one' && eye !== moment.eye;
      say(caption, title(eye, moment.you));
      if (figure.hidden) continue;
      const view = readView(moment[eye]);
      // A view marks visible squares only.
      const visible = (key: Key): boolean => eye === 'truth' || isSeen(view, key);
      board.show({
        view,
        bottom: moment.bottom,
        last: moment.last.filter(visible),
        alarm: moment.alarm && (eye === 'truth' || eye === moment.loser) ? moment.alarm : null,
        heat: moment.heat?.eye === eye ? moment.heat.map : null,
        arrows: eye === 'truth' || moment.layout === 'one' ? (moment.arrows ?? []) : [],
      });
    }
  }

  destroy(): void {
    for (const { board } of this.boards.values()) board.destroy();
  }
}

function title(eye: Perspective, you: Side | null): string {
  if (eye === 'truth') return 'The truth';
  const name = eye === 'white' ? 'White' : 'Black';
  if (you === null) return `${name}’s view`;
  return eye === you ? `Your view (${name})` : `Their view (${name})`;
}
