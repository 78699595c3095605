// Moments and days in the person's zone. Moments come as RFC 3339, days as
// 2026-11-30.

import { locales, type Lang } from './number';

const cache = new Map<string, Intl.DateTimeFormat>();

function format(lang: Lang, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${lang} ${zone} ${JSON.stringify(options)}`;
  let f = cache.get(key);
  if (!f) cache.set(key, (f = new Intl.DateTimeFormat(locales[lang], { ...options, timeZone: zone })));
  return f;
}

/**
 * Gives a zone that the browser knows. A server that has no name for its own
 * zone says "Local": the browser is on the same machine and knows it.
 */
export function knownZone(zone: string): string {
  if (zone !== '' && zone !== 'Local') {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    } catch {
      // Not a zone of this browser.
    }
  }
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** 03:14 */
export function clock(at: Date, lang: Lang, zone: string): string {
  return format(lang, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}

/** 30 Nov, 03:14, with the year where it is not the present one. */
export function moment(at: Date, now: Date, lang: Lang, zone: string): string {
  return `${date(day(at, zone), day(now, zone), lang)}${lang === 'zh' ? ' ' : ', '}${clock(at, lang, zone)}`;
}

/** The exact moment for a tooltip: Monday, 30 November 2026, 03:14:05 GMT+8 */
export function exact(at: Date, lang: Lang, zone: string): string {
  return format(lang, zone, {
    weekday: 'long', year: 'numeric', month: 'long', day: 'numeric',
    hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short',
  }).format(at);
}

/** The day of a moment: 2026-11-30. */
export function day(at: Date, zone: string): string {
  const parts = new Map(format('en', zone, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(at).map((p) => [p.type, p.value]));
  return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/**
 * The first moment of a day of a zone. Where clocks go forward at midnight, the
 * day begins with the first minute that there is.
 */
export function startOfDay(of: string, zone: string): Date {
  const midnight = Date.parse(of + 'T00:00:00Z');
  let at = midnight - offset(new Date(midnight), zone);
  at = midnight - offset(new Date(at), zone); // the clocks may change between the two
  if (day(new Date(at), zone) < of) at += hour;
  else if (day(new Date(at - 1), zone) === of) at -= hour;
  return new Date(at);
}

/** How much later the clocks of a zone show than those of UTC, in milliseconds. */
function offset(at: Date, zone: string): number {
  const parts = new Map(format('en', zone, { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
    .formatToParts(at).map((p) => [p.type, p.value]));
  const get = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second')) - Math.floor(at.getTime() / 1000) * 1000;
}

/** A day as 30 Nov, with the year where it is not that of today. */
export function date(of: string, today: string, lang: Lang): string {
  const sameYear = of.slice(0, 4) === today.slice(0, 4);
  return format(lang, 'UTC', { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })
    .format(new Date(of + 'T00:00:00Z'));
}

/** A day with its weekday: Monday, 30 November 2026. */
export function longDate(of: string, lang: Lang): string {
  return format(lang, 'UTC', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    .format(new Date(of + 'T00:00:00Z'));
}

const minute = 60_000;
const hour = 60 * minute;

/**
 * How long ago, in one unit; yesterday and older are counted in days of the
 * zone, and from a month on the date says more than a number.
 */
export function ago(at: Date, now: Date, lang: Lang, zone: string): string {
  const past = now.getTime() - at.getTime();
  if (past < 0) return moment(at, now, lang, zone); // a clock that is ahead
  const relative = new Intl.RelativeTimeFormat(lang === 'zh' ? 'zh-CN' : 'en', { numeric: 'auto', style: 'short' });
  if (past < minute) return relative.format(-Math.floor(past / 1000), 'second');
  if (past < hour) return relative.format(-Math.floor(past / minute), 'minute');
  const days = daysBetween(day(at, zone), day(now, zone));
  if (days === 0 || past < 6 * hour) return relative.format(-Math.floor(past / hour), 'hour');
  if (days <= 30) return relative.format(-days, 'day');
  return date(day(at, zone), day(now, zone), lang);
}

/** Whole days from one day to another; negative where the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to + 'T00:00:00Z') - Date.parse(from + 'T00:00:00Z')) / 86_400_000);
}

/** The day n days later. */
export function addDays(to: string, n: number): string {
  return new Date(Date.parse(to + 'T00:00:00Z') + n * 86_400_000).toISOString().slice(0, 10);
}

/** Says whether a text is a day of the calendar, as 2026-02-28. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(text + 'T00:00:00Z');
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}

/** A length of time in the two largest units: 15 h 44 min, 3 d 2 h, 40 s. */
export function duration(ms: number): { n: number; unit: 'd' | 'h' | 'min' | 's' }[] {
  const s = Math.max(0, Math.round(ms / 1000));
  const parts = [
    { n: Math.floor(s / 86400), unit: 'd' as const },
    { n: Math.floor(s / 3600) % 24, unit: 'h' as const },
    { n: Math.floor(s / 60) % 60, unit: 'min' as const },
    { n: s % 60, unit: 's' as const },
  ];
  const first = parts.findIndex((p) => p.n > 0);
  if (first < 0) return [{ n: 0, unit: 's' }];
  if (first === 3) return parts.slice(3);
  return parts.slice(first, Math.min(first + 2, 3)).filter((p) => p.n > 0);
}
