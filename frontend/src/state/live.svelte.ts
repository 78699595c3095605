// What the owner process is doing, and when views should ask again.

import { host } from '../api/client';
import { refresh as askRefresh } from '../api/status';
import type { Changed, Status } from '../api/types.gen';
import { knownZone } from '../format/time';
import { ApiError, isAbort } from '../transport/transport';
import { setClock } from './clock.svelte';

let status = $state.raw<Status | null>(null);
let away = $state.raw<ApiError | null>(null);
let looks = $state(0);
let forced = $state(0);
let refreshing = $state(false);
let failed = $state.raw<ApiError | null>(null);
let ready = $state(false);
const zone = $derived(knownZone(status?.zone ?? ''));

export const live = {
  /** The last state that was heard, null before the first. */
  get status(): Status | null {
    return status;
  },
  /** Why the state is not known now, null while it is. */
  get away(): ApiError | null {
    return away;
  },
  /** Grows when OpenClaw's files were looked at again. */
  get looks(): number {
    return looks;
  },
  /** Grows when a person asked to read again, and it is done. */
  get forced(): number {
    return forced;
  },
  /** Files are being read. */
  get busy(): boolean {
    return refreshing || (status?.busy ?? false);
  },
  /** Why the last look failed, null if it did not. */
  get failed(): ApiError | null {
    return failed;
  },
  /** The host answers, so that views can ask. */
  get ready(): boolean {
    return ready;
  },
  /** The person's zone, as one that the browser knows. */
  get zone(): string {
    return zone;
  },
};

const listeners = new Set<(changed: Changed) => void>();

/** Calls fn at once for every change that is heard, until the function that it gives is called. */
export function onChanged(fn: (changed: Changed) => void): () => void {
  listeners.add(fn);
  return () => void listeners.delete(fn);
}

/** What was missed while nobody answered is not told. */
const anything: Changed = { installation: '', revision: 0, sessions: [], all: true };

function tell(changed: Changed): void {
  for (const fn of listeners) fn(changed);
  // While there is only a part to see, more of it is shown as it comes.
  if (status?.job === 'reading') forced++;
  else looks++;
}

/** Follows an installation until the function that it gives is called. */
export function follow(installation: string): () => void {
  status = null;
  ready = false;
  let first = true;
  const stop = host().events(installation, (event) => {
    if (event.name === 'away') {
      away = event.error;
      return;
    }
    if (event.name === 'changed') {
      tell(event.changed);
      return;
    }
    const back = away !== null;
    away = null;
    status = event.status;
    const before = ready;
    // During the first look, what was read so far is there to be shown.
    if (status.updatedAt !== null || (status.job !== '' && status.sourcesDone > 0)) ready = true;
    // Views ask at once: where there was nothing yet, they ask again.
    if (ready && !before && !first) forced++;
    first = false;
    if (back) tell(anything);
    setClock();
  });
  return stop;
}

/** Has OpenClaw's files read without changing what is on screen. */
async function look(installation: string): Promise<boolean> {
  refreshing = true;
  try {
    await askRefresh(installation);
    failed = null;
    ready = true;
    return true;
  } catch (error) {
    if (!isAbort(error)) failed = error instanceof ApiError ? error : new ApiError('bad-answer', String(error));
    return false;
  } finally {
    refreshing = false;
  }
}

/** Reads again because a person asked to, and shows what is new. */
export async function readAgain(installation: string): Promise<void> {
  if (refreshing) return;
  if (await look(installation)) forced++;
}
