/** Small line drawings, made of paths. */

import { s } from './dom.ts';

const PATHS: Record<string, string> = {
  flip: 'M7 4 4 7l3 3M4 7h11a4 4 0 0 1 4 4v1M17 20l3-3-3-3M20 17H9a4 4 0 0 1-4-4v-1',
  flag: 'M6 21V4M6 5h11l-2 4 2 4H6',
  draw: 'M4 9h16M4 15h16',
  first: 'M18 6l-7 6 7 6M6 6v12',
  back: 'M15 5l-8 7 8 7',
  forward: 'M9 5l8 7-8 7',
  last: 'M6 6l7 6-7 6M18 6v12',
  sound: 'M5 9v6h4l5 4V5L9 9zM17 9a4 4 0 0 1 0 6',
  mute: 'M5 9v6h4l5 4V5L9 9zM17 10l4 4M21 10l-4 4',
  help: 'M9.5 9a2.6 2.6 0 1 1 4 2.2c-1 .7-1.5 1.2-1.5 2.3M12 17v.4',
  theme: 'M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z',
  pencil: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  eye: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 12m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  down: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  again: 'M5 12a7 7 0 1 1 2 5M5 20v-4h4',
  heat: 'M12 3c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 0-3-1-5 1-9z',
  more: 'M5 8h14M5 12h14M5 16h14',
};

export function icon(name: keyof typeof PATHS | string): SVGElement {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] ?? '' }));
}

/** The lamp of the header; its beam stands for the visible squares. */
export function lamp(): SVGElement {
  return s(
    'svg',
    { class: 'lamp', viewBox: '0 0 40 28', 'aria-hidden': 'true' },
    s('path', { class: 'beam', d: 'M11 12 40 1v24z' }),
    s('circle', { class: 'light', cx: 10, cy: 12, r: 5 }),
    s('path', { class: 'foot', d: 'M6 20h8l2 7H4z' }),
  );
}

const DOTS: Record<string, [number, number][]> = {
  P: [[12, 12]],
  N: [
    [7, 7],
    [17, 17],
  ],
  B: [
    [7, 7],
    [12, 12],
    [17, 17],
  ],
  R: [
    [7, 7],
    [7, 17],
    [17, 7],
    [17, 17],
  ],
  Q: [
    [7, 7],
    [7, 17],
    [12, 12],
    [17, 7],
    [17, 17],
  ],
  K: [
    [7, 7],
    [7, 12],
    [7, 17],
    [17, 7],
    [17, 12],
    [17, 17],
  ],
};

/** A die's face: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king (Chakrian et al.). */
export function pips(letter: string): SVGElement {
  return s(
    'svg',
    { class: 'pips', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    ...(DOTS[letter.toUpperCase()] ?? []).map(([cx, cy]) => s('circle', { cx, cy, r: 2.4 })),
  );
}
