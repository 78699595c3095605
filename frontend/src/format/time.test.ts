import { describe, expect, it } from 'vitest';
import { addDays, ago, clock, date, day, daysBetween, duration, exact, isDay, knownZone, longDate, moment, startOfDay } from './time';

const shanghai = 'Asia/Shanghai';
const at = new Date('2026-11-29T19:14:05Z'); // 03:14 on the 30th in Shanghai
const now = new Date('2026-11-30T01:46:00Z'); // 09:46 there

describe('zones', () => {
  it('takes what the browser knows', () => {
    expect(knownZone(shanghai)).toBe(shanghai);
    expect(knownZone('UTC')).toBe('UTC');
  });
  it.each(['', 'Local', 'Mars/Olympus', '\u0000'])('falls back for %j', (zone) => {
    expect(knownZone(zone)).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
  it('finds the day of a moment in the zone', () => {
    expect(day(at, shanghai)).toBe('2026-11-30');
    expect(day(at, 'UTC')).toBe('2026-11-29');
    expect(day(at, 'America/Los_Angeles')).toBe('2026-11-29');
  });
});

describe('moments', () => {
  it('in English', () => {
    expect(clock(at, 'en', shanghai)).toBe('03:14');
    expect(moment(at, now, 'en', shanghai)).toBe('30 Nov, 03:14');
    expect(moment(new Date('2025-01-05T00:00:00Z'), now, 'en', 'UTC')).toBe('5 Jan 2025, 00:00');
    expect(exact(at, 'en', shanghai)).toMatch(/Monday.? 30 November 2026.*03:14:05 (GMT\+8|CST)/);
    expect(longDate('2026-11-30', 'en')).toMatch(/Monday.? 30 November 2026/);
  });
  it('in Chinese', () => {
    expect(moment(at, now, 'zh', shanghai)).toBe('11月30日 03:14');
    expect(date('2025-01-05', '2026-11-30', 'zh')).toBe('2025年1月5日');
    expect(longDate('2026-11-30', 'zh')).toBe('2026年11月30日星期一');
  });
});

describe('ago', () => {
  const before = (ms: number): string => ago(new Date(now.getTime() - ms), now, 'en', shanghai);
  it.each([
    [0, 'now'], [4_000, '4 sec ago'], [61_000, '1 min ago'], [3_600_000, '1 hr ago'],
    [6 * 3_600_000, '6 hr ago'], [10 * 3_600_000, 'yesterday'], [3 * 86_400_000, '3 days ago'], [40 * 86_400_000, '21 Oct'],
  ])('%d ms', (ms, want) => expect(before(ms).replace('.', '')).toBe(want));
  it('says the time of a clock that is ahead', () => {
    expect(before(-60_000)).toBe('30 Nov, 09:47');
  });
  it('late at night, an hour ago is not yesterday', () => {
    const night = new Date('2026-11-29T16:30:00Z'); // 00:30 in Shanghai
    expect(ago(new Date('2026-11-29T15:20:00Z'), night, 'en', shanghai).replace('.', '')).toBe('1 hr ago');
  });
  it('in Chinese', () => {
    expect(ago(new Date(now.getTime() - 4000), now, 'zh', shanghai)).toBe('4秒前');
  });
});

describe('the start of a day', () => {
  it.each([
    ['2026-11-30', 'Asia/Shanghai', '2026-11-29T16:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'], // the clocks change later on that day
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'], // there was no midnight
    ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
    ['2026-01-01', 'UTC', '2026-01-01T00:00:00.000Z'],
  ])('%s in %s', (of, zone, want) => expect(startOfDay(of, zone).toISOString()).toBe(want));
  it('is of that day in every zone, and the moment before is not', () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Niue', 'Europe/Lisbon', 'Africa/Cairo', 'America/Havana', 'Australia/Lord_Howe']) {
      for (let i = 0; i < 366; i++) {
        const of = addDays('2026-01-01', i);
        const begin = startOfDay(of, zone);
        expect([day(begin, zone), day(new Date(begin.getTime() - 1), zone)], `${of} ${zone}`).toEqual([of, addDays(of, -1)]);
      }
    }
  });
});

describe('days', () => {
  it('count over months, years and changes of the clock', () => {
    expect(daysBetween('2026-02-28', '2026-03-01')).toBe(1);
    expect(daysBetween('2026-12-31', '2027-01-01')).toBe(1);
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(addDays('2026-03-29', 1)).toBe('2026-03-30');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  });
  it.each([['2026-11-30', true], ['2026-02-30', false], ['2026-2-3', false], ['', false], ['unknown', false], ['2026-13-01', false]])('%s', (text, want) => {
    expect(isDay(text)).toBe(want);
  });
});

describe('duration', () => {
  const text = (ms: number): string => duration(ms).map((p) => p.n + p.unit).join(' ');
  it.each([
    [0, '0s'], [40_000, '40s'], [90_000, '1min'], [56_640_000, '15h 44min'], [3_600_000, '1h'], [266_400_000, '3d 2h'], [-5, '0s'],
  ])('%d ms is %s', (ms, want) => expect(text(ms)).toBe(want));
});
