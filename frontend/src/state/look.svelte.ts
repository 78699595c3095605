// Grows when the colours of the page change: what is painted is painted anew.

import { theme } from './prefs.svelte';

let system = $state(0);
if (typeof matchMedia === 'function') {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) matchMedia(query).addEventListener('change', () => system++);
}

/** A value that changes with the look. */
export function look(): string {
  return `${theme()} ${system}`;
}
