import { describe, expect, it } from 'vitest';
import { layoutOf, offsetsOf, placeOf } from './grouped';

const sizes = { head: 32, row: 48 };

describe('layoutOf', () => {
  it('draws few rows all', () => expect(layoutOf([3, 1], sizes, 5000, 6000)).toEqual({ parts: [{ group: 0, from: 0, to: 3 }, { group: 1, from: 0, to: 1 }], above: 0, below: 0 }));

  it('covers the screen, and the rooms and parts add up to the whole', () => {
    const groups = Array.from({ length: 400 }, (_, i) => 1 + ((i * 7919) % 90));
    const end = offsetsOf(groups, sizes).at(-1) ?? 0;
    for (let top = -200; top < end + 400; top += 977) {
      const { parts, above, below } = layoutOf(groups, sizes, top, top + 800);
      const drawn = parts.reduce((n, p) => n + sizes.head + (p.to - p.from) * sizes.row, 0);
      expect(Math.round(above + drawn + below), `at ${top}`).toBe(end);
      expect(above, `at ${top}`).toBeLessThanOrEqual(Math.max(0, top));
      expect(above + drawn, `at ${top}`).toBeGreaterThanOrEqual(Math.min(end, top + 800));
      expect(parts.reduce((n, p) => n + p.to - p.from, 0)).toBeLessThan(120);
    }
  });
});

describe('placeOf', () => {
  it.each([[0, { group: 0, row: 0 }], [2, { group: 0, row: 2 }], [3, { group: 2, row: 0 }], [9, { group: -1, row: -1 }]])('row %d', (row, want) => expect(placeOf([3, 0, 2], row)).toEqual(want));
});
