/**
 * The page's memory of a fog game: last known squares of enemy pieces, and
 * pencil marks. It is built from the views only, and never sent to the server.
 */

import { nameOf, other, type Key, type Piece, type Side } from './squares.ts';
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

export const blank = (): Memory => ({ ghosts: new Map(), pencil: new Map() });

/**
 * Updates the memory with the next view. A piece that is no longer visible
 * leaves a ghost. A ghost disappears when its square becomes visible, when its
 * piece is captured on `taken`, or when it is the king's and the king appears
 * elsewhere.
 */
export function remember(
  memory: Memory,
  me: Side,
  before: View | null,
  after: View,
  ply: number,
  taken: Key | null = null,
): Memory {
  const ghosts = new Map(memory.ghosts);
  const enemy = other(me);
  const seen = piecesOf(after, enemy);
  if (before) {
    const appeared = count(seen, piecesOf(before, enemy));
    for (const [key, piece] of piecesOf(before, enemy)) {
      if (isSeen(after, key) || key === taken) continue;
      const left = appeared.get(piece) ?? 0;
      if (left > 0) appeared.set(piece, left - 1);
      else ghosts.set(key, { piece, ply });
    }
  }
  for (const [key, ghost] of ghosts) {
    const alone = nameOf(ghost.piece) === 'king' && [...seen.values()].includes(ghost.piece);
    if (isSeen(after, key) || key === taken || alone) ghosts.delete(key);
  }
  const pencil = new Map([...memory.pencil].filter(([key]) => cellAt(after, key) === '?'));
  return { ghosts, pencil };
}

/** Number of each piece that `now` has on squares where `then` had none. */
function count(now: Map<Key, Piece>, then: Map<Key, Piece>): Map<Piece, number> {
  const found = new Map<Piece, number>();
  for (const [key, piece] of now) if (then.get(key) !== piece) found.set(piece, (found.get(piece) ?? 0) + 1);
  return found;
}

/** The order of pencil marks on a square: nothing, then the enemy's pieces, strongest first. */
export function nextMark(me: Side, mark: Piece | undefined): Piece | undefined {
  const order = ['Q', 'R', 'B', 'N', 'P', 'K'];
  const at = mark ? order.indexOf(mark.toUpperCase()) : -1;
  const next = order[at + 1];
  if (!next) return undefined;
  return me === 'white' ? next.toLowerCase() : next;
}

/** Sets or removes a pencil mark; a visible square accepts none. */
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
