// The axis across: linear, but for idle time, which is folded. Pure; pixels.

import { above } from './scale';

/** Two places of the domain: milliseconds, or numbers of calls. */
export interface Span {
  from: number;
  to: number;
}

/** A part of the axis in which the scale is linear. */
export interface Piece extends Span {
  x0: number;
  x1: number;
  /** It is idle time, torn out. */
  fold: boolean;
}

export interface Axis {
  pieces: Piece[];
  width: number;
  span: Span;
  /** Place to pixel; outside of the span it goes on beyond the edges. */
  x: (place: number) => number;
  /** Pixel to place. */
  place: (x: number) => number;
}

/** Shorter pauses are part of the work. */
export const idleLeast = 30 * 60_000;
/** A pause that takes less of the axis may stay. */
export const idleShare = 0.08;
/** As wide as a line of text that stands upright, and two torn edges. */
export const foldWidth = 22;
/** What stays of a pause on both sides: the level is seen to go on. */
export const shore = 5 * 60_000;

/** The pauses of a span that are folded. Places are sorted. */
export function foldsOf(at: ArrayLike<number>, span: Span): Span[] {
  const least = Math.max(idleLeast, (span.to - span.from) * idleShare);
  const out: Span[] = [];
  const end = Math.min(at.length, above(at, span.to) + 1);
  for (let i = Math.max(1, above(at, span.from)); i < end; i++) {
    const from = Math.max(at[i - 1] ?? 0, span.from);
    const to = Math.min(at[i] ?? 0, span.to);
    if (to - from > least) out.push({ from: from + shore, to: to - shore });
  }
  return out;
}

/** Makes the axis. Folds take half of the width at most. */
export function axisOf(span: Span, width: number, folds: readonly Span[] = []): Axis {
  const fold = folds.length === 0 ? 0 : Math.min(foldWidth, width / 2 / folds.length);
  const open = span.to - span.from - folds.reduce((s, f) => s + f.to - f.from, 0);
  const rate = open > 0 ? (width - fold * folds.length) / open : 0;
  const pieces: Piece[] = [];
  let from = span.from;
  let x = 0;
  const put = (to: number, wide: number, folded: boolean): void => {
    pieces.push({ from, to, x0: x, x1: x + wide, fold: folded });
    from = to;
    x += wide;
  };
  for (const f of folds) {
    put(f.from, (f.from - from) * rate, false);
    put(f.to, fold, true);
  }
  put(span.to, Math.max(0, width - x), false);
  return { pieces, width, span, x: (place) => forth(pieces, place), place: (px) => back(pieces, px) };
}

function forth(pieces: readonly Piece[], place: number): number {
  let p = pieces[0];
  for (const q of pieces) if (place >= q.from) p = q;
  if (!p) return 0;
  return p.to > p.from ? p.x0 + ((place - p.from) / (p.to - p.from)) * (p.x1 - p.x0) : p.x0;
}

function back(pieces: readonly Piece[], x: number): number {
  let p = pieces[0];
  for (const q of pieces) if (x >= q.x0) p = q;
  if (!p) return 0;
  return p.x1 > p.x0 ? p.from + ((x - p.x0) / (p.x1 - p.x0)) * (p.to - p.from) : p.from;
}

export interface Tick {
  at: number;
  x: number;
  /** What its label names. */
  unit: 'day' | 'minute' | 'second' | 'call';
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** What people count time in. */
const paces = [
  second, 2 * second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
  hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day, 364 * day,
];

/**
 * Ticks at round hours and days of a zone, whose offset in milliseconds is
 * given by offset. Labels of the given width do not touch; none lies in a fold.
 */
export function timeTicks(axis: Axis, label: number, offset: (at: number) => number): Tick[] {
  const open = axis.pieces.filter((p) => !p.fold && p.x1 > p.x0 && p.to > p.from);
  const rate = Math.max(0, ...open.map((p) => (p.x1 - p.x0) / (p.to - p.from)));
  if (rate <= 0) return [];
  const pace = paces.find((s) => s * rate >= label) ?? 364 * day * Math.ceil(label / (364 * day * rate));
  const out: Tick[] = [];
  for (const p of open) {
    for (let wall = Math.ceil((p.from + offset(p.from)) / pace) * pace; ; wall += pace) {
      const at = wall - offset(wall - offset(p.from));
      if (at > p.to) break;
      const x = axis.x(at);
      if (at < p.from || x - (out.at(-1)?.x ?? -Infinity) < label * 0.8) continue;
      out.push({ at, x, unit: wall % day === 0 ? 'day' : pace < minute ? 'second' : 'minute' });
    }
  }
  return out;
}

/** Ticks at round numbers of calls. */
export function turnTicks(axis: Axis, label: number): Tick[] {
  const least = ((axis.span.to - axis.span.from) / Math.max(1, axis.width)) * label;
  let pace = 1;
  for (let i = 0; pace < least; i++) pace = ([1, 2, 5][i % 3] ?? 1) * 10 ** Math.floor(i / 3);
  const out: Tick[] = [];
  for (let at = Math.max(pace === 1 ? 1 : pace, Math.ceil(axis.span.from / pace) * pace); at <= axis.span.to; at += pace) out.push({ at, x: axis.x(at), unit: 'call' });
  return out;
}
