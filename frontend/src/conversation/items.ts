// What a page of a conversation shows: entries become lines, with the places
// marked where the agent's context changed. Pure.

import type { Compaction, Entry } from '../api/types.gen';

/** Who speaks in a message. */
export type Who = 'you' | 'agent' | 'background' | 'plugin' | 'other';

/** A quiet line that only names something. */
export type Note = 'start' | 'model' | 'thinking' | 'label' | 'info' | 'custom' | 'branch' | 'unknown';

export type Item =
  | { kind: 'day'; id: string; day: string }
  | { kind: 'message'; id: string; entry: Entry; who: Who }
  | { kind: 'tool'; id: string; entry: Entry }
  | { kind: 'note'; id: string; entry: Entry; note: Note; name: string }
  | { kind: 'compaction'; id: string; entry: Entry; record: Compaction | undefined }
  | { kind: 'reset'; id: string; entry: Entry }
  | { kind: 'branchSummary'; id: string; entry: Entry }
  | { kind: 'left'; id: string; items: Item[]; count: number }
  | { kind: 'unseen'; id: string };

/** What is needed beside the entries. */
export interface Beside {
  compactions: readonly Compaction[];
  /** The day of a moment in the person's zone. */
  dayOf: (at: string) => string;
}

/** Makes the lines of a page. */
export function itemsOf(entries: readonly Entry[], beside: Beside): Item[] {
  const records = new Map(beside.compactions.map((c) => [c.entryId, c]));
  const edge = contextEdge(entries);
  const out: Item[] = [];
  let today = '';
  entries.forEach((entry, i) => {
    const day = entry.at === null ? today : beside.dayOf(entry.at);
    if (day !== today) out.push({ kind: 'day', id: `day ${i}`, day: (today = day) });
    if (i === edge) out.push({ kind: 'unseen', id: 'unseen' });
    const item = itemOf(entry, `${i} ${entry.id}`, records.get(entry.id));
    if (entry.onPath || item.kind === 'compaction') out.push(item);
    else fold(out, item);
  });
  return out;
}

/** Puts an item into the fold of entries that were left, a new one if needed. */
function fold(out: Item[], item: Item): void {
  let last = out.at(-1);
  if (last?.kind !== 'left') out.push((last = { kind: 'left', id: `left ${item.id}`, items: [], count: 0 }));
  last.items.push(item);
  last.count++;
}

/**
 * The position of the first entry that the agent still sees, where a message
 * before it on the page is one that it does not see any more; -1 where all or
 * none is seen.
 */
export function contextEdge(entries: readonly Entry[]): number {
  let unseen = false;
  for (const [i, e] of entries.entries()) {
    if (!e.onPath || (e.kind !== 'message' && e.kind !== 'custom_message')) continue;
    if (!e.inContext) unseen = true;
    else if (unseen) return i;
  }
  return -1;
}

function itemOf(entry: Entry, id: string, record: Compaction | undefined): Item {
  const note = (n: Note, name = entry.text): Item => ({ kind: 'note', id, entry, note: n, name });
  switch (entry.kind) {
    case 'message':
      return isTool(entry) ? { kind: 'tool', id, entry } : { kind: 'message', id, entry, who: whoOf(entry) };
    case 'custom_message':
      return { kind: 'message', id, entry, who: 'plugin' };
    case 'compaction':
      return { kind: 'compaction', id, entry, record };
    case 'reset':
      return { kind: 'reset', id, entry };
    case 'branch_summary':
      return { kind: 'branchSummary', id, entry };
    case 'session':
      return note('start');
    case 'leaf':
      return note('branch');
    case 'model_change':
      return note('model', entry.model || entry.text);
    case 'thinking_level_change':
      return note('thinking');
    case 'label':
      return note('label');
    case 'session_info':
      return note('info');
    case 'custom':
      return note('custom', entry.text || entry.tool || entry.type);
    default:
      return note('unknown', entry.type || entry.kind);
  }
}

/** What is folded to one line: results of tools and of the shell. */
function isTool(e: Entry): boolean {
  return e.role === 'toolResult' || e.role === 'bashExecution';
}

function whoOf(e: Entry): Who {
  switch (e.role) {
    case 'user':
      return e.background ? 'background' : 'you';
    case 'assistant':
      return 'agent';
    case 'custom':
      return 'plugin';
    default:
      return 'other';
  }
}
