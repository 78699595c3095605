import { list, scoped, type Scope } from './client';
import type { Problem } from './types.gen';

/** What could not be read or needs attention, of all agents. */
export async function problems(scope: Scope, signal?: AbortSignal): Promise<Problem[]> {
  return list<Problem>({ path: '/api/problems', query: scoped({ ...scope, agent: '' }), signal });
}
