import { afterEach, describe, expect, it } from 'vitest';
import { agents } from './agents';
import { connect } from './client';
import { costs } from './costs';
import { positionOf, sessions } from './sessions';
import { saveSettings, settings } from './settings';
import { today } from './today';
import type { Settings } from './types.gen';
import { openSample, reading, rebuild } from './work';
import { ApiError, type Ask } from '../transport/transport';

const asked: Ask[] = [];
function answering(answer: (ask: Ask) => unknown): void {
  asked.length = 0;
  connect({ request: (ask) => (asked.push(ask), Promise.resolve(answer(ask))), events: () => () => undefined });
}
afterEach(() => connect({ request: () => Promise.reject(new ApiError('away', '')), events: () => () => undefined }));

describe('answers', () => {
  it('have lists where Go has nothing', async () => {
    answering(() => [{ id: 'a', eras: null, sharedWith: null, sources: null }]);
    expect(await agents({ installation: '' })).toMatchObject([{ eras: [], sharedWith: [] }]);
    expect(await sessions({ installation: '' })).toMatchObject([{ sources: [], eras: [] }]);
    answering(() => null);
    expect(await agents({ installation: '' })).toEqual([]);
    answering(() => ({ rows: null }));
    expect((await costs({ by: 'day', installation: '', from: '', to: '' })).rows).toEqual([]);
  });

  it.each([[{}], ['text'], [7]])('%j is no list', async (answer) => {
    answering(() => answer);
    await expect(agents({ installation: '' })).rejects.toMatchObject({ code: 'bad-answer' });
  });
});

describe('questions', () => {
  it('of a day carry its bounds, and leave out what has none', async () => {
    answering(() => ({ agents: null, needs: null }));
    expect(await today({ installation: 'i', agent: 'a', from: '2026-11-29T16:00:00Z', to: '' })).toEqual({ agents: [], needs: [] });
    expect(asked[0]).toMatchObject({ path: '/api/today', query: { installation: 'i', agent: 'a', from: '2026-11-29T16:00:00Z', to: '' } });
  });

  it('of costs are narrowed, "all" is not said', async () => {
    answering(() => ({ rows: [] }));
    await costs({ by: 'model', installation: '', from: '', to: '', model: 'm', asked: 'background', priced: 'all' });
    expect(asked[0]?.query).toMatchObject({ model: 'm', asked: 'background', priced: undefined });
  });

  it('that change something are posted', async () => {
    answering(() => ({ id: 'sample', notices: null }));
    await reading('i', 'pause');
    await rebuild('i');
    expect(await openSample()).toMatchObject({ id: 'sample' });
    expect(await settings()).toMatchObject({ notices: [] });
    const all = { theme: 'dark' } as Settings;
    await saveSettings(all);
    expect(asked.map((a) => [a.method ?? 'GET', a.path])).toEqual([['POST', '/api/reading'], ['POST', '/api/rebuild'], ['POST', '/api/demo'], ['GET', '/api/settings'], ['POST', '/api/settings']]);
    expect(asked[0]?.query).toEqual({ installation: 'i', do: 'pause' });
    expect(asked[4]?.body).toEqual(all);
  });
});

describe('positionOf', () => {
  const session = (total: number): void =>
    answering((ask) => {
      const { offset = 0, limit = 0 } = ask.query as { offset?: number; limit?: number };
      const from = offset < 0 ? Math.max(0, total + offset) : offset;
      const entries = Array.from({ length: Math.min(limit, total - from) }, (_, i) => ({ id: `e${from + i}` }));
      return { session: {}, entries, total, from };
    });
  const find = (entry: string): Promise<number> => positionOf({ installation: '', agent: 'a', session: 's' }, entry);

  it.each([[1, 0], [500, 0], [501, 0], [1700, 0], [1700, 1699], [1700, 1200], [1700, 1199], [1700, 3]])('of %d entries finds number %d', async (total, at) => {
    session(total);
    expect(await find(`e${at}`)).toBe(at);
  });

  it('ends where the entry is not there', async () => {
    session(1700);
    expect(await find('nothing')).toBe(-1);
    expect(asked).toHaveLength(4);
    session(0);
    expect(await find('nothing')).toBe(-1);
  });
});
