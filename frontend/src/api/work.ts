// Long work that is asked for and then watched, in the state of the owner.

import { object } from './client';
import type { Installation } from './types.gen';

export type ReadingStep = 'pause' | 'resume' | 'cancel';

/** Pauses, resumes or ends the first look or the rebuild. */
export async function reading(installation: string, step: ReadingStep): Promise<void> {
  await object<object>({ method: 'POST', path: '/api/reading', query: { installation, do: step } });
}

/** Makes the index anew; the answer comes when that is done. */
export async function rebuild(installation: string): Promise<void> {
  await object<object>({ method: 'POST', path: '/api/rebuild', query: { installation } });
}

/** Makes the invented installation, or finds it, and gives it. */
export async function openSample(): Promise<Installation> {
  return object<Installation>({ method: 'POST', path: '/api/demo' });
}
