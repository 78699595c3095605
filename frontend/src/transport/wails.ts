// The API through the window's one bound method, and what the window says.

import { taken } from './answer';
import { isEvent } from './event';
import { address, ApiError, type Ask, type HostWindow, type Transport } from './transport';

/** The part of what Wails puts on the page that is used. */
export interface Bound {
  request: (method: string, path: string, body: string) => Promise<{ status: number; body: string }>;
  /** Calls on for each event of a name until the function that it gives is called. */
  on: (name: string, on: (data: unknown) => void) => () => void;
}

/** What Wails puts on the page, undefined where the page is not in a window. */
export function boundIn(page: object): Bound | undefined {
  const at = page as {
    go?: { app?: { Bridge?: { Request?: Bound['request'] } } };
    runtime?: { EventsOn?: Bound['on'] };
  };
  const request = at.go?.app?.Bridge?.Request;
  const on = at.runtime?.EventsOn;
  return request && on ? { request, on } : undefined;
}

/** A transport that asks the window that the page is in. */
export function windowTransport(bound: Bound): Transport {
  const request = (ask: Ask): Promise<unknown> => send(bound, ask);
  return {
    kind: 'window',
    request,
    events(installation, on) {
      const off = bound.on('tidemark', (data) => {
        const said = data as { installation?: unknown; event?: unknown } | null;
        if (said?.installation === installation && isEvent(said.event)) on(said.event);
      });
      request({ method: 'POST', path: '/window/follow', query: { installation } }).catch((error: unknown) => {
        on({ name: 'away', error: error instanceof ApiError ? error : new ApiError('away', String(error)) });
      });
      return off;
    },
    window: hostOf(bound, request),
  };
}

function hostOf(bound: Bound, request: Transport['request']): HostWindow {
  const post = async (path: string, body?: object): Promise<unknown> => request({ method: 'POST', path, body });
  return {
    onMenu: (on) => bound.on('tidemark:menu', (what) => on(String(what))),
    onClosing: (on) =>
      bound.on('tidemark:closing', () => {
        void post('/window/noticed');
        on();
      }),
    close: async (what) => void (await request({ method: 'POST', path: '/window/closing', query: { do: what } })),
    async pickFolder() {
      const { path } = (await post('/window/pick-folder')) as { path: string };
      return path === '' ? null : path;
    },
    open: async (url) => void (await post('/window/open', { url })),
    save: async (name, text) => void (await post('/window/save', { name, text })),
  };
}

async function send(bound: Bound, ask: Ask): Promise<unknown> {
  ask.signal?.throwIfAborted();
  let answer: { status: number; body: string };
  try {
    answer = await bound.request(ask.method ?? 'GET', address(ask), ask.body === undefined ? '' : JSON.stringify(ask.body));
  } catch (error) {
    throw new ApiError('away', String(error));
  }
  // The window goes on with a question that nobody waits for any more.
  ask.signal?.throwIfAborted();
  return taken(ask.path, answer.status, json(answer.body));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
