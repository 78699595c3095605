// A tide in words.

import type { Tide, TideFall, TideStatement } from '../api/types.gen';
import { sentOf } from '../chart/tide';
import type { Tick } from '../chart/tideAxis';
import { t } from '../i18n/index.svelte';
import { show } from '../state/show';
import { stateWord, tagWord } from '../state/stated';

/** A moment of a chart as the other modules take it. */
export function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

export function tickWords(tick: Tick): string {
  if (tick.unit === 'call') return show.count(tick.at);
  return tick.unit === 'day' ? show.date(show.dayOf(iso(tick.at))) : show.clock(iso(tick.at)) + (tick.unit === 'second' ? `:${String(Math.floor(tick.at / 1000) % 60).padStart(2, '0')}` : '');
}

/** "178k to 32k", as far as it is known. */
export function fallWords(f: TideFall): string {
  if (f.superseded) return t('tide.superseded');
  if (f.kind === 'reset') return t('tide.reset');
  return f.before === null ? t('tide.fallTo', { to: show.tokens(f.after) }) : t('tide.fall', { from: show.tokens(f.before), to: show.tokens(f.after) });
}

export function costOf(tide: Tide, i: number): string {
  const usd = tide.usd[i] ?? null;
  return usd === null ? t('word.unknown') : show.usd(usd);
}

export function sayCall(tide: Tide, i: number): string {
  const output = tide.output[i] ?? -1;
  return t('tide.sayCall', {
    i: i + 1, of: tide.at.length, time: show.moment(iso(tide.at[i] ?? Number.NaN)), level: show.tokens(sentOf(tide, i)),
    output: show.tokens(output < 0 ? null : output), cost: costOf(tide, i),
  });
}

export function sayFall(f: TideFall): string {
  const time = show.moment(iso(f.at));
  if (f.kind === 'reset') return t('tide.sayReset', { time });
  return t(f.superseded ? 'tide.saySuperseded' : 'tide.sayCompaction', { time, before: show.tokens(f.before), after: show.tokens(f.after) });
}

/** How long a pause was, in one unit: it stands in a narrow place. */
export function idleWords(ms: number): string {
  const hours = ms / 3_600_000;
  const [n, unit] = hours < 1 ? [Math.round(hours * 60), 'min' as const] : hours < 48 ? [Math.round(hours), 'h' as const] : [Math.round(hours / 24), 'd' as const];
  return t('tide.idle', { span: t(`unit.${unit}`, { n }) });
}

export function sayStatement(s: TideStatement): string {
  return t('tide.sayStatement', { tag: tagWord(s.tag), time: show.moment(iso(s.at)), state: stateWord(s.state), text: s.text });
}
