import { afterEach, describe, expect, it } from 'vitest';
import { agents } from './agents';
import { connect } from './client';
import { costs } from './costs';
import { find, sessions } from './sessions';
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

describe('find', () => {
  it('asks for an entry, or for a moment', async () => {
    answering(() => ({ position: 7, total: 9 }));
    const who = { installation: '', agent: 'a', session: 's' };
    expect(await find({ ...who, entry: 'e' })).toEqual({ position: 7, total: 9 });
    await find({ ...who, at: 12 });
    expect(asked.map((a) => [a.path, a.query?.['entry'], a.query?.['at']])).toEqual([['/api/find', 'e', undefined], ['/api/find', undefined, 12]]);
  });
});
