import { items, list, object, scoped, type Scope } from './client';
import type { Session, SessionDetail } from './types.gen';

function whole(s: Session): Session {
  return { ...s, sources: items(s.sources), eras: items(s.eras) };
}

/** All sessions, of one agent or of all. */
export async function sessions(scope: Scope, signal?: AbortSignal): Promise<Session[]> {
  return (await list<Session>({ path: '/api/sessions', query: scoped(scope), signal })).map(whole);
}

/** Which part of which session. An offset below 0 counts from the end. */
export interface SessionAsk extends Scope {
  agent: string;
  session: string;
  offset: number;
  limit: number;
}

/** One session with a part of its conversation. */
export async function session(ask: SessionAsk, signal?: AbortSignal): Promise<SessionDetail> {
  const query = { ...scoped(ask), session: ask.session, offset: ask.offset, limit: ask.limit };
  const detail = await object<SessionDetail>({ path: '/api/session', query, signal });
  return { ...detail, session: whole(detail.session), entries: items(detail.entries) };
}

/** How many entries are looked through at once for one of them. */
const stride = 500;

/**
 * The position of an entry in its session, -1 where it is not there. It looks
 * from the newest on, which is where people come from.
 */
export async function positionOf(ask: Omit<SessionAsk, 'offset' | 'limit'>, entry: string, signal?: AbortSignal): Promise<number> {
  let end = Infinity;
  while (end > 0) {
    const offset = end === Infinity ? -stride : Math.max(0, end - stride);
    const part = await session({ ...ask, offset, limit: Math.min(stride, end) }, signal);
    const at = part.entries.findIndex((e) => e.id === entry);
    if (at >= 0) return part.from + at;
    if (part.from >= end || part.entries.length === 0) return -1; // no progress
    end = part.from;
  }
  return -1;
}
