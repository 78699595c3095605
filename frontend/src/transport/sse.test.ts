import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isEvent } from './event';
import { reopenAfter, streamEvents, type Stream } from './sse';
import { ApiError, type HostEvent } from './transport';

class Page extends EventTarget {
  hidden = false;
  show(shown: boolean): void {
    this.hidden = !shown;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

class FakeStream implements Stream {
  closed = false;
  #on = new Map<string, (event: MessageEvent<string>) => void>();
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
  addEventListener(name: string, on: (event: MessageEvent<string>) => void): void {
    this.#on.set(name, on);
  }
  close(): void {
    this.closed = true;
  }
  say(name: string, data: unknown = {}): void {
    this.#on.get(name)?.({ data: JSON.stringify(data) } as MessageEvent<string>);
  }
}

const status = { name: 'status', status: { busy: false } };
const changed = { name: 'changed', changed: { installation: 'x', revision: 1, sessions: [], all: false } };

function start(answer: () => Promise<unknown> = () => Promise.resolve({ busy: true })): { streams: FakeStream[]; seen: HostEvent[]; page: Page; stop: () => void } {
  const streams: FakeStream[] = [];
  const seen: HostEvent[] = [];
  const page = new Page();
  const open = (url: string): Stream => {
    const s = new FakeStream(url);
    streams.push(s);
    return s;
  };
  const stop = streamEvents(answer, 'a b', (e) => seen.push(e), open, page as unknown as Document);
  return { streams, seen, page, stop };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('streamEvents', () => {
  it('hands on what the host says and nothing else', () => {
    const s = start();
    expect(s.streams[0]?.url).toBe('/api/events?installation=a+b');
    s.streams[0]?.say('status', status);
    s.streams[0]?.say('changed', changed);
    s.streams[0]?.say('changed', { name: 'changed' });
    s.streams[0]?.say('status', null);
    expect(s.seen).toEqual([status, changed]);
    s.stop();
    expect(s.streams[0]?.closed).toBe(true);
  });

  it('rests while the page is hidden, and then takes everything for changed', () => {
    const s = start();
    s.streams[0]?.say('status', status);
    s.page.show(false);
    expect(s.streams[0]?.closed).toBe(true);
    s.streams[0]?.say('status', status);
    s.page.show(true);
    s.streams[1]?.say('status', status);
    s.streams[1]?.say('status', status);
    expect(s.seen.map((e) => e.name)).toEqual(['status', 'changed', 'status', 'status']);
    s.stop();
  });

  it('says why a stream broke, and opens another', async () => {
    const s = start(() => Promise.reject(new ApiError('unauthorized', 'x')));
    s.streams[0]?.say('error');
    s.streams[0]?.say('error');
    await vi.advanceTimersByTimeAsync(reopenAfter);
    expect(s.seen).toMatchObject([{ name: 'away', error: { code: 'unauthorized' } }]);
    expect(s.streams).toHaveLength(2);
    s.stop();
    s.streams[1]?.say('error');
    await vi.advanceTimersByTimeAsync(reopenAfter * 2);
    expect(s.streams).toHaveLength(2);
  });
});

describe('isEvent', () => {
  it.each([[null, false], ['status', false], [{ name: 'status' }, false], [{ name: 'away', away: {} }, false], [status, true], [changed, true]])('%j', (heard, want) => expect(isEvent(heard)).toBe(want));
});
