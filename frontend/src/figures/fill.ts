// How full a context is. Pure.

import type { Session } from '../api/types.gen';

export interface Fill {
  used: number | null;
  window: number | null;
  /** Used of window, null where either is not known. */
  share: number | null;
  /** It will be compacted soon: amber. */
  high: boolean;
}

/** From here on a compaction is near: OpenClaw keeps a tenth or more in reserve. */
const highShare = 0.85;

export function fillOf(of: Pick<Session, 'contextUsed' | 'contextWindow'> | undefined): Fill {
  const used = of?.contextUsed ?? null;
  const window = of?.contextWindow ?? null;
  const share = used === null || window === null || window <= 0 ? null : used / window;
  return { used, window, share, high: share !== null && share >= highShare };
}

/** The session in which each agent was last active, as far as times are known. */
export function latestByAgent(sessions: readonly Session[]): Map<string, Session> {
  const latest = new Map<string, Session>();
  for (const s of sessions) {
    if (s.gone) continue;
    const before = latest.get(s.agent);
    if (!before || (s.updatedAt ?? '') > (before.updatedAt ?? '')) latest.set(s.agent, s);
  }
  return latest;
}
