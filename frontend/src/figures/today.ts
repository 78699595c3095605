// What a day comes to, in one sentence that a tired person can act on, and the
// figures beside it. Pure: words come in.

import type { Need, Today, TodayAgent } from '../api/types.gen';
import { usd as money } from '../format/money';
import { percent, type Lang } from '../format/number';
import type { Key } from '../i18n/keys';
import type { Params } from '../i18n/message';
import type { Range } from '../state/range';

/** How texts are made: the catalogue of a language. */
export interface Words {
  lang: Lang;
  t: (key: Key, params?: Params) => string;
}

/** How bad a need is: lost is red, soon is amber. */
export function gravity(need: Pick<Need, 'kind'>): 'lost' | 'soon' {
  return need.kind === 'full' ? 'soon' : 'lost';
}

/** Needs in the order of their gravity; those that are alike keep their order. */
export function byGravity(needs: readonly Need[]): Need[] {
  return needs.toSorted((a, b) => Number(gravity(a) === 'soon') - Number(gravity(b) === 'soon'));
}

/** What tells needs apart, whatever their numbers are. */
export function needId(n: Need): string {
  return [n.kind, n.agent, n.sessionId, n.entryId, n.code].join(' ');
}

/** The time span as the end of a sentence: "since yesterday". */
export function spanWords(range: Range, { t }: Words): string {
  return t(`today.span.${typeof range === 'string' ? range : 'days'}`);
}

/** Used of the window where that is known, else of the limit that a need names. */
export function shareOf(need: Need, agents: readonly TodayAgent[]): number | null {
  const agent = agents.find((a) => a.id === need.agent && a.lastSession === need.sessionId);
  const whole = agent?.contextWindow ?? need.limit;
  return need.used === null || whole === null || whole <= 0 ? null : need.used / whole;
}

/** The first sentence of the day: what is lost, what is near, what happened. */
export function headline(today: Today, range: Range, words: Words): string {
  const { t } = words;
  const of = (kind: string): Need[] => today.needs.filter((n) => n.kind === kind);
  const bare = of('compaction');
  if (bare.length === 1) return t('today.noSummary', { agent: nameOf(bare[0], today) });
  if (bare.length > 1) return t('today.noSummaries', { n: bare.length });
  const unread = of('problem');
  if (unread.length > 0) return t('today.unread', { n: unread.length });
  const full = of('full');
  if (full.length > 0) return fullWords(full, today, words);
  if (overBudget(today, range)) return t('today.overBudget', { amount: money(today.spend.usd, words.lang), budget: money(today.dailyBudget, words.lang) });
  const compactions = sum(today.agents, (a) => a.compactions);
  if (compactions > 0) return t('today.compacted', { n: compactions, span: spanWords(range, words) });
  return t('today.quiet');
}

/** What else there is to say, in whole sentences. */
export function support(today: Today, range: Range, words: Words): string[] {
  const { t } = words;
  const [messages, sessions, compactions, resets] = (['messages', 'sessions', 'compactions', 'resets'] as const).map((k) => sum(today.agents, (a) => a[k])) as [number, number, number, number];
  const out = [messages > 0 ? t('today.said', { n: messages, sessions: t('sessions.count', { n: sessions }), span: spanWords(range, words) }) : t('today.unsaid', { span: spanWords(range, words) })];
  if (compactions > 0 && today.needs.length > 0) out.push(t('today.alsoCompacted', { n: compactions }));
  if (resets > 0) out.push(t('today.alsoReset', { n: resets }));
  if (today.needs.length > 0 && overBudget(today, range)) out.push(t('today.overBudget', { amount: money(today.spend.usd, words.lang), budget: money(today.dailyBudget, words.lang) }));
  return out;
}

/** The budget of a day is one of a day: only a span of one is held against it. */
export function overBudget(today: Pick<Today, 'spend' | 'dailyBudget'>, range: Range): boolean {
  return (range === '24h' || range === 'today') && today.dailyBudget > 0 && today.spend.usd > today.dailyBudget;
}

/** What a month may cost: the budget of a day times its days; 0 where none is set. */
export function monthBudget(daily: number, day: string): number {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return daily > 0 ? daily * new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
}

function fullWords(full: readonly Need[], today: Today, { t, lang }: Words): string {
  const [first] = full;
  if (full.length > 1 || !first) return t('today.fullMore', { n: full.length, agents: [...new Set(full.map((n) => nameOf(n, today)))].join(t('word.and')) });
  const share = shareOf(first, today.agents);
  return share === null ? t('today.fullSoon', { agent: nameOf(first, today) }) : t('today.full', { agent: nameOf(first, today), share: percent(share, lang) });
}

function nameOf(need: Need | undefined, today: Today): string {
  return today.agents.find((a) => a.id === need?.agent)?.name || (need?.agent ?? '');
}

function sum<T>(of: readonly T[], value: (one: T) => number): number {
  return of.reduce((n, one) => n + value(one), 0);
}
