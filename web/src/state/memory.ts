/**
 * The page's memory of a fog game: last known squares of enemy pieces, and
 * marks. It is built from the views only, and never sent to the server.
 */

import { fileOf, nameOf, other, rankOf, sideOf, type Key, type Piece, type Side } from './squares.ts';
import { cellAt, isSeen, piecesOf, type View } from './view.ts';

export interface Ghost {
  piece: Piece;
  /** Ply after which the piece was last visible there. */
  ply: number;
}

export interface Memory {
  ghosts: Map<Key, Ghost>;
  pencil: Map<Key, Piece>;
}

/** What a ply told beyond the two views. */
export interface Told {
  /** The square where I captured. */
  taken?: Key | null;
  /** Squares that enemy pieces visibly left. */
  left?: readonly Key[];
  /** Squares where enemy pieces visibly arrived. */
  arrived?: readonly Key[];
  /** The number of each enemy piece still in the game, without promotions. */
  material?: ReadonlyMap<Piece, number>;
}

export const blank = (): Memory => ({ ghosts: new Map(), pencil: new Map() });

/**
 * Updates the memory with the next view. A piece that is no longer visible
 * leaves a ghost, unless it was seen to leave. A ghost disappears when its
 * square becomes visible, when its piece is captured or seen to leave, when it
 * may have arrived elsewhere, and when more of its kind are known than the
 * enemy has.
 */
export function remember(
  memory: Memory,
  me: Side,
  before: View | null,
  after: View,
  ply: number,
  told: Told = {},
): Memory {
  const ghosts = new Map(memory.ghosts);
  const enemy = other(me);
  const seen = piecesOf(after, enemy);
  const gone = (key: Key): boolean => isSeen(after, key) || key === told.taken || (told.left?.includes(key) ?? false);
  for (const key of told.arrived ?? []) forgetOrigin(ghosts, key, seen.get(key));
  if (before) {
    const appeared = count(seen, piecesOf(before, enemy));
    for (const [key, piece] of piecesOf(before, enemy)) {
      if (gone(key)) continue;
      const left = appeared.get(piece) ?? 0;
      if (left > 0) appeared.set(piece, left - 1);
      else ghosts.set(key, { piece, ply });
    }
  }
  for (const key of [...ghosts.keys()]) if (gone(key)) ghosts.delete(key);
  if (told.material) limit(ghosts, seen, told.material);
  const pencil = new Map([...memory.pencil].filter(([key]) => cellAt(after, key) === '?'));
  return { ghosts, pencil };
}

/** Removes the latest ghost from which the piece on `key` may have come. */
function forgetOrigin(ghosts: Map<Key, Ghost>, key: Key, piece: Piece | undefined): void {
  const origins = [...ghosts].filter(([from, ghost]) => ghost.piece === piece && reaches(ghost.piece, from, key));
  const latest = origins.sort(([, a], [, b]) => b.ply - a.ply)[0];
  if (latest) ghosts.delete(latest[0]);
}

/** Removes the oldest ghosts beyond the number of each piece in the game. */
function limit(ghosts: Map<Key, Ghost>, seen: ReadonlyMap<Key, Piece>, material: ReadonlyMap<Piece, number>): void {
  const known = new Map<Piece, number>();
  for (const piece of seen.values()) known.set(piece, (known.get(piece) ?? 0) + 1);
  for (const [key, { piece }] of [...ghosts].sort(([, a], [, b]) => b.ply - a.ply)) {
    const now = (known.get(piece) ?? 0) + 1;
    known.set(piece, now);
    if (now > (material.get(piece) ?? 0)) ghosts.delete(key);
  }
}

/** Whether a piece could go from one square to the other in one move of an empty board. */
function reaches(piece: Piece, from: Key, to: Key): boolean {
  const [files, ranks] = [fileOf(to) - fileOf(from), rankOf(to) - rankOf(from)];
  const [dx, dy] = [Math.abs(files), Math.abs(ranks)];
  switch (nameOf(piece)) {
    case 'knight':
      return dx * dy === 2;
    case 'bishop':
      return dx === dy;
    case 'rook':
      return dx === 0 || dy === 0;
    case 'queen':
      return dx === dy || dx === 0 || dy === 0;
    case 'king':
      return dx <= 2 && dy <= 1;
    default: {
      const up = sideOf(piece) === 'white' ? ranks : -ranks;
      return dx === 0 ? up === 1 || up === 2 : dx === 1 && up === 1;
    }
  }
}

/** Number of each piece that `now` has on squares where `then` had none. */
function count(now: Map<Key, Piece>, then: Map<Key, Piece>): Map<Piece, number> {
  const found = new Map<Piece, number>();
  for (const [key, piece] of now) if (then.get(key) !== piece) found.set(piece, (found.get(piece) ?? 0) + 1);
  return found;
}

/** The order of marks on a square: nothing, then the enemy's pieces, strongest first. */
export function nextMark(me: Side, mark: Piece | undefined): Piece | undefined {
  const order = ['Q', 'R', 'B', 'N', 'P', 'K'];
  const at = mark ? order.indexOf(mark.toUpperCase()) : -1;
  const next = order[at + 1];
  if (!next) return undefined;
  return me === 'white' ? next.toLowerCase() : next;
}

/** Sets or removes a mark; a visible square accepts none. */
export function mark(memory: Memory, view: View, key: Key, piece: Piece | undefined): Memory {
  const pencil = new Map(memory.pencil);
  if (piece && cellAt(view, key) === '?') pencil.set(key, piece);
  else pencil.delete(key);
  return { ghosts: memory.ghosts, pencil };
}

/** Text for the browser's session storage. */
export const save = (memory: Memory): string =>
  JSON.stringify({ ghosts: [...memory.ghosts], pencil: [...memory.pencil] });

/** Parses the output of `save`; anything else gives an empty memory. */
export function load(text: string | null): Memory {
  try {
    const raw = JSON.parse(text ?? '{}') as { ghosts?: [Key, Ghost][]; pencil?: [Key, Piece][] };
    return { ghosts: new Map(raw.ghosts ?? []), pencil: new Map(raw.pencil ?? []) };
  } catch {
    return blank();
  }
}
