// How far the clocks of a zone are from UTC.

const cache = new Map<string, Intl.DateTimeFormat>();
const parts = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** The offset of a zone at a moment, in milliseconds; east is positive. */
export function offsetOf(at: number, zone: string): number {
  let f = cache.get(zone);
  if (!f) cache.set(zone, (f = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' })));
  const found = new Map(f.formatToParts(at).map((p) => [p.type, Number(p.value)]));
  const [year = 0, month = 1, ...rest] = parts.map((p) => found.get(p) ?? 0);
  return Date.UTC(year, month - 1, ...(rest as [number, number, number, number])) - Math.floor(at / 1000) * 1000;
}
