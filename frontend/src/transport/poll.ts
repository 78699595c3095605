// Events for a host that cannot send any: the state is asked for now and then.

import type { Status } from '../api/types.gen';
import { ApiError, isAbort, type Ask, type HostEvent } from './transport';

/** How often, in milliseconds: progress should move, rest should cost nothing. */
export const every = { busy: 1000, idle: 5000 };

/** Asks for the state until stopped; rests while the page is not seen. */
export function pollStatus(
  request: (ask: Ask) => Promise<unknown>,
  installation: string,
  on: (event: HostEvent) => void,
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'> = document,
): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;

  async function ask(): Promise<void> {
    if (asking || page.hidden) return;
    asking = true;
    clearTimeout(timer);
    let wait = every.idle;
    try {
      const status = (await request({ path: '/api/status', query: { installation }, signal: stop.signal })) as Status;
      if (status.busy) wait = every.busy;
      if (!stop.signal.aborted) on({ name: 'status', status });
    } catch (error) {
      if (stop.signal.aborted || isAbort(error)) return;
      on({ name: 'away', error: error instanceof ApiError ? error : new ApiError('bad-answer', String(error)) });
    } finally {
      asking = false;
    }
    if (!stop.signal.aborted) timer = setTimeout(() => void ask(), wait);
  }

  const wake = (): void => void ask();
  page.addEventListener('visibilitychange', wake);
  void ask();
  return () => {
    stop.abort();
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', wake);
  };
}
