// What happened in a span of the invented world.

import type { CostTotal, Need, Tide, Today, TodayAgent } from '../../api/types.gen';
import { day } from '../../format/time';
import { fakeAgents, fakeLines, type FakeAgent } from './people';
import { fakeSettings } from './settings';
import { fakeZone } from './sums';
import type { FakeCall, World } from './world';

export function todayOf(world: World, agent: string, from: string, to: string): Today {
  const [low, high] = [from === '' ? -Infinity : Date.parse(from), to === '' ? Infinity : Date.parse(to)];
  const inSpan = (at: number): boolean => at >= low && at < high;
  const chosen = fakeAgents.filter((a) => agent === '' || a.id === agent);
  const month = day(new Date(world.now), fakeZone).slice(0, 7);
  const mine = world.calls.filter((c) => chosen.some((a) => a.id === c.agent));
  const monthly = totalOf(mine.filter((c) => day(new Date(c.at), fakeZone).startsWith(month)));
  const days = Number(day(new Date(world.now), fakeZone).slice(8));
  const agents = chosen.map((a) => agentOf(world, a, inSpan));
  return {
    zone: fakeZone, agents, spend: totalOf(mine.filter((c) => inSpan(c.at))), month: monthly,
    monthPace: days < 3 ? null : (monthly.usd / days) * 30, dailyBudget: fakeSettings.now.dailyBudget, needs: needsOf(world, agents, inSpan),
  };
}

function agentOf(world: World, agent: FakeAgent, inSpan: (at: number) => boolean): TodayAgent {
  const calls = world.calls.filter((c) => c.agent === agent.id && inSpan(c.at));
  const last = world.sessions.filter((s) => s.agent === agent.id && !s.gone).toSorted((a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''))[0];
  const sum = totalOf(calls);
  const falls = world.compactions.filter((c) => c.agent === agent.id && c.at !== null && inSpan(Date.parse(c.at)));
  return {
    id: agent.id, name: agent.name, model: agent.model, local: agent.source === 'local', lastAt: last?.updatedAt ?? null, lastRole: 'user',
    lastText: (agent.id === 'shop' ? fakeLines[9] : fakeLines[4])?.[1] ?? '', lastSession: last?.sessionId ?? '', contextUsed: last?.contextUsed ?? null, contextWindow: agent.window,
    threshold: agent.window === null ? null : Math.round(agent.window * 0.88), sessions: new Set(calls.map((c) => c.session)).size, messages: calls.length * 3, calls: calls.length,
    compactions: falls.length, resets: 0, usd: sum.usd, backgroundUsd: sum.backgroundUsd, unpricedCalls: sum.unpricedCalls,
    tide: tideOf(calls.filter((c) => c.session === last?.sessionId), agent, last?.contextUsed ?? null),
  };
}

function tideOf(calls: readonly FakeCall[], agent: FakeAgent, used: number | null): Tide {
  const sorted = calls.toSorted((a, b) => a.at - b.at);
  return {
    at: sorted.map((c) => c.at), input: sorted.map((c) => c.tokens.input), cacheRead: sorted.map((c) => c.tokens.cacheRead), cacheWrite: sorted.map((c) => c.tokens.cacheWrite),
    output: sorted.map((c) => c.tokens.output), usd: sorted.map((c) => (c.unpriced ? null : c.usd)), background: sorted.map((c) => c.background), entry: sorted.map((_, i) => `call-${i}`),
    falls: [], statements: [], window: agent.window, windowSource: agent.windowSource, threshold: agent.window === null ? null : Math.round(agent.window * 0.88), used,
  };
}

function needsOf(world: World, agents: readonly TodayAgent[], inSpan: (at: number) => boolean): Need[] {
  const bare = world.compactions.filter((c) => c.summary === '' && c.at !== null && inSpan(Date.parse(c.at)) && agents.some((a) => a.id === c.agent));
  const blank = { agent: '', sessionId: '', entryId: '', code: '', count: 0, used: null, limit: null, at: null };
  return [
    ...bare.map((c): Need => ({ ...blank, kind: 'compaction', agent: c.agent, sessionId: c.sessionId, entryId: c.entryId, count: c.droppedMessages, at: c.at })),
    ...agents.filter((a) => a.contextUsed !== null && a.contextWindow !== null && a.contextUsed > a.contextWindow * 0.8)
      .map((a): Need => ({ ...blank, kind: 'full', agent: a.id, sessionId: a.lastSession, used: a.contextUsed, limit: a.threshold, at: a.lastAt })),
    { ...blank, kind: 'problem', code: 'bad-archive', count: 1 },
  ];
}

function totalOf(calls: readonly FakeCall[]): CostTotal {
  const total: CostTotal = { calls: calls.length, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, usd: 0, unpricedCalls: 0, backgroundUsd: 0 };
  for (const c of calls) {
    total.usd += c.usd;
    total.backgroundUsd += c.background ? c.usd : 0;
    total.unpricedCalls += c.unpriced ? 1 : 0;
    for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) total.tokens[kind] += c.tokens[kind];
  }
  return total;
}
