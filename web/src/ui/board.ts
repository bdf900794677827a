/**
 * The board: chessgroundx moves the pieces; the layer under it shows squares,
 * fog, memory and heat map.
 */

import { Chessground } from 'chessgroundx';
import type { Api } from 'chessgroundx/api';
import type { Config } from 'chessgroundx/config';
import type { DrawShape } from 'chessgroundx/draw';
import type { Key as CgKey } from 'chessgroundx/types';

import { describeSquare } from '../state/describe.ts';
import type { Warmth } from '../state/heat.ts';
import type { Ghost } from '../state/memory.ts';
import { targets } from '../state/moves.ts';
import { keyAt, other, step, type Key, type Piece, type Side } from '../state/squares.ts';
import { cellAt, writeView, type View } from '../state/view.ts';
import { h } from './dom.ts';
import { underlay } from './underlay.ts';

export interface Arrow {
  from: Key;
  to: Key;
  /** Probability from 0 to 1. */
  weight: number;
  kind: 'mix' | 'good' | 'bad';
}

export interface Scene {
  view: View;
  bottom: Side;
  /** The side to move, for premoves. */
  turn?: Side;
  last?: readonly Key[];
  /** A highlighted square: where a piece was lost. */
  alarm?: Key | null;
  /** The square of a king in check. */
  check?: Key | null;
  /** The view whose fog rolls back from the board. */
  veil?: View | null;
  ghosts?: ReadonlyMap<Key, Ghost>;
  pencil?: ReadonlyMap<Key, Piece>;
  heat?: ReadonlyMap<Key, Warmth> | null;
  arrows?: readonly Arrow[];
  /** The side that may move and its moves; none for a board without moves. */
  player?: Side | null;
  moves?: readonly string[];
  premove?: boolean;
  /** Whether the pieces move slowly, to be followed. */
  slow?: boolean;
  /** Whether pieces may be put anywhere, as in the editor. */
  free?: boolean;
}

export interface Hooks {
  move?: (from: Key, to: Key, premove: boolean) => void;
  /** A click or a tap on any square. */
  click?: (key: Key) => void;
  pencil?: (key: Key) => void;
  say?: (text: string) => void;
}

const BRUSHES = {
  green: { key: 'g', color: '#2f8f7f', opacity: 1, lineWidth: 9 },
  red: { key: 'r', color: '#c2513f', opacity: 1, lineWidth: 9 },
  blue: { key: 'b', color: '#2f6fa8', opacity: 1, lineWidth: 9 },
  yellow: { key: 'y', color: '#d3961f', opacity: 1, lineWidth: 9 },
  mix: { key: 'm', color: '#d3961f', opacity: 0.9, lineWidth: 10 },
  good: { key: 'o', color: '#2f8f7f', opacity: 0.9, lineWidth: 10 },
  bad: { key: 'x', color: '#c2513f', opacity: 0.9, lineWidth: 10 },
};

export class Board {
  readonly root: HTMLElement;
  private readonly under = h('div', { class: 'under', 'aria-hidden': 'true' });
  private readonly mount = h('div', { class: 'mount' });
  private readonly cursorBox = h('div', { class: 'cursor', 'aria-hidden': 'true' });
  private api: Api | null = null;
  private scene: Scene | null = null;
  private cursor: Key | null = null;
  private picked: Key | null = null;

  /** A `still` board accepts no moves. */
  constructor(
    private readonly hooks: Hooks = {},
    label = 'Board',
    private readonly still = false,
  ) {
    this.root = h('div', { class: 'board', role: 'application', 'aria-label': label, tabindex: '0' });
    this.root.classList.toggle('still', still);
    this.root.append(this.under, this.mount, this.cursorBox);
    this.root.addEventListener('keydown', (event) => this.key(event));
    this.root.addEventListener('blur', () => this.root.classList.remove('keyed'));
    this.root.addEventListener('click', (event) => this.clicked(event));
    this.root.addEventListener('mousedown', (event) => this.rightDown(event), { capture: true });
  }

  /** Draws a scene; the first call also creates the board. */
  show(scene: Scene): void {
    const before = this.scene;
    this.scene = scene;
    const { files, ranks } = scene.view.size;
    this.root.style.setProperty('--files', String(files));
    this.root.style.setProperty('--ranks', String(ranks));
    this.under.replaceChildren(underlay(scene));
    this.root.classList.toggle('unveiled', Boolean(scene.veil));
    const turned =
      before &&
      (before.bottom !== scene.bottom || before.view.size.files !== files || before.view.size.ranks !== ranks);
    if (turned) this.drop();
    const config = this.config(scene);
    // Setting a FEN erases the arrows, so that it is set only if the board differs.
    if (this.api?.getFen() === config.fen) delete config.fen;
    if (this.api) this.api.set(config);
    else this.api = Chessground(this.mount, config);
    if (before?.view !== scene.view) this.picked = null;
    this.placeCursor();
  }

  /** Plays the premove, if one is set and legal now. */
  playPremove(): boolean {
    return this.api?.playPremove() ?? false;
  }

  cancelPremove(): void {
    this.api?.cancelPremove();
  }

  get hasPremove(): boolean {
    return this.api?.state.premovable.current !== undefined;
  }

  destroy(): void {
    this.drop();
  }

  private drop(): void {
    this.api?.destroy();
    this.api = null;
    this.mount.replaceChildren();
  }

