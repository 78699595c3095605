// Invented data in the place of a server, for working on the pages.

import { pollStatus } from '../poll';
import type { Transport } from '../transport';
import { answer } from './answer';

export function fakeTransport(): Transport {
  const request: Transport['request'] = async (ask) => {
    await new Promise((done) => setTimeout(done, 30)); // about what a server takes
    ask.signal?.throwIfAborted();
    // As JSON would come: what the page changes does not change the world.
    return structuredClone(await answer(ask));
  };
  return { kind: 'fake', request, events: (installation, on) => pollStatus(request, installation, on) };
}
