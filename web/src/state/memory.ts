/**
 * The page's own memory of a fog game: where enemy pieces were last seen, and
 * pencil marks. Nothing here comes from the server beyond the views, and
 * nothing goes back to it.
 */

import { nameOf, other, type Key, type Piece, type Side } from './squares.ts';
import { cellAt, isSeen, piecesOf, type View } from './view.ts';

export interface Ghost {
  piece: Piece;
  /** Ply after which the piece was last seen there. */
  ply: number;
}

export interface Memory {
  ghosts: Map<Key, Ghost>;
  pencil: Map<Key, Piece>;
}

export const blank = (): Memory => ({ ghosts: new Map(), pencil: new Map() });

/**
 * Carries the memory from one view to the next. A piece that falls out of
 * sight leaves a ghost; a ghost goes when its square is seen, when its piece
 * was `taken`, or when a piece of which there is only one shows up elsewhere.
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

/** How many more of each piece `now` holds on squares where `then` had none. */
function count(now: Map<Key, Piece>, then: Map<Key, Piece>): Map<Piece, number> {
  const found = new Map<Piece, number>();
  for (const [key, piece] of now) if (then.get(key) !== piece) found.set(piece, (found.get(piece) ?? 0) + 1);
  return found;
}

/** The pencil's order on a square: nothing, then the enemy's pieces, strongest first. */
export function nextMark(me: Side, mark: Piece | undefined): Piece | undefined {
  const order = ['Q', 'R', 'B', 'N', 'P', 'K'];
  const at = mark ? order.indexOf(mark.toUpperCase()) : -1;
  const next = order[at + 1];
  if (!next) return undefined;
  return me === 'white' ? next.toLowerCase() : next;
}

/** Sets or removes a pencil mark; a seen square takes none. */
export function mark(memory: Memory, view: View, key: Key, piece: Piece | undefined): Memory {
  const pencil = new Map(memory.pencil);
  if (piece && cellAt(view, key) === '?') pencil.set(key, piece);
  else pencil.delete(key);
  return { ghosts: memory.ghosts, pencil };
}

/** Text for the browser's session storage. */
export const save = (memory: Memory): string =>
  JSON.stringify({ ghosts: [...memory.ghosts], pencil: [...memory.pencil] });

/** Reads what `save` wrote; anything else is an empty memory. */
export function load(text: string | null): Memory {
  try {
    const raw = JSON.parse(text ?? '{}') as { ghosts?: [Key, Ghost][]; pencil?: [Key, Piece][] };
    return { ghosts: new Map(raw.ghosts ?? []), pencil: new Map(raw.pencil ?? []) };
  } catch {
    return blank();
  }
}
