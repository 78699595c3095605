// What an entry of a conversation is shown as. Pure.

import type { Compaction, Entry } from '../api/types.gen';

/** Who speaks in a message. */
export type Who = 'you' | 'agent' | 'background' | 'plugin' | 'other';

/** A quiet line that only names something. */
export type Note = 'start' | 'model' | 'thinking' | 'label' | 'info' | 'custom' | 'branch' | 'unknown';

export type Item =
  | { kind: 'message'; id: string; entry: Entry; who: Who }
  | { kind: 'tool'; id: string; entry: Entry }
  | { kind: 'note'; id: string; entry: Entry; note: Note; name: string }
  | { kind: 'compaction'; id: string; entry: Entry; record: Compaction | undefined }
  | { kind: 'reset'; id: string; entry: Entry }
  | { kind: 'branchSummary'; id: string; entry: Entry };

/** Makes the line of an entry; record is what is known of it where it is a compaction. */
export function itemOf(entry: Entry, id: string, record: Compaction | undefined): Item {
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
