/** The layer under the pieces: squares, fog as engraved waves, ghosts, pencil marks, heat map. */

import { isLight, keysOf, place, type Key } from '../state/squares.ts';
import { cellAt, isSeen } from '../state/view.ts';
import type { Scene } from './board.ts';
import { s } from './dom.ts';
import { pieceUrl } from './piece.ts';

let serial = 0;

/** One drawing in units of a square. */
export function underlay(scene: Scene): SVGElement {
  const { files, ranks } = scene.view.size;
  const id = `fog${++serial}`;
  return s(
    'svg',
    { viewBox: `0 0 ${files} ${ranks}`, preserveAspectRatio: 'none' },
    s('defs', null, waves(id)),
    ...keysOf(scene.view.size).map((key) => square(scene, key, id)),
    ...marks(scene),
    ...edges(scene),
    ...coordinates(scene),
  );
}

/** The fog texture: rows of waves, as on an engraved chart. */
function waves(id: string): SVGElement {
  const row = (y: number, x: number): string =>
    `M${x - 1} ${y}q.125 -.11 .25 0t.25 0t.25 0t.25 0t.25 0t.25 0t.25 0t.25 0`;
  return s(
    'pattern',
    { id, width: 1, height: 0.5, patternUnits: 'userSpaceOnUse' },
    s('path', { class: 'wave', d: row(0.125, 0.25) + row(0.375, 0.5) }),
  );
}

function square(scene: Scene, key: Key, id: string): SVGElement {
  const { x, y } = place(key, scene.view.size, scene.bottom);
  const shade = isLight(key) ? 'light' : 'dark';
  const seen = isSeen(scene.view, key);
  const box = { x, y, width: 1.002, height: 1.002 };
  const group = s('g', null, s('rect', { ...box, class: `${seen ? 'sq' : 'fog'} ${shade}` }));
  if (!seen) group.append(s('rect', { ...box, fill: `url(#${id})` }));
  if (scene.veil && !isSeen(scene.veil, key)) {
    const veil = s('g', { class: `veil file${x}` }, s('rect', { ...box, class: `fog ${shade}` }));
    veil.append(s('rect', { ...box, fill: `url(#${id})` }));
    group.append(veil);
  }
  if (scene.check === key) group.append(s('circle', { class: 'check', cx: x + 0.5, cy: y + 0.5, r: 0.5 }));
  const warm = seen ? undefined : scene.heat?.get(key);
  if (warm) group.append(s('rect', { ...box, class: 'heat', 'fill-opacity': (0.1 + 0.7 * warm.p).toFixed(3) }));
  if (scene.last?.includes(key)) group.append(s('rect', { ...box, class: 'last' }));
  if (scene.alarm === key)
    group.append(s('rect', { x: x + 0.05, y: y + 0.05, width: 0.9, height: 0.9, rx: 0.1, class: 'alarm' }));
  return group;
}

function marks(scene: Scene): SVGElement[] {
  const list: SVGElement[] = [];
  const image = (key: Key, piece: string, name: string, size: number): SVGElement => {
    const { x, y } = place(key, scene.view.size, scene.bottom);
    const shift = (1 - size) / 2;
    return s('image', { class: name, href: pieceUrl(piece), x: x + shift, y: y + shift, width: size, height: size });
  };
  for (const [key, ghost] of scene.ghosts ?? []) {
    if (scene.pencil?.has(key)) continue;
    const { x, y } = place(key, scene.view.size, scene.bottom);
    list.push(s('circle', { class: 'afterglow', cx: x + 0.5, cy: y + 0.5, r: 0.44 }));
    list.push(image(key, ghost.piece, 'ghost-piece', 0.86));
  }
  for (const [key, piece] of scene.pencil ?? []) {
    const { x, y } = place(key, scene.view.size, scene.bottom);
    list.push(s('rect', { class: 'pencil-ring', x: x + 0.1, y: y + 0.1, width: 0.8, height: 0.8, rx: 0.16 }));
    list.push(image(key, piece, 'pencil-piece', 0.62));
  }
  for (const [key, warm] of scene.heat ?? [])
    if (warm.top >= 0.05 && cellAt(scene.view, key) === '?') list.push(figure(scene, key, warm.kind, warm.top));
  return list;
}

function figure(scene: Scene, key: Key, kind: string, p: number): SVGElement {
  const { x, y } = place(key, scene.view.size, scene.bottom);
  const text = s('text', { class: 'heat-text', x: x + 0.5, y: y + 0.59, 'text-anchor': 'middle', 'font-size': 0.25 });
  text.append(`${kind.toUpperCase()} ${Math.round(100 * p)}`);
  return text;
}

/** A bright line along the edge of the fog. */
function edges(scene: Scene): SVGElement[] {
  const { size } = scene.view;
  let d = '';
  for (const key of keysOf(size)) {
    if (!isSeen(scene.view, key)) continue;
    const { x, y } = place(key, size, scene.bottom);
    const dark = (dx: number, dy: number): boolean => {
      const [nx, ny] = [x + dx, y + dy];
      if (nx < 0 || ny < 0 || nx >= size.files || ny >= size.ranks) return false;
      const file = scene.bottom === 'white' ? nx : size.files - 1 - nx;
      const rank = scene.bottom === 'white' ? size.ranks - 1 - ny : ny;
      return !isSeen(scene.view, String.fromCharCode(97 + file, 49 + rank));
    };
    if (dark(1, 0)) d += `M${x + 1} ${y}v1`;
    if (dark(-1, 0)) d += `M${x} ${y}v1`;
    if (dark(0, 1)) d += `M${x} ${y + 1}h1`;
    if (dark(0, -1)) d += `M${x} ${y}h1`;
  }
  return d ? [s('path', { class: 'shore', d })] : [];
}

function coordinates(scene: Scene): SVGElement[] {
  const { size } = scene.view;
  const list: SVGElement[] = [];
  const put = (key: Key, text: string, dx: number, dy: number, anchor: string): void => {
    const { x, y } = place(key, size, scene.bottom);
    const shade = !isSeen(scene.view, key) ? 'on-fog' : isLight(key) ? 'on-light' : 'on-dark';
    const label = s('text', {
      class: `coordinate ${shade}`,
      x: x + dx,
      y: y + dy,
      'text-anchor': anchor,
      'font-size': 0.17,
    });
    label.append(text);
    list.push(label);
  };
  for (const key of keysOf(size)) {
    const { x, y } = place(key, size, scene.bottom);
    if (y === size.ranks - 1) put(key, key[0] ?? '', 0.94, 0.94, 'end');
    if (x === 0) put(key, key[1] ?? '', 0.05, 0.2, 'start');
  }
  return list;
}