  private config(scene: Scene): Config {
    const { files, ranks } = scene.view.size;
    const hands = scene.player !== null && scene.player !== undefined;
    const active = hands || (scene.free ?? false);
    const dests = targets(scene.moves ?? []) as unknown as Map<CgKey, CgKey[]>;
    return {
      fen: writeView(scene.view, 'empty'),
      dimensions: { width: files, height: ranks },
      orientation: scene.bottom,
      turnColor: scene.turn ?? 'white',
      coordinates: false,
      viewOnly: this.still,
      autoCastle: true,
      addPieceZIndex: false,
      addDimensionsCssVarsTo: this.root,
      disableContextMenu: true,
      lastMove: [...(scene.last ?? [])] as CgKey[],
      highlight: { lastMove: false, check: false },
      animation: { enabled: !reduced(), duration: scene.slow ? SLOW : 180 },
      movable: {
        free: scene.free ?? false,
        color: scene.free ? 'both' : (scene.player ?? undefined),
        dests,
        showDests: true,
        rookCastle: false,
        events: { after: (from, to, meta) => this.hooks.move?.(from, to, meta.premove) },
      },
      premovable: { enabled: scene.premove ?? false },
      draggable: { enabled: active, showGhost: true },
      selectable: { enabled: active },
      drawable: {
        enabled: !this.still,
        brushes: BRUSHES,
        autoShapes: shapes(scene.arrows ?? []),
        onChange: (drawn) => this.drawn(drawn),
      },
    };
  }

  /** A right click without a drag on fog sets a pencil mark, not a circle. */
  private rightDown(down: MouseEvent): void {
    const key = this.squareOf(down);
    if (down.button !== 2 || !key || !this.isFog(key)) return;
    const up = (event: MouseEvent): void => {
      if (event.button === 2 && this.squareOf(event) === key) this.hooks.pencil?.(key);
    };
    document.addEventListener('mouseup', up, { once: true });
  }

  /** Removes circles on fog, which are pencil marks. */
  private drawn(drawn: DrawShape[]): void {
    const kept = drawn.filter((d) => d.dest || !this.isFog(d.orig));
    if (kept.length < drawn.length) this.api?.setShapes(kept);
  }

  private isFog(key: Key): boolean {
    return this.scene !== null && cellAt(this.scene.view, key) === '?';
  }

  private squareOf(event: MouseEvent): Key | null {
    const scene = this.scene;
    if (!scene) return null;
    const box = this.mount.getBoundingClientRect();
    const { files, ranks } = scene.view.size;
    const x = Math.floor(((event.clientX - box.left) / box.width) * files);
    const y = Math.floor(((event.clientY - box.top) / box.height) * ranks);
    if (x < 0 || y < 0 || x >= files || y >= ranks) return null;
    return scene.bottom === 'white' ? keyAt(x, ranks - 1 - y) : keyAt(files - 1 - x, y);
  }

  private clicked(event: MouseEvent): void {
    const key = this.squareOf(event);
    if (key && event.detail !== 0) this.hooks.click?.(key);
  }

  private key(event: KeyboardEvent): void {
    const scene = this.scene;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const by = moves[event.key];
    if (!scene || event.ctrlKey || event.metaKey || event.altKey) return;
    if (by) this.steer(scene, by);
    else if (event.key === 'Enter') this.press(scene);
    else if (event.key === 'p' && this.cursor && this.hooks.pencil) this.hooks.pencil(this.cursor);
    else if (event.key === 'Escape' && this.picked) this.pick(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private steer(scene: Scene, [dx, dy]: [number, number]): void {
    const { size } = scene.view;
    const start = keyAt(size.files >> 1, scene.bottom === 'white' ? 1 : size.ranks - 2);
    this.cursor = this.cursor ? step(this.cursor, dx, dy, size, scene.bottom) : start;
    this.root.classList.add('keyed');
    this.placeCursor();
    const goal = this.picked && scene.moves?.some((m) => m.startsWith(this.picked! + this.cursor!));
    this.hooks.say?.(describeSquare(scene.view, this.cursor) + (goal ? ', can go there' : ''));
  }

  private press(scene: Scene): void {
    if (!this.cursor) return this.steer(scene, [0, 0]);
    if (scene.free || !scene.player) return this.hooks.click?.(this.cursor);
    const own = scene.moves?.some((m) => m.startsWith(this.cursor!));
    if (this.picked && scene.moves?.some((m) => m.startsWith(this.picked! + this.cursor!))) {
      const from = this.picked;
      this.pick(null);
      this.hooks.move?.(from, this.cursor, false);
    } else if (own && this.picked !== this.cursor) this.pick(this.cursor);
    else this.pick(null);
  }

  private pick(key: Key | null): void {
    this.picked = key;
    this.api?.selectSquare(key as CgKey | null);
    if (key && this.scene) this.hooks.say?.(`${describeSquare(this.scene.view, key)}, picked up`);
  }

  private placeCursor(): void {
    const scene = this.scene;
    this.cursorBox.hidden = !this.cursor;
    if (!this.cursor || !scene) return;
    const { files, ranks } = scene.view.size;
    const file = this.cursor.charCodeAt(0) - 97;
    const rank = this.cursor.charCodeAt(1) - 49;
    const x = scene.bottom === 'white' ? file : files - 1 - file;
    const y = scene.bottom === 'white' ? ranks - 1 - rank : rank;
    this.cursorBox.style.left = `${(100 * x) / files}%`;
    this.cursorBox.style.top = `${(100 * y) / ranks}%`;
  }
}

/** Duration of a slow move, in milliseconds. */
const SLOW = 700;

export const reduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

function shapes(arrows: readonly Arrow[]): DrawShape[] {
  return arrows.map((arrow) => ({
    orig: arrow.from as CgKey,
    dest: arrow.to as CgKey,
    brush: arrow.kind,
    modifiers: { lineWidth: Math.max(3, Math.round(14 * arrow.weight)) },
  }));
}

/** The side to move for chessgroundx, chosen so that the waiting player can premove. */
export const turnOn = (player: Side, canMove: boolean): Side => (canMove ? player : other(player));
