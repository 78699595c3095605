import { items, object, scoped, type Scope } from './client';
import type { Tide } from './types.gen';

/** The course of a session's context. */
export async function tide(ask: Scope & { agent: string; session: string }, signal?: AbortSignal): Promise<Tide> {
  return whole(await object<Tide>({ path: '/api/tide', query: { ...scoped(ask), session: ask.session }, signal }));
}

/** A tide whose empty columns, which Go writes as null, are empty lists. */
export function whole(t: Tide): Tide {
  return {
    ...t, at: items(t.at), input: items(t.input), cacheRead: items(t.cacheRead), cacheWrite: items(t.cacheWrite), output: items(t.output),
    usd: items(t.usd), background: items(t.background), entry: items(t.entry), falls: items(t.falls), statements: items(t.statements),
  };
}
