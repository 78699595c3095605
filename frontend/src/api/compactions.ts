import { items, list, object, scoped, type Scope } from './client';
import { wholeEntry } from './sessions';
import type { Compaction, CompactionDetail } from './types.gen';

/** All compactions, of one agent or session or of all. */
export async function compactions(scope: Scope & { session?: string }, signal?: AbortSignal): Promise<Compaction[]> {
  return list<Compaction>({ path: '/api/compactions', query: { ...scoped(scope), session: scope.session }, signal });
}

/** One compaction with what left the context at it. */
export async function compaction(ask: Scope & { agent: string; session: string; entry: string }, signal?: AbortSignal): Promise<CompactionDetail> {
  const detail = await object<CompactionDetail>({ path: '/api/compaction', query: { ...scoped(ask), session: ask.session, entry: ask.entry }, signal });
  return { ...detail, left: items(detail.left).map(wholeEntry) };
}
