import { describe, expect, it } from 'vitest';
import { fieldIn, momentIn } from './moment';

describe('moments', () => {
  it.each([['2026-11-30T03:14', 'Asia/Shanghai', '2026-11-29T19:14:00.000Z'], ['2026-07-01T12:00', 'Europe/Paris', '2026-07-01T10:00:00.000Z'], ['2026-10-25T12:00', 'Europe/Paris', '2026-10-25T11:00:00.000Z'], ['2026-01-01T00:30', 'America/New_York', '2026-01-01T05:30:00.000Z']])('%s in %s', (text, zone, iso) => {
    expect(momentIn(text, zone)).toBe(Date.parse(iso));
    expect(fieldIn(Date.parse(iso), zone)).toBe(text);
  });
  it.each(['', 'now', '2026-13-40T00:00', '2026-11-30'])('%j is none', (text) => expect(momentIn(text, 'UTC')).toBeNull());
});
