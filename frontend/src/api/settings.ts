import { items, object } from './client';
import type { Settings } from './types.gen';

/** The person's choices. */
export async function settings(signal?: AbortSignal): Promise<Settings> {
  return whole(await object<Settings>({ path: '/api/settings', signal }));
}

/** Keeps all choices and gives them as they hold now. */
export async function saveSettings(to: Settings, signal?: AbortSignal): Promise<Settings> {
  return whole(await object<Settings>({ method: 'POST', path: '/api/settings', body: to, signal }));
}

function whole(found: Settings): Settings {
  return { ...found, notices: items(found.notices) };
}
