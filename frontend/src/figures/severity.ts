// How much a finding matters. Pure.

import type { Problem } from '../api/types.gen';

/** unread: something is missing; partial: a figure is not complete; note: neither. */
export type Severity = 'unread' | 'partial' | 'note';
export const severities: readonly Severity[] = ['unread', 'partial', 'note'];

const unread = new Set([
  'bad-line', 'bad-entry', 'line-too-long', 'unreadable', 'bad-archive', 'bad-database', 'new-schema', 'bad-config', 'bad-include', 'bad-store',
]);
const note = new Set([
  'blank-line', 'spliced-line', 'partial-line', 'header-name', 'unconfigured', 'foreign-path', 'shared-workspace', 'cron-moved', 'index-rebuilt',
  'both-stores', 'rewritten', 'source-gone', 'watch-limited',
]);

/** A code that is not known is no reason for alarm, and none for silence. */
export function severityOf(problem: Pick<Problem, 'code'>): Severity {
  if (unread.has(problem.code)) return 'unread';
  return note.has(problem.code) ? 'note' : 'partial';
}

/** Problems by severity, the worst first. */
export function bySeverity<T extends Pick<Problem, 'code'>>(problems: readonly T[]): Record<Severity, T[]> {
  const out: Record<Severity, T[]> = { unread: [], partial: [], note: [] };
  for (const p of problems) out[severityOf(p)].push(p);
  return out;
}
