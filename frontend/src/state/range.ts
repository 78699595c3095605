// The one time range that all views share. It is counted in whole days of the
// person's zone, as costs are, so that every view shows the same calls.

import { addDays, day, isDay } from '../format/time';

export type Preset = 'today' | '7d' | '30d' | 'all';
export type Range = Preset | { from: string; to: string };

const presets: Record<Exclude<Preset, 'all'>, number> = { today: 1, '7d': 7, '30d': 30 };

/** The first and the last day, "" for no bound. */
export interface Days {
  from: string;
  to: string;
}

/** The days of a range. Seven days are today and the six before. */
export function daysOf(range: Range, now: Date, zone: string): Days {
  if (range === 'all') return { from: '', to: '' };
  if (typeof range === 'object') return range;
  const today = day(now, zone);
  return { from: addDays(today, 1 - presets[range]), to: today };
}

/** Says whether a moment lies in days. An unknown one lies in no bounded range. */
export function within(at: string | null, days: Days, zone: string): boolean {
  if (days.from === '' && days.to === '') return true;
  const date = at === null ? null : new Date(at);
  if (!date || Number.isNaN(date.getTime())) return false;
  const on = day(date, zone);
  return (days.from === '' || on >= days.from) && (days.to === '' || on <= days.to);
}

/** A range as it stands in the URL, and back; what makes no sense is "all". */
export function rangeText(range: Range): string {
  return typeof range === 'string' ? range : `${range.from}..${range.to}`;
}

export function parseRange(text: string | null): Range {
  if (text === 'today' || text === '7d' || text === '30d') return text;
  const [from, to, more] = (text ?? '').split('..');
  if (more === undefined && from && to && isDay(from) && isDay(to) && from <= to) return { from, to };
  return 'all';
}
