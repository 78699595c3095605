import { describe, expect, it } from 'vitest';
import type { Statement } from '../api/types.gen';
import { start } from '../state/url';
import { familyOf, grouped, isChosen } from './statements';

const one = (change: Partial<Statement> = {}): Statement => ({
  id: 's', tag: 'W', text: 't', agent: 'a', scope: 'agent', speaker: 'owner', at: '2026-11-30T10:00:00Z', until: null, sessionId: '', entryId: '', rule: '', state: 'live', repeats: 0,
  pinned: false, edited: false, byHand: false, speakerName: '', channel: '', chat: '', by: '', lastAt: null, lang: '', ...change,
});

describe('isChosen', () => {
  it.each([
    [{}, {}, true], [{ tag: 'B' }, { tag: 'B' }, true], [{ tag: 'B' }, { tag: 'W' }, false],
    [{ speaker: 'contact' }, { speaker: 'owner' }, false], [{ speaker: 'unknown' }, { speaker: 'unknown' }, true],
    [{ state: 'expired' }, { state: 'live' }, false], [{}, { pinned: true }, false], [{ pinned: true }, { pinned: true }, true],
    [{ repeats: 0 }, { repeated: true }, false], [{ repeats: 1 }, { repeated: true, tag: 'W' }, true],
  ] as const)('%j for %j is %s', (s, choice, want) => expect(isChosen(one(s), { ...start, ...choice })).toBe(want));
});

describe('grouped', () => {
  it('puts the pinned first, then the newest day, those without a day last', () => {
    const rows = [one({ id: 'a', at: '2026-11-29T09:00:00Z' }), one({ id: 'b', at: null }), one({ id: 'c', at: '2026-11-30T01:00:00Z' }), one({ id: 'd', pinned: true, at: null }), one({ id: 'e', at: '2026-11-29T01:00:00Z' })];
    expect(grouped(rows, (at) => at.slice(0, 10)).map((g) => [g.key, g.rows.map((s) => s.id)])).toEqual([
      ['pinned', ['d']], ['day 2026-11-30', ['c']], ['day 2026-11-29', ['a', 'e']], ['undated', ['b']],
    ]);
    expect(grouped([], String)).toEqual([]);
  });
});

describe('familyOf', () => {
  it.each([
    ['en-never', 'B', 'never'], ['zh-never-end', 'B', 'never'], ['zh-quiet', 'B', 'hours'], ['en-limit', 'B', 'limit'], ['zh-before-must', 'B', 'ask'], ['en-private', 'B', 'private'],
    ['ja-allow', 'W', 'permit'], ['ko-always', 'W', 'standing'], ['en-prefer', 'W', 'taste'], ['en-call-me', 'W', 'style'], ['en-allergic', 'O', 'self'], ['zh-supplier', 'O', 'business'],
    ['en-due', 'O', 'date'], ['de-keep', 'O', 'asked'], ['en-brand-new', 'B', 'boundary'], ['', 'O', 'detail'],
  ])('%s is %s %s', (rule, tag, want) => expect(familyOf(rule, tag, false)).toBe(want));
  it('of what a person wrote is by hand', () => expect(familyOf('', 'W', true)).toBe('hand'));
});
