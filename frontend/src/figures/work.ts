// Long work in words and shares. Pure: words come in.

import type { Status } from '../api/types.gen';
import { bytes } from '../format/number';
import { duration } from '../format/time';
import type { Words } from './today';

export interface Work {
  job: 'reading' | 'rebuild';
  state: 'running' | 'paused' | 'failed';
  /** Of all bytes, or of all files where those are not known; null before the first. */
  share: number | null;
}

/** The long work of a state, null where there is none. */
export function workOf(status: Status | null): Work | null {
  if (!status || (status.job !== 'reading' && status.job !== 'rebuild')) return null;
  const state = status.error !== '' ? 'failed' : status.paused ? 'paused' : 'running';
  return { job: status.job, state, share: shareDone(status) };
}

function shareDone({ done, total, sources, sourcesDone }: Status): number | null {
  if (total > 0) return Math.min(1, Math.max(0, done / total));
  return sources > 0 ? Math.min(1, Math.max(0, sourcesDone / sources)) : null;
}

/** A bar that never goes back while the work is the same: files grow as they are read. */
export function steady(before: Work | null, now: Work | null): Work | null {
  if (!before || !now || before.job !== now.job || before.share === null) return now;
  return { ...now, share: Math.max(before.share, now.share ?? 0) };
}

/** What is being done and how far it is, a part each; what is not known is left out. */
export function workWords(status: Status, { t }: Words): string[] {
  const work = workOf(status);
  if (!work) return [];
  const out = [t(`work.${work.job}.${work.state}`)];
  if (status.total > 0) out.push(t('word.ofTotal', { part: bytes(status.done), whole: bytes(status.total) }));
  if (status.sources > 0) out.push(t('work.files', { n: status.sources, done: status.sourcesDone }));
  if (work.state !== 'running') return out;
  if (status.rate > 0) out.push(t('work.rate', { rate: bytes(status.rate) }));
  if (status.secondsLeft !== null) out.push(leftWords(status.secondsLeft, t));
  return out;
}

function leftWords(seconds: number, t: Words['t']): string {
  const time = duration(seconds * 1000).map(({ n, unit }) => t(`unit.${unit}`, { n })).join(' ');
  return t('work.left', { time });
}

/** What stays where the work is given up. */
export function keptWords(status: Status, { t }: Words): string {
  if (status.job === 'rebuild') return t('work.kept.rebuild');
  return t('work.kept.reading', { n: status.sources, done: status.sourcesDone });
}
