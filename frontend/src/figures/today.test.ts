import { describe, expect, it } from 'vitest';
import type { Need, Tide, Today, TodayAgent } from '../api/types.gen';
import { en } from '../i18n/en';
import { fill } from '../i18n/message';
import { zh } from '../i18n/zh';
import type { Range } from '../state/range';
import { inOrder } from './order';
import { byGravity, gravity, headline, monthBudget, needId, overBudget, shareOf, spanWords, support, type Words } from './today';

const inEnglish: Words = { lang: 'en', t: (key, params = {}) => fill(en[key], params, 'en') };
const inChinese: Words = { lang: 'zh', t: (key, params = {}) => fill(zh[key], params, 'zh') };

const sum = { calls: 0, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, usd: 0, unpricedCalls: 0, backgroundUsd: 0 };
const tide: Tide = { at: [], input: [], cacheRead: [], cacheWrite: [], output: [], usd: [], background: [], entry: [], falls: [], window: null, windowSource: '', threshold: null, used: null, statements: [] };
const agent = (change: Partial<TodayAgent> = {}): TodayAgent => ({
  id: 'main', name: '', model: 'm', local: false, lastAt: null, lastRole: '', lastText: '', lastSession: 's', contextUsed: 182_000, contextWindow: 200_000, threshold: 180_000,
  sessions: 0, messages: 0, calls: 0, compactions: 0, resets: 0, usd: 0, backgroundUsd: 0, unpricedCalls: 0, tide, ...change,
});
const need = (change: Partial<Need> = {}): Need => ({ kind: 'full', agent: 'main', sessionId: 's', entryId: '', code: '', count: 0, used: 182_000, limit: 190_000, at: null, ...change });
const day = (change: Partial<Today> = {}): Today => ({ zone: 'UTC', agents: [agent()], spend: sum, month: sum, monthPace: null, dailyBudget: 0, needs: [], ...change });

describe('the first sentence', () => {
  it.each<[string, Partial<Today>, string, string]>([
    ['nothing happened', {}, 'All quiet.', '一切平静。'],
    ['one compaction', { agents: [agent({ compactions: 1 })] }, '1 compaction since yesterday, everything else is quiet.', '昨天以来有 1 次压缩，其余平静。'],
    ['compactions of two agents', { agents: [agent({ compactions: 1 }), agent({ id: 'mail', compactions: 1 })] }, '2 compactions since yesterday, everything else is quiet.', '昨天以来有 2 次压缩，其余平静。'],
    ['one is nearly full', { needs: [need()] }, 'main is at 91% and compacts soon.', 'main 已到 91%，快要压缩了。'],
    ['one is nearly full, window unknown', { agents: [agent({ contextWindow: null })], needs: [need({ limit: null })] }, 'main compacts soon.', 'main 快要压缩了。'],
    ['two are nearly full', { agents: [agent(), agent({ id: 'shop', name: '店铺' })], needs: [need(), need({ agent: 'shop' })] }, '2 conversations compact soon: main and 店铺.', '有 2 个会话快要压缩了：main、店铺。'],
    ['two sessions of one agent', { needs: [need(), need({ sessionId: 't' })] }, '2 conversations compact soon: main.', '有 2 个会话快要压缩了：main。'],
    ['something is unread', { needs: [need(), need({ kind: 'problem', agent: '', code: 'bad-archive', count: 1 })] }, 'Something can’t be read and is missing from the figures.', '有 1 处读不了，数字里缺了这些。'],
    ['two things are unread', { needs: [need({ kind: 'problem', count: 3 }), need({ kind: 'problem', count: 0 })] }, '2 things can’t be read and are missing from the figures.', '有 2 处读不了，数字里缺了这些。'],
    ['what is lost comes first', { needs: [need(), need({ kind: 'problem' }), need({ kind: 'compaction' })] }, 'A compaction of main left no summary.', 'main 有一次压缩没留下摘要。'],
    ['two summaries are missing', { needs: [need({ kind: 'compaction' }), need({ kind: 'compaction', entryId: 'b' })] }, '2 compactions left no summary.', '有 2 次压缩没留下摘要。'],
    ['over budget', { spend: { ...sum, usd: 6.3 }, dailyBudget: 4 }, '$6.30 was spent, the budget is $4.00 a day.', '花了 $6.30，每天的预算是 $4.00。'],
  ])('%s', (_name, change, english, chinese) => {
    expect(headline(day(change), '24h', inEnglish)).toBe(english);
    expect(headline(day(change), '24h', inChinese)).toBe(chinese);
  });

  it('says the span', () => {
    const spans = (words: Words): string[] => (['24h', 'today', '7d', '30d', 'all', { from: '2026-11-01', to: '2026-11-02' }] as Range[]).map((r) => spanWords(r, words));
    expect(spans(inEnglish)).toEqual(['since yesterday', 'today', 'in 7 days', 'in 30 days', 'so far', 'in these days']);
    expect(spans(inChinese)).toEqual(['昨天以来', '今天', '7 天内', '30 天内', '至今', '这些天']);
  });
});

