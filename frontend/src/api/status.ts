import { list, object } from './client';
import type { Installation, Scan, Status } from './types.gen';

/** What the owner process is doing. */
export async function status(installation: string, signal?: AbortSignal): Promise<Status> {
  return object<Status>({ path: '/api/status', query: { installation }, signal });
}

/** All installations that Tidemark knows. */
export async function installations(signal?: AbortSignal): Promise<Installation[]> {
  return list<Installation>({ path: '/api/installations', signal });
}

/** Looks at OpenClaw's files; the answer comes when they have been read. */
export async function refresh(installation: string, signal?: AbortSignal): Promise<Scan> {
  return object<Scan>({ path: '/api/scan', query: { installation, refresh: 1 }, signal });
}
