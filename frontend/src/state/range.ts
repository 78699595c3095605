// The one time range that all views share. It is counted in whole days of the
// person's zone, as costs are, so that every view shows the same calls. Only
// the last 24 hours are a span of hours: they are what Today begins with.

import { addDays, day, isDay, startOfDay } from '../format/time';

export type Preset = '24h' | 'today' | '7d' | '30d' | 'all';
export type Range = Preset | { from: string; to: string };

/** In days; what counts in days shows 24 hours as the two days that they touch. */
const presets: Record<Exclude<Preset, 'all'>, number> = { '24h': 2, today: 1, '7d': 7, '30d': 30 };

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

/**
 * The bounds of a range as moments (RFC 3339), "" for none: from the first one
 * on, and before the second. A range that ends today has no end: what happens
 * while it is asked for belongs to it.
 */
export function boundsOf(range: Range, now: Date, zone: string): { from: string; to: string } {
  if (range === '24h') return { from: new Date(now.getTime() - dayLength).toISOString(), to: '' };
  const days = daysOf(range, now, zone);
  const from = days.from === '' ? '' : startOfDay(days.from, zone).toISOString();
  const to = days.to === '' || days.to >= day(now, zone) ? '' : startOfDay(addDays(days.to, 1), zone).toISOString();
  return { from, to };
}

const dayLength = 86_400_000;

/** Says whether a moment lies in days. An unknown one lies in no bounded range. */
export function within(at: string | null, days: Days, zone: string): boolean {
  if (days.from === '' && days.to === '') return true;
  const date = at === null ? null : new Date(at);
  if (!date || Number.isNaN(date.getTime())) return false;
  const on = day(date, zone);
  return (days.from === '' || on >= days.from) && (days.to === '' || on <= days.to);
}

/** A range as it stands in the URL, and back; what makes no sense is the other one that is given. */
export function rangeText(range: Range): string {
  return typeof range === 'string' ? range : `${range.from}..${range.to}`;
}

export function parseRange(text: string | null, otherwise: Range = 'all'): Range {
  if (text === 'all' || text === '24h' || text === 'today' || text === '7d' || text === '30d') return text;
  const [from, to, more] = (text ?? '').split('..');
  if (more === undefined && from && to && isDay(from) && isDay(to) && from <= to) return { from, to };
  return otherwise;
}
