// What more than one view needs: it is asked for once.

import { getContext, setContext } from 'svelte';
import { agents } from '../api/agents';
import { problems } from '../api/problems';
import { sessions } from '../api/sessions';
import { installations } from '../api/status';
import type { Agent, Installation, Problem, Session } from '../api/types.gen';
import { useResource, type Resource } from './resource.svelte';
import { route } from './router.svelte';

export interface Shared {
  installations: Resource<Installation[]>;
  agents: Resource<Agent[]>;
  /** Of all agents, whoever is chosen. */
  sessions: Resource<Session[]>;
  problems: Resource<Problem[]>;
}

const place = Symbol('shared');

/** Asks for it. Call it while the outermost component is made. */
export function shareData(): Shared {
  const at = (): string => route().installation;
  const shared: Shared = {
    installations: useResource(() => ({ key: 'installations', ask: (signal) => installations(signal) })),
    agents: useResource(() => ({ key: at(), ask: withPlace(at(), agents) })),
    sessions: useResource(() => ({ key: at(), ask: withPlace(at(), sessions) })),
    problems: useResource(() => ({ key: at(), ask: withPlace(at(), problems) })),
  };
  return setContext(place, shared);
}

function withPlace<T>(installation: string, ask: (scope: { installation: string }, signal?: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  return (signal) => ask({ installation }, signal);
}

export function useShared(): Shared {
  return getContext<Shared>(place);
}
