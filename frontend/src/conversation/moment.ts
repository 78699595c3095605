// Moments as a field for a date and a time has them: 2026-11-30T03:14, in the
// person's zone. Pure.

/** The moment of a field's text, in milliseconds since 1970; null where it is none. */
export function momentIn(text: string, zone: string): number | null {
  const asUtc = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) || Number.isNaN(asUtc)) return null;
  // The zone's distance depends on the moment: the second look is near a change of the clocks.
  const once = asUtc - distance(asUtc, zone);
  return asUtc - distance(once, zone);
}

/** A moment as a field's text. */
export function fieldIn(at: number, zone: string): string {
  return new Date(at + distance(at, zone)).toISOString().slice(0, 16);
}

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
function distance(at: number, zone: string): number {
  const parts = new Map(new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
    .formatToParts(at).map((p) => [p.type, Number(p.value)]));
  const of = (name: string): number => parts.get(name as Intl.DateTimeFormatPartTypes) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - Math.floor(at / 1000) * 1000;
}
