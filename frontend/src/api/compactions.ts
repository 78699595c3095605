import { list, scoped, type Scope } from './client';
import type { Compaction } from './types.gen';

/** All compactions, of one agent or session or of all. */
export async function compactions(scope: Scope & { session?: string }, signal?: AbortSignal): Promise<Compaction[]> {
  return list<Compaction>({ path: '/api/compactions', query: { ...scoped(scope), session: scope.session }, signal });
}
