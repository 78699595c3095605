// What the command palette offers for some words. Pure.

import { matches } from './select';

export type Group = 'view' | 'action' | 'agent' | 'session';
export const groups: readonly Group[] = ['view', 'action', 'agent', 'session'];

export interface Offer {
  id: string;
  group: Group;
  text: string;
  note?: string;
  /** The shortcut that does the same. */
  keys?: readonly string[];
}

/** So many sessions are more than anybody reads through. */
const mostSessions = 12;

/**
 * The offers that have all words, grouped, those that begin with the words
 * first. Sessions, of which there may be thousands, come when words are there.
 */
export function offersFor<T extends Offer>(offers: readonly T[], words: string): T[] {
  const wanted = words.trim();
  const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
  const begins = (o: T): number => (fold(o.text).startsWith(fold(wanted)) ? 0 : 1);
  return groups.flatMap((group) => {
    const found = offers.filter((o) => o.group === group && matches(wanted, [o.text, o.note ?? '']));
    if (wanted === '') return group === 'session' ? found.slice(0, 5) : found;
    const ranked = found.toSorted((a, b) => begins(a) - begins(b));
    return group === 'session' ? ranked.slice(0, mostSessions) : ranked;
  });
}
