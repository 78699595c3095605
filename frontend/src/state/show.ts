// Values as they are shown: in the language and the zone of the moment. Used in
// a component, they follow both by themselves.

import { bytes, compact, count, percent } from '../format/number';
import { usd } from '../format/money';
import * as time from '../format/time';
import { isKey, lang, t } from '../i18n/index.svelte';
import { nowAt } from './clock.svelte';
import { live } from './live.svelte';

function dateOf(at: string | null): Date | null {
  const date = at === null ? null : new Date(at);
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

export const show = {
  bytes,
  tokens: (n: number | null): string => (n === null ? t('word.unknown') : compact(n)),
  count: (n: number): string => count(n, lang()),
  percent: (share: number): string => percent(share, lang()),
  usd: (n: number): string => usd(n, lang()),
  about: (what: string): string => t('word.about', { what }),

  /** 30 Nov, 03:14; the word where it is not known. */
  moment(at: string | null): string {
    const date = dateOf(at);
    return date ? time.moment(date, nowAt(), lang(), live.zone) : t('word.unknown');
  },
  clock(at: string | null): string {
    const date = dateOf(at);
    return date ? time.clock(date, lang(), live.zone) : '';
  },
  ago(at: string | null): string {
    const date = dateOf(at);
    return date ? time.ago(date, nowAt(), lang(), live.zone) : t('word.unknown');
  },
  /** A moment so near that a number of seconds says nothing. */
  isNow(at: string): boolean {
    const past = nowAt().getTime() - Date.parse(at);
    return past >= -1000 && past < 2000;
  },
  exact(at: string | null): string {
    const date = dateOf(at);
    return date ? time.exact(date, lang(), live.zone) : '';
  },
  dayOf(at: string): string {
    const date = dateOf(at);
    return date ? time.day(date, live.zone) : '';
  },
  today: (): string => time.day(nowAt(), live.zone),
  date: (day: string): string => time.date(day, time.day(nowAt(), live.zone), lang()),
  longDate: (day: string): string => time.longDate(day, lang()),

  /** 15 h 44 min; the word where one end is not known. */
  span(from: string | null, to: string | null): string {
    const [a, b] = [dateOf(from), dateOf(to)];
    if (!a || !b) return t('word.unknown');
    return time.duration(b.getTime() - a.getTime()).map(({ n, unit }) => t(`unit.${unit}`, { n })).join(' ');
  },

  /** Sentences one after another: Chinese has no space between them. */
  sentences: (all: readonly string[]): string => all.filter((s) => s !== '').join(lang() === 'zh' ? '' : ' '),

  /** The words for a code of a problem, or the code itself. */
  problem(code: string): string {
    const key = `problem.${code}`;
    return isKey(key) ? t(key) : code;
  },

  /** What to do about a problem, in the language that is shown where that is known. */
  hint({ code, hint }: { code: string; hint: string }): string {
    const key = `hint.${code}`;
    return isKey(key) ? t(key) : hint || t('problems.noHint');
  },
};
