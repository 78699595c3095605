// Where the bars of a stacked chart lie. Pure; pixels, from the top left.

import { labelled, ticks, upwards } from './scale';

/** What one bar shows: two known parts, and a count that has no height. */
export interface BarValue {
  asked: number;
  background: number;
  unknown: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Bar {
  /** The column that the pointer hits. */
  hit: Box;
  asked: Box;
  background: Box;
  /** The hatched block, null where nothing is unknown. */
  unknown: Box | null;
}

export interface Layout {
  bars: Bar[];
  grid: { value: number; y: number }[];
  /** The bars that have a label on the axis. */
  labels: number[];
  plot: Box;
  /** Where the limit lies, null where there is none. */
  limit: number | null;
}

/** The room around the plot; the top holds the hatched block of the tallest bar. */
const margin = { left: 48, right: 16, top: 24, bottom: 24 };
/** The hatched block has a fixed height: it is not to scale. */
export const unknownHeight = 14;
/** One pixel lets two blocks be told apart without colour. */
const seam = 1;
/** Wider bars look like areas. */
const widest = 40;
/** A sum that is not zero must be seen. */
const lowest = 1;

/** Lays out bars in a frame of the given size; the axis reaches a limit, too. */
export function layoutBars(values: readonly BarValue[], size: { width: number; height: number }, labelWidth: number, limit = 0): Layout {
  const plot: Box = {
    x: margin.left, y: margin.top,
    width: Math.max(1, size.width - margin.left - margin.right),
    height: Math.max(1, size.height - margin.top - margin.bottom),
  };
  const lines = ticks(Math.max(0, limit, ...values.map((v) => v.asked + v.background)));
  const y = upwards(lines.at(-1) ?? 1, plot.height);
  const slot = plot.width / Math.max(1, values.length);
  return {
    plot,
    grid: lines.map((value) => ({ value, y: plot.y + y(value) })),
    bars: values.map((v, i) => bar(v, plot, slot, i, (value) => plot.height - y(value))),
    labels: labelled(values.length, slot, labelWidth),
    limit: limit > 0 ? plot.y + y(limit) : null,
  };
}

function bar(value: BarValue, plot: Box, slot: number, i: number, heightOf: (value: number) => number): Bar {
  const width = Math.min(widest, Math.max(1, slot * 0.65));
  const x = plot.x + i * slot + (slot - width) / 2;
  const base = plot.y + plot.height;
  const seen = (v: number): number => (v > 0 ? Math.max(lowest, heightOf(v)) : 0);
  const asked = stack(x, width, base, seen(value.asked));
  const background = stack(x, width, gapAbove(asked, base), seen(value.background));
  const top = background.height > 0 ? background : asked;
  const unknown = value.unknown > 0 ? stack(x, width, gapAbove(top, base), unknownHeight) : null;
  return { hit: { x: plot.x + i * slot, y: 0, width: slot, height: base }, asked, background, unknown };
}

function stack(x: number, width: number, bottom: number, height: number): Box {
  return { x, y: bottom - height, width, height };
}

/** Where the next block above one stands. */
function gapAbove(box: Box, base: number): number {
  return box.height > 0 ? box.y - seam : base;
}

/** The bar at a place, -1 outside of the plot. */
export function barAt(x: number, layout: Layout): number {
  const { plot, bars } = layout;
  if (bars.length === 0 || x < plot.x || x >= plot.x + plot.width) return -1;
  return Math.min(bars.length - 1, Math.floor(((x - plot.x) / plot.width) * bars.length));
}
