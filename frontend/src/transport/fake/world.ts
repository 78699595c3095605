// An invented installation: calls first, everything else is summed from them,
// so that all pages agree.

import type { Compaction, Session } from '../../api/types.gen';
import { fakeAgents, fakeSessions, type FakeAgent } from './people';
import { random, type Random } from './random';

export interface FakeCall {
  agent: string;
  session: string;
  model: string;
  at: number;
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  usd: number;
  unpriced: boolean;
  background: boolean;
  price: string;
}

export interface World {
  now: number;
  calls: FakeCall[];
  sessions: Session[];
  compactions: Compaction[];
}

const hour = 3_600_000;

/** Makes the world as it stands at a moment. */
export function makeWorld(now: number): World {
  const r = random(20261130);
  const world: World = { now, calls: [], sessions: [], compactions: [] };
  fakeSessions.forEach(([agent, title, daysAgo, hours, calls, background], i) => {
    const start = now - daysAgo * 24 * hour - hours * hour - r.int(2, 50) * 60_000;
    addSession(world, r, { agent: agentOf(agent), id: `${'5d1f8c2e'}-${String(i).padStart(4, '0')}-4c1a-9e77-0a1b2c3d4e5f`, title, start, hours, calls, background });
  });
  for (let i = 0; i < 240; i++) {
    const start = now - r.int(1, 60 * 24) * hour;
    addSession(world, r, { agent: agentOf(r.pick(['main', 'mail', 'shop'])), id: `cron-${1000 + i}`, title: `Heartbeat ${1000 + i}`, start, hours: 0.05, calls: r.int(1, 3), background: 1 });
  }
  return world;
}

function agentOf(id: string): FakeAgent {
  return fakeAgents.find((a) => a.id === id) ?? (fakeAgents[0] as FakeAgent);
}

interface Plan {
  agent: FakeAgent;
  id: string;
  title: string;
  start: number;
  hours: number;
  calls: number;
  background: number;
}

function addSession(world: World, r: Random, plan: Plan): void {
  const { agent } = plan;
  const window = agent.window ?? 128_000;
  let used = r.int(8_000, 14_000);
  let compactions = 0;
  const mine: FakeCall[] = [];
  for (let i = 0; i < plan.calls; i++) {
    const at = plan.start + ((i + r.share() * 0.8) / plan.calls) * plan.hours * hour;
    const fresh = r.int(300, window / 60);
    used += fresh;
    if (used > window * 0.88) {
      const after = Math.round(window * 0.16);
      world.compactions.unshift(compaction(plan, at, used, after, compactions++));
      used = after;
    }
    mine.push(call(r, plan, at, used, fresh));
  }
  world.calls.push(...mine);
  world.sessions.push(session(plan, mine, used, compactions));
}

function call(r: Random, plan: Plan, at: number, used: number, fresh: number): FakeCall {
  const { agent } = plan;
  const output = r.int(40, 900);
  const unpriced = agent.price === null && r.share() < 0.7;
  const usd = unpriced ? 0 : ((fresh + output * 5 + (used - fresh) * 0.1) * (agent.price ?? 0.3)) / 1e6;
  return {
    agent: agent.id, session: plan.id, model: agent.model, at, usd, unpriced,
    tokens: { input: fresh, output, cacheRead: used - fresh, cacheWrite: 0 },
    background: r.share() < plan.background,
    price: unpriced ? 'unknown' : agent.price === null ? 'own' : agent.source,
  };
}

function session(plan: Plan, calls: FakeCall[], used: number, compactions: number): Session {
  const { agent } = plan;
  const sum = (of: (c: FakeCall) => number): number => calls.reduce((s, c) => s + of(c), 0);
  const cron = plan.id.startsWith('cron');
  return {
    agent: agent.id, sessionId: plan.id, sessionKey: `agent:${agent.id}:${cron ? 'cron:stock' : 'main'}`,
    startedAt: new Date(plan.start).toISOString(), updatedAt: new Date(calls.at(-1)?.at ?? plan.start).toISOString(),
    messages: plan.calls * 3, contextUsed: agent.id === 'shop' && cron ? null : used, contextWindow: agent.window, compactions,
    archived: plan.start < Date.now() - 20 * 24 * hour, gone: plan.title === 'Quarterly figures', parent: cron ? '5d1f8c2e-0003-4c1a-9e77-0a1b2c3d4e5f' : null,
    sources: [`/home/anna/.openclaw/agents/${agent.id}/sessions/${plan.id}.jsonl`],
    title: plan.title, model: agent.model, channel: cron ? '' : 'telegram', windowSource: agent.windowSource,
    userMessages: Math.round(plan.calls / 3), calls: calls.length, usd: sum((c) => c.usd), unpricedCalls: calls.filter((c) => c.unpriced).length,
    tokens: { input: sum((c) => c.tokens.input), output: sum((c) => c.tokens.output), cacheRead: sum((c) => c.tokens.cacheRead), cacheWrite: 0 },
    background: plan.background === 1, eras: ['jsonl'],
  };
}

function compaction(plan: Plan, at: number, before: number, after: number, nth: number): Compaction {
  const bare = nth === 1;
  return {
    agent: plan.agent.id, sessionId: plan.id, entryId: `compaction-${nth}`, at: new Date(at).toISOString(),
    tokensBefore: before, tokensAfter: bare ? null : after, superseded: nth === 2, droppedMessages: bare ? 76 : 112,
    html: '', summary: bare ? '' : 'Glaze order with a buyer in Lyon; replies to Mme Aubert are in French. Weekly report requested. Kiln supplier closed in early December. User wants to always confirm prices and prefers short updates.',
  };
}
