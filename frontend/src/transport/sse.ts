// Events over the loopback server's stream. The stream rests while the page is
// hidden: browsers allow six connections to one server, whatever the number of
// tabs, and nobody sees what it says.

import type { Status } from '../api/types.gen';
import { isEvent } from './event';
import { ApiError, type Ask, type HostEvent } from './transport';

/** The part of EventSource that is used. */
export interface Stream {
  addEventListener(name: string, on: (event: MessageEvent<string>) => void): void;
  close(): void;
}

/** The part of a page that is used. */
export type Sight = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

/** How long to wait before a broken stream is opened again, in milliseconds. */
export const reopenAfter = 1000;

/** Follows an installation until the function that it gives is called. */
export function streamEvents(
  request: (ask: Ask) => Promise<unknown>,
  installation: string,
  on: (event: HostEvent) => void,
  open: (url: string) => Stream = (url) => new EventSource(url),
  page: Sight = document,
): () => void {
  const url = `/api/events${installation === '' ? '' : `?${new URLSearchParams({ installation })}`}`;
  let stream: Stream | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let broke = false;

  function begin(): void {
    clearTimeout(timer);
    if (stopped || stream || page.hidden) return;
    const now = (stream = open(url));
    const take = (event: MessageEvent<string>): void => {
      const heard: unknown = JSON.parse(event.data);
      if (now !== stream || !isEvent(heard)) return;
      // What was missed while there was no stream is not told: everything may have changed.
      if (broke && heard.name === 'status') on({ name: 'changed', changed: { installation, revision: 0, sessions: [], all: true } });
      broke = false;
      on(heard);
    };
    now.addEventListener('status', take);
    now.addEventListener('changed', take);
    now.addEventListener('error', () => void fail(now));
  }

  function end(): void {
    stream?.close();
    stream = undefined;
    broke = true;
  }

  /** A stream says only that it broke: a question tells why. */
  async function fail(of: Stream): Promise<void> {
    if (of !== stream) return;
    end();
    timer = setTimeout(begin, reopenAfter);
    try {
      const status = (await request({ path: '/api/status', query: { installation } })) as Status;
      if (!stopped) on({ name: 'status', status });
    } catch (error) {
      if (!stopped) on({ name: 'away', error: error instanceof ApiError ? error : new ApiError('bad-answer', String(error)) });
    }
  }

  const look = (): void => (page.hidden ? end() : begin());
  page.addEventListener('visibilitychange', look);
  begin();
  return () => {
    stopped = true;
    clearTimeout(timer);
    end();
    page.removeEventListener('visibilitychange', look);
  };
}
