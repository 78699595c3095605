import { describe, expect, it } from 'vitest';
import { formatUrl, goTo, parseUrl, rangeFor, start, views, type Route } from './url';

const at = (path: string): Route => parseUrl(new URL(path, 'http://127.0.0.1:1'));

describe('parseUrl', () => {
  it.each([
    ['/', 'today'], ['', 'today'], ['/sessions', 'sessions'], ['/sessions/', 'sessions'], ['/costs?x=1', 'costs'],
    ['/today', 'none'], ['/nowhere', 'none'], ['/sessions/more', 'none'], ['/Sessions', 'none'], ['/constructor', 'none'],
  ])('%s is %s', (path, view) => expect(at(path).view).toBe(view));

  it('reads everything', () => {
    expect(at('/session?installation=i&agent=ma%20il&session=s%2F1&range=7d&from=400&entry=e&open=o&words=%E9%87%89&sort=-cost&kept=gone&asked=background&by=model&table=1&model=m&priced=known&scale=turns&zoom=1-22&tag=B&speaker=contact&state=live&pinned=1&repeated=1&statement=st')).toEqual({
      view: 'session', installation: 'i', agent: 'ma il', session: 's/1', range: '7d', from: 400, entry: 'e', open: 'o',
      words: '釉', sort: '-cost', kept: 'gone', asked: 'background', by: 'model', table: true, model: 'm', priced: 'known', scale: 'turns', zoom: '1-22',
      tag: 'B', speaker: 'contact', state: 'live', pinned: true, repeated: true, statement: 'st',
    });
  });

  it.each([
    '/?from=-1&kept=x&asked=&by=hour&table=yes&range=soon&sort=a%20b&scale=hours&zoom=1-&tag=w&speaker=me&state=forgotten&pinned=yes&repeated=0',
    '/?from=1e9&sort=--a',
    '/?from=99999999999',
  ])('%s has defaults for what makes no sense', (path) => expect(at(path)).toEqual(start));
});

describe('formatUrl', () => {
  it.each([
    [{}, '/'],
    [{ view: 'costs' }, '/costs'],
    [{ view: 'statements', tag: 'B', pinned: true, open: 'st' }, '/statements?tag=B&pinned=1&open=st'],
    [{ view: 'none' }, '/'],
    [{ range: 'all' }, '/?range=all'],
    [{ view: 'costs', model: 'a/b', priced: 'unknown' }, '/costs?model=a%2Fb&priced=unknown'],
    [{ view: 'sessions', agent: 'mail', range: { from: '2026-11-01', to: '2026-11-30' } }, '/sessions?agent=mail&range=2026-11-01..2026-11-30'],
    [{ view: 'session', from: 0, session: 'a b' }, '/session?session=a+b&from=0'],
  ] as [Partial<Route>, string][])('%j is %s', (change, want) => expect(formatUrl({ ...start, range: rangeFor(change.view ?? 'today'), ...change })).toBe(want));

  it('comes back from every state', () => {
    // A small generator with a fixed seed, so that a failure can be repeated.
    let seed = 7;
    const next = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;
    const pick = <T>(of: readonly T[]): T => of[next(of.length)] as T;
    const texts = ['', 'mail', 'a b', '釉料 & 供应商', 'x=1?y#z', '%', '../..', 'agent:main:main', '<b>', '\u202e'];
    for (let i = 0; i < 2000; i++) {
      const route: Route = {
        view: pick(views), installation: pick(texts), agent: pick(texts),
        range: pick<Route['range']>(['all', '24h', 'today', '7d', '30d', { from: '2026-01-01', to: '2026-12-31' }]),
        words: pick(texts), sort: pick(['', 'cost', '-updated']), open: pick(texts), session: pick(texts), entry: pick(texts),
        from: pick([null, 0, 1, 200, 99999]), kept: pick(['all', 'current', 'archived', 'gone']),
        asked: pick(['all', 'you', 'background']), by: pick(['day', 'agent', 'model', 'session']), table: pick([true, false]),
        model: pick(texts), priced: pick(['all', 'known', 'estimated', 'unknown']),
        tag: pick(['all', 'W', 'B', 'O']), speaker: pick(['all', 'owner', 'contact', 'unknown']), state: pick(['all', 'live', 'superseded', 'expired']),
        pinned: pick([true, false]), repeated: pick([true, false]), statement: pick(texts),
        scale: pick(['time', 'turns']), zoom: pick(['', '1-2', '1700000000000-1700000360000']),
      };
      const url = formatUrl(route);
      expect(at(url), url).toEqual(route);
      expect(url.startsWith('/') && !url.startsWith('//'), url).toBe(true);
    }
  });
});

describe('goTo', () => {
  it('takes along whose and when, and nothing of the view that is left', () => {
    const now: Route = { ...at('/sessions?installation=i&agent=mail&range=7d&words=a&sort=cost&open=o&kept=gone') };
    expect(goTo('costs', now)).toEqual({ ...start, view: 'costs', installation: 'i', agent: 'mail', range: '7d' });
    // What a view begins with is its own, what was chosen is shared.
    expect(goTo('sessions', at('/')).range).toBe('all');
    expect(goTo('today', at('/sessions')).range).toBe('24h');
    expect(goTo('today', at('/sessions?range=today')).range).toBe('24h');
    expect(goTo('sessions', at('/?range=7d')).range).toBe('7d');
    expect(goTo('today', at('/sessions?range=7d')).range).toBe('7d');
    expect(goTo('session', now, { session: 's', agent: 'b' })).toMatchObject({ view: 'session', agent: 'b', session: 's', words: '' });
  });
});
