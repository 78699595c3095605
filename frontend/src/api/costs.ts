import { items, object, scoped, type Scope } from './client';
import type { CostView } from './types.gen';

export type By = 'day' | 'agent' | 'model' | 'session';

/** Days are included, "" is no bound, the zone "" is the person's own. */
export interface CostAsk extends Scope {
  by: By;
  from: string;
  to: string;
  /** What calls are narrowed to: "" and "all" are all. */
  model?: string;
  asked?: 'all' | 'you' | 'background';
  priced?: 'all' | 'known' | 'estimated' | 'unknown';
}

/** What calls cost, summed by key. */
export async function costs(ask: CostAsk, signal?: AbortSignal): Promise<CostView> {
  const query = { by: ask.by, ...scoped(ask), from: ask.from, to: ask.to, model: ask.model, asked: part(ask.asked), priced: part(ask.priced) };
  const view = await object<CostView>({ path: '/api/costs', query, signal });
  return { ...view, rows: items(view.rows) };
}

function part(of: string | undefined): string | undefined {
  return of === 'all' ? undefined : of;
}
