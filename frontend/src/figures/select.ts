// Which rows a list shows, and in which order. Pure.

import type { Agent, Session } from '../api/types.gen';
import type { Route } from '../state/url';

/** Says whether all words stand in one of the texts, whatever their case. */
export function matches(words: string, texts: readonly string[]): boolean {
  const all = texts.join('\n').normalize('NFKC').toLowerCase();
  return words.normalize('NFKC').toLowerCase().split(/\s+/).every((w) => all.includes(w));
}

type Choice = Pick<Route, 'agent' | 'kept' | 'asked' | 'words'>;

/** Says whether a session is among the chosen ones, but for its time. */
export function isChosen(s: Session, choice: Choice): boolean {
  if (choice.agent && s.agent !== choice.agent) return false;
  if (choice.asked !== 'all' && s.background !== (choice.asked === 'background')) return false;
  const kept = s.gone ? 'gone' : s.archived ? 'archived' : 'current';
  if (choice.kept !== 'all' && kept !== choice.kept) return false;
  return matches(choice.words, [s.title, s.agent, s.model, s.sessionId, s.sessionKey, s.channel]);
}

export type Value = string | number | null;

/** Chinese by sound, Latin by letter, numbers in texts by size. */
const collator = new Intl.Collator('zh-CN', { numeric: true });

/** A moment as a number: thousands of texts take long to compare. */
export function moment(at: string | null): number | null {
  const ms = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * Sorts by a column; "-name" is downwards. What is not known comes last either
 * way. Equal rows keep their order.
 */
export function sorted<T>(rows: readonly T[], sort: string, value: (row: T, column: string) => Value): T[] {
  const down = sort.startsWith('-');
  const column = down ? sort.slice(1) : sort;
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a, column), value(b, column)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(String(x), String(y));
    return down ? -order : order;
  });
}

/** A session's title; one that has only its id as title has none. */
export function titleOf(s: Pick<Session, 'title' | 'sessionId'>, untitled: (id: string) => string): string {
  const title = s.title.trim();
  return title === '' || title === s.sessionId ? untitled(s.sessionId.slice(0, 8)) : title;
}

/** An agent's name as it is shown: its own, else its id. */
export function agentName(agents: readonly Agent[] | undefined, id: string): string {
  return agents?.find((a) => a.id === id)?.name || id;
}
