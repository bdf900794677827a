/**
 * One ply in three views: White's, Black's and the actual position. One is
 * large, the others are thumbnails; games that hide nothing have one board.
 */

import type { Warmth } from '../state/heat.ts';
import type { Perspective } from '../state/replay.ts';
import type { Key, Side } from '../state/squares.ts';
import { isSeen, readView } from '../state/view.ts';
import { Board, type Arrow } from './board.ts';
import { button, h, say } from './dom.ts';

export interface Moment {
  white: string;
  black: string;
  truth: string;
  eye: Perspective;
  bottom: Side;
  last: readonly Key[];
  alarm?: Key | null;
  check?: Key | null;
  /** The side that lost a piece on the `alarm` square. */
  loser?: Side | null;
  heat?: { eye: Perspective; map: ReadonlyMap<Key, Warmth> } | null;
  arrows?: readonly Arrow[];
  you: Side | null;
}

const EYES: readonly Perspective[] = ['white', 'black', 'truth'];
const KEYS: Record<Perspective, number> = { white: 1, black: 2, truth: 3 };

interface One {
  board: Board;
  figure: HTMLElement;
  choice: HTMLButtonElement;
}

export class TripleBoard {
  readonly root = h('div', { class: 'trio' });
  private readonly boards = new Map<Perspective, One>();

  /** `hides` tells whether the game hides anything, `choose` gets the view to enlarge. */
  constructor(
    private readonly hides: boolean,
    choose: (eye: Perspective) => void,
  ) {
    for (const eye of EYES) {
      if (!hides && eye !== 'truth') continue;
      const board = new Board({ click: () => choose(eye) }, 'Board', true);
      const choice = button('', () => choose(eye), { class: 'view-name' });
      const figure = h('figure', { class: 'one', 'data-eye': eye }, board.root, hides ? choice : null);
      this.boards.set(eye, { board, figure, choice });
      this.root.append(figure);
    }
    this.root.dataset['boards'] = String(this.boards.size);
  }

  show(moment: Moment): void {
    const large = this.hides ? moment.eye : 'truth';
    this.root.style.setProperty('--ratio', ratio(moment.truth));
    for (const [eye, { board, figure, choice }] of this.boards) {
      const name = title(eye, moment.you);
      figure.classList.toggle('large', eye === large);
      board.root.setAttribute('aria-label', `Board: ${name}`);
      say(choice, `${name} (${KEYS[eye]})`);
      choice.setAttribute('aria-pressed', String(eye === large));
      const view = readView(moment[eye]);
      // A view marks visible squares only.
      const visible = (key: Key): boolean => eye === 'truth' || isSeen(view, key);
      board.show({
        view,
        bottom: moment.bottom,
        last: moment.last.filter(visible),
        alarm: moment.alarm && (eye === 'truth' || eye === moment.loser) ? moment.alarm : null,
        check: moment.check ?? null,
        heat: moment.heat?.eye === eye ? moment.heat.map : null,
        arrows: eye === large ? (moment.arrows ?? []) : [],
      });
    }
  }

  destroy(): void {
    for (const { board } of this.boards.values()) board.destroy();
  }
}

/** Width over height of a board. */
function ratio(board: string): string {
  const { files, ranks } = readView(board).size;
  return String(files / ranks);
}

function title(eye: Perspective, you: Side | null): string {
  if (eye === 'truth') return 'Full board';
  if (eye === you) return 'Your view';
  return `${eye === 'white' ? 'White' : 'Black'}’s view`;
}
