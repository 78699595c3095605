// Where statements are marked on a tide: on the surface at their time, those of
// one place above each other; very many are counted. Pure; pixels.

import type { Tide, TideStatement } from '../api/types.gen';
import { above } from './scale';
import type { Scale, Steps } from './tide';
import type { Axis } from './tideAxis';

/** A mark, by its position in the list of statements. */
export interface Mark {
  i: number;
  x: number;
  y: number;
}

/** Statements that are too many to be marked one by one. */
export interface Cluster {
  x: number;
  y: number;
  from: number;
  to: number;
  all: number[];
  /** They are those that a stack has no room for, beside the marks in it. */
  rest: boolean;
}

export interface Marks {
  marks: Mark[];
  clusters: Cluster[];
}

/** The middle of a mark is so far above the surface. */
const over = 5;
/** From one mark to the one above it. */
const pitch = 12;
/** Marks nearer than this touch each other. */
const touching = 8;
/** So many are looked at for one that touches. */
const mostNear = 40;
/** A stack of marks is so high at most; what is above is counted. */
const highest = 4;
/** More are counted, column by column. */
export const mostMarks = 400;
export const column = 24;

/** The place of a statement on the axis: its time, or between two calls. */
export function markPlace(s: Pick<TideStatement, 'at' | 'call'>, scale: Scale): number {
  return scale === 'time' ? s.at : s.call + 0.5;
}

/** Where and how the chart stands. */
export interface Ground {
  scale: Scale;
  axis: Axis;
  steps: Steps;
  /** Places of the steps on the axis. */
  places: ArrayLike<number>;
  width: number;
  /** The pixel of a level, and the highest that a mark may have. */
  y: (level: number) => number;
  top: number;
}

/** The marks that lie in the chart. */
export function marksOf(statements: readonly TideStatement[], ground: Ground): Marks {
  const seen = statements.flatMap((s, i) => {
    const place = markPlace(s, ground.scale);
    const x = ground.axis.x(place);
    return x < 0 || x > ground.width ? [] : [{ i, x, level: ground.y(levelAt(ground, place)) }];
  }).toSorted((a, b) => a.x - b.x || a.i - b.i);
  if (seen.length > mostMarks) return { marks: [], clusters: clustersOf(seen, ground.top) };
  const marks: Mark[] = [];
  const clusters: Cluster[] = [];
  for (const { i, x, level } of seen) {
    let y = level - over;
    // Upwards past those that it would touch; beside a fall others are far above.
    const near = marks.slice(Math.max(0, marks.length - mostNear)).filter((m) => x - m.x < touching);
    let passed = 0;
    for (const m of near.toSorted((a, b) => b.y - a.y)) {
      if (Math.abs(m.y - y) >= pitch) continue;
      y = m.y - pitch;
      passed++;
    }
    if (passed === 0 || (passed < highest && y >= ground.top)) marks.push({ i, x, y: Math.max(y, ground.top) });
    else addRest(clusters, i, x, Math.max(y, ground.top));
  }
  return { marks, clusters };
}

/** Counts one that a stack has no room for, with those beside it. */
function addRest(clusters: Cluster[], i: number, x: number, y: number): void {
  const last = clusters.at(-1);
  if (last && x < last.to) {
    last.all.push(i);
    last.y = Math.min(last.y, y);
  } else clusters.push({ x, y, from: x - column / 2, to: x + column / 2, all: [i], rest: true });
}

function levelAt({ steps, places }: Ground, place: number): number {
  const n = above(places, place) - 1;
  return n < 0 ? 0 : (steps.level[n] ?? 0);
}

function clustersOf(seen: readonly { i: number; x: number; level: number }[], top: number): Cluster[] {
  const out: Cluster[] = [];
  for (const { i, x, level } of seen) {
    const from = Math.floor(x / column) * column;
    const last = out.at(-1);
    if (last?.from === from) {
      last.all.push(i);
      last.y = Math.max(top, Math.min(last.y, level - over));
    } else out.push({ x: from + column / 2, y: Math.max(top, level - over), from, to: from + column, all: [i], rest: false });
  }
  return out;
}

/** The mark under a pixel, -1 where there is none. The one drawn last lies above. */
export function markAt(marks: readonly Mark[], x: number, y: number): number {
  const found = marks.findLast((m) => Math.abs(m.x - x) <= 6 && Math.abs(m.y - y) <= 6);
  return found?.i ?? -1;
}

/** The cluster of a column of pixels near its mark. */
export function clusterAt(clusters: readonly Cluster[], x: number, y: number): Cluster | undefined {
  return clusters.find((c) => x >= c.from && x < c.to && Math.abs(y - c.y) <= 12);
}

/** The statements that were said between the call before and this one, from the surface up. */
export function saidBefore(tide: Pick<Tide, 'statements'>, call: number): number[] {
  return tide.statements.flatMap((s, i) => (s.call === call ? [i] : []));
}

/** How many of each tag. */
export function tally(statements: readonly Pick<TideStatement, 'tag'>[]): { tag: string; n: number }[] {
  return ['W', 'B', 'O'].map((tag) => ({ tag, n: statements.filter((s) => s.tag === tag).length })).filter(({ n }) => n > 0);
}
