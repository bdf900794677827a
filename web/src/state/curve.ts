/** SVG paths of value curves and rating plots. */

export interface Frame {
  width: number;
  height: number;
  pad: number;
}

export interface Range {
  low: number;
  high: number;
}

export function rangeOf(values: readonly number[], least = 1): Range {
  const low = Math.min(...values, 0);
  const high = Math.max(...values, 0);
  const slack = Math.max(0, least - (high - low)) / 2;
  return { low: low - slack, high: high + slack };
}

/** The vertical coordinate of a value. */
export const level = (value: number, range: Range, frame: Frame): number =>
  frame.pad + ((range.high - value) / (range.high - range.low)) * (frame.height - 2 * frame.pad);

/** The horizontal coordinate of an index. */
export const across = (x: number, from: number, to: number, frame: Frame): number =>
  frame.pad + (to === from ? 0 : (x - from) / (to - from)) * (frame.width - 2 * frame.pad);

/** An SVG path through points; a `null` breaks the line. */
export function path(
  points: readonly (readonly [number, number | null])[],
  from: number,
  to: number,
  range: Range,
  frame: Frame,
): string {
  let pen = 'M';
  let text = '';
  for (const [x, y] of points) {
    if (y === null) {
      pen = 'M';
      continue;
    }
    text += `${pen}${across(x, from, to, frame).toFixed(1)} ${level(y, range, frame).toFixed(1)}`;
    pen = 'L';
  }
  return text;
}
