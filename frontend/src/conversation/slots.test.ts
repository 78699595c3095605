import { describe, expect, it } from 'vitest';
import type { Entry } from '../api/types.gen';
import { slotsOf, type Slot } from './slots';

function entry(id: string, change: Partial<Entry> = {}): Entry {
  return {
    statements: [], id, kind: 'message', type: 'message', role: 'user', at: '2026-11-30T01:00:00Z', text: 'a', html: '', speaker: '', channel: '', chat: '', before: '', tool: '', isError: false,
    stopReason: '', images: 0, imageBytes: 0, textTokens: 1, onPath: true, inContext: true, background: false, path: '', line: 1,
    tokens: null, usd: null, price: '', model: '', ...change,
  };
}
function slots(entries: (Entry | undefined)[], open: string[] = [], from = 0): Slot[] {
  return slotsOf({ from, to: entries.length }, { entryAt: (i) => entries[i], recordOf: () => undefined, dayOf: (at) => at.slice(0, 10), isOpen: (id) => open.includes(id) });
}
const off = { onPath: false };

describe('slotsOf', () => {
  it('marks a new day, past entries without a time', () => {
    const all = slots([entry('a'), entry('b', { at: null }), entry('c'), entry('d', { at: '2026-12-01T00:00:00Z' })]);
    expect(all.map((s) => s.day)).toEqual(['2026-11-30', '', '', '2026-12-01']);
  });
  it('folds a branch that was left, each run for itself', () => {
    const all = slots([entry('a'), entry('b', off), entry('c', off), entry('d'), entry('e', off)]);
    expect(all.map((s) => s.fold && [s.fold.head, s.fold.count])).toEqual([null, [true, 2], [false, 2], null, [true, 1]]);
  });
  it('is one fold across the border of two stretches, wherever one looks from', () => {
    const entries = Array.from({ length: 400 }, (_, i) => entry(`e${i}`, i >= 195 && i < 205 ? off : {}));
    expect(slots(entries, [], 200)[0]?.fold).toMatchObject({ head: false, count: 10 });
    const half = entries.map((e, i) => (i < 200 ? undefined : e));
    expect(slots(half, [], 200)[0]?.fold).toMatchObject({ head: true, count: 5 });
    // Opened while only half of it was known, it is open as a whole.
    expect(slots(entries, ['e203']).filter((s) => s.fold?.open).length).toBe(10);
  });
  it('leaves a superseded compaction in its place', () => {
    expect(slots([entry('a', off), entry('b', { ...off, kind: 'compaction' })]).map((s) => s.fold?.head)).toEqual([true, undefined]);
  });
  it('draws the edge of the context once', () => {
    const gone = { inContext: false };
    expect(slots([entry('a', gone), entry('x', { ...gone, kind: 'label' }), entry('b'), entry('c')]).map((s) => s.edge)).toEqual([false, false, true, false]);
    expect(slots([entry('a', gone), entry('b', gone)]).some((s) => s.edge)).toBe(false);
  });
  it('keeps places for what has not come', () => {
    expect(slots([undefined, entry('a')]).map((s) => s.item?.kind)).toEqual([undefined, 'message']);
  });
});
