// Sums over the calls of the invented world, as the server makes them.

import type { Agent, CostRow, CostView } from '../../api/types.gen';
import { day } from '../../format/time';
import { fakeAgents } from './people';
import type { FakeCall, World } from './world';

export const fakeZone = 'Asia/Shanghai';

/** What calls costs are narrowed to, "" for all. */
export interface Narrowed {
  model?: string;
  asked?: string;
  priced?: string;
}

export function costsOf(world: World, by: string, agent: string, session: string, from: string, to: string, narrowed: Narrowed = {}): CostView {
  const rows = new Map<string, CostRow>();
  const total = emptyRow('');
  for (const call of world.calls) {
    const on = day(new Date(call.at), fakeZone);
    if ((agent && call.agent !== agent) || (session && call.session !== session) || (from && on < from) || (to && on > to) || !takes(narrowed, call)) continue;
    const key = { day: on, agent: call.agent, model: call.model, session: call.session }[by] ?? on;
    const row = rows.get(key) ?? emptyRow(key);
    rows.set(key, row);
    add(row, call);
    add(total, call);
  }
  const { key: _key, ...sum } = total;
  const sorted = [...rows.values()].toSorted((a, b) => (by === 'day' ? a.key.localeCompare(b.key) : b.usd - a.usd));
  return { rows: sorted, total: sum, by, zone: fakeZone, estimatedUsd: sum.usd * 0.31, unreportedCalls: 2, priceTable: 'litellm 1.92.0, 2026-11-20' };
}

function takes({ model, asked, priced }: Narrowed, call: FakeCall): boolean {
  if (model && call.model !== model) return false;
  if (asked && call.background !== (asked === 'background')) return false;
  const kind = call.unpriced ? 'unknown' : call.price === 'table' ? 'estimated' : 'known';
  return !priced || priced === kind;
}

function emptyRow(key: string): CostRow {
  return { key, calls: 0, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, usd: 0, unpricedCalls: 0, backgroundUsd: 0 };
}

function add(row: CostRow, call: FakeCall): void {
  row.calls++;
  row.usd += call.usd;
  row.unpricedCalls += call.unpriced ? 1 : 0;
  row.backgroundUsd += call.background ? call.usd : 0;
  for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) row.tokens[kind] += call.tokens[kind];
}

export function agentsOf(world: World): Agent[] {
  return fakeAgents.map((a) => {
    const mine = world.sessions.filter((s) => s.agent === a.id);
    const sum = (of: (s: (typeof mine)[number]) => number): number => mine.reduce((n, s) => n + of(s), 0);
    return {
      id: a.id, name: a.name, workspace: `/home/anna/.openclaw/workspace${a.id === 'main' ? '' : '-' + a.id}`, sharedWith: a.id === 'books' ? ['main'] : [],
      configured: a.id !== 'books', eras: a.id === 'main' ? ['jsonl', 'sqlite'] : ['jsonl'], sessions: mine.length, messages: sum((s) => s.messages),
      compactions: sum((s) => s.compactions), usd: sum((s) => s.usd), unpricedCalls: sum((s) => s.unpricedCalls),
      updatedAt: mine.map((s) => s.updatedAt ?? '').toSorted().at(-1) ?? null,
    };
  });
}
