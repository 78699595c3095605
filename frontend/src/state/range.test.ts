import { describe, expect, it } from 'vitest';
import { boundsOf, daysOf, parseRange, rangeText, within, type Range } from './range';

const now = new Date('2026-11-29T19:00:00Z'); // the 30th in Shanghai
const zone = 'Asia/Shanghai';

describe('daysOf', () => {
  it.each<[Range, string, string]>([
    ['all', '', ''],
    ['24h', '2026-11-29', '2026-11-30'],
    ['today', '2026-11-30', '2026-11-30'],
    ['7d', '2026-11-24', '2026-11-30'],
    ['30d', '2026-11-01', '2026-11-30'],
    [{ from: '2026-01-01', to: '2026-01-31' }, '2026-01-01', '2026-01-31'],
  ])('%j', (range, from, to) => expect(daysOf(range, now, zone)).toEqual({ from, to }));
});

describe('boundsOf', () => {
  it.each<[Range, string, string]>([
    ['all', '', ''],
    ['24h', '2026-11-28T19:00:00.000Z', ''],
    ['today', '2026-11-29T16:00:00.000Z', ''],
    ['7d', '2026-11-23T16:00:00.000Z', ''],
    [{ from: '2026-01-01', to: '2026-01-31' }, '2025-12-31T16:00:00.000Z', '2026-01-31T16:00:00.000Z'],
    [{ from: '2026-11-01', to: '2026-12-31' }, '2026-10-31T16:00:00.000Z', ''],
  ])('%j', (range, from, to) => expect(boundsOf(range, now, zone)).toEqual({ from, to }));
});

describe('within', () => {
  const days = { from: '2026-11-30', to: '2026-11-30' };
  it.each([
    ['2026-11-29T15:59:59Z', false], ['2026-11-29T16:00:00Z', true], ['2026-11-30T15:59:59Z', true], ['2026-11-30T16:00:00Z', false],
    [null, false], ['nonsense', false],
  ])('%s', (at, want) => expect(within(at, days, zone)).toBe(want));
  it('everything lies in no bounds, an unknown time too', () => {
    expect(within(null, { from: '', to: '' }, zone)).toBe(true);
  });
});

describe('the range in the URL', () => {
  it.each<Range>(['24h', 'today', '7d', '30d', 'all', { from: '2026-02-01', to: '2026-02-28' }])('%j comes back', (range) => {
    expect(parseRange(rangeText(range))).toEqual(range);
  });
  it.each([null, '', 'week', '2026-02-30..2026-03-01', '2026-03-02..2026-03-01', '2026-03-01', '2026-03-01..', 'a..b..c'])('%j is all', (text) => {
    expect(parseRange(text)).toBe('all');
  });
});
