// Which steps are drawn: as few as give the same picture. Pure.

import { above } from './scale';
import type { Steps } from './tide';
import type { Axis } from './tideAxis';

/** A step that is drawn. */
export interface Drawn {
  x: number;
  step: number;
}

/**
 * Chooses of each column of pixels the first, the lowest, the highest and the
 * last step, and both sides of each fall and of each change between recorded
 * and not. One step beyond each edge is among them.
 */
export function decimate(steps: Steps, places: Float64Array, axis: Axis): Drawn[] {
  const first = Math.max(0, above(places, axis.span.from) - 1);
  const end = Math.min(steps.length, above(places, axis.span.to) + 1);
  const out: Drawn[] = [];
  let column = -Infinity;
  let begin = first;
  const close = (to: number): void => {
    if (to > begin) keep(out, steps, places, axis, begin, to);
    begin = to;
  };
  let piece = 0;
  for (let i = first; i < end; i++) {
    const place = places[i] ?? 0;
    while (piece + 1 < axis.pieces.length && place >= (axis.pieces[piece + 1]?.from ?? Infinity)) piece++;
    const p = axis.pieces[piece];
    const x = !p || p.to <= p.from ? (p?.x0 ?? 0) : p.x0 + ((place - p.from) / (p.to - p.from)) * (p.x1 - p.x0);
    const here = Math.floor(x);
    if (here !== column) close(i);
    column = here;
  }
  close(end);
  return out;
}

function keep(out: Drawn[], steps: Steps, places: Float64Array, axis: Axis, from: number, to: number): void {
  let [lowest, highest] = [from, from];
  for (let i = from; i < to; i++) {
    if ((steps.level[i] ?? 0) < (steps.level[lowest] ?? 0)) lowest = i;
    if ((steps.level[i] ?? 0) > (steps.level[highest] ?? 0)) highest = i;
  }
  for (let i = from; i < to; i++) {
    const edge = i === from || i === to - 1 || i === lowest || i === highest;
    const turn = (steps.fall[i] ?? -1) >= 0 || (steps.fall[i + 1] ?? -1) >= 0 || steps.known[i] !== steps.known[i + 1] || steps.known[i] !== steps.known[i - 1];
    if (edge || turn) out.push({ step: i, x: axis.x(places[i] ?? 0) });
  }
}

/** The call that lies nearest to a pixel, -1 where there is none. Places are sorted. */
export function nearest(places: ArrayLike<number>, axis: Axis, x: number): number {
  const n = above(places, axis.place(x));
  if (places.length === 0) return -1;
  if (n === 0) return 0;
  if (n === places.length) return n - 1;
  return x - axis.x(places[n - 1] ?? 0) <= axis.x(places[n] ?? 0) - x ? n - 1 : n;
}
