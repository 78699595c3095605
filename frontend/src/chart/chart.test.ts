import { describe, expect, it } from 'vitest';
import type { CostRow } from '../api/types.gen';
import { barAt, layoutBars, unknownHeight } from './bars';
import { bucketsOf, dearestBucket, startOf, unitFor } from './buckets';
import { csv } from './csv';
import { labelled, ticks, upwards } from './scale';

describe('ticks', () => {
  it.each([
    [0, [0, 1]], [-3, [0, 1]], [Number.NaN, [0, 1]], [Infinity, [0, 1]], [6.75, [0, 2, 4, 6, 8]], [8, [0, 2, 4, 6, 8]], [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]], [110, [0, 50, 100, 150]], [0.0007, [0, 0.0002, 0.0004, 0.0006, 0.0008]],
  ])('%d', (max, want) => expect(ticks(max)).toEqual(want));

  it('cover the maximum with three to five lines for any size', () => {
    for (let max = 1e-7; max < 1e9; max *= 1.13) {
      const t = ticks(max);
      expect(t[0]).toBe(0);
      expect(t.at(-1)).toBeGreaterThanOrEqual(max * (1 - 1e-9));
      expect(t.length - 1).toBeGreaterThanOrEqual(3);
      expect(t.length - 1).toBeLessThanOrEqual(5);
      expect(t.at(-2)).toBeLessThan(max); // no empty band on top
    }
  });
});

describe('scales', () => {
  it('go up from the bottom', () => {
    const y = upwards(8, 100);
    expect([y(0), y(4), y(8), y(-1)]).toEqual([100, 50, 0, 100]);
    expect(upwards(0, 100)(5)).toBe(100);
  });
  it.each([[0, 10, 50, []], [3, 100, 50, [0, 1, 2]], [30, 30, 60, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29]], [5, 0, 50, [4]]])('%d slots of %d', (n, slot, label, want) => {
    expect(labelled(n, slot, label)).toEqual(want);
  });
});

const row = (key: string, usd = 1, more: Partial<CostRow> = {}): CostRow => ({
  key, usd, calls: 1, tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, unpricedCalls: 0, backgroundUsd: 0, ...more,
});

describe('buckets', () => {
  it.each([[1, 'day'], [62, 'day'], [63, 'week'], [434, 'week'], [435, 'month'], [4000, 'month']])('%d days are drawn by %s', (n, unit) => expect(unitFor(n)).toBe(unit));
  it.each([
    ['2026-11-30', 'week', '2026-11-30'], ['2026-12-06', 'week', '2026-11-30'], ['2027-01-01', 'week', '2026-12-28'], ['2026-11-30', 'month', '2026-11-01'], ['2026-11-30', 'day', '2026-11-30'],
  ] as const)('%s lies in the %s of %s', (day, unit, want) => expect(startOf(day, unit)).toBe(want));

  it('fills the days without calls, up to today', () => {
    const { unit, buckets } = bucketsOf([row('2026-11-27'), row('2026-11-29', 2), row('unknown', 9)], { from: '', to: '' }, '2026-11-30');
    expect(unit).toBe('day');
    expect(buckets.map((b) => [b.key, b.usd])).toEqual([['2026-11-27', 1], ['2026-11-28', 0], ['2026-11-29', 2], ['2026-11-30', 0]]);
  });

  it('keeps to the days that were asked for', () => {
    const { buckets } = bucketsOf([], { from: '2026-11-01', to: '2026-11-30' }, '2026-11-30');
    expect(buckets).toHaveLength(30);
    expect(bucketsOf([], { from: '', to: '' }, '2026-11-30').buckets).toHaveLength(1);
    expect(bucketsOf([row('2027-01-02')], { from: '', to: '' }, '2026-12-30').buckets).toHaveLength(1); // a clock ahead
  });

  it('knows the dearest one', () => {
    const { buckets } = bucketsOf([row('2026-11-27'), row('2026-11-28', 3), row('2026-11-29', 2)], { from: '', to: '' }, '2026-11-30');
    expect(dearestBucket(buckets)).toBe(1);
    expect(dearestBucket(bucketsOf([row('2026-11-27', 0, { unpricedCalls: 4 })], { from: '', to: '' }, '2026-11-30').buckets)).toBe(-1);
    expect(dearestBucket([])).toBe(-1);
  });

  it('loses nothing in weeks and months', () => {
    for (const days of [100, 800]) {
      const rows = Array.from({ length: days }, (_, i) => row(new Date(Date.UTC(2024, 1, 27 + i)).toISOString().slice(0, 10), 1, { unpricedCalls: 1, backgroundUsd: 0.5 }));
      const { buckets } = bucketsOf(rows, { from: '', to: '' }, rows.at(-1)?.key ?? '');
      const sum = (of: (b: CostRow) => number): number => buckets.reduce((s, b) => s + of(b), 0);
      expect([sum((b) => b.usd), sum((b) => b.calls), sum((b) => b.unpricedCalls), sum((b) => b.backgroundUsd), sum((b) => b.tokens.cacheWrite)]).toEqual([days, days, days, days / 2, days * 4]);
      expect(buckets[0]?.from).toBe('2024-02-27'); // not the start of its week or month
      buckets.slice(1).forEach((b, i) => expect(Date.parse(b.from) - Date.parse(buckets[i]?.to ?? '')).toBe(86_400_000));
    }
  });
});

