import { describe, expect, it } from 'vitest';
import type { Compaction, CostRow, Session } from '../api/types.gen';
import { en } from '../i18n/en';
import { fill } from '../i18n/message';
import { zh } from '../i18n/zh';
import { dearest, whyDear } from './dear';
import type { Words } from './today';

const inEnglish: Words = { lang: 'en', t: (key, params = {}) => fill(en[key], params, 'en') };
const inChinese: Words = { lang: 'zh', t: (key, params = {}) => fill(zh[key], params, 'zh') };
const row = (key: string, usd: number, change: Partial<CostRow> = {}): CostRow => ({
  key, calls: 139, tokens: { input: 1000, output: 10, cacheRead: 9000, cacheWrite: 0 }, usd, unpricedCalls: 0, backgroundUsd: 0, ...change,
});
const session = (sessionId: string, change: Partial<Session> = {}): Session => ({ sessionId, contextUsed: 61_000, compactions: 0, ...change }) as Session;
const fall = (sessionId: string, tokensBefore: number | null): Compaction => ({ sessionId, tokensBefore }) as Compaction;

describe('dearest', () => {
  it('takes the dearest of which a cost is known', () => {
    const found = dearest([row('a', 1), row('b', 4), row('c', 0, { unpricedCalls: 3 }), row('d', 2)], [session('b')], [], 2);
    expect(found.map((d) => [d.row.key, d.session?.sessionId])).toEqual([['b', 'b'], ['d', undefined]]);
  });
  it('knows how full a context was, as far as anything says so', () => {
    const peak = (sessions: Session[], falls: Compaction[]): number | null | undefined => dearest([row('a', 1)], sessions, falls, 1)[0]?.peak;
    expect(peak([session('a')], [fall('a', 178_000), fall('a', null), fall('b', 999_000)])).toBe(178_000);
    expect(peak([session('a')], [])).toBe(61_000);
    expect(peak([session('a', { contextUsed: null })], [fall('a', null)])).toBeNull();
    expect(peak([], [])).toBeNull();
  });
});

describe('whyDear', () => {
  it.each<[Partial<CostRow>, Partial<Session>, string, string]>([
    [{}, {}, '139 calls', '139 次调用'],
    [{}, { compactions: 2 }, '2 compactions, 139 calls', '2 次压缩，139 次调用'],
    [{ backgroundUsd: 4, calls: 96 }, {}, '100% background, 96 calls', '后台占 100%，96 次调用'],
    [{ tokens: { input: 7000, output: 0, cacheRead: 3000, cacheWrite: 0 } }, { compactions: 1 }, '1 compaction, only 30% cached, 139 calls', '1 次压缩，缓存只有 30%，139 次调用'],
    [{ tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, calls: 1 }, {}, '1 call', '1 次调用'],
  ])('%j %j', (change, of, english, chinese) => {
    const dear = { row: row('a', 4, change), session: session('a', of), peak: null };
    expect(whyDear(dear, inEnglish)).toBe(english);
    expect(whyDear(dear, inChinese)).toBe(chinese);
  });
  it('does without the session', () => expect(whyDear({ row: row('a', 1), session: undefined, peak: null }, inEnglish)).toBe('139 calls'));
});
