/** Images of the pieces, with the same outlines as `foglight draw`. */

import { h } from './dom.ts';
import { nameOf, sideOf, type Piece } from '../state/squares.ts';

const files = import.meta.glob<string>('../pieces/*.svg', { eager: true, import: 'default', query: '?url' });

/** The address of a piece's image. */
export function pieceUrl(piece: Piece): string {
  const name = (sideOf(piece) === 'white' ? 'w' : 'b') + piece.toUpperCase();
  const url = files[`../pieces/${name}.svg`];
  if (!url) throw new Error(`no picture of ${piece}`);
  return url;
}

export const pieceImage = (piece: Piece, props: Record<string, unknown> = {}): HTMLImageElement =>
  h('img', {
    class: 'man',
    src: pieceUrl(piece),
    alt: `${sideOf(piece)} ${nameOf(piece)}`,
    draggable: 'false',
    ...props,
  });