describe('layoutBars', () => {
  const size = { width: 664, height: 248 }; // the plot is 600 by 200
  const at = (values: [number, number, number][]) => layoutBars(values.map(([asked, background, unknown]) => ({ asked, background, unknown })), size, 60);

  it('stands on a zero baseline, in proportion', () => {
    const { bars, grid, plot } = at([[4, 0, 0], [8, 0, 0]]);
    expect(plot).toMatchObject({ width: 600, height: 200 });
    expect(bars.map((b) => b.asked.height)).toEqual([100, 200]);
    for (const b of bars) expect(b.asked.y + b.asked.height).toBe(plot.y + plot.height);
    expect(grid.map((g) => g.value)).toEqual([0, 2, 4, 6, 8]);
  });

  it('stacks background on asked, and the unknown at a fixed height on top', () => {
    const [one, two] = at([[4, 4, 3], [8, 0, 3]]).bars;
    expect(one && one.background.y + one.background.height).toBe((one?.asked.y ?? 0) - 1);
    expect(one?.unknown && one.unknown.y + one.unknown.height).toBe((one?.background.y ?? 0) - 1);
    expect([one?.unknown?.height, two?.unknown?.height]).toEqual([unknownHeight, unknownHeight]);
  });

  it('stays in its frame, also where nothing is known', () => {
    for (const values of [[[0, 0, 5]], [[1, 1, 9], [0, 0, 0]], Array.from({ length: 62 }, () => [3, 1, 1])] as [number, number, number][][]) {
      for (const b of at(values).bars) {
        for (const box of [b.asked, b.background, b.unknown].filter((x) => x !== null)) {
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.x).toBeGreaterThanOrEqual(48);
          expect(box.x + box.width).toBeLessThanOrEqual(size.width);
        }
      }
    }
  });

  it('reaches a limit that no bar does, and says where it lies', () => {
    const { limit, plot, bars } = layoutBars([{ asked: 2, background: 0, unknown: 0 }], size, 60, 8);
    expect(limit).toBe(plot.y);
    expect(bars[0]?.asked.height).toBe(50);
    expect(layoutBars([{ asked: 8, background: 0, unknown: 0 }], size, 60, 4).limit).toBe(plot.y + 100);
    expect(at([[1, 0, 0]]).limit).toBeNull();
  });

  it('draws a trace, and nothing for zero', () => {
    const [trace, zero] = at([[0.001, 0, 0], [0, 0, 0], [1000, 0, 0]]).bars;
    expect(trace?.asked.height).toBe(1);
    expect(zero?.asked.height).toBe(0);
    expect(zero?.unknown).toBeNull();
  });

  it('finds the bar under the pointer', () => {
    const layout = at([[1, 0, 0], [1, 0, 0], [1, 0, 0]]);
    expect([barAt(47, layout), barAt(48, layout), barAt(249, layout), barAt(647, layout), barAt(648, layout)]).toEqual([-1, 0, 1, 2, -1]);
    expect(barAt(100, at([]))).toBe(-1);
  });
});

describe('csv', () => {
  it('quotes what needs it and defuses formulas', () => {
    expect(csv(['a', 'b'], [['x,"y"\n', 1.5], ['=HYPERLINK("//x")', null], ['-1', 0]])).toBe('a,b\r\n"x,""y""\n",1.5\r\n"\'=HYPERLINK(""//x"")",\r\n\'-1,0\r\n');
  });
});
