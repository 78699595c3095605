import { describe, expect, it, vi } from 'vitest';
import { httpTransport } from './http';
import { address, ApiError } from './transport';

function answering(body: string, status = 200): { fetcher: typeof fetch; calls: [string, RequestInit][] } {
  const calls: [string, RequestInit][] = [];
  const fetcher = vi.fn((url: string, init: RequestInit) => {
    calls.push([url, init]);
    return Promise.resolve(new Response(body, { status }));
  });
  return { fetcher: fetcher as unknown as typeof fetch, calls };
}

async function failing(fetcher: typeof fetch): Promise<ApiError> {
  const error: unknown = await httpTransport(fetcher).request({ path: '/api/x' }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe('address', () => {
  it.each([
    [{ path: '/api/x' }, '/api/x'],
    [{ path: '/api/x', query: { a: '', b: undefined } }, '/api/x'],
    [{ path: '/api/x', query: { a: 'ü & ?', n: 0 } }, '/api/x?a=%C3%BC+%26+%3F&n=0'],
  ])('%j', (ask, want) => expect(address(ask)).toBe(want));
});

describe('the http transport', () => {
  it('asks its own server and follows no redirect', async () => {
    const { fetcher, calls } = answering('[1]');
    expect(await httpTransport(fetcher).request({ path: '/api/agents', query: { installation: 'a' } })).toEqual([1]);
    expect(calls[0]?.[0]).toBe('/api/agents?installation=a');
    expect(calls[0]?.[1]).toMatchObject({ method: 'GET', credentials: 'same-origin', redirect: 'error', cache: 'no-store' });
  });

  it('sends a body as JSON', async () => {
    const { fetcher, calls } = answering('{}');
    await httpTransport(fetcher).request({ method: 'POST', path: '/api/x', body: { a: 1 } });
    expect(calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"a":1}' });
    expect(new Headers(calls[0]?.[1].headers).get('content-type')).toBe('application/json');
  });

  it('sends a body even where there is nothing to say', async () => {
    const { fetcher, calls } = answering('{}');
    await httpTransport(fetcher).request({ method: 'POST', path: '/api/demo' });
    expect(calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{}' });
    expect(new Headers(calls[0]?.[1].headers).get('content-type')).toBe('application/json');
  });

  it('gives errors of the API in their one shape', async () => {
    const { fetcher } = answering('{"code":"busy","message":"m","hint":"h"}', 409);
    expect(await failing(fetcher)).toMatchObject({ code: 'busy', message: 'm', hint: 'h' });
  });

  it.each([
    ['', 401, 'unauthorized'], ['<html>', 502, 'bad-answer'], ['<html>', 200, 'bad-answer'], ['null', 500, 'bad-answer'],
    ['{"code":7}', 400, 'bad-answer'],
  ])('%j with %d is %s', async (body, status, code) => {
    expect((await failing(answering(body, status).fetcher)).code).toBe(code);
  });

  it('says away where nobody answers, and lets an abort through', async () => {
    expect((await failing(() => Promise.reject(new TypeError('refused')))).code).toBe('away');
    const aborted = new DOMException('given up', 'AbortError');
    await expect(httpTransport(() => Promise.reject(aborted)).request({ path: '/api/x' })).rejects.toBe(aborted);
  });
});
