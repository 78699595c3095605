// Paints the water of a tide. What it draws on and its colours come in.

import type { Height, Steps } from './tide';
import type { Axis } from './tideAxis';
import { decimate } from './tideDraw';

/** Colours as CSS has them; they are read when it is painted, so that they are those of the theme. */
export interface Colours {
  water: string;
  surface: string;
  line: string;
  hatch: string;
  strong: string;
  ground: string;
}

/** Where the water stands, in CSS pixels. */
export interface Plot {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Picture {
  steps: Steps;
  places: Float64Array;
  axis: Axis;
  height: Height;
  plot: Plot;
  window: number | null;
  threshold: number | null;
  /** Superseded falls: where, from and to which level. */
  superseded: readonly { place: number; before: number; after: number }[];
  /** Draws lines of the axis beneath the water. */
  grid: boolean;
}

/** A level that was never known is a block of this height: it is not to scale. */
const unknownHeight = 14;
/** From so many steps a pixel on, a thinner surface lets the water be seen. */
const dense = 1.5;
/** A single call has no length: so much of its level is drawn. */
const stub = 24;

export function paintTide(ctx: CanvasRenderingContext2D, p: Picture, colours: Colours): void {
  const y = (level: number): number => p.plot.y + p.plot.height * (1 - level / p.height.top);
  ctx.save();
  if (p.grid) for (const v of p.height.lines) across(ctx, p.plot, y(v), v === 0 ? colours.strong : colours.line);
  ctx.beginPath();
  ctx.rect(p.plot.x, 0, p.plot.width, p.plot.y + p.plot.height);
  ctx.clip();
  water(ctx, p, y, colours);
  dashedFalls(ctx, p, y, colours);
  for (const piece of p.axis.pieces) if (piece.fold) fold(ctx, p.plot, p.plot.x + piece.x0, p.plot.x + piece.x1, colours);
  ctx.restore();
  if (p.window !== null) across(ctx, p.plot, y(p.window), colours.hatch);
  if (p.threshold !== null) across(ctx, p.plot, y(p.threshold), colours.hatch, [1.5, 4]);
}

function across(ctx: CanvasRenderingContext2D, plot: Plot, y: number, colour: string, dash: number[] = []): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.setLineDash(dash);
  ctx.beginPath();
  ctx.moveTo(plot.x, Math.round(y) + 0.5);
  ctx.lineTo(plot.x + plot.width, Math.round(y) + 0.5);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** Runs of recorded levels are water, others are hatched. */
function water(ctx: CanvasRenderingContext2D, p: Picture, y: (level: number) => number, colours: Colours): void {
  const drawn = decimate(p.steps, p.places, p.axis);
  const base = p.plot.y + p.plot.height;
  const at = (i: number): number => p.plot.x + (drawn[i]?.x ?? 0);
  const known = (i: number): boolean => p.steps.known[drawn[i]?.step ?? 0] === 1;
  const level = (i: number): number => Math.min(y(p.steps.level[drawn[i]?.step ?? 0] ?? 0), known(i) ? base : base - unknownHeight);
  const thick = drawn.length > p.plot.width * dense ? 0.6 : 1.75;
  for (let from = 0; from < drawn.length; ) {
    let to = from + 1;
    while (to < drawn.length && known(to) === known(from)) to++;
    const end = to < drawn.length ? at(to) : at(to - 1) + (p.steps.length === 1 ? stub : 0);
    const body = new Path2D();
    const top = new Path2D();
    body.moveTo(at(from), base);
    if (from > 0) top.moveTo(at(from), level(from - 1));
    else top.moveTo(at(from), level(from));
    for (let i = from; i < to; i++) {
      const x1 = i + 1 < to ? at(i + 1) : end;
      for (const path of [body, top]) {
        path.lineTo(at(i), level(i));
        path.lineTo(x1, level(i));
      }
    }
    body.lineTo(end, base);
    body.closePath();
    if (known(from)) {
      ctx.fillStyle = colours.water;
      ctx.fill(body); // oxlint-disable-line unicorn/no-array-fill-with-reference-type
    } else hatch(ctx, body, p.plot, colours);
    ctx.strokeStyle = known(from) ? colours.surface : colours.hatch;
    ctx.lineWidth = known(from) ? thick : 1;
    ctx.lineJoin = 'miter';
    ctx.setLineDash(known(from) ? [] : [4, 3]);
    ctx.stroke(top);
    ctx.setLineDash([]);
    from = to;
  }
}

function hatch(ctx: CanvasRenderingContext2D, body: Path2D, plot: Plot, colours: Colours): void {
  ctx.save();
  ctx.clip(body);
  ctx.strokeStyle = colours.hatch;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = plot.x - plot.height; x < plot.x + plot.width; x += 6) {
    ctx.moveTo(x, plot.y + plot.height);
    ctx.lineTo(x + plot.height, plot.y);
  }
  ctx.stroke();
  ctx.restore();
}

function dashedFalls(ctx: CanvasRenderingContext2D, p: Picture, y: (level: number) => number, colours: Colours): void {
  ctx.strokeStyle = colours.surface;
  ctx.lineWidth = 1.25;
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  for (const f of p.superseded) {
    const x = Math.round(p.plot.x + p.axis.x(f.place)) + 0.5;
    ctx.moveTo(x, y(f.before));
    ctx.lineTo(x, y(f.after));
  }
  ctx.stroke();
  ctx.setLineDash([]);
}

/** Two torn edges with nothing between them. */
function fold(ctx: CanvasRenderingContext2D, plot: Plot, x0: number, x1: number, colours: Colours): void {
  ctx.fillStyle = colours.ground;
  ctx.fillRect(x0, plot.y - 12, x1 - x0, plot.height + 12);
  ctx.strokeStyle = colours.strong;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const x of [x0 + 1, x1 - 1]) {
    for (let y = plot.y - 12, side = 1; y <= plot.y + plot.height; y += 4, side = -side) {
      if (y === plot.y - 12) ctx.moveTo(x + side * 1.5, y);
      else ctx.lineTo(x + side * 1.5, y);
    }
  }
  ctx.stroke();
}

/** Reads the colours of the theme where an element stands. */
export function coloursOf(element: Element): Colours {
  const css = getComputedStyle(element);
  const of = (name: string): string => css.getPropertyValue(name).trim();
  return { water: of('--water'), surface: of('--surface'), line: of('--line'), hatch: of('--ink-2'), strong: of('--line-strong'), ground: of('--bg-canvas') };
}

/** Prepares a canvas of a size in CSS pixels, as sharp as the screen. */
export function sharp(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.setProperty('--w', `${width}px`);
  canvas.style.setProperty('--h', `${height}px`);
  const ctx = canvas.getContext('2d');
  ctx?.scale(ratio, ratio);
  return ctx;
}
