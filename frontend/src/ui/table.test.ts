import { describe, expect, it } from 'vitest';
import { ariaSort, drawAll, fitColumns, nextSort, sliceOf, step, type Column } from './table';

const column = (key: string, width: number, rank: number): Column => ({ key, label: key, width, rank });
const columns = [column('title', 300, 0), column('a', 100, 3), column('b', 100, 1), column('c', 100, 2)];

describe('fitColumns', () => {
  it.each([[2000, 'title a b c'], [500, 'title a b c'], [499, 'title b c'], [399, 'title b'], [299, 'title'], [0, 'title']])('in %d pixels: %s', (width, want) => {
    expect(fitColumns(columns, width).map((c) => c.key).join(' ')).toBe(want);
  });
  it('of nothing is nothing', () => expect(fitColumns([], 100)).toEqual([]));
});

describe('sliceOf', () => {
  it('draws all of a few', () => expect(sliceOf(drawAll, 48, 0, 500)).toEqual({ from: 0, to: drawAll }));
  it('draws a screenful before a row was measured', () => expect(sliceOf(20_000, 0, 0, 500)).toEqual({ from: 0, to: 40 }));
  it('covers what is on screen, wherever that is', () => {
    for (let top = -5000; top < 60_000; top += 137) {
      const { from, to } = sliceOf(1000, 48, top, top + 800);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(1000);
      expect(to - from).toBeLessThan(60);
      const seen = Math.min(999, Math.max(0, Math.floor((top + 400) / 48)));
      if (top >= 0 && top <= 47_200) expect(from <= seen && seen < to, String(top)).toBe(true);
    }
  });
});

describe('sorting', () => {
  it('begins with the largest number and the first letter', () => {
    expect(nextSort('', { key: 'cost', numeric: true })).toBe('-cost');
    expect(nextSort('-cost', { key: 'cost', numeric: true })).toBe('cost');
    expect(nextSort('cost', { key: 'cost', numeric: true })).toBe('-cost');
    expect(nextSort('-cost', { key: 'title' })).toBe('title');
    expect(nextSort('title', { key: 'title' })).toBe('-title');
  });
  it('is told to screen readers', () => {
    expect([ariaSort('a', 'a'), ariaSort('-a', 'a'), ariaSort('b', 'a')]).toEqual(['ascending', 'descending', undefined]);
  });
});

describe('step', () => {
  it.each([[0, 1, 3, 1], [2, 1, 3, 2], [0, -1, 3, 0], [-1, 1, 3, 0], [1, Infinity, 3, 2], [1, -Infinity, 3, 0], [0, 1, 0, -1]])('from %d by %d of %d', (now, by, rows, want) => {
    expect(step(now, by, rows)).toBe(want);
  });
});
