import { items, list, object, scoped, type Scope } from './client';
import type { Entry, Found, Session, SessionDetail } from './types.gen';

function whole(s: Session): Session {
  return { ...s, sources: items(s.sources), eras: items(s.eras) };
}

/** An entry whose empty list, which Go writes as null, is one. */
export function wholeEntry(e: Entry): Entry {
  return { ...e, statements: items(e.statements) };
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
  return { ...detail, session: whole(detail.session), entries: items(detail.entries).map(wholeEntry) };
}

/** The place of an entry, or of the first one at a moment (milliseconds since 1970) or after it. */
export async function find(ask: Scope & { agent: string; session: string; entry?: string; at?: number }, signal?: AbortSignal): Promise<Found> {
  return object<Found>({ path: '/api/find', query: { ...scoped(ask), session: ask.session, entry: ask.entry, at: ask.at }, signal });
}
