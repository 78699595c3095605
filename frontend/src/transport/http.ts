// The API over the loopback server, with the browser's cookie.

import { taken } from './answer';
import { streamEvents } from './sse';
import { address, ApiError, isAbort, type Ask, type Transport } from './transport';

/** A transport that asks the server that the page came from. */
export function httpTransport(fetcher: typeof fetch = fetch): Transport {
  const request = (ask: Ask): Promise<unknown> => send(fetcher, ask);
  return {
    kind: 'http',
    request,
    events: (installation, on) => streamEvents(request, installation, on),
  };
}

async function send(fetcher: typeof fetch, ask: Ask): Promise<unknown> {
  let response: Response;
  try {
    response = await fetcher(address(ask), options(ask));
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError('away', error instanceof Error ? error.message : String(error));
  }
  return taken(ask.path, response.status, await json(response));
}

function options(ask: Ask): RequestInit {
  const init: RequestInit = {
    method: ask.method ?? 'GET',
    headers: { Accept: 'application/json' },
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
  };
  if (ask.signal) init.signal = ask.signal;
  // A question that changes something always has a body of a type that no form
  // has: the server takes no other from a browser.
  const body = ask.method === 'POST' ? (ask.body ?? {}) : ask.body;
  if (body !== undefined) {
    init.headers = { ...init.headers, 'Content-Type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  return init;
}

/** The JSON of an answer, undefined where it is none. */
async function json(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch (error) {
    if (isAbort(error)) throw error;
    return undefined;
  }
}
