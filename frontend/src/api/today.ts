import { items, object, scoped, type Scope } from './client';
import type { Today } from './types.gen';

/** Bounds are moments, "" for none; the zone "" is the person's own. */
export interface TodayAsk extends Scope {
  from: string;
  to: string;
}

/** What happened in a span of time, by agent. */
export async function today(ask: TodayAsk, signal?: AbortSignal): Promise<Today> {
  const found = await object<Today>({ path: '/api/today', query: { ...scoped(ask), from: ask.from, to: ask.to }, signal });
  return { ...found, agents: items(found.agents), needs: items(found.needs) };
}
