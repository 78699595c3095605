// Days, weeks and months of costs. Pure; days are texts as 2026-11-30.

import type { CostRow, Tokens } from '../api/types.gen';
import { addDays, daysBetween, isDay } from '../format/time';

export type Unit = 'day' | 'week' | 'month';

/** The sum of some days; it is CostRow with the days that it covers. */
export interface Bucket extends CostRow {
  from: string;
  to: string;
}

/** More bars than this are too thin to point at. */
const mostBars = 62;

/** The unit in which a number of days is drawn. */
export function unitFor(days: number): Unit {
  if (days <= mostBars) return 'day';
  return days <= mostBars * 7 ? 'week' : 'month';
}

/**
 * Sums rows by day into the buckets of a span, with empty ones where nothing
 * was called: that is a known zero. Rows whose key is no day are left out.
 */
export function bucketsOf(rows: readonly CostRow[], span: { from: string; to: string }, today: string): { unit: Unit; buckets: Bucket[] } {
  const dated = rows.filter((r) => isDay(r.key));
  const keys = dated.map((r) => r.key).toSorted();
  const from = span.from || keys[0] || today;
  const to = span.to || latest(keys.at(-1), today, from);
  const unit = unitFor(daysBetween(from, to) + 1);
  const buckets = new Map<string, Bucket>();
  for (let start = startOf(from, unit); start <= to; start = nextStart(start, unit)) {
    buckets.set(start, empty(start < from ? from : start, later(addDays(nextStart(start, unit), -1), to)));
  }
  for (const row of dated) {
    const bucket = buckets.get(startOf(row.key, unit));
    if (bucket) add(bucket, row);
  }
  return { unit, buckets: [...buckets.values()] };
}

function latest(last: string | undefined, today: string, from: string): string {
  const end = last !== undefined && last > today ? last : today;
  return end < from ? from : end;
}

function later(day: string, end: string): string {
  return day > end ? end : day;
}

/** The first day of the week (Monday) or month that a day lies in. */
export function startOf(day: string, unit: Unit): string {
  if (unit === 'day') return day;
  if (unit === 'month') return day.slice(0, 8) + '01';
  const weekday = new Date(day + 'T00:00:00Z').getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

function nextStart(start: string, unit: Unit): string {
  if (unit === 'day') return addDays(start, 1);
  if (unit === 'week') return addDays(start, 7);
  return startOf(addDays(start, 31), 'month');
}

function empty(from: string, to: string): Bucket {
  const tokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return { key: from, from, to, calls: 0, tokens, usd: 0, unpricedCalls: 0, backgroundUsd: 0 };
}

function add(to: Bucket, row: CostRow): void {
  to.calls += row.calls;
  to.usd += row.usd;
  to.unpricedCalls += row.unpricedCalls;
  to.backgroundUsd += row.backgroundUsd;
  for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) to.tokens[kind] += row.tokens[kind];
}

/** The position of the dearest bucket, -1 where nothing has a known cost. */
export function dearestBucket(buckets: readonly Bucket[]): number {
  return buckets.reduce((best, b, i) => (b.usd > (buckets[best]?.usd ?? 0) ? i : best), -1);
}
