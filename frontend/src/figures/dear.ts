// Which sessions were dear, and why. Pure: words come in.

import type { Compaction, CostRow, Session } from '../api/types.gen';
import { percent } from '../format/number';
import type { Words } from './today';

export interface Dear {
  row: CostRow;
  /** The session, undefined where it is not known any more. */
  session: Session | undefined;
  /** The fullest that its context is known to have been, null where it is not. */
  peak: number | null;
}

/** The dearest sessions of which a cost is known, the dearest first. */
export function dearest(rows: readonly CostRow[], sessions: readonly Session[], compactions: readonly Compaction[], n: number): Dear[] {
  const byId = new Map(sessions.map((s) => [s.sessionId, s]));
  return rows.filter((r) => r.usd > 0).toSorted((a, b) => b.usd - a.usd).slice(0, n).map((row) => {
    const session = byId.get(row.key);
    return { row, session, peak: peakOf(session, compactions.filter((c) => c.sessionId === row.key)) };
  });
}

/** A context is fullest before it is compacted, or now. */
function peakOf(session: Session | undefined, compactions: readonly Compaction[]): number | null {
  const known = [session?.contextUsed ?? null, ...compactions.map((c) => c.tokensBefore)].filter((x) => x !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Nearly everything that was sent is usually cached: less than this is worth a word. */
const cachedLittle = 0.5;
/** A share of background calls from which on it is what the session is about. */
const mostly = 0.8;

/** What made a session dear, in a few words; how many calls where nothing stands out. */
export function whyDear({ row, session }: Dear, { t, lang }: Words): string {
  const calls = t('costs.calls', { n: row.calls });
  const why: string[] = [];
  const background = row.usd > 0 ? row.backgroundUsd / row.usd : 0;
  if (background >= mostly) why.push(t('costs.why.background', { share: percent(background, lang) }));
  if (session && session.compactions > 0) why.push(t('compactions.count', { n: session.compactions }));
  const sent = row.tokens.input + row.tokens.cacheRead + row.tokens.cacheWrite;
  const cached = sent > 0 ? row.tokens.cacheRead / sent : 1;
  if (cached < cachedLittle) why.push(t('costs.why.uncached', { share: percent(cached, lang) }));
  return [...why, calls].join(t('word.comma'));
}
