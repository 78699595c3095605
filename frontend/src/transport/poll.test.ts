import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { every, pollStatus } from './poll';
import { ApiError, type HostEvent } from './transport';

class Page extends EventTarget {
  hidden = false;
  show(shown: boolean): void {
    this.hidden = !shown;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(answer: () => Promise<unknown>): { page: Page; seen: HostEvent[]; asked: () => number; stop: () => void } {
  const page = new Page();
  const seen: HostEvent[] = [];
  const request = vi.fn(answer);
  const stop = pollStatus(request, '', (e) => seen.push(e), page as unknown as Document);
  return { page, seen, asked: () => request.mock.calls.length, stop };
}

describe('pollStatus', () => {
  it('asks at once, then at rest, then faster while busy', async () => {
    let busy = false;
    const p = start(() => Promise.resolve({ busy }));
    await vi.advanceTimersByTimeAsync(0);
    expect(p.seen).toHaveLength(1);
    busy = true;
    await vi.advanceTimersByTimeAsync(every.idle);
    expect(p.asked()).toBe(2);
    await vi.advanceTimersByTimeAsync(every.busy);
    expect(p.asked()).toBe(3);
    p.stop();
  });

  it('goes on after an error', async () => {
    let fails = true;
    const p = start(() => (fails ? Promise.reject(new ApiError('away', 'x')) : Promise.resolve({ busy: false })));
    await vi.advanceTimersByTimeAsync(0);
    expect(p.seen[0]).toMatchObject({ name: 'away', error: { code: 'away' } });
    fails = false;
    await vi.advanceTimersByTimeAsync(every.idle);
    expect(p.seen[1]?.name).toBe('status');
    p.stop();
  });

  it('rests while the page is hidden and asks at once when it is shown', async () => {
    const p = start(() => Promise.resolve({ busy: false }));
    await vi.advanceTimersByTimeAsync(0);
    p.page.show(false);
    await vi.advanceTimersByTimeAsync(every.idle * 10);
    expect(p.asked()).toBe(1);
    p.page.show(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(p.asked()).toBe(2);
    p.stop();
  });

  it('says nothing after it was stopped', async () => {
    let release: (v: unknown) => void = () => undefined;
    const p = start(() => new Promise((resolve) => (release = resolve)));
    p.stop();
    release({ busy: false });
    await vi.advanceTimersByTimeAsync(every.idle * 3);
    expect(p.seen).toEqual([]);
    expect(p.asked()).toBe(1);
  });
});
