// The person's choices as the owner process keeps them. What the first paint
// needs is mirrored in the browser (prefs).

import { saveSettings, settings as ask } from '../api/settings';
import type { Settings } from '../api/types.gen';
import { ApiError } from '../transport/transport';
import { adopt } from './prefs.svelte';

let current = $state.raw<Settings | null>(null);
let missing = $state.raw<ApiError | null>(null);
/** What could not be saved, by the name of the choice. */
let refused = $state.raw<{ name: keyof Settings; error: ApiError } | null>(null);
let saving = Promise.resolve();

export const settings = {
  /** The choices, null before they are known. */
  get now(): Settings | null {
    return current;
  },
  /** Why they are not known. */
  get missing(): ApiError | null {
    return missing;
  },
  get refused(): { name: keyof Settings; error: ApiError } | null {
    return refused;
  },
};

/** Asks for the choices; what was chosen there wins over this browser's own. */
export async function loadSettings(): Promise<void> {
  try {
    current = await ask();
    missing = null;
    adopt(current);
  } catch (error) {
    missing = asApiError(error);
  }
}

/**
 * Saves one choice, one after another. Gives what it was before, null where it
 * was not saved: the old value then stays.
 */
export function choose<K extends keyof Settings>(name: K, value: Settings[K]): Promise<Settings[K] | null> {
  const done = saving.then(() => save(name, value));
  saving = done.then(() => undefined);
  return done;
}

async function save<K extends keyof Settings>(name: K, value: Settings[K]): Promise<Settings[K] | null> {
  if (!current) return null;
  const before = current;
  try {
    current = await saveSettings({ ...before, [name]: value });
    refused = null;
    return before[name];
  } catch (error) {
    refused = { name, error: asApiError(error) };
    return null;
  }
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('bad-answer', String(error));
}
