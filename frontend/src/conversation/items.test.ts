import { describe, expect, it } from 'vitest';
import type { Entry } from '../api/types.gen';
import { itemOf, type Item } from './items';

let serial = 0;
function entry(change: Partial<Entry> = {}): Entry {
  return {
    statements: [], id: `e${serial++}`, kind: 'message', type: 'message', role: 'user', at: '2026-11-30T01:00:00Z', text: 'a', html: '', speaker: '', channel: '', chat: '', before: '', tool: '', isError: false,
    stopReason: '', images: 0, imageBytes: 0, textTokens: 1, onPath: true, inContext: true, background: false, path: '', line: 1,
    tokens: null, usd: null, price: '', model: '', ...change,
  };
}

const name = (i: Item): string => (i.kind === 'note' ? `note ${i.note} ${i.name}` : i.kind === 'message' ? i.who : i.kind);
const made = (e: Entry): string => name(itemOf(e, e.id, undefined));

describe('itemOf', () => {
  it.each<[Partial<Entry>, string]>([
    [{}, 'you'], [{ background: true }, 'background'], [{ role: 'assistant' }, 'agent'], [{ role: 'assistant', background: true }, 'agent'],
    [{ role: 'custom' }, 'plugin'], [{ role: 'other' }, 'other'], [{ kind: 'custom_message', role: '' }, 'plugin'],
    [{ role: 'toolResult' }, 'tool'], [{ role: 'bashExecution' }, 'tool'], [{ kind: 'compaction' }, 'compaction'], [{ kind: 'reset' }, 'reset'],
    [{ kind: 'branch_summary' }, 'branchSummary'], [{ kind: 'session', text: '' }, 'note start '], [{ kind: 'leaf', text: '' }, 'note branch '],
    [{ kind: 'model_change', text: 'p/m' }, 'note model p/m'], [{ kind: 'model_change', model: 'm', text: '' }, 'note model m'],
    [{ kind: 'thinking_level_change', text: 'high' }, 'note thinking high'], [{ kind: 'label', text: 'x' }, 'note label x'],
    [{ kind: 'session_info', text: 'n' }, 'note info n'], [{ kind: 'custom', type: 'custom', text: 'c' }, 'note custom c'],
    [{ kind: 'unknown', type: 'hologram' }, 'note unknown hologram'], [{ kind: 'hologram', type: '' }, 'note unknown hologram'],
  ])('%j is %s', (change, want) => expect(made(entry(change))).toBe(want));
});
