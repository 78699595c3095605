import { describe, expect, it } from 'vitest';
import type { Tide, TideFall } from '../api/types.gen';
import { offsetOf } from '../format/zone';
import { heightOf, heldTo, sentOf, stepsOf } from './tide';
import { axisOf, foldsOf, foldWidth, timeTicks, turnTicks } from './tideAxis';
import { decimate, nearest } from './tideDraw';
import { inside, momentsOf, parseZoom, placeLabels, showing, turnsOf, wholeOf, zoomed, zoomText } from './tideView';

const minute = 60_000;
const fall = (f: Partial<TideFall>): TideFall => ({ at: 0, kind: 'compaction', entry: 'f', before: null, after: null, superseded: false, reason: '', call: 0, ...f });
function tideOf(points: readonly (readonly [at: number, sent: number])[], falls: TideFall[] = []): Tide {
  const column = (n: number): number[] => points.map(() => n);
  return {
    at: points.map((p) => p[0]), input: points.map((p) => p[1]), cacheRead: column(0), cacheWrite: column(0), output: column(1), usd: points.map(() => null),
    background: points.map(() => false), entry: points.map((_, i) => `e${i}`), falls, window: null, windowSource: '', threshold: null, used: null, statements: [],
  };
}
/** Numbers that are the same on every run. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => (state = (state * 48271) % 2147483647) % n;
}
function randomTide(seed: number): Tide {
  const d = dice(seed + 1);
  let at = 1_700_000_000_000;
  const points = Array.from({ length: 1 + d(3000) }, () => [(at += d(20) === 0 ? d(6 * 3_600_000) : d(90_000)), d(12) === 0 ? -1 : d(200_000)] as const);
  const falls = Array.from({ length: d(9) }, () => d(points.length)).toSorted((a, b) => a - b).map((call) => fall({ call, at: points[call]?.[0] ?? 0, after: d(2) ? 30_000 : null, superseded: d(4) === 0, kind: d(3) ? 'compaction' : 'reset' }));
  return tideOf(points, falls);
}

describe('steps', () => {
  it('sum what was sent, and carry the level where nothing was recorded', () => {
    const tide = { ...tideOf([[0, 10], [1, -1], [2, 30]]), cacheRead: [5, -1, 0], cacheWrite: [1, -1, 0] };
    expect([0, 1, 2].map((i) => sentOf(tide, i))).toEqual([16, null, 30]);
    const s = stepsOf(tide);
    expect([[...s.level], [...s.known], [...s.turn]]).toEqual([[16, 16, 30], [1, 0, 1], [1, 2, 3]]);
  });
  it('hold the last level to a moment behind it', () => {
    const steps = stepsOf(tideOf([[0, 100], [minute, 200]]));
    const held = heldTo(steps, 5 * minute);
    expect([...held.at]).toEqual([0, minute, 5 * minute]);
    expect([...held.level]).toEqual([100, 200, 200]);
    expect([...held.known]).toEqual([1, 1, 1]);
    expect([...held.call]).toEqual([0, 1, -1]);
    expect(heldTo(steps, 30)).toBe(steps);
    expect(heldTo(stepsOf(tideOf([])), 5).length).toBe(0);
  });

  it('fall at a compaction, to nothing at a reset, not at a superseded one', () => {
    const s = stepsOf(tideOf([[0, 100], [10, 40], [20, 50]], [fall({ at: 5, call: 1, after: 30 }), fall({ at: 12, call: 2, superseded: true, after: 1 }), fall({ at: 15, call: 2, kind: 'reset' }), fall({ at: 25, call: 3, after: 7 })]));
    expect([[...s.level], [...s.turn], [...s.fall]]).toEqual([[100, 30, 40, 0, 50, 7], [1, 1.5, 2, 2.5, 3, 3.5], [-1, 0, -1, 2, -1, 3]]);
  });
  it('take the level behind a compaction of which none was recorded from the next call', () => {
    const s = stepsOf(tideOf([[0, 100], [10, 40]], [fall({ at: 5, call: 1 })]));
    expect([[...s.level], [...s.known]]).toEqual([[100, 40, 40], [1, 0, 1]]);
    expect([...stepsOf(tideOf([[0, 100]], [fall({ at: 5, call: 1 })])).level]).toEqual([100, 100]);
  });
  it('never go back in time, whatever the clock did', () => {
    for (let seed = 0; seed < 30; seed++) {
      const s = stepsOf(randomTide(seed));
      for (let i = 1; i < s.length; i++) {
        expect(s.at[i]).toBeGreaterThanOrEqual(s.at[i - 1] ?? 0);
        expect(s.turn[i]).toBeGreaterThanOrEqual(s.turn[i - 1] ?? 0);
      }
    }
    expect(stepsOf(tideOf([])).length).toBe(0);
  });
});

describe('the height', () => {
  const top = (sent: number, window: number | null) => heightOf(stepsOf(tideOf([[0, sent]])), window);
  it('is the window and a little, or the highest level', () => {
    expect(top(50_000, 200_000)).toEqual({ top: 210_000, lines: [0, 50_000, 100_000, 150_000, 200_000] });
    expect(top(50_000, 1_000_000).lines.at(-1)).toBe(1_000_000);
    expect(top(100, null).top).toBeCloseTo(110);
    expect(top(300, 200).top).toBeGreaterThan(300);
    expect(heightOf(stepsOf(tideOf([])), null).top).toBe(1);
  });
});

describe('the axis', () => {
  it('folds long pauses alone, and its parts are as wide as it is', () => {
    const at = [0, 10 * minute, 5 * 60 * minute, 6 * 60 * minute];
    const folds = foldsOf(at, { from: 0, to: 360 * minute });
    expect(folds).toEqual([{ from: 15 * minute, to: 295 * minute }, { from: 305 * minute, to: 355 * minute }]);
    expect(foldsOf([0, 29 * minute], { from: 0, to: 29 * minute })).toEqual([]);
    expect(foldsOf([0, 31 * minute, 1000 * minute], { from: 0, to: 1000 * minute })).toHaveLength(1);
    expect(axisOf({ from: 0, to: 360 * minute }, 900, folds).pieces.filter((p) => p.fold).map((p) => p.x1 - p.x0)).toEqual([foldWidth, foldWidth].map((w) => expect.closeTo(w, 6)));
  });
  it('leads there and back for any tide', () => {
    for (let seed = 0; seed < 60; seed++) {
      const { at } = stepsOf(randomTide(seed));
      const span = wholeOf(at);
      const width = 280 + seed * 17;
      const axis = axisOf(span, width, foldsOf(at, span));
      expect(axis.pieces.reduce((s, p) => s + p.x1 - p.x0, 0)).toBeCloseTo(width, 6);
      let before = -Infinity;
      for (let x = 0; x <= width; x += 7) {
        const place = axis.place(x);
        expect(axis.x(place)).toBeCloseTo(x, 4);
        expect(place).toBeGreaterThanOrEqual(before);
        before = place;
      }
    }
  });
  it('has ticks at round hours of the zone, and days by their date', () => {
    const from = Date.parse('2026-11-29T10:02:00Z');
    const ticks = timeTicks(axisOf({ from, to: from + 15 * 3_600_000 }, 980), 72, (at) => offsetOf(at, 'Asia/Shanghai'));
    expect(ticks.map((t) => new Date(t.at).toISOString().slice(11, 16))).toEqual(['12:00', '14:00', '16:00', '18:00', '20:00', '22:00', '00:00']);
    expect(ticks.filter((t) => t.unit === 'day').map((t) => new Date(t.at).toISOString())).toEqual(['2026-11-29T16:00:00.000Z']);
  });
  it.each([[1000], [60_000], [3_600_000], [86_400_000 * 3], [86_400_000 * 400], [86_400_000 * 9000]])('has few ticks over %d ms, also where clocks change', (ms) => {
    const from = Date.parse('2026-10-24T22:13:11Z');
    const ticks = timeTicks(axisOf({ from, to: from + ms }, 700), 70, (at) => offsetOf(at, 'Europe/Berlin'));
    expect(ticks.length).toBeLessThanOrEqual(11);
    ticks.slice(1).forEach((t, i) => expect(t.x - (ticks[i]?.x ?? 0)).toBeGreaterThanOrEqual(55));
  });
  it('counts calls in round numbers', () => {
    expect(turnTicks(axisOf({ from: 0.5, to: 141 }, 980), 60).map((t) => t.at)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140]);
    expect(turnTicks(axisOf({ from: 0.5, to: 1.5 }, 980), 60).map((t) => t.at)).toEqual([1]);
  });
});

describe('zones', () => {
  it.each([['Asia/Shanghai', 8], ['UTC', 0], ['America/St_Johns', -3.5], ['Asia/Kathmandu', 5.75]])('%s', (zone, hours) => expect(offsetOf(Date.parse('2026-12-01T00:00:00.5Z'), zone)).toBe(hours * 3_600_000));
});

describe('drawing', () => {
  it('keeps the lowest, highest, first and last level of each column, and both sides of falls', () => {
    for (let seed = 0; seed < 60; seed++) {
      const steps = stepsOf(randomTide(seed));
      const whole = wholeOf(steps.at);
      const span = seed % 2 ? whole : inside({ from: whole.from + (whole.to - whole.from) / 3, to: whole.from + (whole.to - whole.from) / 2 }, whole);
      const axis = axisOf(span, 300, foldsOf(steps.at, span));
      const drawn = decimate(steps, steps.at, axis);
      const columns = (ids: readonly number[]): Map<number, string> => {
        const found = new Map<number, number[]>();
        for (const i of ids) {
          const x = axis.x(steps.at[i] ?? 0);
          if (x < 0 || x > 300) continue;
          const c = Math.floor(x);
          found.set(c, [...(found.get(c) ?? []), steps.level[i] ?? 0]);
        }
        return new Map([...found].map(([c, l]) => [c, `${l[0]} ${Math.min(...l)} ${Math.max(...l)} ${l.at(-1)}`]));
      };
      expect(columns(drawn.map((d) => d.step))).toEqual(columns(Array.from({ length: steps.length }, (_, i) => i)));
      const kept = new Set(drawn.map((d) => d.step));
      for (let i = 0; i < steps.length; i++) {
        const at = steps.at[i] ?? 0;
        if ((steps.fall[i] ?? -1) < 0 || at <= span.from || at >= span.to) continue;
        expect(kept.has(i) && (i === 0 || kept.has(i - 1)), `fall ${i}`).toBe(true);
      }
    }
  });
  it('draws few of many', () => {
    const steps = stepsOf(tideOf(Array.from({ length: 20_000 }, (_, i) => [i * 1000, (i * 7919) % 1000] as const)));
    expect(decimate(steps, steps.at, axisOf(wholeOf(steps.at), 900)).length).toBeLessThanOrEqual(4 * 901);
  });
  it('finds the nearest call, as a plain search does', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { at } = randomTide(seed);
      const axis = axisOf(wholeOf(at), 500, foldsOf(at, wholeOf(at)));
      for (let x = -5; x < 510; x += 13) {
        const best = Math.min(...at.map((a) => Math.abs(axis.x(a) - x)));
        expect(Math.abs(axis.x(at[nearest(at, axis, x)] ?? 0) - x)).toBeCloseTo(best, 6);
      }
    }
    expect(nearest([], axisOf({ from: 0, to: 1 }, 10), 5)).toBe(-1);
  });
});

describe('the view', () => {
  const whole = { from: 0, to: 1_000_000 };
  it('stays inside of the whole', () => {
    expect(inside({ from: -50_000, to: 50_000 }, whole)).toEqual({ from: 0, to: 100_000 });
    expect(inside({ from: 500_000, to: 500_001 }, whole)).toEqual({ from: 495_001, to: 505_001 });
    expect(inside({ from: -9e9, to: 9e9 }, whole)).toEqual(whole);
  });
  it('zooms around a place and back to the whole', () => {
    expect(zoomed(whole, whole, 0.5, 250_000)).toEqual({ from: 125_000, to: 625_000 });
    expect(zoomed({ from: 100_000, to: 900_000 }, whole, 2, 1)).toBeNull();
    expect(showing({ from: 0, to: 10_000 }, whole, 500_000)).toEqual({ from: 495_000, to: 505_000 });
    expect(showing({ from: 0, to: 10_000 }, whole, 10_000)).toEqual({ from: 0, to: 10_000 });
  });
  it('is the same span in calls and in time', () => {
    const at = [10, 20, 30, 40, 50];
    expect(turnsOf(at, { from: 20, to: 40 })).toEqual({ from: 1.5, to: 4.5 });
    expect(momentsOf(at, { from: 1.5, to: 4.5 })).toEqual({ from: 20, to: 40 });
    expect(momentsOf(at, { from: 2.1, to: 2.2 })).toBeNull();
    expect(turnsOf([], null).to).toBeGreaterThan(turnsOf([], null).from - 1);
  });
  it('comes back from the URL', () => {
    for (const span of [null, { from: 1, to: 2 }, { from: 1_700_000_000_000, to: 1_700_000_360_000 }]) expect(parseZoom(zoomText(span))).toEqual(span);
    for (const text of ['', '1', '2-1', 'a-b', '1-1', '-5-7']) expect(parseZoom(text)).toBeNull();
  });
  it('has labels that do not touch', () => {
    const d = dice(3);
    for (let n = 0; n < 200; n++) {
      const xs = Array.from({ length: d(12) }, () => d(900)).toSorted((a, b) => a - b);
      let free = -Infinity;
      for (const l of placeLabels(xs, 900, 120, 40)) {
        if (l.form === 'none') continue;
        const wide = l.form === 'full' ? 120 : 40;
        const from = l.end ? l.x - wide : l.x;
        expect(from).toBeGreaterThanOrEqual(free);
        expect(from + wide).toBeLessThanOrEqual(900);
        free = from + wide;
      }
    }
    expect(placeLabels([100, 160, 850], 900, 120, 40).map((l) => [l.form, l.end])).toEqual([['short', false], ['full', false], ['full', true]]);
  });
});
