// Keys that move in a list of rows.

import type { Handlers } from '../state/shortcuts.svelte';
import { step } from './table';

interface Rows {
  rows: () => number;
  active: () => number;
  /** The focus is in the list: else the first step goes to the active row. */
  inside: () => boolean;
  focus: (i: number) => void;
}

export function rowKeys(list: Rows): Handlers {
  const move = (by: number) => (): boolean => {
    if (list.rows() === 0) return false;
    list.focus(step(list.active(), list.inside() || !Number.isFinite(by) ? by : 0, list.rows()));
    return true;
  };
  return { next: move(1), previous: move(-1), first: move(-Infinity), last: move(Infinity) };
}
