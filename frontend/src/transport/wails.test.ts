import { describe, expect, it, vi } from 'vitest';
import { ApiError, type HostEvent } from './transport';
import { boundIn, windowTransport, type Bound } from './wails';

type Heard = (data: unknown) => void;

function windowed(answer: (method: string, path: string, body: string) => Promise<{ status: number; body: string }>): { bound: Bound; asked: string[][]; say: (name: string, data?: unknown) => void } {
  const asked: string[][] = [];
  const on = new Map<string, Set<Heard>>();
  const bound: Bound = {
    request: (...all) => (asked.push(all), answer(...all)),
    on: (name, fn) => {
      const all = on.get(name) ?? new Set();
      on.set(name, all.add(fn));
      return () => void all.delete(fn);
    },
  };
  return { bound, asked, say: (name, data) => on.get(name)?.forEach((fn) => fn(data)) };
}

const fine = (body = '{}'): Promise<{ status: number; body: string }> => Promise.resolve({ status: 200, body });

describe('the transport of the window', () => {
  it('is there where Wails put it', () => {
    const request = vi.fn();
    const on = vi.fn();
    expect(boundIn({})).toBeUndefined();
    expect(boundIn({ go: {}, runtime: {} })).toBeUndefined();
    expect(boundIn({ go: { app: { Bridge: { Request: request } } } })).toBeUndefined();
    expect(boundIn({ go: { app: { Bridge: { Request: request } } }, runtime: { EventsOn: on } })).toEqual({ request, on });
  });

  it('asks with a method, a path and a body', async () => {
    const w = windowed(() => fine('[1]'));
    const t = windowTransport(w.bound);
    expect(await t.request({ path: '/api/agents', query: { installation: 'a b', agent: '' } })).toEqual([1]);
    await t.request({ method: 'POST', path: '/api/settings', body: { theme: 'dark' } });
    expect(w.asked).toEqual([['GET', '/api/agents?installation=a+b', ''], ['POST', '/api/settings', '{"theme":"dark"}']]);
  });

  it.each([
    [{ status: 404, body: '{"code":"not-found","message":"m","hint":"h"}' }, { code: 'not-found', message: 'm', hint: 'h' }],
    [{ status: 500, body: 'broken' }, { code: 'bad-answer' }],
    [{ status: 200, body: '' }, { code: 'bad-answer' }],
  ])('gives errors in their one shape: %j', async (answer, want) => {
    const t = windowTransport(windowed(() => Promise.resolve(answer)).bound);
    await expect(t.request({ path: '/api/x' })).rejects.toMatchObject(want);
  });

  it('says away where the window does not answer, and lets an abort through', async () => {
    await expect(windowTransport(windowed(() => Promise.reject(new Error('gone'))).bound).request({ path: '/api/x' })).rejects.toMatchObject({ code: 'away' });
    const stop = new AbortController();
    const t = windowTransport(windowed(() => (stop.abort(), fine())).bound);
    await expect(t.request({ path: '/api/x', signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('hears the events of the installation that it follows, until it does not', async () => {
    const w = windowed(() => fine());
    const seen: HostEvent[] = [];
    const stop = windowTransport(w.bound).events('a', (e) => seen.push(e));
    const status = { name: 'status', status: { busy: false } };
    w.say('tidemark', { installation: 'b', event: status });
    w.say('tidemark', { installation: 'a', event: { name: 'status' } });
    w.say('tidemark', null);
    w.say('tidemark', { installation: 'a', event: status });
    expect(seen).toEqual([status]);
    expect(w.asked).toEqual([['POST', '/window/follow?installation=a', '']]);
    stop();
    w.say('tidemark', { installation: 'a', event: status });
    expect(seen).toHaveLength(1);
    const away: HostEvent[] = [];
    windowTransport(windowed(() => Promise.reject(new ApiError('x', ''))).bound).events('', (e) => away.push(e));
    await vi.waitFor(() => expect(away).toMatchObject([{ name: 'away' }]));
  });

  it('answers what its window asks, and asks for what a window can do', async () => {
    const w = windowed((_, path) => fine(path === '/window/pick-folder' ? '{"path":""}' : '{}'));
    const host = windowTransport(w.bound).window;
    const closing = vi.fn();
    const menu = vi.fn();
    host?.onClosing(closing);
    host?.onMenu(menu);
    w.say('tidemark:closing');
    w.say('tidemark:menu', 'go:costs');
    expect(closing).toHaveBeenCalledOnce();
    expect(menu).toHaveBeenCalledWith('go:costs');
    await host?.close('background');
    expect(await host?.pickFolder()).toBeNull();
    await host?.open('https://example.org/');
    await host?.save('a.csv', '1');
    expect(w.asked).toEqual([
      ['POST', '/window/noticed', ''], ['POST', '/window/closing?do=background', ''], ['POST', '/window/pick-folder', ''],
      ['POST', '/window/open', '{"url":"https://example.org/"}'], ['POST', '/window/save', '{"name":"a.csv","text":"1"}'],
    ]);
  });
});
