// Which lines of a conversation are drawn and held. Pure.

import type { Heights } from './heights';

/** Entries that are asked for at once: a screen shows ten to thirty of them. */
export const stretch = 200;
/** Stretches that are held: those around the screen, and room to turn back. */
export const most = 12;
/** Pixels beside the screen that are drawn too, so that no flick shows a gap. */
const spare = 500;

/** Lines from one, to before another. */
export interface Span {
  from: number;
  to: number;
}

/** The first line on screen and where its top lies, in pixels from the screen's. */
export interface Anchor {
  index: number;
  offset: number;
}

/** The lines to draw where the screen shows top to bottom, in pixels from the first. */
export function drawn(heights: Heights, top: number, bottom: number): Span {
  if (heights.count === 0) return { from: 0, to: 0 };
  return { from: heights.at(Math.max(0, top - spare)), to: Math.min(heights.count, heights.at(Math.max(0, bottom + spare)) + 1) };
}

export function anchorAt(heights: Heights, top: number): Anchor {
  const index = heights.at(Math.max(0, top));
  return { index, offset: heights.before(index) - top };
}

/** Where the screen's top must be for the anchor to stay where it is. */
export function topFor(heights: Heights, anchor: Anchor): number {
  return heights.before(anchor.index) - anchor.offset;
}

/** The stretches of a span, the nearest to its middle first. */
export function stretchesOf(span: Span): number[] {
  if (span.to <= span.from) return [];
  const [first, last] = [Math.floor(span.from / stretch), Math.floor((span.to - 1) / stretch)];
  const middle = (span.from + span.to) / 2 / stretch - 0.5;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
}

/** A span with the half stretches beside it, which are wanted next. */
export function near(span: Span, total: number): Span {
  return { from: Math.max(0, span.from - stretch / 2), to: Math.min(total, span.to + stretch / 2) };
}

/** The stretches to let go of: the farthest from the span, of those over the limit. */
export function surplus(held: readonly number[], span: Span): number[] {
  const middle = (span.from + span.to) / 2 / stretch - 0.5;
  return held.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle)).slice(most);
}
