// Tides of the invented world. Sessions whose id begins with "tide-" are in no
// list: they show what seldom happens, and what a long session costs to draw.

import type { Tide, TideFall, TideStatement } from '../../api/types.gen';
import { ApiError } from '../transport';
import { fakeAgents } from './people';
import { random } from './random';
import { saidOn } from './statements';
import { talkOf } from './talk';
import type { World } from './world';

const minute = 60_000;

export function tideOf(world: World, agent: string, session: string): Tide {
  const made = session.startsWith('tide-') ? special(session.slice(5), world.now) : null;
  if (made) return made;
  const found = world.sessions.find((s) => s.sessionId === session && s.agent === agent);
  if (!found) throw new ApiError('not-found', `there is no session ${session}`);
  const calls = world.calls.filter((c) => c.session === session);
  const said = talkOf(world, session).filter((e) => e.role === 'assistant' && e.tokens !== null);
  const falls = world.compactions.filter((c) => c.sessionId === session).toReversed().map((c): TideFall => {
    const at = Date.parse(c.at ?? '');
    const call = calls.findIndex((x) => x.at >= at);
    return { at, kind: 'compaction', entry: c.entryId, before: c.tokensBefore, after: c.tokensAfter, superseded: c.superseded, reason: '', call: call < 0 ? calls.length : call };
  });
  const window = fakeAgents.find((a) => a.id === agent)?.window ?? null;
  return {
    at: calls.map((c) => Math.round(c.at)), input: calls.map((c) => c.tokens.input), cacheRead: calls.map((c) => c.tokens.cacheRead), cacheWrite: calls.map((c) => c.tokens.cacheWrite),
    output: calls.map((c) => c.tokens.output), usd: calls.map((c) => (c.unpriced ? null : c.usd)), background: calls.map((c) => c.background), entry: calls.map((_, i) => said[i]?.id ?? ''),
    falls, window, windowSource: found.windowSource, threshold: window === null ? null : Math.round(window * 0.88), used: found.contextUsed,
    statements: saidOn(world, session, calls.map((c) => c.at)),
  };
}

function special(name: string, now: number): Tide | null {
  switch (name) {
    case 'long': return course(now, 20_000, 1_000_000);
    case 'million': return course(now, 400, 1_000_000);
    case 'none': return course(now, 0, 200_000);
    case 'one': return course(now, 1, 200_000);
    case 'nowindow': return { ...course(now, 90, 200_000), window: null, threshold: null };
    case 'nousage': { const t = course(now, 30, 200_000); return { ...t, ...blank(t, () => true), falls: [], used: null }; }
    case 'gaps': { const t = course(now, 120, 200_000); return { ...t, ...blank(t, (i) => i % 40 > 28) }; }
    case 'superseded': { const t = course(now, 60, 1_000_000); return { ...t, falls: [30, 45].map((call) => ({ at: (t.at[call] ?? 0) - 1000, kind: 'compaction', entry: `s${call}`, before: 120_000 + call * 100, after: 20_000, superseded: true, reason: '', call })), window: 200_000, threshold: 176_000 }; }
    default: return null;
  }
}

function blank(t: Tide, where: (i: number) => boolean): Pick<Tide, 'input' | 'cacheRead' | 'cacheWrite' | 'output'> {
  const cut = (of: number[]): number[] => of.map((n, i) => (where(i) ? -1 : n));
  return { input: cut(t.input), cacheRead: cut(t.cacheRead), cacheWrite: cut(t.cacheWrite), output: cut(t.output) };
}

/** A course that fills up and falls, with nights between. */
function course(now: number, n: number, window: number): Tide {
  const r = random(n + 7);
  const t: Tide = { at: [], input: [], cacheRead: [], cacheWrite: [], output: [], usd: [], background: [], entry: [], falls: [], window, windowSource: 'session', threshold: window * 0.88, used: null, statements: [] };
  let at = now - n * 5 * minute;
  let used = window * 0.05;
  for (let i = 0; i < n; i++) {
    at += r.int(1, 6) * minute + (r.share() < 3 / Math.max(n, 60) ? r.int(4, 9) * 60 * minute : 0);
    const fresh = r.int(window / 500, window / 45);
    used += fresh;
    if (used > window * 0.88) {
      const reset = t.falls.length % 3 === 2;
      t.falls.push({ at: at - 20_000, kind: reset ? 'reset' : 'compaction', entry: `f${i}`, before: Math.round(used), after: reset ? null : Math.round(window * 0.16), superseded: false, reason: reset ? 'new' : '', call: i });
      used = reset ? window * 0.04 : window * 0.17;
    }
    t.at.push(at);
    t.input.push(Math.min(fresh, Math.round(used)));
    t.cacheRead.push(Math.max(0, Math.round(used) - fresh));
    t.cacheWrite.push(0);
    t.output.push(r.int(40, 900));
    t.usd.push(r.share() < 0.1 ? null : used * 3e-7);
    t.background.push(r.share() < 0.2);
    t.entry.push(`e${i}`);
  }
  return { ...t, used: n > 0 ? Math.round(used) : null, statements: statedOn(t) };
}

/** Something that is kept was said before every seventh call, now and then more at once. */
function statedOn(t: Tide): TideStatement[] {
  return t.at.flatMap((at, call) => Array.from({ length: call % 7 === 3 ? 1 + (call % 4) : 0 }, (_, i): TideStatement => ({
    id: `t${call}-${i}`, at: at - 20_000 + i, tag: 'WBO'[(call + i) % 3] ?? 'W', state: call % 5 === 0 ? 'superseded' : 'live', text: `Statement ${call} of the invented course`, entry: `e${call}`, call,
  })));
}
