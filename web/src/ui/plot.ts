/** Line plots: values over a game, ratings over a tournament. */

import { across, level, path, rangeOf, type Frame } from '../state/curve.ts';
import { h, s } from './dom.ts';

export interface Line {
  name: string;
  points: readonly (readonly [number, number | null])[];
  look: string;
}

const FRAME: Frame = { width: 600, height: 160, pad: 0 };

export interface Plot {
  /** A marked position. */
  at?: number | null;
  /** Gets the position of a click. */
  pick?: (x: number) => void;
  /** Least height of the values. */
  span?: number;
  /** The horizontal scale; that of the points by default. */
  domain?: readonly [number, number];
}

/** A plot with a zero line. */
export function plot(
  lines: readonly Line[],
  label: string,
  { at = null, pick, span = 1, domain }: Plot = {},
): HTMLElement {
  const values = lines.flatMap((line) => line.points.flatMap(([, y]) => (y === null ? [] : [y])));
  const xs = lines.flatMap((line) => line.points.map(([x]) => x));
  const [from, to] = domain ?? [Math.min(...xs), Math.max(...xs)];
  const range = rangeOf(values, span);
  const zero = level(0, range, FRAME).toFixed(1);
  const drawing = s(
    'svg',
    {
      class: 'plot',
      viewBox: `0 0 ${FRAME.width} ${FRAME.height}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    },
    s('path', { class: 'axis', d: `M0 ${zero}H${FRAME.width}` }),
    ...lines.map((line) => s('path', { class: `curve ${line.look}`, d: path(line.points, from, to, range, FRAME) })),
  );
  if (at !== null && xs.length > 0) {
    const x = across(Math.max(from, Math.min(to, at)), from, to, FRAME).toFixed(1);
    drawing.append(s('path', { class: 'here', d: `M${x} 0V${FRAME.height}` }));
  }
  if (pick)
    drawing.addEventListener('click', (event) => {
      const box = drawing.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      pick(Math.round(from + ((share * FRAME.width - FRAME.pad) / (FRAME.width - 2 * FRAME.pad)) * (to - from)));
    });
  const key = h(
    'figcaption',
    { class: 'legend small' },
    lines.map((line) => h('span', { class: `key ${line.look}` }, h('span', { class: 'muted' }, line.name))),
  );
  return h('figure', { class: 'plotted' }, drawing, key);
}
