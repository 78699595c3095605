import { items, list, scoped, type Scope } from './client';
import type { Agent } from './types.gen';

/** All agents of an installation. */
export async function agents(scope: Scope, signal?: AbortSignal): Promise<Agent[]> {
  const all = await list<Agent>({ path: '/api/agents', query: scoped({ installation: scope.installation }), signal });
  return all.map((a) => ({ ...a, eras: items(a.eras), sharedWith: items(a.sharedWith) }));
}
