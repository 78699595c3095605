// One session, one compaction and one entry of the invented world.

import type { CompactionDetail, Entry, Found, Session } from '../../api/types.gen';
import { ApiError } from '../transport';
import { talkOf } from './talk';
import type { World } from './world';

type Query = (name: string) => string;

/** A session that no list shows: it is as long as any that was seen. */
const endless = 'endless';
const endlessEntries = 20_000;

const talks = new Map<string, Entry[]>();

/** All entries of a session, made once. */
export function entriesOf(world: World, id: string): Entry[] {
  let all = talks.get(id);
  if (!all) talks.set(id, (all = id === endless ? endlessTalk(world) : talkOf(world, id)));
  return all;
}

function endlessTalk(world: World): Entry[] {
  const part = talkOf(world, world.sessions[0]?.sessionId ?? '').filter((e) => e.kind !== 'session' && e.kind !== 'reset');
  const start = world.now - endlessEntries * 60_000;
  return Array.from({ length: endlessEntries }, (_, i) => {
    const of = part[i % part.length] as Entry;
    // A branch that was left across the border of two stretches, and every so often.
    const left = i % 1000 >= 195 && i % 1000 < 205;
    return { ...of, id: `n${i}`, at: new Date(start + i * 60_000).toISOString(), line: i + 1, text: of.text.repeat(1 + (i % 7)), onPath: !left, inContext: i > endlessEntries - 200 };
  });
}

export function sessionOf(world: World, q: Query): Session {
  const like = world.sessions[0];
  if (q('session') === endless && like) return { ...like, sessionId: endless, title: 'Endless', messages: endlessEntries };
  const found = world.sessions.find((s) => s.sessionId === q('session') && s.agent === q('agent'));
  if (!found) throw new ApiError('not-found', `there is no session ${q('session')}`);
  return found;
}

export function foundOf(world: World, q: Query): Found {
  const all = entriesOf(world, sessionOf(world, q).sessionId);
  const at = Number(q('at'));
  const position = q('entry') === '' ? all.findIndex((e) => e.at !== null && Date.parse(e.at) >= at) : all.findIndex((e) => e.id === q('entry'));
  return { position: position < 0 && q('entry') === '' ? all.length - 1 : position, total: all.length };
}

export function compactionOf(world: World, q: Query): CompactionDetail {
  const session = sessionOf(world, q);
  const mine = world.compactions.filter((c) => c.sessionId === session.sessionId).toReversed();
  const nth = mine.findIndex((c) => c.entryId === q('entry'));
  const found = mine[nth];
  if (!found) throw new ApiError('not-found', `there is no compaction ${q('entry')}`);
  const all = entriesOf(world, session.sessionId);
  const at = (id: string | undefined): number => all.findIndex((e) => e.id === id);
  const left = all.slice(Math.max(0, at(mine[nth - 1]?.entryId)), at(found.entryId) - 9).filter((e) => e.kind === 'message' && e.onPath);
  const window = session.contextWindow;
  return {
    ...found, title: session.title, why: nth === 1 ? 'unknown' : 'threshold', whyFrom: nth === 0 ? 'recorded' : nth === 1 ? '' : 'inferred',
    window, threshold: window === null ? null : Math.round(window * 0.88),
    lastCallAt: new Date(Date.parse(found.at ?? '') - 41_000).toISOString(), left: left.slice(-200), leftTotal: left.length,
    leftTokens: left.reduce((n, e) => n + e.textTokens, 0), keptTotal: 9, noSummary: found.summary === '', flush: nth === 0 ? 'ran' : nth === 1 ? 'not' : 'unknown', fromHook: false,
    previous: mine[nth - 1]?.entryId ?? '', next: mine[nth + 1]?.entryId ?? '',
  };
}
