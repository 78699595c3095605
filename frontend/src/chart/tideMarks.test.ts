import { describe, expect, it } from 'vitest';
import type { Tide, TideStatement } from '../api/types.gen';
import { stepsOf, type Scale } from './tide';
import { axisOf } from './tideAxis';
import { clusterAt, column, markAt, marksOf, mostMarks, saidBefore, tally, type Ground } from './tideMarks';

const said = (at: number, call: number, more: Partial<TideStatement> = {}): TideStatement => ({ id: `${at}`, at, tag: 'W', state: 'live', text: '', entry: '', call, ...more });
function tideOf(points: readonly (readonly [at: number, sent: number])[], statements: TideStatement[]): Tide {
  const zeros = points.map(() => 0);
  return {
    at: points.map((p) => p[0]), input: points.map((p) => p[1]), cacheRead: zeros, cacheWrite: zeros, output: zeros, usd: [], background: [], entry: [],
    falls: [], window: null, windowSource: '', threshold: null, used: null, statements,
  };
}
function groundOf(tide: Tide, scale: Scale = 'time', width = 1000): Ground {
  const steps = stepsOf(tide);
  const [from, to] = [tide.at[0] ?? 0, tide.at.at(-1) ?? 0];
  const axis = scale === 'time' ? axisOf({ from, to }, width) : axisOf({ from: 0.5, to: tide.at.length + 0.5 }, width);
  return { scale, axis, steps, places: scale === 'time' ? steps.at : steps.turn, width, y: (level) => 200 - level, top: 10 };
}

describe('marksOf', () => {
  it('rests on the level of its time, and stacks where marks touch', () => {
    const tide = tideOf([[0, 50], [500, 100], [1000, 120]], [said(100, 1), said(103, 1), said(106, 1), said(600, 2)]);
    expect(marksOf(tide.statements, groundOf(tide)).marks).toEqual([{ i: 0, x: 100, y: 145 }, { i: 1, x: 103, y: 133 }, { i: 2, x: 106, y: 121 }, { i: 3, x: 600, y: 95 }]);
  });

  it('stands on the low side of a fall, whatever stood above it before', () => {
    const fallen = { at: 500, kind: 'compaction', entry: 'f', before: 180, after: 20, superseded: false, reason: '', call: 1 };
    const tide = { ...tideOf([[0, 180], [1000, 40]], [said(498, 1), said(502, 1)]), falls: [fallen] };
    expect(marksOf(tide.statements, groundOf(tide)).marks.map((m) => m.y)).toEqual([15, 175]);
  });

  it('stacks a few and counts the rest, never leaves the chart, and leaves out what is not in it', () => {
    const tide = tideOf([[0, 150], [1000, 150]], [said(-50, 0), ...Array.from({ length: 30 }, () => said(500, 1)), said(1500, 2)]);
    const { marks, clusters } = marksOf(tide.statements, groundOf(tide));
    expect(marks.map((m) => m.y)).toEqual([45, 33, 21]);
    expect(clusters).toMatchObject([{ x: 500, y: 10, rest: true, all: Array.from({ length: 27 }, (_, i) => i + 4) }]);
  });

  it('lies between two calls where calls are counted', () => {
    const tide = tideOf([[0, 50], [500, 100]], [said(100, 1)]);
    expect(marksOf(tide.statements, groundOf(tide, 'turns')).marks).toEqual([{ i: 0, x: 500, y: 145 }]);
  });

  it('counts very many, each once', () => {
    const statements = Array.from({ length: mostMarks + 200 }, (_, i) => said(i * 1.6, 1));
    const tide = tideOf([[0, 50], [1000, 60]], statements);
    const { marks, clusters } = marksOf(statements, groundOf(tide));
    expect(marks).toEqual([]);
    expect(clusters.flatMap((c) => c.all).toSorted((a, b) => a - b)).toEqual(statements.map((_, i) => i));
    expect(clusters.every((c, i) => i === 0 || c.from - (clusters[i - 1]?.from ?? 0) >= column)).toBe(true);
    expect(clusterAt(clusters, 30, (clusters[1]?.y ?? 0) + 4)).toBe(clusters[1]);
    expect(clusterAt(clusters, 30, 0)).toBeUndefined();
  });
});

describe('marks', () => {
  it('are found under the pointer, the one above first', () => {
    const marks = [{ i: 4, x: 100, y: 50 }, { i: 7, x: 104, y: 52 }];
    expect([markAt(marks, 103, 51), markAt(marks, 95, 50), markAt(marks, 120, 50)]).toEqual([7, 4, -1]);
  });

  it('belong to the call behind them, and are counted by tag', () => {
    const tide = tideOf([], [said(1, 3), said(2, 3, { tag: 'B' }), said(3, 4)]);
    expect(saidBefore(tide, 3)).toEqual([0, 1]);
    expect(tally(tide.statements)).toEqual([{ tag: 'W', n: 2 }, { tag: 'B', n: 1 }]);
  });
});