describe('what is said beside it', () => {
  it('counts what was said, once', () => {
    expect(support(day(), '24h', inEnglish)).toEqual(['No messages since yesterday.']);
    const busy = day({ agents: [agent({ messages: 30, sessions: 2, compactions: 2 }), agent({ messages: 18, sessions: 1, resets: 1 })] });
    expect(support(busy, '24h', inEnglish)).toEqual(['48 messages in 3 sessions since yesterday.', '1 reset.']);
    expect(support(busy, '24h', inChinese)).toEqual(['昨天以来 3 个会话、48 条消息。', '重置 1 次。']);
  });
  it('says beside a need what the first sentence then does not', () => {
    const all = day({ agents: [agent({ compactions: 2 })], needs: [need()], spend: { ...sum, usd: 9 }, dailyBudget: 4 });
    expect(support(all, '24h', inEnglish)).toEqual(['No messages since yesterday.', '2 compactions.', '$9.00 was spent, the budget is $4.00 a day.']);
    expect(support(all, '7d', inEnglish)).not.toContain('$9.00 was spent, the budget is $4.00 a day.');
  });
});

describe('needs', () => {
  it('are told apart by what they are about, not by their numbers', () => {
    expect(needId(need({ used: 1 }))).toBe(needId(need({ used: 2, at: '2026-01-01T00:00:00Z' })));
    expect(new Set([need(), need({ kind: 'problem' }), need({ sessionId: 'x' }), need({ code: 'y' })].map(needId)).size).toBe(4);
  });
  it('are red where something is lost', () => {
    expect(byGravity([need(), need({ kind: 'problem' }), need({ agent: 'b' }), need({ kind: 'compaction' })]).map((n) => n.kind)).toEqual(['problem', 'compaction', 'full', 'full']);
    expect([gravity({ kind: 'full' }), gravity({ kind: 'compaction' }), gravity({ kind: 'problem' }), gravity({ kind: 'new' })]).toEqual(['soon', 'lost', 'lost', 'lost']);
  });
  it('are a share of the window, else of the limit, else unknown', () => {
    expect(shareOf(need(), [agent()])).toBeCloseTo(0.91);
    expect(shareOf(need({ sessionId: 'other', limit: 364_000 }), [agent()])).toBeCloseTo(0.5);
    expect(shareOf(need({ used: null }), [agent()])).toBeNull();
    expect(shareOf(need({ limit: 0 }), [])).toBeNull();
  });
});

describe('the budget', () => {
  it('of a month is that of its days', () => {
    expect(monthBudget(4, '2026-11-30')).toBe(120);
    expect(monthBudget(4, '2028-02-01')).toBe(116);
    expect(monthBudget(0, '2026-11-30')).toBe(0);
  });
  it('is held against a day alone', () => {
    const over = { spend: { ...sum, usd: 5 }, dailyBudget: 4 };
    expect((['24h', 'today', '7d', 'all'] as Range[]).map((r) => overBudget(over, r))).toEqual([true, true, false, false]);
    expect(overBudget({ ...over, dailyBudget: 5 }, '24h')).toBe(false);
    expect(overBudget({ ...over, dailyBudget: 0 }, '24h')).toBe(false);
  });
});

describe('inOrder', () => {
  const id = (x: { id: string }): string => x.id;
  const rows = ['c', 'a', 'b'].map((x) => ({ id: x }));
  it('keeps places whatever order comes, and counts what is new', () => {
    expect(inOrder(['a', 'b'], rows, id)).toEqual({ rows: [{ id: 'a' }, { id: 'b' }], fresh: 1 });
    expect(inOrder(['a', 'gone', 'c'], rows, id)).toEqual({ rows: [{ id: 'a' }, { id: 'c' }], fresh: 1 });
    expect(inOrder([], rows, id)).toEqual({ rows: [], fresh: 3 });
    expect(inOrder(['a'], [], id)).toEqual({ rows: [], fresh: 0 });
  });
});
