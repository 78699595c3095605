// The questions of the API are asked through the transport that was connected
// at the start of the page.

import { ApiError, type Ask, type Transport } from '../transport/transport';

let connected: Transport | undefined;

/** Sets the transport. It comes before the first question. */
export function connect(transport: Transport): void {
  connected = transport;
}

/** The transport, for its events. */
export function host(): Transport {
  if (!connected) throw new ApiError('away', 'no transport is connected');
  return connected;
}

/** Asks for one thing. */
export async function object<T extends object>(ask: Ask): Promise<T> {
  const answer = await host().request(ask);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new ApiError('bad-answer', `${ask.path}: no object`);
  }
  return answer as T;
}

/** Asks for a list. */
export async function list<T>(ask: Ask): Promise<T[]> {
  const answer = await host().request(ask);
  if (answer === null) return []; // an empty list of Go
  if (!Array.isArray(answer)) throw new ApiError('bad-answer', `${ask.path}: no list`);
  return answer as T[];
}

/** A list inside an answer, which Go writes as null where it is empty. */
export function items<T>(of: T[] | null | undefined): T[] {
  return of ?? [];
}

/** Whose figures are asked for: "" is the default installation, all agents. */
export interface Scope {
  installation: string;
  agent?: string;
  /** Look at OpenClaw's files first. */
  refresh?: boolean;
}

/** The parameters that every question has. */
export function scoped(scope: Scope): Record<string, string | number | undefined> {
  return { installation: scope.installation, agent: scope.agent, refresh: scope.refresh ? 1 : undefined };
}
