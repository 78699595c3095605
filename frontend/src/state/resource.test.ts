import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../transport/transport';
import { newer, Resource, takeNewer, type Question } from './resource.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A question whose answers come when they are told to. */
function question(key: string): { q: Question<string[]>; answer: (v: string[]) => Promise<void>; fail: (e: unknown) => Promise<void>; asked: () => number; signal: () => AbortSignal | undefined } {
  let settle: { resolve: (v: string[]) => void; reject: (e: unknown) => void } | undefined;
  let last: AbortSignal | undefined;
  let count = 0;
  const ask = (signal: AbortSignal): Promise<string[]> => {
    last = signal;
    count++;
    return new Promise((resolve, reject) => (settle = { resolve, reject }));
  };
  const rest = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(0));
  return {
    q: { key, ask },
    answer: (v) => (settle?.resolve(v), rest()),
    fail: (e) => (settle?.reject(e), rest()),
    asked: () => count,
    signal: () => last,
  };
}

describe('Resource', () => {
  it('shows an answer, and grey bars only if it takes long', async () => {
    const r = new Resource<string[]>();
    const a = question('a');
    void r.start(a.q);
    await vi.advanceTimersByTimeAsync(299);
    expect([r.data, r.slow]).toEqual([undefined, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(r.slow).toBe(true);
    await a.answer(['x']);
    expect([r.data, r.slow, r.error]).toEqual([['x'], false, null]);
    expect(r.at).toBeInstanceOf(Date);
    r.close();
  });

  it('follows many changes with one question, in place', async () => {
    const r = new Resource<string[]>();
    const a = question('a');
    void r.start(a.q);
    await a.answer(['x']);
    for (let i = 0; i < 20; i++) r.update();
    await vi.advanceTimersByTimeAsync(499);
    expect(a.asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(a.asked()).toBe(2);
    await a.answer(['y']);
    expect([r.data, r.hasNewer, newer()]).toEqual([['y'], false, 0]);
    r.update();
    r.close();
    await vi.advanceTimersByTimeAsync(1000);
    expect(a.asked()).toBe(2);
  });

  it('shows an answer that was waited for, whatever is heard meanwhile', async () => {
    const r = new Resource<string[]>();
    const a = question('a');
    void r.start(a.q);
    await a.answer(['x']);
    void r.reload();
    void r.check();
    await a.answer(['y']);
    expect([r.data, r.hasNewer]).toEqual([['y'], false]);
    void r.check();
    await a.answer(['z']);
    expect([r.data, r.hasNewer]).toEqual([['y'], true]);
    r.close();
  });

  it('asks the same question once', async () => {
    const r = new Resource<string[]>();
    const a = question('a');
    void r.start(a.q);
    await a.answer(['x']);
    void r.start({ ...a.q });
    expect(a.asked()).toBe(1);
    r.close();
  });

  it('keeps the former answer for a moment, then shows bars', async () => {
    const r = new Resource<string[]>();
    const [a, b] = [question('a'), question('b')];
    void r.start(a.q);
    await a.answer(['x']);
    void r.start(b.q);
    await vi.advanceTimersByTimeAsync(299);
    expect(r.data).toEqual(['x']);
    await vi.advanceTimersByTimeAsync(1);
    expect([r.data, r.slow]).toEqual([undefined, true]);
    await b.answer(['y']);
    expect([r.data, r.slow]).toEqual([['y'], false]);
    r.close();
  });

  it('drops an answer to a question that is no longer asked', async () => {
    const r = new Resource<string[]>();
    const [a, b] = [question('a'), question('b')];
    void r.start(a.q);
    void r.start(b.q);
    expect(a.signal()?.aborted).toBe(true);
    await b.answer(['y']);
    await a.answer(['x']);
    expect(r.data).toEqual(['y']);
    r.close();
  });

  it('has no data of another question where this one fails', async () => {
    const r = new Resource<string[]>();
    const [a, b] = [question('a'), question('b')];
    void r.start(a.q);
    await a.answer(['x']);
    void r.start(b.q);
    await b.fail(new ApiError('unavailable', 'm'));
    expect([r.data, r.error?.code, r.slow]).toEqual([undefined, 'unavailable', false]);
    r.close();
  });

  it('keeps data that is stale, and says why', async () => {
    const r = new Resource<string[]>();
    const a = question('a');
    void r.start(a.q);
    await a.answer(['x']);
    void r.check();
    await a.fail(new ApiError('away', 'm'));
    expect([r.data, r.error?.code]).toEqual([['x'], 'away']);
    void r.check();
    await a.answer(['x']);
    expect(r.error).toBeNull();
    r.close();
  });

  it('holds a different answer back until it is wanted', async () => {
    const r = new Resource<string[]>();
    const a = question('a');
    void r.start(a.q);
    await a.answer(['x']);
    const before = r.data;
    void r.check();
    await a.answer(['x']);
    expect([newer(), r.hasNewer]).toEqual([0, false]);
    void r.check();
    await a.answer(['x', 'y']);
    expect([newer(), r.hasNewer]).toEqual([1, true]);
    expect(r.data).toBe(before);
    takeNewer();
    expect([newer(), r.data]).toEqual([0, ['x', 'y']]);
    r.close();
  });

  it('shows at once what a person asked for, and what was not there before', async () => {
    const r = new Resource<string[]>();
    const a = question('a');
    void r.start(a.q);
    await a.fail(new ApiError('away', 'm'));
    void r.check();
    await a.answer(['x']);
    expect(r.data).toEqual(['x']);
    void r.reload();
    await a.answer(['z']);
    expect([newer(), r.data]).toEqual([0, ['z']]);
    r.close();
  });

  it('forgets all when it is closed', async () => {
    const r = new Resource<string[]>();
    const a = question('a');
    void r.start(a.q);
    await a.answer(['x']);
    void r.check();
    await a.answer(['y']);
    expect(newer()).toBe(1);
    r.close();
    expect(newer()).toBe(0);
    void r.check();
    expect(a.asked()).toBe(2);
  });
});
