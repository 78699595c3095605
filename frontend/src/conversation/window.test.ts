import { describe, expect, it } from 'vitest';
import { Heights } from './heights';
import { anchorAt, drawn, most, near, stretch, stretchesOf, surplus, topFor } from './window';

/** Numbers that look random and are the same on every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => ((state = (state * 48271) % 2147483647), state % below);
}

describe('heights', () => {
  it.each([1, 2, 3, 4, 5])('agree with a plain sum, whatever order they come in (%i)', (seed) => {
    const roll = dice(seed * 7919);
    const heights = new Heights(500);
    for (let step = 0; step < 2000; step++) {
      const what = roll(20);
      if (what === 0) heights.resize(Math.max(1, heights.count + roll(80) - 20));
      else if (what === 1) heights.guessAgain();
      else if (what === 2 && roll(10) === 0) heights.forget();
      else heights.set(roll(heights.count), roll(5) === 0 ? 0 : 10 + roll(300));
      if (step % 50 > 0) continue;
      let y = 0;
      for (let i = 0; i < heights.count; i++) {
        expect(heights.before(i)).toBeCloseTo(y, 4);
        y += heights.of(i);
      }
      expect(heights.total).toBeCloseTo(y, 4);
    }
  });

  it('find the line at every place, past empty ones', () => {
    const heights = new Heights(6);
    [10, 0, 0, 20, 30, 5].forEach((h, i) => heights.set(i, h));
    expect([-5, 0, 9.9, 10, 29, 30, 64, 900].map((y) => heights.at(y))).toEqual([0, 0, 0, 3, 3, 4, 5, 5]);
  });
});

describe('the anchor', () => {
  it.each([11, 12, 13])('stays where it is, whatever is measured or comes (%i)', (seed) => {
    const roll = dice(seed * 104729);
    const heights = new Heights(20_000);
    let top = 400_000;
    const anchor = anchorAt(heights, top);
    for (let step = 0; step < 3000; step++) {
      const before = heights.before(anchor.index) - top;
      heights.set(roll(20_000), roll(900));
      if (step % 100 === 0) heights.guessAgain();
      if (step % 500 === 0) heights.resize(heights.count + 3);
      top = topFor(heights, anchor);
      expect(heights.before(anchor.index) - top).toBeCloseTo(before, 3);
    }
  });
});

describe('what is drawn and held', () => {
  it('covers the screen, and little more', () => {
    const heights = new Heights(20_000);
    for (let top = 0; top < heights.total; top += 70_001) {
      const span = drawn(heights, top, top + 800);
      expect(heights.before(span.from)).toBeLessThanOrEqual(top);
      expect(heights.before(span.to)).toBeGreaterThanOrEqual(Math.min(top + 800, heights.total));
      expect(span.to - span.from).toBeLessThan(60);
    }
    expect(drawn(new Heights(0), 0, 800)).toEqual({ from: 0, to: 0 });
  });
  it('asks for the stretch in the middle first', () => {
    expect(stretchesOf({ from: 190, to: 900 })).toEqual([2, 3, 1, 4, 0]);
    expect(stretchesOf({ from: 0, to: 0 })).toEqual([]);
    expect(near({ from: 30, to: 60 }, 100)).toEqual({ from: 0, to: 100 });
  });
  it('lets go of the farthest', () => {
    const held = Array.from({ length: most + 2 }, (_, i) => i);
    expect(surplus(held, { from: 0, to: stretch }).toSorted((a, b) => a - b)).toEqual([most, most + 1]);
    expect(surplus([1, 2], { from: 0, to: 9 })).toEqual([]);
  });
});
