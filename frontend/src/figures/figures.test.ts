import { describe, expect, it } from 'vitest';
import type { Session } from '../api/types.gen';
import { fillOf, latestByAgent } from './fill';
import { agentName, isChosen, matches, sorted, titleOf } from './select';
import { bySeverity, severityOf } from './severity';

const session = (change: Partial<Session> = {}): Session => ({
  agent: 'mail', sessionId: '5d1f8c2e-aaaa', sessionKey: 'agent:mail:main', startedAt: null, updatedAt: '2026-11-30T00:00:00Z', messages: 1, contextUsed: 61_200,
  contextWindow: 200_000, compactions: 0, archived: false, gone: false, parent: null, sources: [], title: 'Glaze order', model: 'claude', channel: '', windowSource: 'session',
  userMessages: 1, calls: 1, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, usd: 0, unpricedCalls: 0, background: false, eras: [], ...change,
});

describe('fill', () => {
  it('is a share where both are known, and never a number where one is not', () => {
    expect(fillOf(session()).share).toBeCloseTo(0.306);
    expect(fillOf(session({ contextUsed: null })).share).toBeNull();
    expect(fillOf(session({ contextWindow: null })).share).toBeNull();
    expect(fillOf(session({ contextWindow: 0 })).share).toBeNull();
    expect(fillOf(undefined)).toEqual({ used: null, window: null, share: null, high: false });
    expect(fillOf(session({ contextUsed: 0 })).share).toBe(0);
  });
  it('is high near the end', () => {
    expect(fillOf(session({ contextUsed: 169_000 })).high).toBe(false);
    expect(fillOf(session({ contextUsed: 170_000 })).high).toBe(true);
  });
  it('is that of the latest session', () => {
    const all = [session({ sessionId: 'a', updatedAt: '2026-01-01T00:00:00Z' }), session({ sessionId: 'b' }), session({ sessionId: 'c', updatedAt: null }), session({ sessionId: 'd', updatedAt: '2027-01-01T00:00:00Z', gone: true })];
    expect(latestByAgent(all).get('mail')?.sessionId).toBe('b');
  });
});

describe('isChosen', () => {
  const all = { agent: '', kept: 'all', asked: 'all', words: '' } as const;
  it.each([
    [{}, {}, true], [{}, { agent: 'mail' }, true], [{}, { agent: 'main' }, false],
    [{}, { kept: 'current' }, true], [{ archived: true }, { kept: 'current' }, false], [{ archived: true }, { kept: 'archived' }, true],
    [{ archived: true, gone: true }, { kept: 'archived' }, false], [{ gone: true }, { kept: 'gone' }, true],
    [{}, { asked: 'you' }, true], [{ background: true }, { asked: 'you' }, false], [{ background: true }, { asked: 'background' }, true],
    [{}, { words: 'GLAZE claude' }, true], [{}, { words: 'glaze kiln' }, false], [{ title: '釉料订单' }, { words: '釉料' }, true],
  ] as const)('%j in %j: %s', (s, choice, want) => expect(isChosen(session(s), { ...all, ...choice })).toBe(want));
  it('matches full-width letters', () => expect(matches('ｏｒｄｅｒ', ['Order'])).toBe(true));
});

describe('sorted', () => {
  const rows = [{ n: 2, t: 'b' }, { n: null, t: '' }, { n: 10, t: 'a' }, { n: 0, t: 'c' }];
  const by = (sort: string) => sorted(rows, sort, (r, c) => (c === 'n' ? r.n : r.t)).map((r) => r.n);
  it('keeps what is not known at the end, both ways', () => {
    expect(by('n')).toEqual([0, 2, 10, null]);
    expect(by('-n')).toEqual([10, 2, 0, null]);
  });
  it('sorts texts', () => expect(by('t')).toEqual([null, 10, 2, 0]));
});

describe('names', () => {
  it('come from the title, or the id', () => {
    expect(titleOf(session(), (id) => id)).toBe('Glaze order');
    expect(titleOf(session({ title: ' ' }), (id) => `Session ${id}`)).toBe('Session 5d1f8c2e');
    expect(titleOf(session({ title: '5d1f8c2e-aaaa' }), (id) => `Session ${id}`)).toBe('Session 5d1f8c2e');
    expect(agentName(undefined, 'mail')).toBe('mail');
  });
});

describe('severity', () => {
  it('groups, and puts a new code in the middle', () => {
    expect(severityOf({ code: 'bad-line' })).toBe('unread');
    expect(severityOf({ code: 'blank-line' })).toBe('note');
    expect(severityOf({ code: 'price-unknown' })).toBe('partial');
    expect(severityOf({ code: 'something-new' })).toBe('partial');
    expect(bySeverity([{ code: 'bad-line' }, { code: 'x' }]).unread).toHaveLength(1);
  });
});
