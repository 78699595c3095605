// Which key means what. Pure: a machine that is fed with keys.

import type { View } from './url';

export type Action =
  | { name: 'go'; view: View }
  | { name: 'next' | 'previous' | 'first' | 'last' | 'escape' | 'filter' | 'help' | 'table' | 'refresh' | 'palette' | 'undo' | 'pin' | 'edit' };

/** What of a key event counts. */
export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** In a field keys are letters, but for Escape. */
  inField: boolean;
  /** An input method is composing: every key is its own. */
  isComposing: boolean;
  /** Milliseconds of any clock. */
  at: number;
}

/** G then one of these letters goes to a view. */
export const letters: Readonly<Record<string, View>> = { t: 'today', s: 'sessions', c: 'compactions', k: 'statements', u: 'costs', p: 'problems', e: 'settings' };

const single = new Map<string, Action>([
  ['j', { name: 'next' }], ['ArrowDown', { name: 'next' }],
  ['k', { name: 'previous' }], ['ArrowUp', { name: 'previous' }],
  ['Home', { name: 'first' }], ['End', { name: 'last' }],
  ['Escape', { name: 'escape' }],
  ['/', { name: 'filter' }], ['?', { name: 'help' }], ['？', { name: 'help' }],
  ['t', { name: 'table' }], ['r', { name: 'refresh' }], ['z', { name: 'undo' }],
  ['p', { name: 'pin' }], ['e', { name: 'edit' }],
]);

/** How long G waits for its letter, in milliseconds. */
const wait = 1500;

/** Makes a machine that turns keys into actions, null for keys that mean nothing. */
export function keyMachine(): (press: Press) => Action | null {
  let leader = -Infinity;
  return (press) => {
    if (press.isComposing) return null;
    if ((press.ctrlKey || press.metaKey) && !press.altKey && press.key.toLowerCase() === 'k') return { name: 'palette' };
    if (press.ctrlKey || press.metaKey || press.altKey) return null;
    if (press.inField) return press.key === 'Escape' ? { name: 'escape' } : null;
    const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
    const led = press.at - leader <= wait;
    leader = key === 'g' && !led ? press.at : -Infinity;
    if (led) {
      const view = Object.hasOwn(letters, key) ? letters[key] : undefined;
      return view ? { name: 'go', view } : null;
    }
    return single.get(key) ?? null;
  };
}
