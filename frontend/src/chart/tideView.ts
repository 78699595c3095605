// What of a tide is looked at, and which labels have room. Pure.

import { above } from './scale';
import type { Span } from './tideAxis';

/** Nearer than this nothing is to be seen. */
const closest = 10_000;

/** The whole of some moments in milliseconds; a single one has time around it. */
export function wholeOf(at: ArrayLike<number>): Span {
  const [from, to] = [at[0] ?? 0, at[at.length - 1] ?? 0];
  if (to - from < 1000) return { from: from - 300_000, to: to + 300_000 };
  return { from, to };
}

/** A span no wider than the whole and inside of it, no closer than can be seen. */
export function inside(span: Span, whole: Span): Span {
  const most = whole.to - whole.from;
  const size = Math.min(most, Math.max(Math.min(closest, most), span.to - span.from));
  const middle = (span.from + span.to) / 2;
  const from = Math.min(Math.max(middle - size / 2, whole.from), whole.to - size);
  return { from: Math.round(from), to: Math.round(from + size) };
}

/** Zooms by a factor, below 1 towards a place, which stays where it is. */
export function zoomed(span: Span, whole: Span, factor: number, around: number): Span | null {
  const from = around - (around - span.from) * factor;
  const to = around + (span.to - around) * factor;
  return to - from >= whole.to - whole.from ? null : inside({ from, to }, whole);
}

/** The span moved so that a place lies in it, in its middle where it did not. */
export function showing(span: Span, whole: Span, place: number): Span {
  if (place >= span.from && place <= span.to) return span;
  const half = (span.to - span.from) / 2;
  return inside({ from: place - half, to: place + half }, whole);
}

/** A span of moments as a span of numbers of calls, with half a call of room. */
export function turnsOf(at: ArrayLike<number>, span: Span | null): Span {
  if (!span) return { from: 0.5, to: at.length + 0.5 };
  const first = above(at, span.from - 1);
  const last = Math.max(first + 1, above(at, span.to));
  return { from: first + 0.5, to: last + 0.5 };
}

/** And back: the moments of the calls of a span of numbers. */
export function momentsOf(at: ArrayLike<number>, turns: Span): Span | null {
  const first = Math.max(0, Math.ceil(turns.from) - 1);
  const last = Math.min(at.length - 1, Math.floor(turns.to) - 1);
  const [from, to] = [at[first], at[last]];
  return from === undefined || to === undefined || to <= from ? null : { from, to };
}

/** A span as it stands in the URL, and back. */
export function zoomText(span: Span | null): string {
  return span ? `${Math.round(span.from)}-${Math.round(span.to)}` : '';
}

export function parseZoom(text: string): Span | null {
  const m = /^(\d{1,15})-(\d{1,15})$/.exec(text);
  const [from, to] = [Number(m?.[1]), Number(m?.[2])];
  return m && from < to ? { from, to } : null;
}

/** How much of a label of a fall is written. */
export type Label = { x: number; end: boolean; form: 'full' | 'short' | 'none' };

/**
 * Places labels at sorted pixels so that none touches another: whole where
 * there is room before the next one, else short; those that a label covers
 * have none. One that would leave the right edge ends at its place.
 */
export function placeLabels(xs: readonly number[], width: number, full: number, short: number): Label[] {
  let free = -Infinity;
  return xs.map((x, i) => {
    const next = xs[i + 1] ?? Infinity;
    for (const [form, wide] of [['full', full], ['short', short]] as const) {
      const end = x + wide > width;
      const [from, to] = end ? [x - wide, x] : [x, x + wide];
      if (from < free || x < 0 || x > width || (form === 'full' && to > next && next <= width)) continue;
      free = to + gap;
      return { x, end, form };
    }
    return { x, end: false, form: 'none' };
  });
}

/** Between two labels, so that they read as two. */
const gap = 8;
